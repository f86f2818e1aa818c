package server

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"dashboard/netstream"
)

// viewNames returns the names of the views.
func (s *Server) viewNames() []string {
	if s.deps.Views == nil {
		return []string{""}
	}
	return s.deps.Views()
}

// listedViews returns the views that lists show. Views whose names begin with ~ are left out, because each of these views belongs to one
// phone.
func (s *Server) listedViews() []string {
	return slices.DeleteFunc(slices.Clone(s.viewNames()), func(name string) bool { return strings.HasPrefix(name, "~") })
}

// streamOf returns the stream of the view that a request names with ?view=, or of the main view. If the view does not exist, it
// refuses the request.
func (s *Server) streamOf(w http.ResponseWriter, r *http.Request) (*netstream.Stream, bool) {
	name := r.URL.Query().Get("view")
	if name == "" || slices.Contains(s.viewNames(), name) {
		if stream := s.deps.Streams(name); stream != nil {
			return stream, true
		}
	}
	s.refuseView(w)
	return nil, false
}

// refuseView refuses a request for an unknown view.
func (s *Server) refuseView(w http.ResponseWriter) {
	answer(w, http.StatusNotFound, fields{"error": "there is no view of this name", "success": false, "views": s.listedViews()})
}

// broadcasters contains the broadcaster of each stream that has listeners. Its methods may be called from any goroutine.
type broadcasters struct {
	make func(*netstream.Stream) *broadcaster

	mu  sync.Mutex // guards the field all
	all map[*netstream.Stream]*broadcaster
}

// add adds a line to the broadcaster of a stream.
func (d *broadcasters) add(stream *netstream.Stream, l *line) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ofLocked(stream).add(l) // d.mu stays locked, because otherwise an empty broadcaster could be removed before the line is added
}

// expect returns the newest sound of a stream. If the stream has no broadcaster yet, expect creates one, so that later sounds are
// recorded. The broadcaster is kept until the caller calls arrived().
func (d *broadcasters) expect(stream *netstream.Stream) *event {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.ofLocked(stream)
	b.coming++
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sound
}

// arrived() is called once after each call of expect(), when the line has been added or has failed.
func (d *broadcasters) arrived(stream *netstream.Stream) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all[stream].coming--
}

// ofLocked returns the broadcaster of a stream. It removes other broadcasters without lines and without expected lines. The caller holds
// the lock.
func (d *broadcasters) ofLocked(stream *netstream.Stream) *broadcaster {
	if d.all == nil {
		d.all = map[*netstream.Stream]*broadcaster{}
	}
	for other, at := range d.all {
		if other != stream && at.coming == 0 && !at.busy() {
			delete(d.all, other)
		}
	}
	if d.all[stream] == nil {
		d.all[stream] = d.make(stream)
	}
	return d.all[stream]
}

// busy() reports whether the broadcaster has lines.
func (d *broadcaster) busy() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running
}
