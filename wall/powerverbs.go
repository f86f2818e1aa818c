package wall

import (
	"dashboard/server"
	"dashboard/wall/fact"
)

// powerMeasures calls `yield` with the metrics of the views' screens.
func (s *Service) powerMeasures(yield func(string, float64) bool) bool {
	for _, name := range s.names() {
		v := s.all()[name]
		if v == nil {
			continue // the view was removed a moment ago
		}
		st := v.Power.State()
		if !yield(server.MetricName("dashboard_screen_on", "view", name), fact.Truth(st.On)) {
			return false
		}
		if st.Level >= 0 && !yield(server.MetricName("dashboard_screen_brightness", "view", name), st.Level) {
			return false
		}
		for _, r := range st.Screens {
			if r.Backend != "" && !yield(server.MetricName("dashboard_screen_backend", "view", name, "backend", r.Backend), fact.Truth(r.Problem == "")) {
				return false
			}
		}
	}
	return true
}
