package netstream

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// longestHashed is the length of the longest input in bytes: a row of 48 pixels, then 8 bytes, then 7 bytes. With this length, every loop
// of the hashes runs.
const longestHashed = 4*48 + 8 + 7

func hashed() []byte {
	p := make([]byte, longestHashed)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	return p
}

// hashes contains the hashes for 64-bit and for 32-bit words. Both are tested on every machine.
var hashes = map[string]func([]byte) uint64{"64 bits": hash64, "32 bits": hash32}

// Hashes are equal on all machines with the same word size, and after every restart.
func TestHashIsStable(t *testing.T) {
	for kind, want := range map[string]map[int]uint64{
		"64 bits": {0: 0x4789ba88584b92b6, 4: 0x4529f18319bfff30, 64: 0xad9661c4d020b8e7, longestHashed: 0xbaacb40f3b32e91c},
		"32 bits": {0: 0xe6734f009b53f272, 4: 0x4cfeea5ee1e483bd, 64: 0x455ccf4489406b89, longestHashed: 0x1c9c31d9aa1fabf0},
	} {
		for n, want := range want {
			if got := hashes[kind](hashed()[:n]); got != want {
				t.Errorf("%s, %d bytes: got %#x, want %#x", kind, n, got, want)
			}
		}
	}
}

// For every alignment, hash32 returns the same hash as hashPlain.
func TestHashEqualsPlain(t *testing.T) {
	p := hashed()
	for from := range 9 {
		for to := from; to <= len(p); to++ {
			if got, want := hash32(p[from:to]), hashPlain(p[from:to]); got != want {
				t.Fatalf("bytes %d to %d: got %#x, want %#x", from, to, got, want)
			}
		}
	}
}

// In a row of one color, changed pixels at different places give different hashes. The changes are one dot, two dots at equal distances
// from the middle, and bars. The distances and colors include patterns that could cancel out in the arithmetic of words.
func TestHashTellsMovesApart(t *testing.T) {
	const n = 1024
	plain := [4]byte{20, 30, 40, 255}
	for kind, hash := range hashes {
		seen := map[uint64]string{}
		row := make([]byte, 4*n)
		note := func(what string, paint func(put func(x int))) {
			for i := range n {
				copy(row[4*i:], plain[:])
			}
			for channel := range 3 {
				for _, by := range []byte{1, 3, 64, 128} {
					paint(func(x int) { row[4*x+channel] = plain[channel] ^ by })
					h := hash(row)
					if was := seen[h]; was != "" {
						t.Fatalf("%s: %s, channel %d by %d has the hash of %s", kind, what, channel, by, was)
					}
					seen[h] = fmt.Sprintf("%s, channel %d by %d", what, channel, by)
					paint(func(x int) { row[4*x+channel] = plain[channel] })
				}
			}
		}
		for x := range n {
			note(fmt.Sprint("a dot at ", x), func(put func(int)) { put(x) })
		}
		for x := 1; x < n/2; x++ {
			note(fmt.Sprint("two dots around the middle, apart by ", 2*x), func(put func(int)) { put(n/2 - x); put(n/2 + x) })
			note(fmt.Sprint("a bar from ", x), func(put func(int)) {
				for i := x; i < n; i++ {
					put(i)
				}
			})
		}
	}
}

// For inputs of every length, the change of any bit gives another hash. On average, half of the hash's bits change.
func TestHashTellsBitsApart(t *testing.T) {
	for kind, hash := range hashes {
		t.Run(kind, func(t *testing.T) { tellsBitsApart(t, hash) })
	}
}

func tellsBitsApart(t *testing.T, hash func([]byte) uint64) {
	p := hashed()
	seen := map[uint64]bool{}
	flips, pairs := 0, 0
	for n := range len(p) + 1 {
		whole := hash(p[:n])
		if seen[whole] {
			t.Fatalf("%d bytes: the hash of something shorter", n)
		}
		seen[whole] = true
		for bit := range 8 * n {
			p[bit/8] ^= 1 << (bit % 8)
			other := hash(p[:n])
			p[bit/8] ^= 1 << (bit % 8)
			if seen[other] {
				t.Fatalf("%d bytes, bit %d: a hash that was there already", n, bit)
			}
			seen[other] = true
			flips += bits.OnesCount64(whole ^ other)
			pairs++
		}
	}
	if mean := float64(flips) / float64(pairs); mean < 31.9 || mean > 32.1 {
		t.Errorf("a bit changes %.2f bits of the hash, want 32", mean)
	}
}

// Rows of one color in which some pixels have another color have different hashes.
func TestHashTellsFlatRowsApart(t *testing.T) {
	for kind, hash := range hashes {
		t.Run(kind, func(t *testing.T) { tellsFlatRowsApart(t, hash) })
	}
}

func tellsFlatRowsApart(t *testing.T, hash func([]byte) uint64) {
	seen := map[uint64]string{}
	row := make([]byte, 4*256)
	for color := range 256 {
		for i := range row {
			row[i] = byte(color)
		}
		for edge := 0; edge < len(row); edge += 4 {
			row[edge] ^= 0xff
			h := hash(row)
			if was := seen[h]; was != "" {
				t.Fatalf("color %d, edge %d: the hash of %s", color, edge, was)
			}
			seen[h] = "another"
			if edge%8 == 0 {
				row[edge] ^= 0xff
			}
		}
	}
}

// fnvByWords is a simple hash for comparison: FNV-1a with 64 bits, for words of four bytes.
func fnvByWords(p []byte) uint64 {
	h := uint64(14695981039346656037)
	for ; len(p) >= 4; p = p[4:] {
		h = (h ^ uint64(binary.LittleEndian.Uint32(p))) * 1099511628211
	}
	return h
}

// BenchmarkHash hashes the rows of a 1920x1080 frame.
func BenchmarkHash(b *testing.B) {
	frame := make([]byte, 4*benchW*benchH)
	for i := range frame {
		frame[i] = byte(i * 7 >> 3)
	}
	for _, f := range []struct {
		name string
		hash func([]byte) uint64
	}{{"ours", hash64}, {"32 bits", hash32}, {"peer=xxhash", xxhash.Sum64}, {"peer=FNV by words", fnvByWords}} {
		b.Run(f.name, func(b *testing.B) {
			b.SetBytes(int64(len(frame)))
			for b.Loop() {
				for y := range benchH {
					f.hash(frame[4*benchW*y:][:4*benchW])
				}
			}
		})
	}
}
