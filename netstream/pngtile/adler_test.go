package pngtile

import (
	"bytes"
	"hash/adler32"
	"testing"

	"dashboard/internal/testing/testpic"
)

// TestAdler compares sumOf and then() with hash/adler32, for lengths near a word, narrowBytes and foldBytes.
func TestAdler(t *testing.T) {
	data := testpic.Noise(1000, 700, 9).Pix
	for i := range data[:foldBytes+foldBytes/2] {
		data[i] |= 0xF0 // large bytes, so that sums that are too narrow overflow here
	}
	for _, n := range []int{0, 1, 7, 8, 9, 63, 5552, 5553, 65521, 100_003, foldBytes, foldBytes + 1, len(data)} {
		want := adler32.Checksum(data[:n])
		if got := sumOf(data[:n]); got.sum != want || got.n != n {
			t.Errorf("%d bytes: got %08x, want %08x", n, got.sum, want)
		}
		if got := sumWords(data[:n]); got.sum != want || got.n != n {
			t.Errorf("%d bytes, by words: got %08x, want %08x", n, got.sum, want)
		}
		if got := sumBytes(data[:n]); got.sum != want || got.n != n {
			t.Errorf("%d bytes, by bytes: got %08x, want %08x", n, got.sum, want)
		}
		for _, cut := range []int{0, n / 3, n} {
			if got := sumOf(data[:cut]).then(sumOf(data[cut:n])); got.sum != want || got.n != n {
				t.Errorf("%d and %d bytes joined: got %08x, want %08x", cut, n-cut, got.sum, want)
			}
		}
	}
	if got := sumOfNothing.then(sumOf(data[:99])); got.sum != adler32.Checksum(data[:99]) {
		t.Errorf("after nothing: got %08x", got.sum)
	}
}

// TestPack compares every version of pack() with a simple loop.
func TestPack(t *testing.T) {
	rgba := testpic.Noise(100, 1, 3).Pix
	for n := range 100 {
		var want []byte
		for i := range n {
			want = append(want, rgba[4*i:4*i+pixelBytes]...)
		}
		for name, pack := range map[string]func(dst, rgba []byte){"kernel": pack, "words": packWords} {
			got := make([]byte, len(want)+slack)
			if pack(got, rgba[:4*n]); !bytes.Equal(got[:len(want)], want) {
				t.Errorf("%s: %d pixels: got %v, want %v", name, n, got, want)
			}
		}
	}
}

func BenchmarkAdler(b *testing.B) {
	data := testpic.Noise(1920, 1080, 9).Pix
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			sumOf(data)
		}
	})
	b.Run("peer=hash-adler32", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			adler32.Checksum(data)
		}
	})
}
