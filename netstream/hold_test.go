package netstream

import (
	"image"
	"image/color"
	"testing"
	"testing/synctest"
	"time"
)

const debounce = 200 * time.Millisecond

// A publication is a published frame: its time since the test began, and its gray value.
type publication struct {
	at   time.Duration
	grey uint8
}

// record collects the published frames. The returned function halts the stream and returns the collected frames.
func record(t *testing.T, s *Stream) func() []publication {
	u := s.Subscribe()
	begin := time.Now()
	var got []publication
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range u.C() {
			p, ok := u.Next()
			if !ok {
				continue
			}
			s.pix.RLock()
			got = append(got, publication{p.At.Sub(begin).Round(time.Millisecond), s.frame.Pix[0]})
			s.pix.RUnlock()
		}
	}()
	return func() []publication {
		s.Halt()
		<-done
		return got
	}
}

func TestDebounce(t *testing.T) {
	grey := func(v uint8) *image.RGBA { return flat(30, 20, color.RGBA{v, v, v, 255}) }
	ms := time.Millisecond
	for _, c := range []struct {
		name  string
		every time.Duration
		greys []uint8
		rest  time.Duration
		want  []publication
	}{
		{"first at once", 0, []uint8{1}, 0, []publication{{0, 1}}},
		{"a burst is one", 50 * ms, []uint8{1, 2, 3, 4}, time.Second, []publication{{0, 1}, {350 * ms, 4}}},
		{"apart", 300 * ms, []uint8{1, 2, 3}, time.Second, []publication{{0, 1}, {500 * ms, 2}, {800 * ms, 3}}},
		{"back again is nothing", 50 * ms, []uint8{1, 2, 1}, time.Second, []publication{{0, 1}}},
		{"equal frames are no unrest", 150 * ms, []uint8{1, 2, 2, 2}, time.Second, []publication{{0, 1}, {350 * ms, 2}}},
		{"never at rest", 90 * ms, []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, 0,
			// Frame 13 is published when frame 2 is five debounce times old. Halt publishes frame 14.
			[]publication{{0, 1}, {1090 * ms, 13}, {1260 * ms, 14}}},
		{"halted", 50 * ms, []uint8{1, 2}, 0, []publication{{0, 1}, {100 * ms, 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New(time.Now)
				s.Configure(Options{Debounce: debounce})
				end := record(t, s)
				for _, v := range c.greys {
					mustDraw(t, s, grey(v))
					synctest.Wait()
					time.Sleep(c.every)
					synctest.Wait()
				}
				time.Sleep(c.rest)
				synctest.Wait()
				got := end()
				if len(got) != len(c.want) {
					t.Fatalf("got %v, want %v", got, c.want)
				}
				for i := range got {
					if got[i] != c.want[i] {
						t.Errorf("publication %d: got %v, want %v", i, got[i], c.want[i])
					}
				}
			})
		})
	}
}

// While a frame is held back, responses contain the tag and the pixels of the published frame.
func TestHeldFrameIsNotServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(time.Now)
		s.Configure(Options{Format: "png", Debounce: debounce})
		a, b := flat(30, 20, color.RGBA{1, 1, 1, 255}), flat(30, 20, color.RGBA{2, 2, 2, 255})
		mustDraw(t, s, a)
		mustDraw(t, s, b)
		resp, data := mustGet(t, s, Request{})
		difference(t, decode(t, "png", data), a)
		time.Sleep(debounce)
		synctest.Wait()
		after, data := mustGet(t, s, Request{})
		difference(t, decode(t, "png", data), b)
		if after.ETag == resp.ETag {
			t.Error("two frames have one tag")
		}
		s.Configure(Options{Format: "png"}) // without debounce, each frame is published by DrawFrame itself
		mustDraw(t, s, a)
		_, data = mustGet(t, s, Request{})
		difference(t, decode(t, "png", data), a)
	})
}
