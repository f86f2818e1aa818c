package scaledjpeg

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// convertPairs, in which two pixels share their color values, gives the same result as convertPlain for any first column.
func TestPairsAsPlain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const wide = 24
	d := &Decoder{hMax: 2, comps: []component{{h: 2}, {h: 1}, {h: 1}}}
	var rows [maxComponents][]uint8
	for i := range rows {
		c := &d.comps[i]
		for x := range wide {
			c.columns = append(c.columns, int32(x*c.h/d.hMax))
			rows[i] = append(rows[i], uint8(rnd.Uint32()))
		}
	}
	copy(rows[1], []uint8{0, 255, 0, 255}) // extreme values, with which colors exceed 0 to 255 before they are limited
	if !d.halved() {
		t.Fatal("these colors are halved")
	}
	for x0 := range wide {
		for width := range wide - x0 + 1 {
			got, want := make([]uint8, 4*width), make([]uint8, 4*width)
			convertPairs(got, rows[0][x0:], rows[1], rows[2], x0)
			d.convertPlain(want, x0, width, &rows)
			if !bytes.Equal(got, want) {
				t.Fatalf("%d pixels from %d on: got %v, want %v", width, x0, got, want)
			}
		}
	}
}

// The table `whole` gives the same coefficients as reading symbol by symbol.
func TestWholeCoefficients(t *testing.T) {
	var h huffman
	// The codes have 2 to 6 bits. Their symbols are the end of a block, 16 zeros, short and long runs, and an invalid run.
	if err := h.set([]byte{0, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, []byte{0x00, 0xf0, 0x01, 0x53, 0xf1, 0x30}, true); err != nil {
		t.Fatal(err)
	}
	seen := map[int32]bool{}
	for look, w := range h.whole {
		if w == 0 {
			continue
		}
		b := bitReader{acc: uint64(look) << (64 - lookBits), n: 64}
		symbol := b.symbol(&h)
		run, size, value := int32(symbol>>4), uint(symbol&15), int32(0)
		if size > 0 {
			value = extend(b.get(size), int(size))
		} else if run != 15 {
			run = blockSize
		}
		seen[run] = true
		if got := [3]int32{w >> 16, w >> 8 & 0x7f, w & 0xff}; got != [3]int32{value, run, int32(64 - b.n)} {
			t.Fatalf("%010b: got value, run and bits %v, want %d, %d, %d", look, got, value, run, 64-b.n)
		}
	}
	if !seen[blockSize] || !seen[15] || !seen[5] {
		t.Errorf("got runs %v", seen)
	}
}
