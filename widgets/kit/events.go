package kit

import (
	"image/color"
	"slices"
	"strings"
	"time"

	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/theme"
)

// Picking is the parameters of widgets that show calendars.
type Picking struct {
	// Provider of type calendar. Default: the only one.
	Provider string `yaml:"provider"`
	// Names of the calendars to show. Default: all.
	Calendars []string `yaml:"calendars"`
	// Condition that hides titles and places.
	Private *value.Condition `yaml:"private"`
}

// EventChoice selects the events that count.
type EventChoice struct {
	calendars, Kinds []string // nil are all
	Match            glob
	Tasks            bool // events with a due date are included
}

// shows reports whether an event counts.
func (c *EventChoice) shows(e *calendar.Event) bool {
	return c.ofCalendar(e.Calendar) && c.Match.Matches(e.Title)
}

func (c *EventChoice) ofCalendar(k *calendar.Calendar) bool {
	return c.ofNamed(k) && (len(c.Kinds) == 0 || slices.Contains(c.Kinds, k.Kind))
}

// ofNamed reports whether a calendar is among the named ones.
func (c *EventChoice) ofNamed(k *calendar.Calendar) bool {
	return len(c.calendars) == 0 || slices.Contains(c.calendars, k.Name)
}

// Events is the agenda of a provider, and of it what a widget shows.
type Events struct {
	B      *Builder
	cell   provider.Typed[*calendar.Agenda]
	choice EventChoice

	private *When // hides the titles; nil never does
	hidden  bool

	seen      *provider.Sample
	Agenda    *calendar.Agenda // nil before the first
	Stale     bool
	List      []*calendar.Event // the chosen events, in order
	Tasks     []*calendar.Event // tasks to be done, as events without length at their due dates, in order
	ahead     int               // place in it of the first that did not begin yet, as of the last due
	Calendars []*calendar.Calendar
	colors    map[*calendar.Calendar]color.RGBA
}

// Events requests the calendars of a widget and reports mistakes. Without need there may be no calendar.
func (b *Builder) Events(s *Spec, p *Picking, choice EventChoice, need bool) *Events {
	choice.calendars = p.Calendars
	e := &Events{B: b, choice: choice, colors: map[*calendar.Calendar]color.RGBA{}}
	if p.Private != nil {
		e.private = b.When(s, p.Private)
	}
	if b.Sources != nil {
		e.cell, _ = b.Sources.Calendar(s.Asker(), p.Provider, p.Calendars, need)
	}
	return e
}

// Watched has the widget report outdated calendars and missing answers.
func (e *Events) Watched(b *Builder) { b.Asks(e.cell.Cell) }

// Asked reports whether there is a provider.
func (e *Events) Asked() bool { return e.cell.Cell != nil }

// Update looks for a new agenda and reports whether there is one, or it became stale.
func (e *Events) Update(t render.Tick) bool {
	if !e.Asked() {
		return false
	}
	s := SampleOf(t, e.cell.Cell)
	stale := IsStale(t, s)
	changed := s != e.seen || stale != e.Stale
	e.Stale = stale
	hidden := e.private != nil && (e.private.Holds(t) || e.private.Unknown()) // as long as nobody knows who is here, titles stay hidden
	if s == e.seen && hidden == e.hidden {
		return changed
	}
	again := hidden != e.hidden
	e.seen, e.hidden = s, hidden
	if a, ok := e.cell.Value(s); ok && (a != e.Agenda || again) {
		e.take(a)
	}
	return changed || again
}

// Due makes displays with rare refreshes come when the next event begins.
func (e *Events) Due(t render.Tick) {
	for ; e.ahead < len(e.List) && !e.List[e.ahead].Start.After(t.Now()); e.ahead++ {
	}
	for ; e.ahead > 0 && e.List[e.ahead-1].Start.After(t.Now()); e.ahead-- { // clocks are set back
	}
	if e.ahead < len(e.List) {
		t.Due(e.List[e.ahead].Start)
	}
}

// take chooses what counts of an agenda.
func (e *Events) take(a *calendar.Agenda) {
	e.Agenda, e.List, e.Calendars, e.ahead = a, e.List[:0], e.Calendars[:0], 0
	clear(e.colors)
	for _, c := range a.Calendars {
		if e.choice.ofCalendar(c) {
			e.Calendars = append(e.Calendars, c)
		}
		e.colors[c] = e.B.colorNamed(c.Color, e.B.Role("accent"))
	}
	for _, v := range a.Events {
		if e.choice.shows(v) {
			e.List = append(e.List, e.shown(v))
		}
	}
	e.takeTasks(a.Tasks)
	for i, v := range e.Tasks {
		e.Tasks[i] = e.shown(v)
	}
}

// shown is an event as it may be read: the time alone while titles are hidden.
func (e *Events) shown(v *calendar.Event) *calendar.Event {
	if !e.hidden {
		return v
	}
	return &calendar.Event{
		Title: e.B.Locale.Say(locale.Busy), Calendar: v.Calendar,
		Start: v.Start, End: v.End, AllDay: v.AllDay, Busy: v.Busy, Tentative: v.Tentative,
	}
}

// takeTasks chooses what counts of the tasks: with a due date, and not done.
func (e *Events) takeTasks(all []*calendar.Task) {
	e.Tasks = e.Tasks[:0]
	for _, t := range all {
		if !e.choice.Tasks || t.Done || t.Due.IsZero() || !e.choice.ofNamed(t.Calendar) || !e.choice.Match.Matches(t.Title) {
			continue
		}
		e.Tasks = append(e.Tasks, &calendar.Event{Title: t.Title, Start: t.Due, End: t.Due, AllDay: t.AllDay, Calendar: t.Calendar})
	}
}

// Color is the color of a calendar, premultiplied.
func (e *Events) Color(c *calendar.Calendar) color.RGBA {
	if e.B.Look.Ink {
		return e.B.Role("text")
	}
	return e.colors[c]
}

// Shade is the color of a calendar's bars, weaker while the events are out of date.
func (e *Events) Shade(c *calendar.Calendar) color.RGBA {
	if e.Stale {
		return Faint(e.Color(c))
	}
	return e.Color(c)
}

// Pattern is the mark of a calendar on walls without colors.
func (e *Events) Pattern(c *calendar.Calendar) BarPattern {
	if !e.B.Look.Ink {
		return barSolid
	}
	return BarPattern(max(0, slices.Index(e.Agenda.Calendars, c)) % barPatterns)
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

// During reports whether an event takes place within a stretch of time, which an event without length does at its start.
func During(e *calendar.Event, from, to time.Time) bool {
	return e.Start.Before(to) && (e.End.After(from) || e.End.Equal(e.Start) && !e.Start.Before(from))
}

// A glob is a title with * for any part of it, compared without regard to case.
type glob struct {
	parts []string // in lower case
	start bool     // it begins with the first,
	end   bool     // ends with the last
}

// GlobOf reads a pattern; "" matches all.
func GlobOf(pattern string) glob {
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

// Matches reports whether a title fits.
func (g *glob) Matches(title string) bool {
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
