package server

import (
	"net/http"

	"dashboard/control"
)

// getTimers answers GET /timer.
func (s *Server) getTimers(w http.ResponseWriter, _ *http.Request) {
	list := []fields{}
	if timers := s.deps.Walls.Timers; timers != nil {
		for _, t := range timers.List(s.now()) {
			list = append(list, fields(control.TimerFields(t)))
		}
	}
	answer(w, http.StatusOK, fields{"success": true, "timers": list})
}
