package server

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// events answers GET /events.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	v, ok := s.enter(w, r, "events")
	if !ok {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx holds back small writes otherwise
	if r.Method == http.MethodHead {
		s.crowd.leave(v)
		return
	}
	s.greet(v)
	if l := s.takeOver(w, r, v); l != nil {
		s.desk.add(l)
		return
	}
	defer s.bye(v)
	ctx, cancel := s.streamContext(r)
	defer cancel()
	s.tell(ctx, s.flushed(w, v))
}

// enter checks the arguments of a stream, makes its viewer and lets it in.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, kind string) (*viewer, bool) {
	width, height, err := size(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return nil, false
	}
	v := &viewer{kind: kind, from: r.RemoteAddr, w: width, h: height, since: s.now()}
	if !s.crowd.join(v) {
		refuseFor(w, 10*time.Second, http.StatusServiceUnavailable, "too many streams are open")
		return nil, false
	}
	return v, true
}

// tell sends an event for every frame, and a ping when there was none for a while, until ctx ends, the stream is
// halted or the caller is gone. It serves those for whom the desk cannot.
func (s *Server) tell(ctx context.Context, to flushed) {
	sub := s.deps.Streams("").Subscribe()
	defer sub.Close()
	silence := time.NewTimer(pingEvery)
	defer silence.Stop()
	for {
		n := ping
		select {
		case <-ctx.Done():
			return
		case _, open := <-sub.C():
			if !open {
				return
			}
			p, fresh := sub.Next()
			if !fresh {
				continue
			}
			n = s.news.event(p)
		case <-silence.C:
		}
		if to.write(n.text) != nil {
			return
		}
		silence.Reset(pingEvery)
	}
}

// greet logs who is connected.
func (s *Server) greet(v *viewer) {
	s.log.Info("display connected", "address", v.from, "stream", v.kind, "shows", v.size())
}

// bye lets a viewer out and logs who is gone.
func (s *Server) bye(v *viewer) {
	s.crowd.leave(v)
	s.log.Info("display disconnected", "address", v.from, "stream", v.kind)
}

// hungUp is bye for a connection that was taken over.
func (s *Server) hungUp(v *viewer) {
	s.conns.Add(-1)
	s.bye(v)
}

// size is what a viewer said it shows.
func (v *viewer) size() string {
	if v.w == 0 {
		return "unsaid"
	}
	return strconv.Itoa(v.w) + "x" + strconv.Itoa(v.h)
}

// flushed writes an ordinary answer bit by bit.
type flushed struct {
	w http.ResponseWriter
	c *http.ResponseController
}

// flushed makes that of a viewer, who can be hurried from now on.
func (s *Server) flushed(w http.ResponseWriter, v *viewer) flushed {
	f := flushed{w, http.NewResponseController(w)}
	s.crowd.attach(v, f.c)
	return f
}

// write sends text at once.
func (f flushed) write(text []byte) error {
	if _, err := f.w.Write(text); err != nil {
		return err
	}
	return f.c.Flush()
}
