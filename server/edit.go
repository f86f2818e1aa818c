package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/julienschmidt/httprouter"
)

const (
	// maxEditBody is the maximum size of a request of the editor, in bytes. The longest file fits, even with escapes.
	maxEditBody = 5 << 20
	// maxEditing is the maximum number of requests of the editor at the same time. Each request may draw a picture.
	maxEditing = 4
	// editBeat is the maximum time without data on /edit/events.
	editBeat = 2 * time.Second
)

// An EditCall is a request of the editor. For every verb except connected, the caller has the permission to edit.
type EditCall struct {
	Verb   string
	ID     string // id of a draft or a version in the path, or a name. For the verb connected, the browser's secret
	Query  url.Values
	Accept string
	Body   []byte
	Caller string // caller's name, as people see it

	Redirect string // address to which a service redirects the browser that has sent this request
}

// An EditAnswer is the answer to a request. It has either fields, or a body with a content type.
type EditAnswer struct {
	Status int // status code, or 0 for 200
	Fields map[string]any
	Body   []byte
	Type   string
	File   string // name under which a browser saves the body

	Browser string // secret of a browser that requests access to a service. The secret becomes a cookie
}

// An EditError is a refused request. Its text is for the caller.
type EditError struct {
	Status int
	Text   string
	More   map[string]any // additional fields of the answer
}

// Error implements error.
func (e *EditError) Error() string { return e.Text }

// An Editor changes the files of the wall.
type Editor interface {
	// Edit answers a request. Every error is an *EditError.
	Edit(ctx context.Context, c EditCall) (EditAnswer, error)
	// Listen returns server-sent events. The function `end` stops the events. If there are too many listeners, Listen returns nil.
	Listen() (events <-chan []byte, end func())
}

// editing adds the routes of the editor.
func (r router) editing() {
	s := r.s
	r.get("/edit", toEditPage(s.mayEdit(func(w http.ResponseWriter, r *http.Request) {
		s.renew(w, r)
		s.edit("summary")(w, r)
	})))
	r.get("/edit/events", s.mayEdit(s.editEvents))
	r.post("/edit/drafts", s.mayEdit(s.edit("open")))
	r.get("/edit/drafts/:id", s.mayEdit(s.edit("state")))
	r.remove("/edit/drafts/:id", s.mayEdit(s.edit("close")))
	for _, verb := range []string{"ops", "undo", "redo", "apply", "resolve", "eval", "test"} {
		r.post("/edit/drafts/:id/"+verb, s.mayEdit(s.edit(verb)))
	}
	for _, verb := range []string{"picture", "file", "diff", "zip", "values", "places", "theme"} {
		r.get("/edit/drafts/:id/"+verb, s.mayEdit(s.edit(verb)))
	}
	r.put("/edit/drafts/:id/file", s.mayEdit(s.edit("put-file")))
	r.get("/edit/schema/:id", s.mayEdit(s.edit("schema")))
	r.get("/edit/homes", s.mayEdit(s.edit("homes")))
	r.get("/edit/icons", s.mayEdit(s.edit("icons")))
	r.get("/edit/gallery", s.mayEdit(s.edit("gallery")))
	r.get("/edit/gallery/:id", s.mayEdit(s.edit("gallery-picture")))
	r.get("/edit/versions", s.mayEdit(s.edit("versions")))
	r.get("/edit/versions/:id", s.mayEdit(s.edit("version")))
	r.post("/edit/versions/:id/restore", s.mayEdit(s.edit("restore")))
	r.post("/edit/versions/:id/undo", s.mayEdit(s.edit("undo-version")))
	r.get("/edit/connections", s.mayEdit(s.edit("connections")))
	r.post("/edit/connections/:id", s.mayEdit(s.edit("connect")))
	r.post("/edit/connections/:id/paste", s.mayEdit(s.edit("paste")))
	// This route does not answer HEAD, because a HEAD request would use up the code in the address. The code is valid only once.
	r.add(http.MethodGet, connectedPath, s.guard(connectedPath, s.connected))
	r.get("/edit/secrets", s.mayEdit(s.edit("secrets")))
	r.post("/edit/secrets", s.mayEdit(s.edit("secret")))
	r.post("/edit/allow", s.beforeEdit(s.askToEdit))
	r.post("/edit/allow/code", s.beforeEdit(s.enterCode))
	r.get("/edit/devices", s.mayEdit(s.editDevices))
	r.post("/edit/devices", s.mayEdit(s.setDigits))
	r.post("/edit/devices/:id", s.mayEdit(s.allowEditDevice))
	r.post("/edit/devices/:id/undo", s.mayEdit(s.restoreEditDevice))
	r.remove("/edit/devices/:id", s.mayEdit(s.removeEditDevice))
}

