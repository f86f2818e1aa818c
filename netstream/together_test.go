package netstream

import (
	"context"
	"errors"
	"image/color"
	"io"
	"sync"
	"testing"
	"time"
)

// At the same time, a goroutine draws frames, clients request several sizes, the configuration is reloaded and subscribers listen. Every
// response contains one complete frame with the right tag.
func TestEverythingTogether(t *testing.T) {
	const frames = 150
	s := newStream(Options{Format: "png", CacheBytes: 400 << 10}) // the fixed clock prevents ErrTooSlow if the machine pauses
	var mu sync.Mutex
	colors := map[string]color.RGBA{}
	show := func(i int) {
		c := color.RGBA{uint8(i), uint8(3 * i), 77, 255}
		mu.Lock() // the lock is held, so that no client looks up a tag before it is stored
		defer mu.Unlock()
		mustDraw(t, s, flat(90+i/20%3, 70, c)) // a new size every 20 frames
		cur, _ := s.Current()
		colors[cur.ETag] = c
	}
	show(0)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	answered := make(chan struct{}, 1) // the channel makes the caller of show() wait for responses, so that clients get processor time
	client := func(r Request) error {
		resp, err := s.Get(ctx, r)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			return err
		}
		mu.Lock()
		want := colors[resp.ETag[1:1+baseDigits]]
		mu.Unlock()
		got := decode(t, "png", data)
		if difference(t, got, flat(got.Rect.Dx(), got.Rect.Dy(), want)) {
			return errors.New("another picture than its tag says")
		}
		select {
		case answered <- struct{}{}:
		default:
		}
		return nil
	}
	var wg sync.WaitGroup
	for _, r := range []Request{{}, {W: 90, H: 70}, {W: 40, H: 30}, {W: 120, H: 90}, {W: 41, H: 90}, {W: 300, H: 400}} {
		wg.Go(func() {
			for ctx.Err() == nil {
				if err := client(r); err != nil && ctx.Err() == nil {
					t.Errorf("%dx%d: %v", r.W, r.H, err)
					cancel()
				}
			}
		})
	}
	wg.Go(func() {
		for resp, err := range s.Frames(ctx, Request{W: 20, H: 20}, time.Millisecond) {
			if err == nil {
				resp.Body.Close()
			}
			s.Stats()
		}
	})
	for i := range frames {
		show(i + 1)
		if i%40 == 20 {
			s.Configure(Options{Format: "png", CacheBytes: (200 + i) << 10})
		}
		select {
		case <-answered:
		case <-ctx.Done():
		}
	}
	cancel()
	wg.Wait()
	if st := s.Stats(); st.Published != frames+1 || st.PinnedBytes != 0 || st.Subscribers != 0 {
		t.Errorf("got %+v, want %d published and nothing held", st, frames+1)
	}
	for _, z := range s.sizes {
		if z.users != 0 || len(z.turn) != 0 {
			t.Errorf("%dx%d is still in use", z.w, z.h)
		}
	}
}
