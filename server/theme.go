package server

import (
	"encoding/json"
	"net/http"
	"time"

	"dashboard/control"
)

// themed reports whether theme control is on. Otherwise it refuses the request.
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
		s.refuseVerb(w, view(r), err)
		return
	}
	f := themeFields(st)
	f["next_change"], f["next_mode"] = moment(st.NextChange), orNull(st.NextMode)
	answer(w, http.StatusOK, f)
}

// setTheme answers POST /theme.
func (s *Server) setTheme(w http.ResponseWriter, r *http.Request) {
	if !s.themed(w) {
		return
	}
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	on, mode, hold := themeArguments(r.Header.Get("Content-Type"), body)
	on = viewIn(r, &on)
	st, err := s.deps.Walls.Theme(r.Context(), by(r), on, mode, hold)
	if err != nil {
		s.refuseVerb(w, on, err)
		return
	}
	answer(w, http.StatusOK, themeFields(st))
}

// themeArguments reads the body of POST /theme leniently: a body that is not an object has no keys, a value that is not a text is
// no word.
func themeArguments(contentType string, body []byte) (on, mode, hold string) {
	var f map[string]any
	if !isJSON(contentType) || json.Unmarshal(body, &f) != nil {
		f = nil
	}
	on, _ = f["view"].(string)
	mode, _ = f["mode"].(string)
	hold = "next"
	if given, ok := f["hold"]; ok {
		if hold, _ = given.(string); hold == "" {
			hold = "?"
		}
	}
	return on, mode, hold
}

// themeFields is the state as POST answers it.
func themeFields(t control.ThemeState) fields {
	return fields{"success": true, "mode": t.Mode, "following_sun": t.FollowingSun, "held_until": moment(t.HeldUntil)}
}

// moment formats a time as ISO 8601, UTC, with microseconds if there are any, or null for the zero time.
func moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	layout := "2006-01-02T15:04:05.000000-07:00"
	if t = t.UTC().Truncate(time.Microsecond); t.Nanosecond() == 0 {
		layout = "2006-01-02T15:04:05-07:00"
	}
	return t.Format(layout)
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