// toEditPage sends a browser to the page of the editor. Other callers get the answer of h. The address of the page is relative, because a
// proxy may serve the wall below a prefix.
func toEditPage(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "Accept")
		if !accepts(r, "text/html") {
			h(w, r)
			return
		}
		w.Header().Set("Location", (&url.URL{Path: "edit/", RawQuery: r.URL.RawQuery}).String())
		w.WriteHeader(http.StatusFound)
	}
}

// edit answers a request of the editor.
func (s *Server) edit(verb string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.editors <- struct{}{}:
			defer func() { <-s.editors }()
		case <-time.After(time.Second):
			refuseFor(w, time.Second, http.StatusServiceUnavailable, "the editor is busy")
			return
		}
		body, ok := editBody(w, r)
		if !ok {
			return
		}
		id := strings.TrimSuffix(httprouter.ParamsFromContext(r.Context()).ByName("id"), ".png")
		a, err := s.deps.Editor.Edit(r.Context(), EditCall{
			Verb: verb, ID: id, Query: r.URL.Query(), Accept: r.Header.Get("Accept"), Body: body, Caller: s.editorOf(r),
			Redirect: redirectOf(r.Header.Get("Origin")),
		})
		if err != nil {
			refuseEdit(w, err)
			return
		}
		if a.Browser != "" {
			setConnectCookie(w, a.Browser, strings.HasPrefix(r.Header.Get("Origin"), "https:"))
		}
		sendEdit(w, a)
	}
}

// refuseEdit sends an error of the editor.
func refuseEdit(w http.ResponseWriter, err error) {
	no := &EditError{Status: http.StatusInternalServerError, Text: err.Error()}
	errors.As(err, &no)
	f := fields{"success": false, "error": no.Text}
	for k, v := range no.More {
		f[k] = v
	}
	answer(w, no.Status, f)
}

// sendEdit sends an answer of the editor.
func sendEdit(w http.ResponseWriter, a EditAnswer) {
	if a.Status == 0 {
		a.Status = http.StatusOK
	}
	h := w.Header()
	switch {
	case a.Status == http.StatusNoContent:
		w.WriteHeader(a.Status)
	case a.Type == "":
		f := fields{"success": true}
		for k, v := range a.Fields {
			f[k] = v
		}
		answer(w, a.Status, f)
	default:
		h.Set("Content-Type", a.Type)
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
		h.Set("Content-Length", strconv.Itoa(len(a.Body)))
		if a.File != "" {
			h.Set("Content-Disposition", `attachment; filename="`+a.File+`"`)
		}
		w.WriteHeader(a.Status)
		w.Write(a.Body)
	}
}

// editBody reads the JSON body of a request of the editor.
func editBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodDelete {
		return nil, true
	}
	if !isJSON(r.Header.Get("Content-Type")) {
		refuse(w, http.StatusUnsupportedMediaType, "the content type must be application/json")
		return nil, false
	}
	return readBody(w, r, maxEditBody)
}

// editEvents answers GET /edit/events with server-sent events, which report saves and changed drafts.
func (s *Server) editEvents(w http.ResponseWriter, r *http.Request) {
	list, end := s.deps.Editor.Listen()
	if list == nil {
		refuseFor(w, 10*time.Second, http.StatusServiceUnavailable, "too many pages are open")
		return
	}
	defer end()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return
	}
	ctx, cancel := s.streamContext(r)
	defer cancel()
	out := flushed{w, http.NewResponseController(w)}
	beat := time.NewTicker(editBeat)
	defer beat.Stop()
	if out.write([]byte(":\n\n")) != nil {
		return
	}
	for {
		text := []byte(":\n\n")
		select {
		case <-ctx.Done():
			return
		case text = <-list:
		case <-beat.C:
			if ok, _ := s.editPermit(r); !ok {
				return
			}
		}
		if out.write(text) != nil {
			return
		}
	}
}
