package main

import (
	"cmp"
	"time"

	"dashboard/control/power"
	"dashboard/server"
)

var _ server.Power = (*service)(nil)

// ownerOf is who switches the screens of a view, nil if there is no such view.
func (s *service) ownerOf(view string) *power.Owner {
	if v := s.all()[cmp.Or(view, mainView)]; v != nil {
		return v.power
	}
	return nil
}

// Power implements server.Power.
func (s *service) Power(view string) map[string]any {
	o := s.ownerOf(view)
	if o == nil {
		return nil
	}
	return powerFields(o.State())
}

// SetPower implements server.Power.
func (s *service) SetPower(view, state string, lasts time.Duration) map[string]any {
	o := s.ownerOf(view)
	if o == nil {
		return nil
	}
	switch state {
	case "toggle":
		return powerFields(o.Toggle(lasts))
	case "on":
		return powerFields(o.Ask(power.On, lasts))
	case "off":
		return powerFields(o.Ask(power.Off, lasts))
	}
	return powerFields(o.Ask(power.Auto, 0))
}

// SetBrightness implements server.Power.
func (s *service) SetBrightness(view string, level float64) map[string]any {
	o := s.ownerOf(view)
	if o == nil {
		return nil
	}
	return powerFields(o.AskLevel(level))
}

// powerFields is a state as callers read it. Screens are told as they were when they were last switched.
func powerFields(st power.State) map[string]any {
	word := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	screens := []any{}
	for _, r := range st.Screens {
		screens = append(screens, map[string]any{"screen": r.Screen, "backend": word(r.Backend), "dimmer": word(r.Dimmer), "problem": word(r.Problem)})
	}
	f := map[string]any{"on": st.On, "why": st.Why, "hand": st.Hand.String(), "hand_until": nil, "brightness": nil, "screens": screens}
	if !st.HandUntil.IsZero() {
		f["hand_until"] = st.HandUntil.UTC().Format(time.RFC3339)
	}
	if st.Level >= 0 {
		f["brightness"] = st.Level
	}
	return f
}

// powerMeasures are the figures of the views' screens.
func (s *service) powerMeasures(yield func(string, float64) bool) bool {
	for _, name := range s.names() {
		v := s.all()[name]
		if v == nil {
			continue // it has just gone
		}
		st := v.power.State()
		if !yield(server.MetricName("dashboard_screen_on", "view", name), truth(st.On)) {
			return false
		}
		if st.Level >= 0 && !yield(server.MetricName("dashboard_screen_brightness", "view", name), st.Level) {
			return false
		}
		for _, r := range st.Screens {
			if r.Backend != "" && !yield(server.MetricName("dashboard_screen_backend", "view", name, "backend", r.Backend), truth(r.Problem == "")) {
				return false
			}
		}
	}
	return true
}
