package weather

import (
	"image"
	"image/color"
	"time"

	"dashboard/provider"
	"dashboard/provider/weather"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// WeatherParams are the parameters of the weather widget.
type WeatherParams struct {
	kit.Framed
	// Provider of type weather. Default: the only provider of this type.
	Provider string `yaml:"provider"`
	// Parts to show, in this order. Default: all. If not all fit, the last parts are left out.
	Parts []string `yaml:"parts" enum:"current,hours,days,alerts"`
	// Hours that the curve shows.
	Hours int `yaml:"hours" default:"24" min:"6" max:"72"`
	// Maximum number of days.
	Days int `yaml:"days" default:"5" min:"1" max:"16"`
	// mono: icons of one color. color: small drawings.
	Icons string `yaml:"icons" default:"mono" enum:"mono,color"`
	// Weather that stands for a day. worst: the worst weather. midday: at noon. most: the most frequent in daylight.
	DailyIcon string `yaml:"daily_icon" default:"midday" enum:"worst,midday,most"`
}

// skyPart is a part of a weather widget.
type skyPart uint8

// Parts of a weather widget.
const (
	partCurrent skyPart = iota
	partHours
	partDays
	partAlerts
	skyParts
)

var skyPartNames = [skyParts]string{"current", "hours", "days", "alerts"}

// forecast shows the current weather, a curve of the next hours, the next days, and official warnings.
type forecast struct {
	b      *kit.Builder
	size   image.Point
	in     provider.Typed[*weather.Report]
	parts  []skyPart
	drawn  bool // true if icons are drawn in color
	daily  string
	inks   [piece.SkyInks]color.RGBA
	credit *skyCredit
	owes   func() bool // reports whether this widget must show the credit
	today  func() bool // reports whether a widget of the wall shows the current weather

	now    *skyNow
	hours  *skyHours
	days   *skyDays
	alerts *skyAlerts

	boxes [skyParts]image.Rectangle // rectangles of the parts, empty for parts that are left out
	room  int                       // height in px that all parts share

	seq    uint64 // Seq of the shown sample
	hour   time.Time
	next   time.Time // end of the hour
	failed bool
	stale  bool
	said   bool // true after the first call of fill
	told   told
}

func buildWeather(b *kit.Builder, s *kit.Spec, p *WeatherParams, size image.Point) render.Widget {
	w := &forecast{b: b, size: size, drawn: p.Icons == "color" && !b.Look.Ink, daily: p.DailyIcon, inks: piece.SkyColors(b)}
	cell, ok := made(b, s, "weather", p.Provider)
	if !ok {
		return nil
	}
	w.in.Cell = cell
	b.Asks(cell)
	names := p.Parts
	if len(names) == 0 {
		names = skyPartNames[:]
	}
	for _, name := range names {
		for i, n := range skyPartNames {
			if n == name {
				w.parts = append(w.parts, skyPart(i))
			}
		}
	}
	w.now, w.hours, w.days, w.alerts = newSkyNow(w), newSkyHours(w, p.Hours), newSkyDays(w, p.Days), newSkyAlerts(w)
	w.credit, w.room, w.owes = newSkyCredit(w), size.Y, b.Credits(s, cell)
	w.today = b.Current(cell, w.days.shows(partCurrent))
	return w
}

// made() returns the cell of a provider, by its type and its name.
func made(b *kit.Builder, s *kit.Spec, kind, name string) (*provider.Cell, bool) {
	if b.Sources == nil {
		return provider.NewCell(nil), true
	}
	return b.Sources.Made(s.Asker(), kind, name)
}

// Update implements render.Widget.
func (w *forecast) Update(t render.Tick) {
	s := kit.SampleOf(t, w.in.Cell)
	stale, failed := kit.IsStale(t, s), s.Err != nil
	hour := w.hour
	if now := t.Now(); now.Before(hour) || !now.Before(w.next) {
		hour = now.Truncate(time.Hour) // not in each frame, because ARMv6 divides 64-bit numbers slowly
		w.next = hour.Add(time.Hour)
	}
	t.Wake(w.next)
	if w.said && s.Seq == w.seq && stale == w.stale && failed == w.failed && hour.Equal(w.hour) {
		return
	}
	w.said, w.seq, w.stale, w.failed, w.hour = true, s.Seq, stale, failed, hour
	r, _ := w.in.Value(s)
	if r == nil {
		r = &weather.Report{Current: noWeather()}
	}
	w.fill(r, s, t.Now())
	t.DamageAll()
}

// noWeather returns the values that are shown until the service answers. All these values are unknown.
func noWeather() weather.Current {
	n := weather.None
	return weather.Current{Temp: n, Feels: n, Humidity: n, Wind: n, Gust: n, Bearing: n, Pressure: n, UV: n, Cloud: n, Rain: n, Kind: weather.Unknown, IsDay: true}
}

// fill decides which parts of a report fit, and shows these parts.
func (w *forecast) fill(r *weather.Report, s *provider.Sample, now time.Time) {
	v := newView(r, now, w)
	w.lay(&v)
	if !w.boxes[partCurrent].Empty() {
		w.now.fill(&v, s, w.boxes[partCurrent])
	}
	if !w.boxes[partHours].Empty() {
		w.hours.fill(&v, w.boxes[partHours])
	}
	if !w.boxes[partDays].Empty() {
		w.days.fill(&v, w.boxes[partDays])
	}
	if !w.boxes[partAlerts].Empty() {
		w.alerts.fill(&v, w.boxes[partAlerts])
	}
	w.credit.fill()
	w.note(v, s.Has())
}

// A view is the part of a report that a wall shows at the time `now`. It does not include the past.
type view struct {
	*weather.Report
	now    time.Time
	zone   *time.Location // time zone of the place
	hours  []weather.Hour
	days   []weather.Day // days from today on
	alerts []weather.Alert
	today  *weather.Day // nil if the report does not include today
}

func newView(r *weather.Report, now time.Time, w *forecast) view {
	v := view{Report: r, now: now, zone: w.b.Location, hours: r.Hours, days: r.Days}
	if r.Zone != nil {
		v.zone = r.Zone
	}
	for len(v.hours) > 0 && !v.hours[0].At.Add(time.Hour).After(now) {
		v.hours = v.hours[1:]
	}
	today := now.In(v.zone).Format(time.DateOnly)
	for len(v.days) > 0 && v.days[0].Date.Format(time.DateOnly) < today {
		v.days = v.days[1:]
	}
	if len(v.days) > 0 && v.days[0].Date.Format(time.DateOnly) == today {
		v.today = &v.days[0]
	}
	for _, a := range r.Alerts {
		if a.Until.IsZero() || a.Until.After(now) {
			v.alerts = append(v.alerts, a)
		}
	}
	return v
}

// Paint implements render.Widget.
func (w *forecast) Paint(c render.Canvas) {
	if !w.boxes[partCurrent].Empty() {
		w.now.paint(c)
	}
	if !w.boxes[partHours].Empty() {
		w.hours.paint(c)
	}
	if !w.boxes[partDays].Empty() {
		w.days.paint(c)
	}
	if !w.boxes[partAlerts].Empty() {
		w.alerts.paint(c)
	}
	w.credit.paint(c)
}

// ink() returns the color of a role. If the report is outdated, ink() returns the color "muted" for every role.
func (w *forecast) ink(role string) color.RGBA {
	if w.stale {
		return w.b.Old(w.b.Role(role))
	}
	return w.b.Role(role)
}

// flip() mirrors a rectangle in languages that are written from right to left.
func (w *forecast) flip(r image.Rectangle) image.Rectangle {
	if w.b.Locale.RightToLeft {
		r.Min.X, r.Max.X = w.size.X-r.Max.X, w.size.X-r.Min.X
	}
	return r
}

// across() returns an x coordinate in px, counted from the left. The parameter x is counted from the side at which lines of text start.
func (w *forecast) across(x float64) float64 {
	if w.b.Locale.RightToLeft {
		return float64(w.size.X) - x
	}
	return x
}

// kind() returns the kind of weather that stands for a whole day.
func (w *forecast) kind(d *weather.Day) weather.Kind {
	switch w.daily {
	case "worst":
		return d.Worst
	case "most":
		return d.Most
	}
	return d.Midday
}

// Urgency implements kit.Urgent. An official warning is urgent.
func (w *forecast) Urgency(time.Time) float64 {
	if len(w.told.alerts) > 0 {
		return 1
	}
	return 0
}
