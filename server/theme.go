package server

import (
	"net/http"

	"dashboard/control"
)

// themed() reports whether the theme can be controlled. If the theme cannot be controlled, themed refuses the request.
func (s *Server) themed(w http.ResponseWriter) bool {
	if !s.settings.Load().HTTPControl {
		refuse(w, http.StatusNotFound, "appearance.http_control is off")
		return false
	}
	return true
}

// getTheme answers GET /theme.
func (s *Server) getTheme(w http.ResponseWriter, r *http.Request) {
	if !s.themed(w) {
		return
	}
	st, err := s.deps.Walls.ThemeOf(r.Context(), view(r))
	if err != nil {
		s.refuseVerb(w, view(r), nil, err)
		return
	}
	answer(w, http.StatusOK, succeeded(themeFields(st)))
}

// themeFields returns the state of the theme and its next change, in the form of the answer to GET /theme.
func themeFields(t control.ThemeState) control.Result {
	f := control.ThemeFields(t)
	f["next_change"], f["next_mode"] = control.Moment(t.NextChange), control.OrNull(t.NextMode)
	return f
}
