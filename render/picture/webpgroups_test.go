package picture

import (
	"encoding/binary"
	"errors"
	"image"
	"math/bits"
	"testing"
)

// bitWriter writes bits, the lowest first.
type bitWriter struct {
	data []byte
	n    int
}

func (w *bitWriter) put(v, n int) {
	for i := range n {
		if w.n&7 == 0 {
			w.data = append(w.data, 0)
		}
		w.data[w.n>>3] |= byte(v>>i&1) << (w.n & 7)
		w.n++
	}
}

// all() writes a Huffman code with 256 symbols of 8 bits each.
func (w *bitWriter) all(bounded bool) {
	w.put(0, 1)
	w.put(12-4, 4)
	for range 11 {
		w.put(0, 3)
	}
	w.put(1, 3) // 8 is the only length in use, so a symbol of the code for lengths takes no bits
	if bounded {
		w.put(1, 1)
		w.put(3, 3)
		w.put(254, 8)
	} else {
		w.put(0, 1)
	}
}

// one() writes a Huffman code whose only symbol is 0.
func (w *bitWriter) one() { w.put(1, 4) }

// manyGroups returns a WebP file of a few kilobytes with n groups of codes.
func manyGroups(size image.Point, n int) []byte {
	w := &bitWriter{}
	w.put(0x2f, 8)
	w.put(size.X-1, 14)
	w.put(size.Y-1, 14)
	w.put(0, 4)
	w.put(0, 1) // no transform
	w.put(0, 1) // no color cache
	w.put(1, 1) // several groups
	w.put(0, 3) // one group number for each tile of 4x4 pixels
	w.put(0, 1)
	w.all(true)
	w.all(false)
	w.one()
	w.one()
	w.one()
	for i := range tiles(size.X, 2) * tiles(size.Y, 2) {
		g := min(i, n-1)
		w.put(int(bits.Reverse8(uint8(g))), 8)
		w.put(int(bits.Reverse8(uint8(g>>8))), 8)
	}
	for len(w.data)%2 != 0 {
		w.data = append(w.data, 0)
	}
	chunk := append(binary.LittleEndian.AppendUint32([]byte("VP8L"), uint32(len(w.data))), w.data...)
	return append(append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(chunk)+4)), "WEBP"...), chunk...)
}

// A small picture with thousands of groups of Huffman codes is refused before memory for the groups is allocated. A group takes 56 KB.
func TestWebPGroups(t *testing.T) {
	size := image.Pt(208, 208)
	for _, n := range []int{1, 7, 900, 2600} {
		data := manyGroups(size, n)
		if got, err := groupsOf(data[25:], size); got != n || err != nil {
			t.Errorf("got %d groups and %v, want %d", got, err, n)
		}
	}
	if _, err := Decode(t.Context(), manyGroups(size, 2600), size, Contain, true); !errors.Is(err, ErrTooLarge) {
		t.Errorf("2600 groups: got %v, want ErrTooLarge", err)
	}
	if _, err := Decode(t.Context(), manyGroups(size, 2600)[:400], size, Contain, true); err == nil {
		t.Error("a cut file: no error")
	}
}
