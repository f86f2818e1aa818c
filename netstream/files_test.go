package netstream

import (
	"bytes"
	"io"
	"testing"
)

// slowReader requests a frame and does not read the response.
func slowReader(t *testing.T, s *Stream, onRevoke func()) Response {
	t.Helper()
	resp, err := s.Get(t.Context(), Request{OnRevoke: onRevoke})
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// If a client stops reading and continues later, it gets the rest of the same file.
func TestSlowReaderKeepsItsFrame(t *testing.T) {
	p := newPainter(1, 200, 150)
	s := newStream(Options{})
	mustDraw(t, s, p.frame)
	_, want := mustGet(t, s, Request{})
	slow := slowReader(t, s, nil)
	got := make([]byte, 50)
	if _, err := io.ReadFull(slow.Body, got); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		p.change()
		mustDraw(t, s, p.frame)
		mustGet(t, s, Request{})
	}
	if pinned := s.Stats().PinnedBytes; pinned < len(want) || pinned > 2*len(want) {
		t.Errorf("got %d bytes pinned, want one file of %d", pinned, len(want))
	}
	rest, err := io.ReadAll(slow.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(append(got, rest...), want) {
		t.Error("the bytes changed while they were read")
	}
	slow.Body.Close()
	slow.Body.Close()
	if pinned := s.Stats().PinnedBytes; pinned != 0 {
		t.Errorf("after the end: got %d bytes pinned, want 0", pinned)
	}
}

// When many clients stop reading at many different frames, the memory of old files stays within its limit. The oldest files are revoked,
// and all other clients still get their files.
func TestSlowReadersAreBounded(t *testing.T) {
	const budget = 1 << 20
	p := newPainter(1, 200, 150)
	s := newStream(Options{CacheBytes: budget})
	revoked := 0
	var slow []Response
	for range rounds(200) {
		p.change()
		mustDraw(t, s, p.frame)
		resp := slowReader(t, s, func() { revoked++ })
		slow = append(slow, resp)
		mustGet(t, s, Request{})
		if st := s.Stats(); st.PinnedBytes > budget/pinnedShare {
			t.Fatalf("%d bytes are pinned, want at most %d", st.PinnedBytes, budget/pinnedShare)
		}
	}
	if st := s.Stats(); revoked == 0 || st.Revoked != uint64(revoked) {
		t.Errorf("got %d revoked, %d counted", revoked, st.Revoked)
	}
	if _, err := slow[0].Body.Read(make([]byte, 1)); err != ErrRevoked {
		t.Errorf("the oldest: got %v, want %v", err, ErrRevoked)
	}
	if _, err := slow[0].Body.WriteTo(io.Discard); err != ErrRevoked {
		t.Errorf("the oldest: got %v, want %v", err, ErrRevoked)
	}
	if _, err := io.ReadAll(slow[len(slow)-1].Body); err != nil {
		t.Errorf("the newest: %v", err)
	}
	for _, r := range slow {
		r.Body.Close()
	}
	if st := s.Stats(); st.PinnedBytes != 0 {
		t.Errorf("after the end: got %d bytes pinned, want 0", st.PinnedBytes)
	}
}

// A response can still be read after a change of the format has removed the size of its picture.
func TestFileOutlivesItsSize(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 200, 150).frame)
	_, want := mustGet(t, s, Request{})
	slow := slowReader(t, s, nil)
	s.Configure(Options{Format: "png"})
	mustGet(t, s, Request{})
	got, err := io.ReadAll(slow.Body)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, %v; want the %d of the JPEG", len(got), err, len(want))
	}
	slow.Body.Close()
	if st := s.Stats(); st.PinnedBytes != 0 {
		t.Errorf("got %d bytes pinned, want 0", st.PinnedBytes)
	}
}

// WriteTo writes a small body with one call of Write, without a copy.
func TestWriteToDoesNotCopy(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 200, 150).frame)
	resp := slowReader(t, s, nil)
	defer resp.Body.Close()
	data := resp.Body.(*lease).file.data
	writes := 0
	_, err := resp.Body.WriteTo(writerFunc(func(p []byte) (int, error) {
		writes++
		if &p[0] != &data[0] {
			t.Error("the writer got a copy")
		}
		return len(p), nil
	}))
	if err != nil || writes != 1 {
		t.Errorf("got %d writes, %v; want 1", writes, err)
	}
}
