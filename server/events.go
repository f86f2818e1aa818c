package server

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"dashboard/netstream"
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
	if l, header, ok := s.takeOver(w, r); ok {
		s.crowd.attach(v, l.conn)
		go s.talk(v, l, header)
		return
	}
	defer s.crowd.leave(v)
	ctx, cancel := s.streamContext(r)
	defer cancel()
	s.tell(ctx, v, s.flushed(w, v))
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
		w.Header().Set("Retry-After", "10")
		refuse(w, http.StatusServiceUnavailable, "too many streams are open")
		return nil, false
	}
	return v, true
}

// talk tells a viewer through a line of its own, and closes that when all is told.
func (s *Server) talk(v *viewer, l line, header []byte) {
	defer s.crowd.leave(v)
	defer l.conn.Close()
	defer s.containStream("/events")
	if l.send(header) == nil {
		s.tell(s.crowd.life, v, l)
	}
}

// A teller is where events go.
type teller interface {
	tell(n *news) error // sends the news at once
	end()               // ends the stream well
}

// tell sends an event for every frame, and a ping when there was none for a while, until ctx ends, the stream is
// halted or the caller is gone.
func (s *Server) tell(ctx context.Context, v *viewer, to teller) {
	s.greet(v)
	defer s.part(v)
	sub := s.deps.Stream.Subscribe()
	defer sub.Close()
	silence := time.NewTimer(pingEvery)
	defer silence.Stop()
	for {
		n := ping
		select {
		case <-ctx.Done():
			to.end()
			return
		case _, open := <-sub.C():
			if !open {
				to.end()
				return
			}
			if n = s.latest(sub); n == nil {
				continue
			}
		case <-silence.C:
		}
		if to.tell(n) != nil {
			return
		}
		silence.Reset(pingEvery)
	}
}

// latest returns the news for a subscription, nil if there is none after all.
func (s *Server) latest(sub *netstream.Subscription) *news {
	p, fresh := sub.Next()
	if !fresh {
		return nil
	}
	return s.news.event(p)
}

// greet logs who is connected.
func (s *Server) greet(v *viewer) {
	s.log.Info("display connected", "address", v.from, "stream", v.kind, "shows", v.size())
}

// part logs who is gone.
func (s *Server) part(v *viewer) {
	s.log.Info("display disconnected", "address", v.from, "stream", v.kind)
}

// size is what a viewer said it shows.
func (v *viewer) size() string {
	if v.w == 0 {
		return "unsaid"
	}
	return strconv.Itoa(v.w) + "x" + strconv.Itoa(v.h)
}

// flushed tells through an ordinary answer.
type flushed struct {
	w http.ResponseWriter
	c *http.ResponseController
}

// flushed makes the teller of a viewer, which can be hurried from now on.
func (s *Server) flushed(w http.ResponseWriter, v *viewer) flushed {
	f := flushed{w, http.NewResponseController(w)}
	s.crowd.attach(v, f.c)
	return f
}

func (f flushed) tell(n *news) error { return f.write(n.text) }

func (f flushed) end() {} // the handler's end is the stream's

// write sends text at once.
func (f flushed) write(text []byte) error {
	if _, err := f.w.Write(text); err != nil {
		return err
	}
	return f.c.Flush()
}
