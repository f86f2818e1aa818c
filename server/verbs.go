package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"dashboard/control"
	"dashboard/control/notify"
	pages "dashboard/control/page"
	"dashboard/control/timer"
	"dashboard/control/verb"
)

// verbs() adds the routes of all verbs in package verb.
func (r router) verbs() {
	for _, v := range verb.All() {
		for _, at := range v.Addresses() {
			r.add(at.Method, at.Path, r.s.guard(at.Path, r.s.control(r.s.verb(&v, at))))
		}
	}
}

// verb returns the handler for a route of a verb.
func (s *Server) verb(v *verb.Verb, at verb.Route) http.HandlerFunc {
	notifies := v.Name == "notify"
	return func(w http.ResponseWriter, r *http.Request) {
		if at.Needs != "" && !s.themed(w) {
			return
		}
		if notifies {
			if _, ok := s.notices(w, s.notifiableView(r)); !ok {
				return
			}
		}
		a, ok := s.action(w, r, v, at)
		if !ok {
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), verbTime)
		defer cancel()
		result, err := s.deps.Walls.Do(ctx, a)
		if notifies {
			s.stats.notified(err)
		}
		if err != nil {
			s.refuseVerb(w, a.View, result, err)
			return
		}
		f := fields{"success": true}
		maps.Copy(f, result)
		answer(w, http.StatusOK, f)
	}
}

// action reads the action of a request. If it is not valid, action refuses the request.
func (s *Server) action(w http.ResponseWriter, r *http.Request, v *verb.Verb, at verb.Route) (a control.Action, ok bool) {
	a = control.Action{By: by(r), Verb: v.Name, Args: verb.Args{}}
	if at.Method == http.MethodPost && !s.bodyOf(w, r, v, at, &a) {
		return a, false
	}
	given := map[string]string{}
	for _, name := range at.InPath() {
		given[name] = inPath(r, name)
	}
	if at.Method != http.MethodPost {
		for name := range r.URL.Query() {
			if name != "view" && v.Param(name) == nil {
				refuse(w, http.StatusBadRequest, fmt.Sprintf("%s has no parameter '%.40s'", at.Method+" "+at.Path, name))
				return a, false
			}
			if given[name] == "" {
				given[name] = r.URL.Query().Get(name)
			}
		}
	}
	more, err := v.Strings(given)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return a, false
	}
	maps.Copy(a.Args, more)
	if name := view(r); name != "" && !v.Whole {
		a.View = name
	}
	return a, true
}

// bodyOf reads the arguments in the body of a request. If the arguments are not valid, bodyOf refuses the request. A verb without
// required arguments needs no body.
func (s *Server) bodyOf(w http.ResponseWriter, r *http.Request, v *verb.Verb, at verb.Route, a *control.Action) bool {
	inBody := len(v.Params) > len(at.InPath())
	if !inBody || r.ContentLength == 0 && !v.Asks(at) {
		return true
	}
	json := isJSON(r.Header.Get("Content-Type"))
	if !json && !at.Loose {
		refuse(w, http.StatusUnsupportedMediaType, "the content type must be application/json")
		return false
	}
	body, ok := readBody(w, r, maxBody)
	if !ok {
		return false
	}
	if !json {
		body = nil
	}
	var err error
	if a.Args, a.View, err = v.Decode(body, at.Loose); err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return false
	}
	if v.Name == "notify" {
		a.View = notify.ViewOf(body)
	}
	return true
}

// by() returns the caller of a request.
func by(r *http.Request) control.Caller {
	return control.Caller{Via: "http", From: r.RemoteAddr, Local: isLocal(r)}
}

// view returns the view that a request names with ?view=, or "" for the main view.
func view(r *http.Request) string { return r.URL.Query().Get("view") }

// statuses are the status codes of most errors of verbs. refuseVerb handles some other errors separately. An error that is neither in this
// list nor handled by refuseVerb has the status 400. Every error text is for the caller.
var statuses = []struct {
	err    error
	status int
}{
	{control.ErrBusy, http.StatusTooManyRequests},
	{control.ErrPhones, http.StatusTooManyRequests},
	{control.ErrNoScreen, http.StatusNotFound},
	{control.ErrNoSlider, http.StatusNotFound},
	{control.ErrNoReload, http.StatusNotFound},
	{control.ErrNoUpdates, http.StatusNotFound},
	{control.ErrThemeFailed, http.StatusInternalServerError},
	{pages.ErrUnknown, http.StatusNotFound},
	{pages.ErrNone, http.StatusNotFound},
	{pages.ErrAlone, http.StatusConflict},
	{timer.ErrUnknown, http.StatusNotFound},
	{notify.ErrNone, http.StatusNotFound},
	{notify.ErrGone, http.StatusNotFound},
	{notify.ErrNoAction, http.StatusNotFound},
	{control.ErrElsewhere, http.StatusBadGateway},
	{control.ErrInside, http.StatusForbidden},
	{control.ErrWrong, http.StatusUnprocessableEntity},
}

// refuseVerb sends the error of a verb on a view. If `result` is not nil, it is part of the answer.
func (s *Server) refuseVerb(w http.ResponseWriter, view string, result control.Result, err error) {
	switch {
	case errors.As(err, &control.LaterError{}):
		refuseFor(w, minRetry, http.StatusServiceUnavailable, err.Error())
		return
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
	status := http.StatusBadRequest
	if errors.As(err, &control.MissingError{}) {
		status = http.StatusNotFound
	}
	for _, one := range statuses {
		if errors.Is(err, one.err) {
			status = one.status
		}
	}
	f := fields{"error": strings.TrimPrefix(err.Error(), "notify: "), "success": false}
	maps.Copy(f, result)
	answer(w, status, f)
}

// wall returns a view. It refuses the request if the view does not exist.
func (s *Server) wall(w http.ResponseWriter, view string) (*control.Wall, bool) {
	if wall := s.deps.Walls.Wall(view); wall != nil {
		return wall, true
	}
	s.refuseView(w)
	return nil, false
}
