package server

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"dashboard/control"
)

const (
	// maxRemotes is the maximum number of streams of /state. Each stream needs a goroutine and a copy of the last state.
	maxRemotes = 64
	// stateEvery is the time between two checks for changes. With this value, the page shows the
	// effect of a control in less than half a second.
	stateEvery = 400 * time.Millisecond
	// stateBeat is the maximum time without data on a stream of /state. The page counts the connection as lost after 5 s without a byte.
	stateBeat = 2 * time.Second
)

// state answers GET /state with the data that the remote (the page at /) shows. If the caller accepts events, the answer is a stream, and
// otherwise it is JSON. A caller without the control token needs the stream token or the token of a paired screen, and receives no
// controls.
func (s *Server) state(w http.ResponseWriter, r *http.Request) {
	may := s.mayRemote(r)
	switch {
	case !ownOrigin(r, s.settings.Load().Names):
		refuse(w, http.StatusForbidden, "a page of another site may not control the wall; behind a proxy, server.names in conf.yaml lists the names it has")
		return
	case may == "":
		reject(w, "control")
		return
	}
	if _, ok := s.wall(w, view(r)); !ok {
		return
	}
	if !strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		answer(w, http.StatusOK, s.stateOf(r.Context(), r, may))
		return
	}
	s.streamState(w, r, may)
}

// mayRemote returns "control" for a caller with the control token, "look" for a caller with the stream token or the token of a paired
// screen, and "" for any other caller.
func (s *Server) mayRemote(r *http.Request) string {
	c := s.settings.Load()
	if authorized(r, c.ControlToken) {
		return "control"
	}
	if _, screen := s.paired(r); screen || c.StreamToken != nil && authorized(r, c.StreamToken) {
		return "look"
	}
	return ""
}

// streamState sends the state after each change. It ends when the caller disconnects, when the view or the server ends, when one of
// the tokens changes, or when the caller is a paired screen that was removed.
func (s *Server) streamState(w http.ResponseWriter, r *http.Request, may string) {
	select {
	case s.remotes <- struct{}{}:
		defer func() { <-s.remotes }()
	default:
		refuseFor(w, 10*time.Second, http.StatusServiceUnavailable, "too many remotes are open")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // without this header, nginx buffers small writes
	if r.Method == http.MethodHead {
		return
	}
	ctx, cancel := s.streamContext(r)
	defer cancel()
	out := flushed{w, http.NewResponseController(w)}
	began := s.settings.Load()
	tick := time.NewTicker(stateEvery)
	defer tick.Stop()
	var last []byte
	var said time.Time
	for {
		now := s.settings.Load()
		changed := !sameToken(now.ControlToken, began.ControlToken) || !sameToken(now.StreamToken, began.StreamToken)
		if changed || s.mayRemote(r) != may || s.deps.Walls.Wall(view(r)) == nil {
			return
		}
		text := s.change(ctx, &last, r, may)
		if text == nil && s.now().Sub(said) >= stateBeat {
			text = []byte(":\n\n")
		}
		if text != nil {
			said = s.now()
			if out.write(text) != nil {
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// change returns the event for a new state. It returns nil if nothing has changed, or if only the time has changed.
func (s *Server) change(ctx context.Context, last *[]byte, r *http.Request, may string) []byte {
	f := s.stateOf(ctx, r, may)
	at := f["now"]
	delete(f, "now")
	for _, t := range f["timers"].([]fields) {
		if t["ends_at"] != nil { // the page computes the remaining time itself
			delete(t, "left")
			delete(t, "passed")
		}
	}
	body, err := encode(f)
	if err != nil || bytes.Equal(body, *last) {
		return nil
	}
	*last = body
	f["now"] = at
	if body, err = encode(f); err != nil {
		return nil
	}
	return append(append([]byte("data: "), body...), '\n') // encode ends the text with a newline. A second newline ends the event
}

// stateOf returns the data that the remote shows for the view of a request. If the wall does not have a part, the field of this part is
// null.
func (s *Server) stateOf(ctx context.Context, r *http.Request, may string) fields {
	c, now, view := s.settings.Load(), s.now(), view(r)
	f := fields{
		"success": true, "may": may, "name": s.deps.Name(), "version": s.deps.Version, "now": control.Moment(now), "view": view,
		"views": s.listedViews(), "stream": c.StreamOn, "width": 0, "height": 0,
		"touch": s.deps.Walls.Has("touch"), "text": s.deps.Speaker != nil,
		"pages": nil, "power": nil, "theme": nil, "notices": nil, "timers": []fields{}, "tasks": []fields{}, "waiting": 0,
		"edit": s.offersEditing(r), "update": nil, "problem": nil,
		"source": s.deps.Source != nil && s.deps.Source() != nil,
	}
	if stream := s.unasked(view); stream != nil {
		size := stream.Bounds().Size()
		f["width"], f["height"] = size.X, size.Y
	}
	if wall := s.deps.Walls.Wall(view); wall != nil && may == "control" {
		s.controls(ctx, f, wall, view, now)
	}
	return f
}

// controls() adds the controls that the caller may use.
func (s *Server) controls(ctx context.Context, f fields, wall *control.Wall, view string, now time.Time) {
	f["waiting"], f["tasks"] = s.waiting(now), s.tasks()
	if s.deps.Update != nil {
		f["update"] = s.deps.Update()
	}
	if s.deps.Problem != nil {
		f["problem"] = control.OrNull(s.deps.Problem())
	}
	if wall.Pages != nil {
		if list := wall.Pages.List(now); len(list) > 0 {
			f["pages"] = control.PageFields(list[0])
		}
	}
	if wall.Power != nil {
		f["power"] = control.PowerFields(wall.Power.State())
	}
	if st, err := s.deps.Walls.ThemeOf(ctx, view); err == nil {
		f["theme"] = themeFields(st)
	}
	if wall.Notices != nil && wall.Notices.Any() {
		f["notices"] = noticesOf(wall)
	}
	if timers := s.deps.Walls.Timers; timers != nil {
		list := []fields{}
		for _, t := range timers.List(now) {
			list = append(list, fields(control.TimerFields(t)))
		}
		f["timers"] = list
	}
}

// maxStateNotices is the maximum number of notifications in a state. GET /notify returns all notifications.
const maxStateNotices = 16

// noticesOf returns a wall's notifications without the fields that change every second.
func noticesOf(wall *control.Wall) fields {
	list, all := []fields{}, wall.Notices.List()
	for _, n := range all[:min(len(all), maxStateNotices)] {
		list = append(list, fields{
			"id": cmp.Or(n.ID, ""), "widget": n.Widget, "state": n.State, "title": control.OrNull(n.Title), "text": control.OrNull(n.Text),
			"icon": control.OrNull(n.Icon), "posted": control.Moment(n.Posted), "actions": n.Actions,
		})
	}
	return fields{"widgets": wall.Notices.Names(), "list": list, "more": max(0, len(all)-maxStateNotices)}
}

// waiting returns the number of screens and e-readers that wait for a person to allow them.
func (s *Server) waiting(now time.Time) (n int) {
	if s.deps.Pairing != nil {
		n = len(s.deps.Pairing.Waiting(now))
	}
	if s.deps.Readers != nil && s.deps.Readers.On() {
		n += len(s.deps.Readers.Asking())
	}
	return n
}
