package netstream

import (
	"context"
	"image/color"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func ready(u *Subscription) bool {
	select {
	case <-u.C():
		return true
	default:
		return false
	}
}

func TestSubscription(t *testing.T) {
	s := newStream(Options{})
	early := s.Subscribe()
	defer early.Close()
	if ready(early) {
		t.Error("there is news before the first frame")
	}
	p := newPainter(1, 60, 40)
	mustDraw(t, s, p.frame)
	late := s.Subscribe()
	defer late.Close()
	for name, u := range map[string]*Subscription{"early": early, "late": late} {
		cur, _ := s.Current()
		if !ready(u) {
			t.Errorf("%s: no signal", name)
		}
		if got, ok := u.Next(); !ok || got != cur {
			t.Errorf("%s: got %v, %v; want %v", name, got, ok, cur)
		}
		if _, ok := u.Next(); ok {
			t.Errorf("%s: the same news twice", name)
		}
	}
	for range 3 { // without a reader, a subscription holds only the newest frame
		p.paint(p.frame.Rect)
		mustDraw(t, s, p.frame)
	}
	cur, _ := s.Current()
	if got, ok := early.Next(); !ok || got != cur || !ready(early) || ready(early) {
		t.Errorf("got %v, %v; want %v, and one signal", got, ok, cur)
	}
	if st := s.Stats(); st.Lost != 4 || st.Subscribers != 2 {
		t.Errorf("got %d lost of %d subscribers, want 4 of 2", st.Lost, st.Subscribers)
	}
	late.Close()
	late.Close()
	if st := s.Stats(); st.Subscribers != 1 {
		t.Errorf("got %d subscribers, want 1", st.Subscribers)
	}
}

func TestHaltEndsSubscriptions(t *testing.T) {
	s := newStream(Options{})
	p := newPainter(1, 60, 40)
	mustDraw(t, s, p.frame)
	u := s.Subscribe()
	u.Next()
	<-u.C()
	if err := s.Halt(); err != nil {
		t.Fatal(err)
	}
	if _, open := <-u.C(); open {
		t.Error("the channel is open")
	}
	u.Close()
	mustGet(t, s, Request{}) // a halted stream still answers requests
	again := s.Subscribe()   // a halted stream accepts new subscriptions
	defer again.Close()
	if _, ok := again.Next(); !ok {
		t.Error("no news for a new subscription")
	}
	if err := s.Halt(); err != nil {
		t.Fatal(err)
	}
}

// Each of a thousand idle subscriptions takes at most 512 bytes of memory.
func TestIdleSubscriptionBytes(t *testing.T) {
	const n, most = 1000, 512
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 60, 40).frame)
	var before, after runtime.MemStats
	subs := make([]*Subscription, n)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range subs {
		subs[i] = s.Subscribe()
		subs[i].Next()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	each := int64(after.HeapAlloc-before.HeapAlloc) / n
	t.Logf("%d bytes each", each)
	if each > most {
		t.Errorf("got %d bytes a subscription, want at most %d", each, most)
	}
	for _, u := range subs {
		u.Close()
	}
}

func TestFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(time.Now)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		type part struct {
			tag string
			at  time.Duration
		}
		var got []part
		begin := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			for resp, err := range s.Frames(ctx, Request{W: 30, H: 20}, 10*time.Second) {
				if err != nil {
					t.Error(err)
					return
				}
				got = append(got, part{resp.ETag, time.Since(begin)})
				resp.Body.Close()
			}
		}()
		var tags []string
		for i := range 2 {
			time.Sleep(15 * time.Second)
			mustDraw(t, s, flat(60, 40, color.RGBA{uint8(i), 0, 0, 255}))
			cur, _ := s.Current()
			tags = append(tags, `"`+cur.ETag+`-30x20"`)
		}
		time.Sleep(11 * time.Second)
		cancel()
		<-done
		want := []part{
			{tags[0], 15 * time.Second}, {tags[0], 25 * time.Second},
			{tags[1], 30 * time.Second}, {tags[1], 40 * time.Second},
		}
		if len(got) != len(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("part %d: got %v, want %v", i, got[i], want[i])
			}
		}
	})
}

func TestFramesEndsWithHalt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(time.Now)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range s.Frames(t.Context(), Request{}, 0) {
				t.Error("there is no frame")
			}
		}()
		synctest.Wait()
		s.Halt()
		<-done
	})
}
