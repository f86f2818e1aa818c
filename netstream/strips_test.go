package netstream

import (
	"context"
	"errors"
	"image/color"
	"testing"
	"time"
)

// Only one response in strips exists at a time. A second request waits for the end of the first response, and ends early if its context
// is canceled.
func TestStripsOneAtATime(t *testing.T) {
	s := newStream(Options{CacheBytes: 1})
	mustDraw(t, s, newPainter(1, 100, 80).frame)
	first, err := s.Get(t.Context(), Request{W: 300, H: 300})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Get(ctx, Request{W: 40, H: 40}); !errors.Is(err, context.Canceled) {
		t.Errorf("while another is under way: got %v, want the context's error", err)
	}
	first.Body.Close()
	first.Body.Close()
	if _, err := first.Body.Read(make([]byte, 10)); err == nil {
		t.Error("a closed body can be read")
	}
	mustGet(t, s, Request{W: 40, H: 40})
	mustGet(t, s, Request{W: 40, H: 40})
}

// A picture in strips shows one frame, even if other frames are published while it is read. A read after stripTime returns ErrTooSlow.
func TestStripsKeepTheirFrame(t *testing.T) {
	clock := start
	s := New(func() time.Time { return clock })
	s.Configure(Options{Format: "png", CacheBytes: 1})
	mustDraw(t, s, flat(100, 80, color.RGBA{10, 20, 30, 255}))
	resp, err := s.Get(t.Context(), Request{W: 200, H: 320})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data := make([]byte, 100)
	n, _ := resp.Body.Read(data)
	data = data[:n]
	mustDraw(t, s, flat(100, 80, color.RGBA{200, 0, 0, 255}))
	buf := writerFunc(func(p []byte) (int, error) { data = append(data, p...); return len(p), nil })
	if _, err := resp.Body.WriteTo(buf); err != nil {
		t.Fatal(err)
	}
	difference(t, decode(t, "png", data), flat(200, 320, color.RGBA{10, 20, 30, 255}))
	resp.Body.Close()

	slow, err := s.Get(t.Context(), Request{W: 200, H: 320})
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Body.Close()
	slow.Body.Read(data[:10])
	clock = clock.Add(stripTime + time.Second)
	if _, err := slow.Body.WriteTo(buf); err != ErrTooSlow {
		t.Errorf("after %v: got %v, want %v", stripTime, err, ErrTooSlow)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
