package server

import (
	"context"
	"errors"
	"sync"
	"time"
)

// errSlow ends the stream of who does not read it.
var errSlow = errors.New("nothing was read for too long")

// A viewer is somebody to whom a stream is open.
type viewer struct {
	kind  string // events or mjpg
	from  string // its address
	w, h  int    // what it said it shows, px; 0: nothing
	since time.Time
	out   pacer // nil until it is attached
}

// A pacer can end a write that takes too long: a net.Conn, or an http.ResponseController.
type pacer interface {
	SetWriteDeadline(time.Time) error
}

// crowd is everybody to whom a stream is open.
type crowd struct {
	life context.Context // ends all streams
	end  context.CancelFunc
	wg   sync.WaitGroup

	mu  sync.Mutex // guards all
	all map[*viewer]struct{}
}

func newCrowd() *crowd {
	c := &crowd{all: map[*viewer]struct{}{}}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// join lets a viewer in, if there is room and the server is not ending. Who was let in has to leave.
func (c *crowd) join(v *viewer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) >= maxStreams || c.life.Err() != nil {
		return false
	}
	c.all[v] = struct{}{}
	c.wg.Add(1)
	return true
}

// attach notes what a viewer is written to through.
func (c *crowd) attach(v *viewer, out pacer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v.out = out
}

func (c *crowd) leave(v *viewer) {
	c.mu.Lock()
	delete(c.all, v)
	c.mu.Unlock()
	c.wg.Done()
}

// close ends all streams and waits for that. One that is blocked in a write has farewellTime left.
func (c *crowd) close() {
	c.mu.Lock()
	c.end()
	for v := range c.all {
		if v.out != nil {
			_ = v.out.SetWriteDeadline(time.Now().Add(farewellTime))
		}
	}
	c.mu.Unlock()
	c.wg.Wait()
}

// allow gives a write of n bytes that begins now its time. Once the server ends that is short: close hurries those that
// have begun, this those that begin after.
func (c *crowd) allow(out pacer, n int) {
	now := time.Now()
	_ = out.SetWriteDeadline(now.Add(patience(n))) // it fails on what is closed, as the write will
	if c.life.Err() != nil {
		_ = out.SetWriteDeadline(now.Add(farewellTime))
	}
}

// patience is how long the writing of n bytes may take.
func patience(n int) time.Duration {
	return writeGrace + time.Duration(n)*time.Second/minRate
}

// count returns the viewers of each kind.
func (c *crowd) count() (events, mjpg int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for v := range c.all {
		if v.kind == "events" {
			events++
		}
	}
	return events, len(c.all) - events
}

// list tells of the viewers, of at most n.
func (c *crowd) list(n int, now time.Time) []fields {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []fields{}
	for v := range c.all {
		if len(list) == n {
			break
		}
		f := fields{"address": v.from, "stream": v.kind, "seconds": int(now.Sub(v.since).Seconds())}
		if v.w != 0 {
			f["width"], f["height"] = v.w, v.h
		}
		list = append(list, f)
	}
	return list
}
