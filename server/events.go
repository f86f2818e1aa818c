package server

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"dashboard/netstream"
)

// screenHeader is a header of the response to /events. Its value is "off" if the wall's screen is
// off. Later changes are sent as comments.
const screenHeader = "X-Screen"

// lightHeader is a header with the light of the wall's screen. If the wall does not control the light, the header is missing.
const lightHeader = "X-Screen-Light"

// events() answers GET /events.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	v, ok := s.enter(w, r, listener)
	if !ok {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // without this header, nginx buffers small writes
	dark := v.stream.IsDark()
	if dark {
		h.Set(screenHeader, "off")
	}
	light := v.stream.Light()
	if light != (netstream.Light{}) {
		h.Set(lightHeader, lightText(light))
	}
	if r.Method == http.MethodHead {
		s.hub.leave(v)
		return
	}
	// Call expect before the header is sent, because the caller expects every sound that is played after the header.
	heard := s.broadcasters.expect(v.stream)
	defer s.broadcasters.arrived(v.stream)
	l, err := s.takeOver(w, r, v)
	if err != nil {
		s.hub.leave(v)
		refuse(w, http.StatusInternalServerError, "this connection cannot be kept open")
		return
	}
	l.heard, l.sounds = heard, r.URL.Query().Get("sounds") == "1"
	l.dark, l.light, l.calm = dark, light, s.settings.Load().CalmEvents && !wantsTiles(r.Header)
	s.greet(v)
	s.broadcasters.add(v.stream, l)
}

// Sound sends the name of a sound to all callers of /events that have requested sounds. It does not block.
func (s *Server) Sound(stream *netstream.Stream, name string) {
	s.broadcasters.mu.Lock()
	d := s.broadcasters.all[stream]
	s.broadcasters.mu.Unlock()
	if d != nil { // nil if there is no broadcaster, and therefore no listener
		d.play(name)
	}
}

// enter checks the parameters of a request for a stream, and registers a subscriber for this stream.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, kind string) (*subscriber, bool) {
	width, height, err := size(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return nil, false
	}
	stream, ok := s.streamOf(w, r)
	if !ok {
		return nil, false
	}
	v := &subscriber{kind: kind, stream: stream, view: r.URL.Query().Get("view"), from: r.RemoteAddr, w: width, h: height, since: s.now()}
	if !s.hub.join(v) {
		refuseFor(w, 10*time.Second, http.StatusServiceUnavailable, "too many streams are open")
		return nil, false
	}
	return v, true
}

// greet logs a new subscriber.
func (s *Server) greet(v *subscriber) {
	s.note("display connected", "address", v.from, "stream", v.kind, "shows", v.size())
}

// bye() removes a subscriber and logs its end.
func (s *Server) bye(v *subscriber) {
	s.hub.leave(v)
	s.note("display disconnected", "address", v.from, "stream", v.kind)
}

// note logs an action that callers can repeat without limit. If there are too many lines, it drops some of them.
func (s *Server) note(says string, fields ...any) { s.say(slog.LevelInfo, says, fields) }

// warn is like note, but logs a warning.
func (s *Server) warn(says string, fields ...any) { s.say(slog.LevelWarn, says, fields) }

func (s *Server) say(level slog.Level, says string, fields []any) {
	if fields, ok := s.lines.Next(s.now(), fields...); ok {
		s.log.Log(context.Background(), level, says, fields...)
	}
}

// hungUp does the same as bye, for a subscriber whose connection was taken over.
func (s *Server) hungUp(v *subscriber) {
	s.conns.Add(-1)
	s.bye(v)
}

// size returns the size in the subscriber's request, as text.
func (v *subscriber) size() string {
	if v.w == 0 {
		return "unsaid"
	}
	return strconv.Itoa(v.w) + "x" + strconv.Itoa(v.h)
}

// `flushed` writes an answer part by part.
type flushed struct {
	w http.ResponseWriter
	c *http.ResponseController
}

// flushed() returns a writer for a subscriber. It attaches the writer to the hub, so that the hub can shorten the writer's deadline.
func (s *Server) flushed(w http.ResponseWriter, v *subscriber) flushed {
	f := flushed{w, http.NewResponseController(w)}
	s.hub.attach(v, f.c)
	return f
}

// write sends text immediately.
func (f flushed) write(text []byte) error {
	if _, err := f.w.Write(text); err != nil {
		return err
	}
	return f.c.Flush()
}
