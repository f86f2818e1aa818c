package server

import (
	"context"
	"errors"
	"sync"
	"time"

	"dashboard/netstream"
)

// errSlow means that a client has read nothing for too long. The stream of this client ends.
var errSlow = errors.New("nothing was read for too long")

// Kinds of subscribers, as /healthz and the log name them.
const (
	listener = "events"
	movie    = "mjpg"
)

// A subscriber is a client that has an open stream.
type subscriber struct {
	kind  string // listener or movie
	from  string // address of the client
	w, h  int    // size of the client in px, 0 if unknown
	view  string // requested view, "" for the main view
	since time.Time
	out   pacer // nil until the subscriber is attached

	stream *netstream.Stream // stream of the view
}

// movies() returns 1 for a subscriber of /stream.mjpg, and otherwise 0.
func (v *subscriber) movies() int {
	if v.kind == movie {
		return 1
	}
	return 0
}

// A pacer can set a deadline for writes. It is a net.Conn or an http.ResponseController.
type pacer interface {
	SetWriteDeadline(time.Time) error
}

// hub contains all open streams.
type hub struct {
	life context.Context // context of all streams. If it ends, all streams end
	end  context.CancelFunc
	wg   sync.WaitGroup

	mu     sync.Mutex // guards the fields below
	all    map[*subscriber]struct{}
	movies int // number of subscribers of the kind movie
}

func newHub() *hub {
	h := &hub{all: map[*subscriber]struct{}{}}
	h.life, h.end = context.WithCancel(context.Background())
	return h
}

// join registers a subscriber. It returns false if a limit is reached or if the server is about to end. If join returns true, the caller
// must call leave() later.
func (h *hub) join(v *subscriber) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.all) >= maxStreams || v.kind == movie && h.movies >= maxMovies || h.life.Err() != nil {
		return false
	}
	h.all[v] = struct{}{}
	h.movies += v.movies()
	h.wg.Add(1)
	return true
}

// attach sets the connection of a subscriber.
func (h *hub) attach(v *subscriber, out pacer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v.out = out
}

func (h *hub) leave(v *subscriber) {
	h.mu.Lock()
	delete(h.all, v)
	h.movies -= v.movies()
	h.mu.Unlock()
	h.wg.Done()
}

// close ends all streams and waits until they have ended. A blocked write is canceled after farewellTime.
func (h *hub) close() {
	h.mu.Lock()
	h.end()
	for v := range h.all {
		if v.out != nil {
			_ = v.out.SetWriteDeadline(time.Now().Add(farewellTime))
		}
	}
	h.mu.Unlock()
	h.wg.Wait()
}

// allow sets the deadline for a write of n bytes that begins now. While the server ends, deadlines must be short. The method close
// shortens the deadlines of running writes, and allow sets short deadlines for later writes.
func (h *hub) allow(out pacer, n int) {
	now := time.Now()
	_ = out.SetWriteDeadline(now.Add(patience(n))) // if this fails, the connection is already closed, and the write fails too
	if h.life.Err() != nil {
		_ = out.SetWriteDeadline(now.Add(farewellTime))
	}
}

// patience returns the time limit for writing n bytes.
func patience(n int) time.Duration {
	return writeGrace + time.Duration(n)*time.Second/minRate
}

// count returns the number of subscribers of each kind.
func (h *hub) count() (events, mjpg int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for v := range h.all {
		if v.kind == listener {
			events++
		}
	}
	return events, len(h.all) - events
}

// list describes at most n subscribers.
func (h *hub) list(n int, now time.Time) []fields {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := []fields{}
	for v := range h.all {
		if len(list) == n {
			break
		}
		f := fields{"address": v.from, "stream": v.kind, "seconds": int(now.Sub(v.since).Seconds())}
		if v.w != 0 {
			f["width"], f["height"] = v.w, v.h
		}
		if v.view != "" {
			f["view"] = v.view
		}
		list = append(list, f)
	}
	return list
}
