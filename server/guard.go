package server

import (
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// guard wraps every handler. It sets the Server header and deadlines, counts answers, and recovers from panics.
func (s *Server) guard(route string, h http.HandlerFunc) http.HandlerFunc {
	count := s.stats.route(route)
	name := "dashboard/" + s.deps.Version
	h = s.addressed(h)
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", name)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		p := &paced{ResponseWriter: w, c: http.NewResponseController(w), hub: s.hub}
		if r.ContentLength != 0 {
			_ = p.c.SetReadDeadline(time.Now().Add(s.bodyTime)) // this fails only in tests, whose writers have no deadlines
		}
		defer func() {
			cut := s.contain(recover(), p, route)
			count.add(p.status, p.sent)
			if cut {
				panic(http.ErrAbortHandler)
			}
		}()
		h(p, r)
	}
}

// contain counts and logs the panic of a handler. If no part of the answer was sent yet, it sends an error and returns false. If a part
// was sent, or for http.ErrAbortHandler, it returns true. The connection must then be closed, so that the caller does not mistake a part
// of the answer for the whole answer.
func (s *Server) contain(v any, p *paced, route string) (cut bool) {
	if v == nil || v == http.ErrAbortHandler {
		return v != nil
	}
	s.panicked(v, route)
	if p.status == 0 && p.sent == 0 {
		refuse(p, http.StatusInternalServerError, "internal error")
		return false
	}
	return true
}

func (s *Server) panicked(v any, route string) {
	s.stats.panics.Inc()
	s.log.Error("handler failed", "route", route, "reason", v, "stack", string(debug.Stack()))
}

// `paced` is a ResponseWriter with a deadline for each write. An answer may be endless, but its caller must read it fast enough.
type paced struct {
	http.ResponseWriter
	c      *http.ResponseController
	hub    *hub
	status int
	sent   int64
	over   atomic.Bool // true if all writes must fail now
}

// Unwrap implements the interface that http.ResponseController uses.
func (p *paced) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (p *paced) WriteHeader(status int) {
	p.status = status
	p.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (p *paced) Write(b []byte) (int, error) {
	if p.status == 0 {
		p.status = http.StatusOK
	}
	p.hub.allow(p.c, len(b))
	if p.over.Load() {
		p.giveUp()
	}
	n, err := p.ResponseWriter.Write(b)
	p.sent += int64(n)
	return n, err
}

// giveUp makes the current write and all later writes fail. Any goroutine may call it.
func (p *paced) giveUp() {
	p.over.Store(true)
	_ = p.c.SetWriteDeadline(time.Unix(1, 0)) // if this fails, the connection is already closed, and the write fails too
}

// impatient() returns a function that ends an answer. The stream calls it if a slow caller keeps the
// memory of an old picture for too long. If the answer has no deadlines, impatient returns nil.
func impatient(w http.ResponseWriter) func() {
	if p, ok := w.(*paced); ok {
		return p.giveUp
	}
	return nil
}
