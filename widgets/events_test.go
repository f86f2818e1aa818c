package widgets

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
	"time"

	"dashboard/internal/localtime"
	"dashboard/internal/testing/golden"
	"dashboard/provider/calendar"
	"dashboard/theme/look"
)

// family is the name of a provider of type calendar, in tests whose file names it.
const family = "calendar-family"

// The calendars of a family.
var (
	anna      = &calendar.Calendar{Name: "Anna", Color: "series1", Kind: "event"}
	ben       = &calendar.Calendar{Name: "Ben", Color: "series2", Kind: "event"}
	bins      = &calendar.Calendar{Name: "Bins", Color: "good", Kind: "event"}
	birthdays = &calendar.Calendar{Name: "Birthdays", Color: "warn", Kind: "birthday"}
)

// A planned event is one of a test: on a day from today, from and to minutes of it; from -1 takes the whole day, and to is then how
// many more.
type planned struct {
	day, from, to int
	title         string
	of            *calendar.Calendar
}

// month of things to do from t0 on, the latest first.
var plans = []planned{
	{0, -1, 0, "Recycling out", bins},
	{0, 9 * 60, 10 * 60, "Breakfast with Lena", anna},
	{0, 12 * 60, 13 * 60, "Lunch", ben},
	{0, 13*60 + 10, 14 * 60, "Dentist, Anna", anna},
	{0, 18*60 + 30, 20 * 60, "Choir rehearsal", ben},
	{1, -1, 0, "Jonas", birthdays},
	{1, 16 * 60, 17 * 60, "Swimming", anna},
	{2, 9 * 60, 12 * 60, "Market, then brunch at Mira's with the whole family", bins},
	{3, -1, 4, "Lisbon", anna},
	{4, 10 * 60, 11 * 60, "Plumber", ben},
	{5, 9 * 60, 9*60 + 30, "Standup", ben}, {5, 9 * 60, 10*60 + 30, "Interview", anna}, {5, 10 * 60, 12 * 60, "Physio", ben},
	{5, 14 * 60, 15 * 60, "Tea", anna}, {5, 15 * 60, 16 * 60, "Bank", bins}, {5, 17 * 60, 18 * 60, "Gym", ben}, {5, 19 * 60, 20 * 60, "Cinema", anna},
	{9, -1, 1, "Fair", bins},
	{12, 20 * 60, 23 * 60, "Concert", ben},
	{40, -1, 0, "Holiday", bins},
}

// agendaOf makes the agenda of a family as of a moment, in its zone.
func agendaOf(now time.Time, plans []planned) *calendar.Agenda {
	zone := now.Location()
	at := func(day, minute int) time.Time {
		return localtime.At(now.Year(), now.Month(), now.Day()+day, minute, zone)
	}
	a := &calendar.Agenda{Calendars: []*calendar.Calendar{anna, ben, bins, birthdays}, Zone: zone, From: at(-7, 0), To: at(400, 0)}
	for _, p := range plans {
		e := &calendar.Event{Title: p.title, Start: at(p.day, p.from), End: at(p.day, p.to), Busy: true, Calendar: p.of, Location: "Mill Street 4"}
		if p.from < 0 {
			e.Start, e.End, e.AllDay = at(p.day, 0), at(p.day+p.to+1, 0), true
		}
		e.First = e.Start
		if p.of == birthdays {
			e.First = e.Start.AddDate(-9, 0, 0)
		}
		a.Events = append(a.Events, e)
	}
	v, _ := a.At(now)
	return v
}

// planning publishes the agenda of a family.
func planning(plans []planned) func(*data) {
	return func(d *data) { d.named[family].Publish(agendaOf(t0, plans), t0) }
}

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, title string
		want           bool
	}{
		{"", "anything", true}, {"*", "", true}, {"Bins", "bins", true}, {"Bins", "Bins out", false}, {"bins*", "Bins out", true}, {"*out", "Bins out", true},
		{"*in*o*", "Bins out", true}, {"a*a", "a", false}, {"a*a", "aa", true}, {"a*b*a", "axxbxa", true}, {"*x*", "abc", false}, {"MÜLL*", "Müll raus", true},
	} {
		g := globOf(tt.pattern)
		if got := g.matches(tt.title); got != tt.want {
			t.Errorf("%q, %q: got %v", tt.pattern, tt.title, got)
		}
	}
}

func TestBirthdays(t *testing.T) {
	b := &Builder{Env: Env{Locale: testLocale(t, "en")}}
	for _, tt := range []struct {
		title       string
		first       int
		text, after string
	}{
		{"Jonas", 2017, "Jonas turns 9", ""}, {"Jonas (1985)", 2026, "Jonas turns 41", ""}, {"Jonas' birthday", 2017, "Jonas' birthday", "turns 9"},
		{"Jonas", 1604, "Jonas", ""}, {"Jonas", 2026, "Jonas", ""}, {"Jonas (x985)", 2026, "Jonas (x985)", ""}, {"(1985)", 2026, "(1985)", ""},
	} {
		e := &calendar.Event{Title: tt.title, First: time.Date(tt.first, 5, 1, 0, 0, 0, 0, time.UTC), Start: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Calendar: birthdays}
		if text, after := b.titleOf(e); text != tt.text || after != tt.after {
			t.Errorf("%s of %d: got %q, %q", tt.title, tt.first, text, after)
		}
	}
	if got := capital("été") + capital("") + capital("今日"); got != "Été今日" {
		t.Errorf("got %s", got)
	}
}

// inkSheet draws scenes side by side in black and white.
func inkSheet(t *testing.T, name string, scenes []scene) {
	t.Helper()
	l, ok := look.Named("eink", false)
	if !ok {
		t.Fatal("there is no eink")
	}
	var width, height int
	for _, s := range scenes {
		width, height = width+s.size.X+goldenGap, max(height, s.size.Y+2*goldenGap)
	}
	m := image.NewRGBA(image.Rect(0, 0, width+goldenGap, height))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
	at := image.Pt(goldenGap, goldenGap)
	for _, s := range scenes {
		modernBubble(t, "background_color: white\nwidgets: ["+s.widget+"]\n", s, l, func(d *data) {
			s.feed(d)
			d.step(0)
			d.step(s.after)
			draw.Draw(m, d.r.Frame().Rect.Add(at), d.r.Frame(), image.Point{}, draw.Src)
		})
		at.X += s.size.X + goldenGap
	}
	golden.Compare(t, name, m)
}
