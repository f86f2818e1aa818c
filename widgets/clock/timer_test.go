package clock

import (
	"image"
	"testing"
	"time"

	"dashboard/control/timer"
	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// timerIn returns the timer of a wall.
func timerIn(d *walltest.Data) *timerWidget { return walltest.Only[*kit.Frame](d).Inner.(*timerWidget) }

func started(after time.Duration, actions ...string) func(*walltest.Data) {
	return func(d *walltest.Data) {
		at := walltest.T0.Add(-after)
		for _, a := range actions {
			timerIn(d).timer.Do(a, 0, at)
		}
	}
}

func TestTimerGoldens(t *testing.T) {
	card, wide := image.Pt(260, 300), image.Pt(300, 170)
	walltest.ModernSheet(t, "timer", []walltest.Scene{
		{Size: card, Widget: "{widget: timer, name: tea, title: Tea, icon: 'mdi:tea-outline', duration: 4m, presets: [1m, 10m]}"},
		{Size: card, Widget: "{widget: timer, name: tea, title: Tea, duration: 4m}", Feed: started(80*time.Second, "start")},
		{Size: card, Widget: "{widget: timer, name: tea, title: Tea, duration: 4m}", Feed: func(d *walltest.Data) {
			timerIn(d).timer.Do("start", 0, walltest.T0.Add(-100*time.Second))
			timerIn(d).timer.Do("stop", 0, walltest.T0.Add(-40*time.Second))
		}},
		{Size: card, Widget: "{widget: timer, name: tea, title: Tea, duration: 4m}", Feed: started(time.Hour, "start")},
		{Size: card, Widget: "{widget: timer, name: watch, title: Stopwatch}", Feed: started(65*time.Minute, "start")},
		{Size: wide, Widget: "{widget: timer, name: tea, title: Tea, duration: 90m}", Feed: started(8*time.Minute, "start")},
		{Size: image.Pt(150, 110), Picture: image.Pt(320, 240), Widget: "{widget: timer, name: tea, title: Tea, duration: 4m}", Feed: started(80*time.Second, "start")},
	})
}

// TestTimerWithoutName checks a timer that has no name and no title. The label of the timer must be the word for a timer, and not the
// position of the timer in the file.
func TestTimerWithoutName(t *testing.T) {
	walltest.ModernBubble(t, "widgets: [{widget: timer, "+walltest.BareCard+"duration: 4m}]", walltest.Scene{Size: image.Pt(300, 300)}, look.Calm(true), func(d *walltest.Data) {
		if s := timerIn(d).timer.At(walltest.T0); s.Label != "Timer" || s.Name == s.Label {
			t.Errorf("got %+v", s)
		}
	})
}

func TestTimerShows(t *testing.T) {
	walltest.ModernBubble(t, "widgets: [{widget: timer, "+walltest.BareCard+"name: tea, duration: 4m}]", walltest.Scene{Size: image.Pt(300, 300)}, look.Calm(true), func(d *walltest.Data) {
		w := timerIn(d)
		at := func(after time.Duration, want string) {
			t.Helper()
			if d.Step(after); string(w.digits.Raw) != want {
				t.Errorf("after %v: got %s, want %s", after, w.digits.Raw, want)
			}
		}
		at(0, "4:00")
		w.timer.Do("start", 0, walltest.T0)
		at(0, "4:00")
		_, next := d.Step(300 * time.Millisecond)
		if want := walltest.T0.Add(time.Second); !next.Equal(want) {
			t.Errorf("wakes at %v, want %v", next, want)
		}
		at(time.Second, "3:59")
		at(239*time.Second, "0:01")
		at(240*time.Second, "0:00")
		if w.state != timer.Over || w.ink != w.b.Role("warn") {
			t.Errorf("at its end: got %s", w.state)
		}
	})
}

func TestTimerAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	walltest.ModernBubble(t, "widgets: [{widget: timer, name: watch, title: Stopwatch, duration: 30m}]", walltest.Scene{Size: image.Pt(300, 300)}, look.Calm(true), func(d *walltest.Data) {
		timerIn(d).timer.Do("start", 0, walltest.T0)
		now := walltest.T0
		for range 130 {
			now = now.Add(time.Second)
			d.R.Step(now)
		}
		if n := testing.AllocsPerRun(50, func() { now = now.Add(time.Second); d.R.Step(now) }); n != 0 {
			t.Errorf("a second: got %v allocations, want 0", n)
		}
	})
}

