package wall

import (
	"time"

	"dashboard/config"
	"dashboard/control"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/server"
	"dashboard/theme/sun"
	"dashboard/wall/fact"
)

// A render loop counts as failed if the last pass of the loop is longer ago than `alive`. The loop sleeps for at most render.MaxSleep.
const alive = 2 * render.MaxSleep

// health returns the content of /healthz. ok is false if a render loop does not complete its passes. It is also false if a screen of main
// is on, but main has not painted a frame. The content also contains errors in the files, failing sources and missing screens. These
// problems do not change ok, because a restart would not fix them.
func (s *Service) health() (report map[string]any, ok bool) {
	now := time.Now()
	v := s.main()
	st, passed := v.Loop.Stats(), v.SincePass(now)
	ok = st.Frames > 0 || !v.Power.On()
	for _, other := range s.all() {
		ok = ok && other.SincePass(now) < alive
	}
	return map[string]any{
		"version": s.opts.Version, "uptime_seconds": int(now.Sub(s.started).Seconds()), "theme": string(v.Mode()),
		"painting": map[string]any{
			"frames": st.Frames, "passes": st.Passes, "crashes": st.Crashes,
			"watched": v.Watched(), "seconds_since_pass": int(passed.Seconds()), "seconds_since_frame": fact.Age(now, st.Painted),
			"last_frame_ms": float64(st.Busy.Microseconds()) / 1000,
		},
		"config":        s.configHealth(now),
		"notifications": v.Notes.Health(),
		"providers":     s.providerHealth(now),
		"programs":      s.programHealth(),
		"outputs":       v.Outs.Health(now),
		"display":       control.PowerFields(v.Power.State()),
		"views":         s.viewHealth(now),
		server.Readers:  s.readerHealth(now),
		"reader_count":  s.readerCount(),
		"update":        s.updateHealth(now),
	}, ok
}

func (s *Service) configHealth(now time.Time) map[string]any {
	h := map[string]any{
		"ok": true, "problem": nil, "folder": control.OrNull(s.folder()),
		"seconds_since_load": int((now.Sub(s.started) - time.Duration(s.loadedAt.Load())).Seconds()),
	}
	if text := s.problemText(); text != "" {
		h["ok"], h["problem"] = false, text
	}
	if st := s.origin.State(); st.On {
		h["url"] = map[string]any{
			"revision": control.OrNull(st.Revision), "refused": control.OrNull(st.Refused), "problem": control.OrNull(st.Problem),
			"seconds_since_request": fact.Age(now, st.Asked), "seconds_since_taken": fact.Age(now, st.Since),
		}
	}
	return h
}

// programHealth lists the programs (!data) of the shown wall that return errors.
func (s *Service) programHealth() []any {
	list := []any{}
	shown := s.main().Shown.Load()
	mask := shown.Gen.Secrets.Mask()
	for _, p := range shown.Tree().Sources.Problems() {
		if len(list) == maxProblems {
			break
		}
		list = append(list, map[string]any{"at": p.Place.At, "widget": p.Place.What, "program": mask.Replace(p.Program), "error": mask.Replace(p.Err.Error())})
	}
	return list
}

// maxProblems is the maximum number of programs that programHealth lists.
const maxProblems = 64

func (s *Service) providerHealth(now time.Time) []any {
	list := []any{}
	for _, p := range s.builder.Providers.Status(now) {
		if p.Name == "" && p.Err == nil {
			continue // sources of a single widget are listed only if they have a problem
		}
		left, _ := provider.LeftOut(p.Value) // leave out the reason, because it may contain text of the source
		list = append(list, map[string]any{
			"left_out": left, "name": p.Name, "type": p.Kind, "stale": p.Stale, "restarts": p.Restarts,
			"seconds_since_value": fact.Age(now, p.At), "seconds_since_try": fact.Age(now, p.Tried), "error": fact.Error(p.Err),
		})
	}
	return list
}

// measures() calls `yield` with the metrics of all parts except the server.
func (s *Service) measures(yield func(string, float64) bool) {
	v := s.main()
	st, fonts := v.Loop.Stats(), s.builder.Text.Fonts()
	_ = yield(server.MetricName("dashboard_info", "version", s.opts.Version), 1) &&
		yield("dashboard_night", fact.Truth(v.Mode() == sun.Night)) &&
		yield("dashboard_frames_total", float64(st.Frames)) &&
		yield("dashboard_passes_total", float64(st.Passes)) &&
		yield("dashboard_paint_crashes_total", float64(st.Crashes)) &&
		yield("dashboard_paint_seconds_total", st.Spent.Seconds()) &&
		yield("dashboard_last_paint_seconds", st.Busy.Seconds()) &&
		yield("dashboard_config_ok", fact.Truth(s.problem.Load() == nil)) &&
		yield("dashboard_glyph_cache_bytes", float64(s.builder.Text.Bytes())) &&
		yield("dashboard_system_font_bytes", float64(fonts.Bytes)) &&
		yield("dashboard_system_fonts_refused_total", float64(fonts.Refused)) &&
		v.Notes.Measures(yield) && s.providerMeasures(yield) && v.Outs.Measures(yield) && s.viewMeasures(yield) && s.powerMeasures(yield) && s.readerMeasures(yield) && s.updateMeasures(yield) && s.web.found.Measures(yield)
}

// viewMeasures calls `yield` with the metrics of the views except main.
func (s *Service) viewMeasures(yield func(string, float64) bool) bool {
	for _, name := range s.names()[1:] {
		v := s.all()[name]
		if v == nil {
			continue // the view was removed a moment ago
		}
		st := v.Loop.Stats()
		if !yield(server.MetricName("dashboard_view_frames_total", "view", name), float64(st.Frames)) ||
			!yield(server.MetricName("dashboard_view_passes_total", "view", name), float64(st.Passes)) ||
			!yield(server.MetricName("dashboard_view_watched", "view", name), fact.Truth(v.Watched())) {
			return false
		}
	}
	return true
}

// viewHealth returns the report about the views except main.
func (s *Service) viewHealth(now time.Time) map[string]any {
	all := map[string]any{}
	for name, v := range s.all() {
		if name != config.MainView {
			st := v.Loop.Stats()
			all[name] = map[string]any{
				"watched": v.Watched(), "theme": string(v.Mode()), "frames": st.Frames, "crashes": st.Crashes,
				"seconds_since_pass": int(v.SincePass(now).Seconds()), "seconds_since_frame": fact.Age(now, st.Painted), "outputs": v.Outs.Health(now),
				"display": control.PowerFields(v.Power.State()),
			}
		}
	}
	return all
}

func (s *Service) providerMeasures(yield func(string, float64) bool) bool {
	now := time.Now()
	for _, p := range s.builder.Providers.Status(now) {
		if p.Name == "" {
			continue
		}
		if !yield(named("dashboard_provider_stale", p), fact.Truth(p.Stale)) || !yield(named("dashboard_provider_failing", p), fact.Truth(p.Err != nil)) {
			return false
		}
		if !p.At.IsZero() && !yield(named("dashboard_provider_age_seconds", p), now.Sub(p.At).Seconds()) {
			return false
		}
	}
	return true
}

func named(metric string, p provider.Status) string {
	return server.MetricName(metric, "provider", p.Name)
}
