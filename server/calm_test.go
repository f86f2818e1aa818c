package server

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// counter is the socket of a line. It records the time of each write.
type counter struct {
	recorder
	mu   sync.Mutex // guards the field told
	told []time.Time
}

// times() returns the recorded times.
func (c *counter) times() []time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.told
}

func (c *counter) try(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = append(c.told, time.Now())
	return len(p), nil
}

// TestCalm plays transitions. A client without tiles receives at most five frames in any second. It receives the last frame of each
// transition. It receives each tick of a clock without delay. A client with tiles receives every frame.
func TestCalm(t *testing.T) {
	const frame = 16 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		calm, keen := &counter{}, &counter{}
		for c, isCalm := range map[*counter]bool{calm: true, keen: false} {
			v := &subscriber{kind: "events"}
			f.hub.join(v)
			f.broadcasters.add(f.stream, &line{subscriber: v, conn: &c.recorder, out: c, chunked: true, calm: isCalm, at: time.Now()})
		}
		grey, shown := uint8(0), 0
		show := func() { grey++; shown++; f.show(t, grey); synctest.Wait() }
		show()
		time.Sleep(time.Second)
		for range 4 { // transitions of one second, with pauses of two seconds
			began := len(calm.times())
			for range int(time.Second / frame) {
				show()
				time.Sleep(frame)
			}
			end := time.Now()
			time.Sleep(2 * time.Second)
			told := calm.times()
			if n := len(told) - began; n < 2 || n > 3 {
				t.Errorf("a transition was told %d times, want its beginning, its end, and once between at most", n)
			}
			if late := told[len(told)-1].Sub(end); late < 0 || late > calmFor {
				t.Errorf("the picture after a transition was told %v after its end, want at most %v", late, calmFor)
			}
		}
		for range int(12 * time.Second / frame) { // a transition of twelve seconds
			show()
			time.Sleep(frame)
		}
		time.Sleep(time.Second)
		for i, gap := range []time.Duration{time.Second, 300 * time.Millisecond, 260 * time.Millisecond} { // ticks of a clock
			show()
			told := calm.times()
			if at := told[len(told)-1]; !at.Equal(time.Now()) {
				t.Errorf("tick %d was not told at once", i)
			}
			time.Sleep(gap)
		}
		for range 100 { // the worst case: two frames, followed by a pause just longer than calmFor
			show()
			time.Sleep(50 * time.Millisecond)
			show()
			time.Sleep(calmFor + time.Millisecond)
		}
		f.Close()
		if n := len(keen.times()); n != shown+1 { // Close adds one write
			t.Errorf("who takes tiles was told %d times of %d frames", n-1, shown)
		}
		told := calm.times()
		for i := 5; i < len(told)-1; i++ {
			if gap := told[i].Sub(told[i-5]); gap < time.Second {
				t.Fatalf("told six times within %v", gap)
			}
		}
	})
}
