package delta

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
)

// noise returns random bytes, which cannot be compressed.
func noise(seed uint64, n int) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(seed, seed))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// made() returns the delta file with which Apply makes `fresh` out of `old`.
func made(t testing.TB, old, fresh []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Make(&out, bytes.NewReader(old), bytes.NewReader(fresh), int64(len(old)), int64(len(fresh))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// applied() returns the result of a delta file.
func applied(file, old []byte) ([]byte, error) {
	r := bytes.NewReader(file)
	info, err := Read(r)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = Apply(&out, info, r, bytes.NewReader(old))
	return out.Bytes(), err
}

// TestApply applies delta files for several kinds of results. Compared with the older file system, a result is equal, larger in the
// middle, smaller, moved, new or empty.
func TestApply(t *testing.T) {
	old := noise(1, 12<<20)
	for name, tt := range map[string]struct {
		old, fresh []byte
		most       int // maximum size of the delta file, in bytes
	}{
		"the same":                      {old, old, 64 << 10},
		"a megabyte more in the middle": {old, append(append(bytes.Clone(old[:7<<20]), noise(2, 1<<20)...), old[7<<20:]...), 3 << 19},
		"moved by megabytes":            {old, append(noise(3, 5<<20), old...), 6 << 20},
		"shorter":                       {old, old[5<<20 : 11<<20], 64 << 10},
		"nothing in common":             {old, noise(4, 6<<20), 7 << 20},
		"without an old one":            {nil, noise(5, 5<<20), 6 << 20},
		"a small old one":               {old[:1000], old[:2000], 4000},
		"an empty result":               {old[:1000], nil, 1000},
		"exactly two pieces":            {old[:8<<20], old[:8<<20], 64 << 10},
		"a byte more than it":           {old[:8<<20], old[:8<<20+1], 64 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && len(tt.old) >= 8<<20 && name != "exactly two pieces" {
				t.Skip("compressing takes seconds")
			}
			file := made(t, tt.old, tt.fresh)
			got, err := applied(file, tt.old)
			if err != nil || !bytes.Equal(got, tt.fresh) {
				t.Errorf("got %d bytes, %v, want the %d of the result", len(got), err, len(tt.fresh))
			}
			if len(file) > tt.most {
				t.Errorf("the file has %d bytes, want at most %d", len(file), tt.most)
			}
		})
	}
}

// TestAddresses makes a delta file for machine code in which every eighth word is an address that has grown by the same number, after code
// was inserted. The differences are equal, so the file is smaller than a hundredth of the code.
func TestAddresses(t *testing.T) {
	old, code := noise(6, 1<<20), noise(7, 400)
	fresh := bytes.Clone(old)
	for i := 0; i < len(fresh); i += 32 {
		binary.LittleEndian.PutUint32(fresh[i:], binary.LittleEndian.Uint32(fresh[i:])+uint32(len(code)))
	}
	fresh = append(fresh[:400_000:400_000], append(code, fresh[400_000:]...)...)
	file := made(t, old, fresh)
	if got, err := applied(file, old); err != nil || !bytes.Equal(got, fresh) {
		t.Fatalf("got %d bytes, %v, want the %d of the result", len(got), err, len(fresh))
	}
	if len(file) > 8<<10 {
		t.Errorf("the file has %d bytes, want at most 8 KiB", len(file))
	}
}

// TestRuns checks that Apply accepts only runs inside the piece and inside the window.
func TestRuns(t *testing.T) {
	piece, window := make([]byte, 100), noise(8, 200)
	for name, tt := range map[string]struct {
		list []int64
		want error
	}{
		"none":                     {nil, nil},
		"the whole piece":          {[]int64{0, 100, 100}, nil},
		"two parts":                {[]int64{10, 20, 0, 30, 40, 100}, nil},
		"no bytes":                 {[]int64{100, 0, 0}, nil},
		"before the piece":         {[]int64{-1, 10, 0}, ErrFormat},
		"after the piece":          {[]int64{101, 0, 0}, ErrFormat},
		"longer than the piece":    {[]int64{1, 100, 0}, ErrFormat},
		"a negative length":        {[]int64{1, -1, 0}, ErrFormat},
		"two that are too long":    {[]int64{0, 60, 0, 0, 60, 0}, ErrFormat},
		"before the window":        {[]int64{10, 10, -11}, ErrFormat},
		"after the window":         {[]int64{0, 100, 101}, ErrFormat},
		"far after the window":     {[]int64{10, 10, math.MaxInt64}, ErrFormat},
		"far before the window":    {[]int64{10, 10, math.MinInt64}, ErrFormat},
		"the greatest skip":        {[]int64{math.MaxInt64, math.MaxInt64, 0}, ErrFormat},
		"an end within a run":      {[]int64{10, 10}, ErrFormat},
		"a sum of large distances": {[]int64{0, 1, 1, 0, 1, math.MaxInt64, 0, 1, math.MaxInt64}, ErrFormat},
	} {
		var list []byte
		for _, n := range tt.list {
			list = binary.AppendVarint(list, n)
		}
		if got := add(bytes.Clone(piece), window, list); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
	if got := add(bytes.Clone(piece), window, bytes.Repeat([]byte{0xff}, 11)); got != ErrFormat {
		t.Errorf("a number without an end: got %v, want %v", got, ErrFormat)
	}
}

// TestDamaged checks that a cut, changed or foreign delta file is never accepted.
func TestDamaged(t *testing.T) {
	thorough.Only(t)
	old := noise(1, 6<<20)
	fresh := append(bytes.Clone(old[:3<<20]), noise(2, 1<<20)...)
	file := made(t, old, fresh)
	for _, n := range []int{0, 1, 16, 40, 80, 100, len(file) / 2, len(file) - 1} {
		if got, err := applied(file[:n], old); err == nil {
			t.Errorf("%d of %d bytes: got a result of %d", n, len(file), len(got))
		}
	}
	r, rounds := rand.New(rand.NewPCG(7, 7)), 60
	if testing.Short() {
		rounds = 15
	}
	for range rounds {
		bad := bytes.Clone(file)
		at := r.IntN(len(bad))
		bad[at] ^= 1 << r.IntN(8)
		got, err := applied(bad, old)
		if err == nil && !bytes.Equal(got, fresh) {
			t.Fatalf("byte %d changed: another result passed", at)
		}
	}
	if got, err := applied(file, noise(9, 6<<20)); err == nil && !bytes.Equal(got, fresh) {
		t.Error("the update of another version passed")
	}
	long := made(t, old, fresh)
	copy(long[len(magic)+8+8+64+8:], "\xff\xff\xff\xff")
	if _, err := applied(long, old); !errors.Is(err, ErrFormat) {
		t.Errorf("a piece of 4 GiB: got %v", err)
	}
}

// TestBomb checks that Apply refuses a piece early if the piece decompresses to more than pieceSize bytes.
func TestBomb(t *testing.T) {
	zeros := make([]byte, 40<<20)
	packed, err := pack(zeros)
	if err != nil {
		t.Fatal(err)
	}
	info := Info{Size: 40 << 20, NewSum: sha256.Sum256(zeros)}
	file := bytes.NewBuffer(nil)
	file.Write(make([]byte, 8))
	file.Write([]byte{byte(len(packed)), byte(len(packed) >> 8), byte(len(packed) >> 16), 0})
	file.Write(packed)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := Apply(io.Discard, info, file, bytes.NewReader(nil)); !errors.Is(err, ErrFormat) {
		t.Errorf("got %v, want ErrFormat", err)
	}
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made > 24<<20 {
		t.Errorf("%d MiB were allocated", made>>20)
	}
}

// TestApplyMemory checks that the memory of Apply does not depend on the size of the file system.
func TestApplyMemory(t *testing.T) {
	thorough.Only(t)
	size := 40 << 20
	if testing.Short() {
		size = 10 << 20
	}
	old := noise(1, size)
	file := bytes.NewReader(made(t, old, old[1<<20:]))
	info, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if used := memoryOf(t, info, file, bytes.NewReader(old)); used > 32<<20 {
		t.Errorf("%d MiB of memory, want at most 32", used>>20)
	} else {
		t.Logf("%d MiB of memory", used>>20)
	}
}

// memoryOf applies a delta file and returns the memory of Apply in bytes, beyond the memory before its call.
func memoryOf(t *testing.T, info Info, file io.Reader, old io.ReaderAt) int64 {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	var before, m runtime.MemStats
	runtime.ReadMemStats(&before)
	most := uint64(0)
	look := writer(func(p []byte) (int, error) {
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
		return len(p), nil
	})
	if err := Apply(look, info, file, old); err != nil {
		t.Fatal(err)
	}
	return int64(most) - int64(before.HeapAlloc)
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

var oldFile, newFile = flag.String("old", "", "root file system of an earlier version, for TestReal"), flag.String("new", "", "of a later one")

// TestReal makes and applies the delta file between two real files. It logs sizes and memory.
func TestReal(t *testing.T) {
	if *oldFile == "" || *newFile == "" {
		t.Skip("needs -old and -new")
	}
	old, err := os.Open(*oldFile)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	fresh, err := os.ReadFile(*newFile)
	if err != nil {
		t.Fatal(err)
	}
	info, _ := old.Stat()
	var file bytes.Buffer
	begin := time.Now()
	if err := Make(&file, old, bytes.NewReader(fresh), info.Size(), int64(len(fresh))); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes to %d: %d bytes, made in %v", info.Size(), len(fresh), file.Len(), time.Since(begin).Round(time.Millisecond))
	of, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	begin = time.Now()
	used := memoryOf(t, of, &file, old)
	t.Logf("applied in %v, with %d MiB of memory", time.Since(begin).Round(time.Millisecond), used>>20)
}

func FuzzApply(f *testing.F) {
	old := noise(1, 4096)
	f.Add(made(f, old, old[100:3000]))
	f.Add(made(f, old, append(bytes.Clone(old[1000:1500]), old...)))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, file []byte) {
		r := bytes.NewReader(file)
		info, err := Read(r)
		if err != nil || info.Size > 1<<20 {
			return
		}
		_ = Apply(io.Discard, info, r, bytes.NewReader(old))
	})
}
