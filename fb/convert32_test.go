package fb

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestWordsArePlain compares the converters for words with the plain converters, for every length, alignment and place in the pattern.
// Bytes around the row must not change.
func TestWordsArePlain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	src := make([]byte, 4*70)
	for i := range src {
		src[i] = byte(r.Uint32())
	}
	for n := range 67 {
		for shift := range 4 {
			for _, from := range []int{0, 1, 4} {
				in := src[from : from+4*n]
				want, got := bytes.Repeat([]byte{0xa5}, 4*n+16), bytes.Repeat([]byte{0xa5}, 4*n+16)
				xrgbPlain(want[shift:shift+4*n], in)
				xrgbWords(got[shift:shift+4*n], in)
				if !bytes.Equal(got, want) {
					t.Fatalf("xrgb, %d pixels from %d to %d: got % x, want % x", n, from, shift, got, want)
				}
				for place := range 17 {
					p := &flat565
					if place < 16 {
						p = pattern565(true, place%4, place/4)
					}
					want, got := bytes.Repeat([]byte{0xa5}, 2*n+16), bytes.Repeat([]byte{0xa5}, 2*n+16)
					rgb565Plain(want[shift:shift+2*n], in, p)
					rgb565Words(got[shift:shift+2*n], in, p)
					if !bytes.Equal(got, want) {
						t.Fatalf("rgb565, %d pixels from %d to %d, place %d: got % x, want % x", n, from, shift, place, got, want)
					}
				}
			}
		}
	}
	short := make([]byte, 8) // dst has space for fewer pixels than src has
	rgb565Words(short, src, &flat565)
	xrgbWords(short, src)
}

// TestWordColors compares the converters for words with the plain converters, for every level of a channel and every threshold.
func TestWordColors(t *testing.T) {
	for v := range uint32(256) {
		for th := range uint32(64) {
			pixel := v | v<<8 | v<<16 | opaqueWord
			want := quantize(uint8(v), 5, th)<<11 | quantize(uint8(v), 6, th)<<5 | quantize(uint8(v), 5, th)
			if got := level565Word(pixel, uint32(lanes565(th))); got != want {
				t.Fatalf("%d, threshold %d: got %#x, want %#x", v, th, got, want)
			}
		}
	}
}
