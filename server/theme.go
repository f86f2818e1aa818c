package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

var (
	// ErrOneTheme says that there is nothing to switch.
	ErrOneTheme = errors.New("there is only one theme: conf.yaml has no 'appearance' block, or --theme was given")
	// ErrNoPlace says that the sun cannot be followed.
	ErrNoPlace = errors.New("'auto' means follow the sun, which needs a latitude and longitude in conf.yaml's appearance block")
)

// What is wrong with the arguments of POST /theme.
const (
	badMode = "'mode' must be one of: day, night, auto"
	badHold = "'hold' must be 'next' (until the sun's next turn) or 'forever'"
)

// A ThemeState is what decides the theme at one moment. A zero time or an empty mode stands for none.
type ThemeState struct {
	Mode         string // day or night
	FollowingSun bool
	HeldUntil    time.Time // when a hold ends by itself
	NextChange   time.Time // when the sun turns next
	NextMode     string    // what it turns to
	Located      bool      // it is known where the sun is watched from
}

// Themes are what /theme shows and changes.
type Themes interface {
	// Theme returns the state now, or ErrOneTheme.
	Theme(ctx context.Context) (ThemeState, error)
	// SetTheme sets the mode (day, night, auto), with a hold (next, forever) that auto does not use, and returns the
	// state after it. It returns ErrOneTheme, or ErrNoPlace; any other error means that the theme cannot be changed.
	SetTheme(ctx context.Context, mode, hold string) (ThemeState, error)
}

// themes returns the themes and their state, or refuses the request.
func (s *Server) themes(w http.ResponseWriter, r *http.Request) (Themes, ThemeState, bool) {
	if !s.settings.Load().HTTPControl {
		refuse(w, http.StatusNotFound, "appearance.http_control is off")
		return nil, ThemeState{}, false
	}
	if s.deps.Themes == nil {
		refuse(w, http.StatusBadRequest, ErrOneTheme.Error())
		return nil, ThemeState{}, false
	}
	st, err := s.deps.Themes.Theme(r.Context())
	if err != nil {
		s.themeFailed(w, err)
		return nil, st, false
	}
	return s.deps.Themes, st, true
}

// getTheme answers GET /theme.
func (s *Server) getTheme(w http.ResponseWriter, r *http.Request) {
	_, st, ok := s.themes(w, r)
	if !ok {
		return
	}
	f := st.fields()
	f["next_change"], f["next_mode"] = moment(st.NextChange), orNull(st.NextMode)
	answer(w, http.StatusOK, f)
}

// setTheme answers POST /theme.
func (s *Server) setTheme(w http.ResponseWriter, r *http.Request) {
	themes, st, ok := s.themes(w, r)
	if !ok {
		return
	}
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	mode, hold, problem := themeArguments(r.Header.Get("Content-Type"), body, st.Located)
	if problem != "" {
		refuse(w, http.StatusBadRequest, problem)
		return
	}
	st, err := themes.SetTheme(r.Context(), mode, hold)
	if err != nil {
		s.themeFailed(w, err)
		return
	}
	answer(w, http.StatusOK, st.fields())
}

// themeArguments reads the body of POST /theme, leniently: what is no JSON object has no keys. The problem is "" when
// there is none.
func themeArguments(contentType string, body []byte, located bool) (mode, hold, problem string) {
	var f map[string]any
	if !isJSON(contentType) || json.Unmarshal(body, &f) != nil {
		f = nil
	}
	mode, _ = f["mode"].(string)
	if mode != "day" && mode != "night" && mode != "auto" {
		return "", "", badMode
	}
	if mode == "auto" && !located {
		return "", "", ErrNoPlace.Error()
	}
	hold = "next"
	if given, ok := f["hold"]; ok {
		hold, _ = given.(string)
	}
	if hold != "next" && hold != "forever" {
		return "", "", badHold
	}
	return mode, hold, ""
}

// themeFailed answers for a theme that cannot be told or set.
func (s *Server) themeFailed(w http.ResponseWriter, err error) {
	if errors.Is(err, ErrOneTheme) || errors.Is(err, ErrNoPlace) {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	s.log.Error("theme not changed", "error", err)
	refuse(w, http.StatusInternalServerError, "the theme cannot be changed now")
}

// fields is the state as POST answers it.
func (t ThemeState) fields() fields {
	return fields{"success": true, "mode": t.Mode, "following_sun": t.FollowingSun, "held_until": moment(t.HeldUntil)}
}

// moment is a time in ISO 8601, UTC, with microseconds where there are any; null for none.
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
