package server

import (
	"encoding/json"
	"net/http"
	"time"

	"dashboard/control/timer"
)

// getTimers answers GET /timer.
func (s *Server) getTimers(w http.ResponseWriter, _ *http.Request) {
	list := []fields{}
	if timers := s.deps.Walls.Timers; timers != nil {
		for _, t := range timers.List(s.now()) {
			list = append(list, timerFields(t))
		}
	}
	answer(w, http.StatusOK, fields{"success": true, "timers": list})
}

// timerFields returns the answer for a timer, with lengths in seconds.
func timerFields(t timer.Status) fields {
	f := fields{"name": t.Name, "state": t.State, "duration": nil, "left": nil, "passed": t.Passed.Seconds(), "ends_at": moment(t.EndsAt)}
	if t.Duration > 0 {
		f["duration"], f["left"] = t.Duration.Seconds(), t.Left.Seconds()
	}
	return f
}

// setTimer answers POST /timer.
func (s *Server) setTimer(w http.ResponseWriter, r *http.Request) {
	if !isJSON(r.Header.Get("Content-Type")) {
		refuse(w, http.StatusUnsupportedMediaType, "the content type must be application/json")
		return
	}
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	var asked struct {
		Name     *string  `json:"name"`
		Action   *string  `json:"action"`
		Duration *float64 `json:"duration"` // s
	}
	switch err := json.Unmarshal(body, &asked); {
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body must be a JSON object with 'name' and 'action', both text, and optionally 'duration', seconds")
		return
	case asked.Name == nil || asked.Action == nil:
		refuse(w, http.StatusBadRequest, "'name' and 'action' are required")
		return
	}
	d := time.Duration(0)
	if asked.Duration != nil {
		var err error
		if d, err = timer.Seconds(*asked.Duration); err != nil {
			refuse(w, http.StatusBadRequest, err.Error())
			return
		}
	}
	st, err := s.deps.Walls.Timer(r.Context(), by(r), *asked.Name, *asked.Action, d)
	if err != nil {
		s.refuseVerb(w, "", err)
		return
	}
	f := timerFields(st)
	f["success"] = true
	answer(w, http.StatusOK, f)
}
