package weather

import (
	"time"

	"dashboard/internal/locale"
)

// Plain implements provider.Plainer. The result consists of mappings, lists, numbers and texts. Times are in ISO 8601, in the zone of the
// location.
func (r *Report) Plain() any {
	if r == nil {
		return nil
	}
	words := r.words
	if words == nil {
		words = locale.English()
	}
	c := &r.Current
	m := map[string]any{
		"place": r.Place, "at": moment(r.At.In(r.zone())), "credit": r.Credit,
		"current": map[string]any{
			"temp": plain(c.Temp), "feels": plain(c.Feels), "humidity": plain(c.Humidity), "wind": plain(c.Wind), "gust": plain(c.Gust), "bearing": plain(c.Bearing),
			"pressure": plain(c.Pressure), "uv": plain(c.UV), "cloud": plain(c.Cloud), "rain": plain(c.Rain), "code": code(c.Kind), "is_day": c.IsDay, "text": c.Kind.Text(words),
		},
		"hours": list(r.Hours, func(h *Hour) any {
			return map[string]any{
				"at": moment(h.At), "temp": plain(h.Temp), "rain": plain(h.Rain), "probability": plain(h.Probability), "wind": plain(h.Wind), "uv": plain(h.UV),
				"code": code(h.Kind), "is_day": h.IsDay, "text": h.Kind.Text(words),
			}
		}),
		"days": list(r.Days, func(d *Day) any {
			return map[string]any{
				"date": d.Date.Format(time.DateOnly), "min": plain(d.Min), "max": plain(d.Max), "rain": plain(d.Rain), "probability": plain(d.Probability),
				"wind": plain(d.Wind), "uv": plain(d.UV), "code": code(d.Midday), "worst": code(d.Worst), "most": code(d.Most), "text": d.Midday.Text(words),
				"sunrise": moment(d.Sunrise), "sunset": moment(d.Sunset),
			}
		}),
		"alerts": list(r.Alerts, func(a *Alert) any {
			return map[string]any{"title": a.Title, "severe": a.Grave, "until": moment(a.Until)}
		}),
		"air": r.Air.plain(),
	}
	return m
}

func (r *Report) zone() *time.Location {
	if r.Zone == nil {
		return time.UTC
	}
	return r.Zone
}

func (a *Air) plain() any {
	if a == nil {
		return nil
	}
	pollen := map[string]any{}
	for i, name := range pollenNames {
		pollen[name] = plain(a.Pollen[i])
	}
	return map[string]any{"index": plain(a.Index), "uv": plain(a.UV), "pollen": pollen}
}

// list converts each entry of a list with f.
func list[T any](all []T, f func(*T) any) []any {
	l := make([]any, len(all))
	for i := range all {
		l[i] = f(&all[i])
	}
	return l
}

// plain() returns a number, or nil if the number is missing.
func plain(n Number) any {
	if !n.Has() {
		return nil
	}
	return float64(n)
}

// code returns the number of a kind, or nil for Unknown.
func code(k Kind) any {
	if k == Unknown {
		return nil
	}
	return int(k)
}

// moment returns a time as text, or nil for the zero time.
func moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Format(time.RFC3339)
}
