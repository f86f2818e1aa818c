package server

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"dashboard/netstream"
)

// pingText is the comment that keeps a silent stream alive.
var pingText = []byte(": ping\n\n")

// events answers GET /events.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	v, ok := s.enter(w, r, "events")
	if !ok {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		s.crowd.leave(v)
		return
	}
	sub := s.deps.Stream.Subscribe()
	if l, header, ok := s.takeOver(w, r); ok {
		s.crowd.attach(v, l.conn)
		go s.talk(v, sub, l, header)
		return
	}
	ctx, cancel := s.streamContext(r)
	defer cancel()
	s.tell(ctx, v, sub, flushed{w, http.NewResponseController(w)})
}

// talk begins a stream on a line of its own, and closes the line when all is told.
func (s *Server) talk(v *viewer, sub *netstream.Subscription, l *line, header []byte) {
	defer l.conn.Close()
	if l.send(header) != nil {
		sub.Close()
		s.crowd.leave(v)
		return
	}
	s.tell(s.crowd.life, v, sub, l)
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

// A teller is where events go.
type teller interface {
	tell(text []byte) error // sends the text at once
	end()                   // ends the stream well
}

// tell sends an event for every frame, and a ping when there was none for a while, until ctx ends, the stream is
// halted or the caller is gone.
func (s *Server) tell(ctx context.Context, v *viewer, sub *netstream.Subscription, to teller) {
	defer s.crowd.leave(v)
	defer sub.Close()
	s.greet(v)
	defer s.log.Info("display disconnected", "address", v.from)
	silence := time.NewTimer(pingEvery)
	defer silence.Stop()
	for {
		text := pingText
		select {
		case <-ctx.Done():
			to.end()
			return
		case _, open := <-sub.C():
			if !open {
				to.end()
				return
			}
			p, fresh := sub.Next()
			if !fresh {
				continue
			}
			text = p.AppendEvent(nil)
		case <-silence.C:
		}
		if to.tell(text) != nil {
			return
		}
		silence.Reset(pingEvery)
	}
}

// greet logs who is connected.
func (s *Server) greet(v *viewer) {
	size := ""
	if v.w != 0 {
		size = fmt.Sprintf("%dx%d", v.w, v.h)
	}
	s.log.Info("display connected", "address", v.from, "stream", v.kind, "size", size)
}

// flushed tells through an ordinary answer.
type flushed struct {
	w http.ResponseWriter
	c *http.ResponseController
}

func (f flushed) tell(text []byte) error {
	if _, err := f.w.Write(text); err != nil {
		return err
	}
	return f.c.Flush()
}

func (flushed) end() {}
