package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"testing"
)

const diskSize = 64 << 10

func smallDisk() *disk { return newDisk(bytes.NewReader(bytes.Repeat([]byte{7}, 1000)), diskSize) }

func readDisk(t *testing.T, d *disk, at int64, n int) []byte {
	t.Helper()
	p := make([]byte, n)
	if _, err := d.ReadAt(p, at); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestReadsWhatWasWritten(t *testing.T) {
	d := smallDisk()
	want := make([]byte, diskSize)
	copy(want, bytes.Repeat([]byte{7}, 1000))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		p := bytes.Repeat([]byte{byte(i)}, r.IntN(2000))
		at := r.Int64N(diskSize - int64(len(p)))
		copy(want[at:], p)
		if _, err := d.WriteAt(p, at); err != nil {
			t.Fatal(err)
		}
		if i%20 == 0 {
			d.Flush()
		}
	}
	if !bytes.Equal(readDisk(t, d, 0, diskSize), want) {
		t.Error("got other bytes than were written")
	}
}

func TestCutLosesOnlyWhatIsCached(t *testing.T) {
	d := smallDisk()
	for _, b := range []byte{1, 2} {
		if _, err := d.WriteAt(bytes.Repeat([]byte{b}, diskSize), 0); err != nil {
			t.Fatal(err)
		}
		if b == 1 {
			d.Flush()
		}
	}
	lost, cached := d.Cut(rand.New(rand.NewPCG(1, 2)))
	if cached != diskSize/512 || lost == 0 || lost == cached {
		t.Errorf("got %d of %d blocks lost, want some of %d", lost, cached, diskSize/512)
	}
	ones := 0
	for block := range slices.Chunk(readDisk(t, d, 0, diskSize), 512) {
		switch {
		case bytes.Equal(block, bytes.Repeat([]byte{1}, 512)):
			ones++
		case !bytes.Equal(block, bytes.Repeat([]byte{2}, 512)):
			t.Fatalf("got %v, want a whole block, old or new", block)
		}
	}
	if ones != lost {
		t.Errorf("got %d old blocks, want %d", ones, lost)
	}
}

// A sample is the state that a cut at that moment would leave: each block is either old or new. Taking samples does not change the disk
// itself.
func TestSamples(t *testing.T) {
	d := smallDisk()
	d.Sample(rand.New(rand.NewPCG(1, 2)), 4)
	for _, b := range []byte{1, 2} {
		if _, err := d.WriteAt(bytes.Repeat([]byte{b}, diskSize), 0); err != nil {
			t.Fatal(err)
		}
		d.Flush()
	}
	samples := d.Samples()
	if len(samples) < diskSize/512/4 || len(d.Samples()) > 0 {
		t.Fatalf("got %d samples, want about %d, once", len(samples), 2*diskSize/512/4)
	}
	for i, s := range samples {
		content := readDisk(t, s, 0, diskSize)
		if ones, twos := bytes.Count(content, []byte{1}), bytes.Count(content, []byte{2}); ones > 0 && twos > 0 && ones+twos != diskSize {
			t.Errorf("sample %d: the second write began before the first was flushed", i)
		}
	}
	if got := readDisk(t, d, 0, diskSize); !bytes.Equal(got, bytes.Repeat([]byte{2}, diskSize)) {
		t.Error("got other bytes than were written: the samples changed the disk")
	}
}

func TestOutside(t *testing.T) {
	d := smallDisk()
	if _, err := d.ReadAt(make([]byte, 2), diskSize-1); err == nil {
		t.Error("got no error for a read behind the end")
	}
	if _, err := d.WriteAt(make([]byte, 2), diskSize-1); err == nil {
		t.Error("got no error for a write behind the end")
	}
}

// The test is a client of the network block device protocol. It selects an export, writes, flushes, reads, and disconnects.
func TestServe(t *testing.T) {
	d := smallDisk()
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- d.Serve(ctx, l) }()
	c, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	greeting := make([]byte, 18)
	send(t, c, uint32(3), []byte("IHAVEOPT"), uint32(1), uint32(0))
	receive(t, c, greeting)
	export := make([]byte, 10)
	receive(t, c, export)
	if string(greeting[:16]) != "NBDMAGICIHAVEOPT" || binary.BigEndian.Uint64(export) != diskSize {
		t.Fatalf("got %q, %x, want the greeting and %d bytes", greeting, export, diskSize)
	}
	send(t, c, uint32(0x25609513), uint16(0), uint16(1), uint64(1), uint64(510), uint32(4), []byte("abcd"))
	answer(t, c, 1, 0)
	send(t, c, uint32(0x25609513), uint16(0), uint16(3), uint64(2), uint64(0), uint32(0))
	answer(t, c, 2, 0)
	send(t, c, uint32(0x25609513), uint16(0), uint16(0), uint64(3), uint64(509), uint32(6))
	answer(t, c, 3, 0)
	got := make([]byte, 6)
	receive(t, c, got)
	if string(got) != "\x07abcd\x07" {
		t.Errorf("got %q, want what was written", got)
	}
	send(t, c, uint32(0x25609513), uint16(0), uint16(0), uint64(4), uint64(diskSize), uint32(1))
	answer(t, c, 4, 5)
	send(t, c, uint32(0x25609513), uint16(0), uint16(2), uint64(5), uint64(0), uint32(0))
	if _, flushes := d.Written(); flushes != 1 {
		t.Errorf("got %d flushes, want 1", flushes)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func send(t *testing.T, w io.Writer, values ...any) {
	t.Helper()
	for _, v := range values {
		if err := binary.Write(w, binary.BigEndian, v); err != nil {
			t.Fatal(err)
		}
	}
}

func receive(t *testing.T, r io.Reader, p []byte) {
	t.Helper()
	if _, err := io.ReadFull(r, p); err != nil {
		t.Fatal(err)
	}
}

func answer(t *testing.T, r io.Reader, handle uint64, problem uint32) {
	t.Helper()
	p := make([]byte, 16)
	receive(t, r, p)
	if h, e := binary.BigEndian.Uint64(p[8:]), binary.BigEndian.Uint32(p[4:]); h != handle || e != problem {
		t.Fatalf("got an answer to %d with error %d, want %d and %d", h, e, handle, problem)
	}
}
