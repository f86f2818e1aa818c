package netstream

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// longestHashed is a row of 48 pixels and a rest of every kind.
const longestHashed = 4*48 + 8 + 7

func hashed() []byte {
	p := make([]byte, longestHashed)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range p {
		p[i] = byte(r.Uint32())
	}
	return p
}

// Tags are the same on every machine and after every restart.
func TestHashIsStable(t *testing.T) {
	for n, want := range map[int]uint64{0: 0x4789ba88584b92b6, 4: 0x4529f18319bfff30, 64: 0xad9661c4d020b8e7, longestHashed: 0xbaacb40f3b32e91c} {
		if got := hash(hashed()[:n]); got != want {
			t.Errorf("%d bytes: got %#x, want %#x", n, got, want)
		}
	}
}

// Every bit of every length counts, and changes about half of the hash.
func TestHashTellsBitsApart(t *testing.T) {
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

// Flat rows, what pictures are made of, differ by color, length and where another color begins.
func TestHashTellsFlatRowsApart(t *testing.T) {
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

// BenchmarkHash hashes the rows of a 1920x1080 frame.
func BenchmarkHash(b *testing.B) {
	frame := make([]byte, 4*benchW*benchH)
	for i := range frame {
		frame[i] = byte(i * 7 >> 3)
	}
	for _, f := range []struct {
		name string
		hash func([]byte) uint64
	}{{"ours", hash}, {"peer=xxhash", xxhash.Sum64}} {
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