// TestCountdownAllocatesNothing checks two countdowns, one 30 hours and one 40 days before its date. A new second allocates no memory,
// and painting again allocates no memory.
func TestCountdownAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, ahead := range []time.Duration{30 * time.Hour, 40 * 24 * time.Hour} {
		walltest.ModernBubble(t, "widgets: [{widget: countdown, title: Launch, to: "+walltest.Flow(walltest.T0.Add(ahead).Format("2006-01-02 15:04"))+"}]", walltest.Scene{Size: image.Pt(300, 200)}, look.Calm(true), func(d *walltest.Data) {
			now := walltest.T0
			for range 130 { // until all digits have been shaped
				now = now.Add(time.Second)
				d.R.Step(now)
			}
			if n := testing.AllocsPerRun(20, func() { now = now.Add(time.Second); d.R.Step(now) }); n != 0 {
				t.Errorf("%v before: a second: got %v allocations, want 0", ahead, n)
			}
			if n := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); n != 0 {
				t.Errorf("%v before: painted anew: got %v allocations, want 0", ahead, n)
			}
		})
	}
}

func TestCountdownGoldens(t *testing.T) {
	card := image.Pt(320, 190)
	walltest.ModernSheet(t, "countdown", []walltest.Scene{
		{Size: card, Widget: "{widget: countdown, title: Christmas, icon: 'mdi:pine-tree', to: '12-25'}"},
		{Size: card, Widget: "{widget: countdown, title: Launch, to: " + walltest.Flow(walltest.T0.Add(26*time.Hour+90*time.Second).Format("2006-01-02 15:04")) + "}"},
		{Size: card, Widget: "{widget: countdown, title: Today, to: " + walltest.Flow(walltest.T0.Format("01-02")) + "}"},
		{Size: card, Widget: "{widget: countdown, title: Since, since: true, to: '2026-01-01'}"},
		{Size: card, Locale: "de", Widget: "{widget: countdown, title: Urlaub, to: '12-25', align: end}"},
		{Size: image.Pt(150, 110), Picture: image.Pt(320, 240), Widget: "{widget: countdown, title: Christmas, to: '12-25'}"},
		{Size: card, Widget: "{widget: countdown, title: Nothing yet, to: !data .p}"},
	})
}

// countdownTo calls `use` with a wall that has a countdown, and with a function that returns the text of the countdown.
func countdownTo(t *testing.T, params string, use func(d *walltest.Data, said func(after time.Duration) string)) {
	t.Helper()
	walltest.ModernBubble(t, "widgets: [{widget: countdown, "+walltest.BareCard+params+"}]", walltest.Scene{Size: image.Pt(400, 150)}, look.Calm(true), func(d *walltest.Data) {
		use(d, func(after time.Duration) string {
			d.Step(after)
			f := walltest.Only[*kit.Frame](d)
			if !f.Shown {
				return "hidden"
			}
			w := f.Inner.(*countdown)
			return string(w.number.Raw) + string(w.unit.Raw)
		})
	})
}

func TestCountdownSays(t *testing.T) {
	day := 24 * time.Hour
	moment := func(d time.Duration) string { return walltest.Flow(walltest.T0.Add(d).Format("2006-01-02 15:04")) }
	date := func(d time.Duration) string { return walltest.Flow(walltest.T0.Add(d).Format("2006-01-02")) }
	for _, tc := range []struct {
		name, params string
		after        time.Duration
		want         string
	}{
		{"days", "to: " + date(10*day), 0, "10days"},
		{"days with a nine", "to: " + date(19*day), 0, "19days"},
		{"today", "to: " + date(0), 0, "today"},
		{"a date that is over", "to: " + date(-day), 0, "hidden"},
		{"counts on", "since: true, to: " + date(-3*day), 0, "3days"},
		{"hours", "to: " + moment(3*time.Hour), 0, "3:00:00"},
		{"minutes", "to: " + moment(10*time.Minute), time.Second, "9:59"},
		{"over", "to: " + moment(time.Minute), time.Minute, "hidden"},
		{"further than a duration is long", "to: '3000-01-01'", 0, "355,422days"},
		{"a day of each year, today", "to: " + walltest.Flow(walltest.T0.Format("01-02")), 0, "today"},
		{"a day of each year, when it comes", "to: " + walltest.Flow(walltest.T0.AddDate(0, 0, 2).Format("01-02")), 2 * day, "today"},
		{"a day of each year, while it lasts", "to: " + walltest.Flow(walltest.T0.AddDate(0, 0, 2).Format("01-02")), 2*day + 11*time.Hour, "today"},
		{"seconds", "to: '2026-11-21T12:36:05'", 0, "2:05"},
		{"UTC", "to: '2026-11-21T12:36:05Z'", 0, "2:05"},
		{"another zone", "to: '2026-11-21T14:36:05+02:00'", 0, "2:05"},
		{"each year", "to: " + walltest.Flow(walltest.T0.AddDate(0, 0, -1).Format("01-02")), 0, "364days"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			countdownTo(t, tc.params, func(_ *walltest.Data, said func(time.Duration) string) {
				if got := said(tc.after); got != tc.want {
					t.Errorf("got %q, want %q", got, tc.want)
				}
			})
		})
	}
	countdownTo(t, "to: !data .p", func(d *walltest.Data, said func(time.Duration) string) {
		if got := said(0); got != "—" {
			t.Errorf("no value: got %q", got)
		}
		d.ByName["p"].Publish(walltest.T0.Add(5*day).Format(time.RFC3339), walltest.T0)
		if got := said(time.Second); got != "5days" {
			t.Errorf("a live moment: got %q", got)
		}
	})
}

