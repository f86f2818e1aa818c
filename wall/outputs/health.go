package outputs

import (
	"time"

	"dashboard/fb"
	"dashboard/server"
	"dashboard/wall/fact"
)

// Health returns the description of each output for /healthz.
func (o *Set) Health(now time.Time) []any {
	list := []any{}
	for _, m := range o.List() {
		st := m.Stats()
		h := map[string]any{
			"type": m.Conf.Type, "name": m.String(), "ok": st.OK(), "frames": st.Frames, "lost": st.Lost, "errors": st.Errors,
			"seconds_since_success": fact.Age(now, st.LastOK), "last_error": nil,
		}
		if st.LastError != "" {
			h["last_error"], h["seconds_since_error"] = st.LastError, fact.Age(now, st.FailedAt)
		}
		if st.Busy > 0 {
			h["seconds_busy"] = int(st.Busy.Seconds())
		}
		if m.state != nil {
			h["device"] = m.state()
		}
		list = append(list, h)
	}
	return list
}

// deviceHealth returns the description of a window's screen for /healthz.
func deviceHealth(st fb.State) map[string]any {
	h := map[string]any{"open": st.Open, "shown": st.Shown, "hidden": st.Hidden, "off": st.Off, "error": fact.Error(st.Err), "console": fact.Error(st.Console)}
	if g := st.Geometry; g.Width > 0 {
		h["width"], h["height"], h["format"], h["driver"] = g.Width, g.Height, g.Format.String(), g.Driver
		h["vsync"], h["panning"] = st.VSync, st.Panning
		if g.Connector != "" {
			h["connector"], h["mode"] = g.Connector, g.Mode
		}
	}
	return h
}

// Measures calls `yield` with the metrics of each output until `yield` returns false.
func (o *Set) Measures(yield func(string, float64) bool) bool {
	for _, m := range o.List() {
		st := m.Stats()
		if !yield(server.MetricName("dashboard_output_frames_total", "output", m.String()), float64(st.Frames)) ||
			!yield(server.MetricName("dashboard_output_lost_frames_total", "output", m.String()), float64(st.Lost)) ||
			!yield(server.MetricName("dashboard_output_errors_total", "output", m.String()), float64(st.Errors)) {
			return false
		}
	}
	return true
}
