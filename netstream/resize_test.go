package netstream

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"io"
	"sync"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
)

// While a wall changes its size all the time, no client gets an error, and no client gets a picture with the tag of another picture. This
// is true both for kept sizes and for responses in strips.
func TestResizeStorm(t *testing.T) {
	thorough.Only(t)
	s := newStream(Options{Format: "png", CacheBytes: 600 << 10}) // the fixed clock prevents ErrTooSlow if the machine pauses
	var mu sync.Mutex
	colors := map[string]color.RGBA{}
	show := func(i int) {
		c := color.RGBA{uint8(i), uint8(i >> 3), 77, 255}
		mu.Lock() // the lock is held, so that no client looks up a tag before it is stored
		defer mu.Unlock()
		mustDraw(t, s, flat(60+i%7, 50+i%5, c))
		cur, _ := s.Current()
		colors[cur.ETag] = c
	}
	fetch := func(r Request) {
		resp, err := s.Get(t.Context(), r)
		if err != nil {
			t.Errorf("%dx%d: %v", r.W, r.H, err)
			return
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Errorf("%dx%d: %v", r.W, r.H, err)
			return
		}
		mu.Lock()
		want := colors[resp.ETag[1:1+baseDigits]]
		mu.Unlock()
		size := image.Pt(r.W, r.H)
		if r.W == 0 {
			size = resp.Render
		}
		difference(t, decode(t, "png", data), flat(size.X, size.Y, want))
	}
	show(0)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	tick := make(chan struct{}, 1) // the channel makes the caller of show() wait for responses, so that clients get processor time
	for _, r := range []Request{
		{}, {W: 60, H: 50}, {W: 40, H: 30}, {W: 120, H: 90}, {W: 41, H: 90},
		{W: 61, H: 51}, {W: 300, H: 400}, {W: 20, H: 20}, {W: 77, H: 33}, {W: 500, H: 300}, // 500x300 is sent in strips
	} {
		wg.Go(func() {
			for ctx.Err() == nil && !t.Failed() {
				fetch(r)
				select {
				case tick <- struct{}{}:
				default:
				}
			}
		})
	}
	for i := range rounds(1000) {
		if t.Failed() {
			break
		}
		show(i + 1)
		<-tick
	}
	cancel()
	wg.Wait()
}

// If a frame is too wide to be scaled, a request for a response in strips returns an error. The failed request does not block the next
// request.
func TestStripsBeginPanics(t *testing.T) {
	s := newStream(Options{Format: "png", CacheBytes: 1})
	mustDraw(t, s, flat(MaxSide+1, 2, color.RGBA{9, 9, 9, 255}))
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := s.Get(ctx, Request{W: 30, H: 20})
		cancel()
		if err == nil || ctx.Err() == context.DeadlineExceeded {
			t.Fatalf("got %v, want the encoder's panic as an error", err)
		}
	}
	mustDraw(t, s, flat(60, 40, color.RGBA{9, 9, 9, 255}))
	mustGet(t, s, Request{W: 30, H: 20})
}

// If encoding a strip panics, all further reads of the response's body return an error.
func TestStripPanics(t *testing.T) {
	s := newStream(Options{Format: "png", CacheBytes: 1})
	mustDraw(t, s, flat(60, 40, color.RGBA{9, 9, 9, 255}))
	resp, err := s.Get(t.Context(), Request{W: 30, H: 20})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.(*stripBody).enc = brokenStrips{}
	for range 2 {
		if _, err := resp.Body.WriteTo(new(bytes.Buffer)); err == nil {
			t.Error("a panic is no error")
		}
	}
	resp.Body.Close()
	mustGet(t, s, Request{W: 30, H: 20})
}

type brokenStrips struct{}

func (brokenStrips) Write(*image.RGBA) error { panic("broken") }
