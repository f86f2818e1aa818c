package pngtile

import (
	"bytes"
	"compress/flate"
	"image"
	"io"
	"math/rand/v2"
	"testing"
)

// FuzzDeflate compresses the input twice with the same deflater, and decompresses each result separately with the standard library. So
// the test detects a second result that refers to bytes of the first result.
func FuzzDeflate(f *testing.F) {
	f.Add([]byte("abcabcabcabcabcabc"), uint16(3))
	f.Add(bytes.Repeat([]byte{0}, 100_000), uint16(1000))
	f.Add([]byte{1}, uint16(1))
	f.Add([]byte("one line|one line|one line|another!|another!|"), uint16(9))
	rnd := rand.New(rand.NewPCG(1, 2))
	long := make([]byte, 3*maxTokens)
	for i := range long {
		long[i] = byte(rnd.ExpFloat64() * 9)
	}
	f.Add(long, uint16(40_000))
	d := newDeflater()
	f.Fuzz(func(t *testing.T, data []byte, line uint16) {
		if len(data) == 0 || line == 0 {
			return
		}
		for range 2 {
			out := d.deflate(nil, data, int(line), sameRows(data, int(line)))
			if !bytes.HasSuffix(out, []byte{0, 0, 0xFF, 0xFF}) {
				t.Fatal("no flush at the end")
			}
			got, err := io.ReadAll(flate.NewReader(bytes.NewReader(append(out, 3, 0))))
			if err != nil || !bytes.Equal(got, data) {
				t.Fatalf("got %d bytes, error %v, want %d bytes", len(got), err, len(data))
			}
		}
	})
}

// sameRows returns a mask of the rows that equal the row above, for the first complete rows of `data`.
func sameRows(data []byte, line int) (same uint32) {
	for i := 1; i < BandRows && (i+1)*line <= len(data); i++ {
		if bytes.Equal(data[i*line:(i+1)*line], data[(i-1)*line:i*line]) {
			same |= 1 << i
		}
	}
	return same
}

func FuzzRoundTrip(f *testing.F) {
	f.Add(uint8(17), uint8(70), []byte("some pixels"))
	f.Add(uint8(1), uint8(1), []byte{})
	f.Add(uint8(200), uint8(33), []byte{0, 255, 255, 0, 0, 255, 7})
	f.Fuzz(func(t *testing.T, w, h uint8, data []byte) {
		if w == 0 || h == 0 {
			return
		}
		pic := image.NewRGBA(image.Rect(0, 0, int(w), int(h)))
		for i := range pic.Pix {
			if len(data) > 0 {
				pic.Pix[i] = data[i%len(data)] ^ byte(i/len(data)>>6)
			}
			if i%4 == 3 {
				pic.Pix[i] = 255
			}
		}
		file := encoder(t, pic).AppendTo(nil)
		mustEqual(t, decode(t, file), pic)
		if !bytes.Equal(strips(t, pic, BandRows), file) {
			t.Fatal("strips give another file")
		}
	})
}

// TestHuffmanLimits: no code exceeds its limit, even for frequencies whose ideal codes would be far longer.
func TestHuffmanLimits(t *testing.T) {
	for _, c := range []struct {
		name     string
		n, limit int
		freq     func(i int) uint32
	}{
		{"fibonacci", 40, maxCodeBits, func(i int) uint32 {
			a, b := uint32(1), uint32(1)
			for range i {
				a, b = b, a+b
			}
			return a
		}},
		{"powers", 19, maxLengthBits, func(i int) uint32 { return 1 << i }},
		{"equal", literalSymbols, maxCodeBits, func(int) uint32 { return 7 }},
		{"two", 2, maxCodeBits, func(i int) uint32 { return uint32(i*100 + 1) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var h huffman
			for i := range c.n {
				h.freq[i] = c.freq(i)
			}
			h.build(c.n, c.limit)
			kraft := 0
			for s, l := range h.length[:c.n] {
				if l == 0 || int(l) > c.limit {
					t.Errorf("symbol %d: got %d bits, want 1..%d", s, l, c.limit)
				}
				kraft += 1 << (maxCodeBits - l)
			}
			if kraft != 1<<maxCodeBits {
				t.Errorf("the code is not complete: %d of %d", kraft, 1<<maxCodeBits)
			}
		})
	}
}

func TestSymbols(t *testing.T) {
	for _, c := range []struct{ length, symbol, extra int }{
		{3, 257, 0}, {10, 264, 0}, {11, 265, 1}, {18, 268, 1}, {19, 269, 2}, {66, 276, 3}, {257, 284, 5}, {258, 285, 0},
	} {
		s := lengthCode[c.length-3]
		if int(s) != c.symbol || int(lengthExtra(s)) != c.extra {
			t.Errorf("length %d: got symbol %d, %d extra bits, want %d, %d", c.length, s, lengthExtra(s), c.symbol, c.extra)
		}
	}
	for _, c := range []struct{ distance, symbol, extra int }{
		{1, 0, 0}, {4, 3, 0}, {5, 4, 1}, {7, 5, 1}, {9, 6, 2}, {24577, 29, 13}, {32768, 29, 13},
	} {
		s := distanceCode(c.distance)
		if s != c.symbol || int(distanceExtra(s)) != c.extra {
			t.Errorf("distance %d: got symbol %d, %d extra bits, want %d, %d", c.distance, s, distanceExtra(s), c.symbol, c.extra)
		}
	}
}
