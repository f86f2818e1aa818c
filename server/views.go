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

// listedViews returns the views for lists, without views that start with ~, which belong to one phone each.
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

// broadcasters holds the broadcasters of streams with listeners. Its methods may be called from any goroutine.
type broadcasters struct {
	make func(*netstream.Stream) *broadcaster

	mu  sync.Mutex // guards all
	all map[*netstream.Stream]*broadcaster
}

// add adds a line to a stream's broadcaster.
func (d *broadcasters) add(stream *netstream.Stream, l *line) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ofLocked(stream).add(l) // under the lock, because an empty broadcaster would be removed and would miss sounds
}

// ofLocked returns the broadcaster of a stream and removes other empty ones.
func (d *broadcasters) ofLocked(stream *netstream.Stream) *broadcaster {
	if d.all == nil {
		d.all = map[*netstream.Stream]*broadcaster{}
	}
	for other, at := range d.all {
		if other != stream && !at.busy() {
			delete(d.all, other)
		}
	}
	if d.all[stream] == nil {
		d.all[stream] = d.make(stream)
	}
	return d.all[stream]
}

// busy reports whether the broadcaster has lines.
func (d *broadcaster) busy() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running
}
