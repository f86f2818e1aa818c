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

// Picking holds the parameters of widgets that show calendars.
type Picking struct {
	// Provider of type calendar. Default: the only provider of this type.
	Provider string `yaml:"provider"`
	// Names of the calendars to show. Default: all.
	Calendars []string `yaml:"calendars"`
	// Condition that hides titles and places.
	Private *value.Condition `yaml:"private"`
}

// EventChoice selects events.
type EventChoice struct {
	calendars, Kinds []string // names and kinds of calendars. nil selects all
	Match            glob
	Tasks            bool // true to include tasks with a due date
}

// shows() reports whether the choice includes an event.
func (c *EventChoice) shows(e *calendar.Event) bool {
	return c.ofCalendar(e.Calendar) && c.Match.Matches(e.Title)
}

func (c *EventChoice) ofCalendar(k *calendar.Calendar) bool {
	return c.ofNamed(k) && (len(c.Kinds) == 0 || slices.Contains(c.Kinds, k.Kind))
}

// ofNamed reports whether a calendar is one of the named calendars, or whether no calendars are named.
func (c *EventChoice) ofNamed(k *calendar.Calendar) bool {
	return len(c.calendars) == 0 || slices.Contains(c.calendars, k.Name)
}

// Events holds the agenda of a provider and the events of this agenda that a widget shows.
type Events struct {
	B      *Builder
	cell   provider.Typed[*calendar.Agenda]
	choice EventChoice

	private *When // condition for hiding the titles, nil if titles are always shown
	hidden  bool

	seen      *provider.Sample
	Agenda    *calendar.Agenda // nil until the first agenda arrives
	Stale     bool
	List      []*calendar.Event // selected events, sorted
	Tasks     []*calendar.Event // open tasks as events without duration at their due dates, sorted
	ahead     int               // index in List of the first future event at the last call of Due
	Calendars []*calendar.Calendar
	colors    map[*calendar.Calendar]color.RGBA
}

// Events requests the calendars of a widget and reports errors. If `need` is false, a missing provider is not an error.
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

// Watched adds the calendars to the cells that the widget watches. The widget then also shows that calendars are outdated or that a
// request failed.
func (e *Events) Watched(b *Builder) { b.Asks(e.cell.Cell) }

// Asked reports whether the calendars have a provider.
func (e *Events) Asked() bool { return e.cell.Cell != nil }

// Update loads a new agenda. It reports whether the agenda, its staleness, or the visibility of titles changed.
func (e *Events) Update(t render.Tick) bool {
	if !e.Asked() {
		return false
	}
	s := SampleOf(t, e.cell.Cell)
	stale := IsStale(t, s)
	changed := s != e.seen || stale != e.Stale
	e.Stale = stale
	hidden := e.private != nil && (e.private.Holds(t) || e.private.Unknown()) // titles are hidden until the values of the condition are known
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

// Due reports the start of the next event to t. A display that rarely refreshes then refreshes at this time.
func (e *Events) Due(t render.Tick) {
	for ; e.ahead < len(e.List) && !e.List[e.ahead].Start.After(t.Now()); e.ahead++ {
	}
	for ; e.ahead > 0 && e.List[e.ahead-1].Start.After(t.Now()); e.ahead-- { // the clock was set back
	}
	if e.ahead < len(e.List) {
		t.Due(e.List[e.ahead].Start)
	}
}

// take selects the events of an agenda.
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

// shown() returns the event that a widget may show. While titles are hidden, this is a copy without title and place.
func (e *Events) shown(v *calendar.Event) *calendar.Event {
	if !e.hidden {
		return v
	}
	return &calendar.Event{
		Title: e.B.Locale.Say(locale.Busy), Calendar: v.Calendar,
		Start: v.Start, End: v.End, AllDay: v.AllDay, Busy: v.Busy, Tentative: v.Tentative,
	}
}

// takeTasks selects the open tasks with a due date. It also selects a completed task until the task's server has received the change.
func (e *Events) takeTasks(all []*calendar.Task) {
	e.Tasks = e.Tasks[:0]
	for _, t := range all {
		if !e.choice.Tasks || t.Done && !t.Waiting || t.Due.IsZero() || !e.choice.ofNamed(t.Calendar) || !e.choice.Match.Matches(t.Title) {
			continue
		}
		e.Tasks = append(e.Tasks, &calendar.Event{Title: t.Title, Start: t.Due, End: t.Due, AllDay: t.AllDay, Calendar: t.Calendar, Task: t})
	}
}

// Color returns the premultiplied color of a calendar. On walls without colors, this is the color of text.
func (e *Events) Color(c *calendar.Calendar) color.RGBA {
	if e.B.Look.Ink {
		return e.B.Role("text")
	}
	return e.colors[c]
}

// Shade returns the color of a calendar's bars. The color is fainter while the events are outdated.
func (e *Events) Shade(c *calendar.Calendar) color.RGBA {
	if e.Stale {
		return Faint(e.Color(c))
	}
	return e.Color(c)
}

// Pattern returns the pattern of a calendar on walls without colors.
func (e *Events) Pattern(c *calendar.Calendar) BarPattern {
	if !e.B.Look.Ink {
		return barSolid
	}
	return BarPattern(max(0, slices.Index(e.Agenda.Calendars, c)) % barPatterns)
}

// colorNamed returns the premultiplied color for a color role or a CSS color. For an unknown name, it returns `otherwise`.
func (b *Builder) colorNamed(name string, otherwise color.RGBA) color.RGBA {
	if c, ok := b.Look.Colors[name]; ok {
		return render.Premultiply(c)
	}
	if c, err := theme.ParseColor(name); err == nil {
		return render.Premultiply(c.NRGBA)
	}
	return otherwise
}

// During reports whether an event takes place between `from` and `to`. An event without duration counts at its start.
func During(e *calendar.Event, from, to time.Time) bool {
	return e.Start.Before(to) && (e.End.After(from) || e.End.Equal(e.Start) && !e.Start.Before(from))
}

// A glob is a pattern for titles, in which * stands for any text. It ignores case.
type glob struct {
	parts []string // texts between the asterisks, in lower case
	start bool     // true if a title must start with the first part
	end   bool     // true if a title must end with the last part
}

// GlobOf parses a pattern. An empty pattern matches all titles.
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

// Matches reports whether a title matches the pattern.
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
