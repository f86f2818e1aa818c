package packed

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/iotest"
)

// pack returns a file in the format that tools/fonts/fonts.py writes.
func pack(t *testing.T, text []byte) []byte {
	t.Helper()
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	var data bytes.Buffer
	for i := 0; i < len(text); i += blockBytes {
		z, err := flate.NewWriter(&data, 9)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := z.Write(text[i:min(len(text), i+blockBytes)]); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		head = binary.LittleEndian.AppendUint32(head, uint32(data.Len()))
	}
	return append(head, data.Bytes()...)
}

func letters(n int) []byte {
	r, text := rand.New(rand.NewPCG(1, 2)), make([]byte, n)
	for i := range text {
		text[i] = 'a' + byte(r.IntN(7))
	}
	return text
}

func TestRead(t *testing.T) {
	for _, n := range []int{0, 1, blockBytes - 1, blockBytes, blockBytes + 1, 3*blockBytes + 77} {
		text := letters(n)
		f, err := New(pack(t, text))
		if err != nil || f.Size() != int64(n) {
			t.Fatalf("%d bytes: %v, size %d", n, err, f.Size())
		}
		if err := iotest.TestReader(io.NewSectionReader(f, 0, f.Size()), text); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// Several goroutines can read one file at the same time.
func TestReadAtOnce(t *testing.T) {
	text := letters(5 * blockBytes)
	f, err := New(pack(t, text))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for seed := range uint64(4) {
		wg.Go(func() {
			r, p := rand.New(rand.NewPCG(seed, 0)), make([]byte, 500)
			for range 50 {
				at := r.IntN(len(text) - len(p))
				if n, err := f.ReadAt(p, int64(at)); n != len(p) || err != nil || !bytes.Equal(p, text[at:at+n]) {
					t.Errorf("at %d: read %d bytes, %v, or other bytes than there are", at, n, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// A broken file causes an error when it is opened or read.
func TestBroken(t *testing.T) {
	whole := pack(t, letters(2*blockBytes))
	for name, b := range map[string][]byte{
		"nothing": nil, "no table": whole[:7], "cut": whole[:len(whole)-9], "ends turned": append([]byte{0, 128, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0}, whole[12:]...),
	} {
		f, err := New(b)
		if err == nil {
			_, err = io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// After the first reads, a read that has to unpack another block needs only a few allocations.
func TestReadAllocates(t *testing.T) {
	f, err := New(pack(t, letters(4*blockBytes)))
	if err != nil {
		t.Fatal(err)
	}
	p, at := make([]byte, 100), int64(0)
	read := func() {
		if _, err := f.ReadAt(p, at); err != nil {
			t.Fatal(err)
		}
		at = (at + blockBytes) % (3 * blockBytes)
	}
	for range 4 {
		read()
	}
	if n := testing.AllocsPerRun(50, read); n > 4 {
		t.Errorf("%v allocations a block", n)
	}
}
