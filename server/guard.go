package server

import (
	"net/http"
	"runtime/debug"
	"time"
)

// guard puts around a handler what every one needs: our name, deadlines, counts, and an end to panics.
func (s *Server) guard(route string, h http.HandlerFunc) http.HandlerFunc {
	count := s.figures.route(route)
	name := "dashboard/" + s.deps.Version
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", name)
		p := &paced{ResponseWriter: w, c: http.NewResponseController(w)}
		if r.ContentLength != 0 {
			_ = p.c.SetReadDeadline(time.Now().Add(bodyTime)) // a writer without deadlines is a test's
		}
		defer func() {
			v := recover()
			if v != nil {
				s.contain(p, route, v)
			}
			count.add(p.status, p.sent)
			if v != nil && p.started {
				panic(http.ErrAbortHandler) // cuts the connection: half an answer must not pass for a whole one
			}
		}()
		h(p, r)
	}
}

// contain counts and logs what a handler panicked with, and answers if that is still possible.
func (s *Server) contain(p *paced, route string, v any) {
	if v == http.ErrAbortHandler {
		p.started = true
		return
	}
	s.figures.panics.Inc()
	s.log.Error("handler failed", "route", route, "reason", v, "stack", string(debug.Stack()))
	if !p.started {
		refuse(p, http.StatusInternalServerError, "internal error")
		p.started = false // the answer is whole
	}
}

// paced is a ResponseWriter that gives each write its own deadline: the whole answer may last for ever, as a stream
// does, but nobody may stop reading it.
type paced struct {
	http.ResponseWriter
	c       *http.ResponseController
	status  int
	sent    int64
	started bool
}

// Unwrap lets http.ResponseController through.
func (p *paced) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (p *paced) WriteHeader(status int) {
	p.status, p.started = status, true
	p.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (p *paced) Write(b []byte) (int, error) {
	p.started = true
	_ = p.c.SetWriteDeadline(time.Now().Add(patience(len(b))))
	n, err := p.ResponseWriter.Write(b)
	p.sent += int64(n)
	return n, err
}

// patience is how long the writing of n bytes may take.
func patience(n int) time.Duration {
	return writeGrace + time.Duration(n)*time.Second/minRate
}