func TestCountdownToAnEvent(t *testing.T) {
	e := walltest.TestEnv()
	b := walltest.Builder(e)
	w := &countdown{b: b, events: &kit.Events{B: b, List: []*calendar.Event{
		{Title: "Old", Start: walltest.T0.Add(-time.Hour), End: walltest.T0.Add(-time.Minute)}, {Title: "New", Start: walltest.T0.Add(time.Hour)}, {Title: "Later", Start: walltest.T0.Add(2 * time.Hour)},
	}}}
	if w.aim(walltest.T0); w.title != "New" || !w.at.Equal(walltest.T0.Add(time.Hour)) {
		t.Errorf("got %q at %v, want the next one", w.title, w.at)
	}
}

func TestCountdownMistakes(t *testing.T) {
	walltest.WantErrors(t, "widgets: [{widget: countdown}]", "to a moment or to an event")
	walltest.WantErrors(t, "widgets: [{widget: countdown, to: '12-25', event: x}]", "one of the two")
	walltest.WantErrors(t, "widgets: [{widget: timer, duration: 40d}]", "at most 7 days")
}

var _ render.Widget = (*countdown)(nil)

// TestTimerEndIsWhole checks that the line with the end time is hidden if its room is too narrow for all digits.
func TestTimerEndIsWhole(t *testing.T) {
	for wide, want := range map[int]string{240: "4:00 · bis 12:38", 60: "12:38", 30: ""} {
		file := "widgets: [{widget: timer, name: tea, duration: 4m, card: false, padding: 0, margin: 0}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(wide, 90), Locale: "de"}, look.Calm(true), func(d *walltest.Data) {
			w := timerIn(d)
			w.timer.Do("start", 0, walltest.T0)
			d.Step(time.Second)
			if got := string(w.foot.Raw); got != want {
				t.Errorf("width %d: got %q, want %q", wide, got, want)
			}
		})
	}
}

// TestTimerCrown checks that a large ring has its icon inside and its title below. The icon and the
// title must not be shown twice. A small ring keeps the title line.
func TestTimerCrown(t *testing.T) {
	for _, tt := range []struct {
		size image.Point
		keys string
		want bool
	}{
		{image.Pt(260, 300), "", true},
		{image.Pt(260, 300), ", note: kitchen", false},
		{image.Pt(150, 110), "", false},
	} {
		file := "widgets: [{widget: timer, name: tea, title: Tea, icon: mdi:tea-outline, duration: 4m" + tt.keys + "}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: tt.size}, look.Calm(true), func(d *walltest.Data) {
			w, f := timerIn(d), walltest.Only[*kit.Frame](d)
			w.timer.Do("start", 0, walltest.T0)
			d.Step(time.Second)
			if got := f.Head != nil && f.Head.Inside; got != tt.want || (w.crown.icon != nil) != tt.want {
				t.Fatalf("%v%s: the ring has the title: %v, want %v", tt.size, tt.keys, got, tt.want)
			}
			if !tt.want {
				return
			}
			parts := []image.Rectangle{w.crown.icon.Box, w.digits.Ink, w.crown.title.Ink, w.foot.Ink}
			for i, a := range parts {
				if a.Empty() || !a.In(image.Rectangle{Max: w.size}) || i > 0 && parts[i-1].Max.Y > a.Min.Y {
					t.Errorf("parts at %v in %v", parts, w.size)
				}
			}
		})
	}
}
