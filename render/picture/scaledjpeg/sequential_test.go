package scaledjpeg

import (
	"math/rand/v2"
	"testing"
)

// plain() reads a block symbol by symbol (F.2.2.2), all 64 coefficients in zigzag order.
func (d *Decoder) plain(c *component) (block [blockSize]int16) {
	b := &d.bits
	ready := func() {
		if b.n < 32 {
			b.fill()
		}
	}
	ready()
	if size := uint(b.symbol(c.dc) & 15); size > 0 {
		c.prediction += extend(b.get(size), int(size))
	}
	block[0] = int16(c.prediction)
	for k := 1; k < blockSize; k++ {
		ready()
		symbol := b.symbol(c.ac)
		run, size := int(symbol>>4), uint(symbol&15)
		if size == 0 && run != 15 {
			break
		}
		value := int16(0)
		if size > 0 {
			value = int16(extend(b.get(size), int(size)))
		}
		if k += run; k < blockSize {
			block[k] = value
		}
	}
	return block
}

// randomTable returns a table with codes of all lengths for n symbols. As in the standard, the first codes of each length are used.
func randomTable(t *testing.T, rnd *rand.Rand, n int, ac bool) *huffman {
	t.Helper()
	symbols := rnd.Perm(256)
	if !ac {
		symbols = rnd.Perm(12)
	}
	counts, values, free := make([]byte, 16), []byte{}, 2 // free: number of codes of this length that are not yet used
	for length := range counts {
		take := min(rnd.IntN(free+1), free-1, n-len(values)) // at least one code is left free, as the start of longer codes
		if length == len(counts)-1 {
			take = min(free-1, n-len(values), 255)
		}
		counts[length] = byte(take)
		for range take {
			values = append(values, byte(symbols[len(values)]))
		}
		free = 2 * (free - take)
	}
	h := new(huffman)
	if err := h.set(counts, values, ac); err != nil {
		t.Fatal(err)
	}
	return h
}

// The decoder finds and skips several coefficients at a time. For random bytes with random codes, at every size, the coefficients and the
// end of each block are the same as with single reads.
func TestSequentialAsPlain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	blocks := 0
	for range 300 {
		n := []int{1, 2, 4}[rnd.IntN(3)]
		fast, slow := &Decoder{}, &Decoder{}
		fast.places(n)
		data := make([]byte, 4<<10)
		for i := range data {
			if data[i] = byte(rnd.Uint32()); i > 0 && data[i-1] == 0xff {
				data[i] = 0
			}
		}
		dc, ac := randomTable(t, rnd, 12, false), randomTable(t, rnd, 1+rnd.IntN(250), true)
		fast.bits.data, slow.bits.data = data, data
		a, b := &component{dc: dc, ac: ac}, &component{dc: dc, ac: ac}
		for !fast.bits.ended() && !slow.bits.ended() {
			var got [beyond]int16
			fast.sequential(a, &got)
			want := slow.plain(b)
			if fast.bits.ended() || slow.bits.ended() {
				break
			}
			for k, place := range fast.place[:blockSize] {
				if int(place) < n*n && got[place] != want[k] {
					t.Fatalf("at %d eighths, coefficient %d: got %d, want %d", n, k, got[place], want[k])
				}
			}
			if got, want := fast.bits.place(), slow.bits.place(); got != want && !near(data, fast.bits.pos, slow.bits.pos) {
				t.Fatalf("at %d eighths: read to bit %d, want %d", n, got, want)
			}
			blocks++
		}
	}
	if blocks < 10_000 {
		t.Errorf("got only %d blocks", blocks)
	}
}

// place returns the index of the next bit to read.
func (b *bitReader) place() int { return 8*b.pos + int(b.over) - int(b.n) }

// near() reports whether a stuffed byte is between the bytes a and b of `data`. Near a stuffed byte, fast and slow reading may count bits
// differently.
func near(data []byte, a, b int) bool {
	for i := max(0, min(a, b)-1); i < min(len(data), max(a, b)+1); i++ {
		if data[i] == 0xff {
			return true
		}
	}
	return false
}
