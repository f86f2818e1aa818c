package server

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"dashboard/control"
	"dashboard/control/notify"
	pages "dashboard/control/page"
	"dashboard/control/timer"
)

// by returns the caller of a request.
func by(r *http.Request) control.Caller {
	return control.Caller{Via: "http", From: r.RemoteAddr, Local: isLocal(r)}
}

// view is the view that a request names with ?view=, "" for the main one.
func view(r *http.Request) string { return r.URL.Query().Get("view") }

// viewIn is the view that a request names with ?view= or in its body.
func viewIn(r *http.Request, body *string) string {
	if name := view(r); name != "" || body == nil {
		return name
	}
	return *body
}

// statuses are the status codes of the verbs' errors; 400 for all others, whose text is for the caller too.
var statuses = []struct {
	err    error
	status int
}{
	{control.ErrBusy, http.StatusTooManyRequests},
	{control.ErrNoScreen, http.StatusNotFound},
	{control.ErrNoReload, http.StatusNotFound},
	{control.ErrThemeFailed, http.StatusInternalServerError},
	{pages.ErrUnknown, http.StatusNotFound},
	{pages.ErrNone, http.StatusNotFound},
	{pages.ErrAlone, http.StatusConflict},
	{timer.ErrUnknown, http.StatusNotFound},
	{notify.ErrNone, http.StatusNotFound},
	{notify.ErrGone, http.StatusNotFound},
	{notify.ErrNoAction, http.StatusNotFound},
	{control.ErrElsewhere, http.StatusBadGateway},
}

// refuseVerb answers that a verb was refused for a view.
func (s *Server) refuseVerb(w http.ResponseWriter, view string, err error) {
	switch {
	case errors.Is(err, control.ErrNoView):
		s.refuseView(w)
		return
	case errors.Is(err, notify.ErrUnknown):
		answer(w, http.StatusBadRequest, fields{"error": "Widget not found", "success": false, "widgets": s.notifiable(view)})
		return
	case errors.Is(err, notify.ErrFull):
		refuseFor(w, 5*time.Second, http.StatusTooManyRequests, full(err))
		return
	case errors.Is(err, pages.ErrUnknown):
		answer(w, http.StatusNotFound, fields{"error": err.Error(), "success": false, "pages": s.pageNames(view)})
		return
	}
	for _, one := range statuses {
		if errors.Is(err, one.err) {
			refuse(w, one.status, err.Error())
			return
		}
	}
	refuse(w, http.StatusBadRequest, strings.TrimPrefix(err.Error(), "notify: "))
}

// wall returns a view. It refuses the request if the view does not exist.
func (s *Server) wall(w http.ResponseWriter, view string) (*control.Wall, bool) {
	if wall := s.deps.Walls.Wall(view); wall != nil {
		return wall, true
	}
	s.refuseView(w)
	return nil, false
}
