package widgets

import (
	"image/color"
	"slices"
	"strings"
	"time"

	"dashboard/provider"
	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/theme"
)

// Picking is the parameters of widgets that show calendars.
type Picking struct {
	Provider  string   `yaml:"provider" doc:"The provider of type calendar; without it the only one."`
	Calendars []string `yaml:"calendars" doc:"Names of calendars in it; all without it."`
}

// eventChoice says which events of them count.
type eventChoice struct {
	calendars, kinds []string // nil are all
	match            glob
	tasks            bool // those that have a due date are to be had, too
}

// shows reports whether an event counts.
func (c *eventChoice) shows(e *calendar.Event) bool {
	return c.ofCalendar(e.Calendar) && c.match.matches(e.Title)
}

func (c *eventChoice) ofCalendar(k *calendar.Calendar) bool {
	return c.ofNamed(k) && (len(c.kinds) == 0 || slices.Contains(c.kinds, k.Kind))
}

// ofNamed reports whether a calendar is among those that are named.
func (c *eventChoice) ofNamed(k *calendar.Calendar) bool {
	return len(c.calendars) == 0 || slices.Contains(c.calendars, k.Name)
}

// events is the agenda of a provider, and of it what a widget shows.
type events struct {
	b      *Builder
	cell   provider.Typed[*calendar.Agenda]
	choice eventChoice

	seen      *provider.Sample
	agenda    *calendar.Agenda // nil before the first
	stale     bool
	list      []*calendar.Event // those that count, in order
	tasks     []*calendar.Event // tasks to be done, as events without length at their due dates, in order
	ahead     int               // place in it of the first that did not begin yet, as of the last due
	calendars []*calendar.Calendar
	colors    map[*calendar.Calendar]color.RGBA
}

// events asks for the calendars of a widget; what is wrong is reported. Without need there may be none.
func (b *Builder) events(s *Spec, p *Picking, choice eventChoice, need bool) *events {
	choice.calendars = p.Calendars
	e := &events{b: b, choice: choice, colors: map[*calendar.Calendar]color.RGBA{}}
	if b.Sources != nil {
		e.cell, _ = b.Sources.Calendar(s.asker(), p.Provider, p.Calendars, need)
	}
	return e
}

// watched has the widget say when the calendars are old or do not answer.
func (e *events) watched(b *Builder) { b.asks(e.cell.Cell) }

// asked reports whether there is a provider.
func (e *events) asked() bool { return e.cell.Cell != nil }

// update looks for a new agenda and reports whether there is one, or it became stale.
func (e *events) update(t render.Tick) bool {
	if !e.asked() {
		return false
	}
	s := sampleOf(t, e.cell.Cell)
	stale := isStale(t, s)
	changed := s != e.seen || stale != e.stale
	e.stale = stale
	if s == e.seen {
		return changed
	}
	e.seen = s
	if a, ok := e.cell.Value(s); ok && a != e.agenda {
		e.take(a)
	}
	return changed
}

// due has displays that are seldom asked come when the next event begins.
func (e *events) due(t render.Tick) {
	for ; e.ahead < len(e.list) && !e.list[e.ahead].Start.After(t.Now()); e.ahead++ {
	}
	for ; e.ahead > 0 && e.list[e.ahead-1].Start.After(t.Now()); e.ahead-- { // clocks are set back
	}
	if e.ahead < len(e.list) {
		t.Due(e.list[e.ahead].Start)
	}
}

// take chooses what counts of an agenda.
func (e *events) take(a *calendar.Agenda) {
	e.agenda, e.list, e.calendars, e.ahead = a, e.list[:0], e.calendars[:0], 0
	clear(e.colors)
	for _, c := range a.Calendars {
		if e.choice.ofCalendar(c) {
			e.calendars = append(e.calendars, c)
		}
		e.colors[c] = e.b.colorNamed(c.Color, e.b.role("accent"))
	}
	for _, v := range a.Events {
		if e.choice.shows(v) {
			e.list = append(e.list, v)
		}
	}
	e.takeTasks(a.Tasks)
}

// takeTasks chooses what counts of the tasks: with a due date, and not done.
func (e *events) takeTasks(all []*calendar.Task) {
	e.tasks = e.tasks[:0]
	for _, t := range all {
		if !e.choice.tasks || t.Done || t.Due.IsZero() || !e.choice.ofNamed(t.Calendar) || !e.choice.match.matches(t.Title) {
			continue
		}
		e.tasks = append(e.tasks, &calendar.Event{Title: t.Title, Start: t.Due, End: t.Due, AllDay: t.AllDay, Calendar: t.Calendar})
	}
}

// color is that of a calendar, premultiplied.
func (e *events) color(c *calendar.Calendar) color.RGBA {
	if e.b.Look.Ink {
		return e.b.role("text")
	}
	return e.colors[c]
}

// pattern is how a calendar is marked where there are no colors.
func (e *events) pattern(c *calendar.Calendar) barPattern {
	if !e.b.Look.Ink {
		return barSolid
	}
	return barPattern(max(0, slices.Index(e.agenda.Calendars, c)) % barPatterns)
}

// colorNamed is a color by its role or as CSS has it, premultiplied.
func (b *Builder) colorNamed(name string, otherwise color.RGBA) color.RGBA {
	if c, ok := b.Look.Colors[name]; ok {
		return render.Premultiply(c)
	}
	if c, err := theme.ParseColor(name); err == nil {
		return render.Premultiply(c.NRGBA)
	}
	return otherwise
}

// during reports whether an event takes place within a stretch of time, which an event without length does at its start.
func during(e *calendar.Event, from, to time.Time) bool {
	return e.Start.Before(to) && (e.End.After(from) || e.End.Equal(e.Start) && !e.Start.Before(from))
}

// A glob is a title with * for any part of it, compared in letters of either case.
type glob struct {
	parts []string // in lower case
	start bool     // it begins with the first,
	end   bool     // ends with the last
}

// globOf reads a pattern; "" matches all.
func globOf(pattern string) glob {
	if pattern == "" {
		return glob{}
	}
	pattern = strings.ToLower(strings.TrimSpace(pattern))
	g := glob{start: !strings.HasPrefix(pattern, "*"), end: !strings.HasSuffix(pattern, "*")}
	for _, part := range strings.Split(pattern, "*") {
		if part != "" {
			g.parts = append(g.parts, part)
		}
	}
	return g
}

// matches reports whether a title fits.
func (g *glob) matches(title string) bool {
	rest := strings.ToLower(strings.TrimSpace(title))
	for i, part := range g.parts {
		last := i == len(g.parts)-1
		switch at := strings.Index(rest, part); {
		case i == 0 && g.start && last && g.end:
			return rest == part
		case i == 0 && g.start:
			if !strings.HasPrefix(rest, part) {
				return false
			}
			rest = rest[len(part):]
		case last && g.end:
			return strings.HasSuffix(rest, part)
		case at < 0:
			return false
		default:
			rest = rest[at+len(part):]
		}
	}
	return true
}
