package widgets

import (
	"image"
	"testing"
	"time"

	"dashboard/control/timer"
	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/theme/look"
)

// timerIn is the timer of a wall.
func timerIn(d *data) *timerWidget { return only[*frame](d).inner.(*timerWidget) }

func started(after time.Duration, actions ...string) func(*data) {
	return func(d *data) {
		at := t0.Add(-after)
		for _, a := range actions {
			timerIn(d).timer.Do(a, 0, at)
		}
	}
}

func TestTimerGoldens(t *testing.T) {
	card, wide := image.Pt(260, 300), image.Pt(300, 170)
	modernSheet(t, "timer", []scene{
		{size: card, widget: "{widget: timer, name: tea, title: Tea, icon: 'mdi:tea-outline', duration: 4m, presets: [1m, 10m]}"},
		{size: card, widget: "{widget: timer, name: tea, title: Tea, duration: 4m}", feed: started(80*time.Second, "start")},
		{size: card, widget: "{widget: timer, name: tea, title: Tea, duration: 4m}", feed: func(d *data) {
			timerIn(d).timer.Do("start", 0, t0.Add(-100*time.Second))
			timerIn(d).timer.Do("stop", 0, t0.Add(-40*time.Second))
		}},
		{size: card, widget: "{widget: timer, name: tea, title: Tea, duration: 4m}", feed: started(time.Hour, "start")},
		{size: card, widget: "{widget: timer, name: watch, title: Stopwatch}", feed: started(65*time.Minute, "start")},
		{size: wide, widget: "{widget: timer, name: tea, title: Tea, duration: 90m}", feed: started(8*time.Minute, "start")},
		{size: image.Pt(150, 110), picture: image.Pt(320, 240), widget: "{widget: timer, name: tea, title: Tea, duration: 4m}", feed: started(80*time.Second, "start")},
	})
}

func TestTimerShows(t *testing.T) {
	modernBubble(t, "widgets: [{widget: timer, "+bareCard+"name: tea, duration: 4m}]", scene{size: image.Pt(300, 300)}, look.Calm(true), func(d *data) {
		w := timerIn(d)
		at := func(after time.Duration, want string) {
			t.Helper()
			if d.step(after); string(w.digits.raw) != want {
				t.Errorf("after %v: got %s, want %s", after, w.digits.raw, want)
			}
		}
		at(0, "4:00")
		w.timer.Do("start", 0, t0)
		at(0, "4:00")
		_, next := d.step(300 * time.Millisecond)
		if want := t0.Add(time.Second); !next.Equal(want) {
			t.Errorf("wakes at %v, want %v", next, want)
		}
		at(time.Second, "3:59")
		at(239*time.Second, "0:01")
		at(240*time.Second, "0:00")
		if w.state != timer.Over || w.ink != w.b.role("warn") {
			t.Errorf("at its end: got %s", w.state)
		}
	})
}

func TestTimerAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	modernBubble(t, "widgets: [{widget: timer, name: watch, title: Stopwatch, duration: 30m}]", scene{size: image.Pt(300, 300)}, look.Calm(true), func(d *data) {
		timerIn(d).timer.Do("start", 0, t0)
		now := t0
		for range 130 {
			now = now.Add(time.Second)
			d.r.Step(now)
		}
		if n := testing.AllocsPerRun(50, func() { now = now.Add(time.Second); d.r.Step(now) }); n != 0 {
			t.Errorf("a second: got %v allocations, want 0", n)
		}
	})
}

// TestCountdownAllocatesNothing: neither in its last two days, when each second is another one, nor painted anew, nor between the days
// before.
func TestCountdownAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, ahead := range []time.Duration{30 * time.Hour, 40 * 24 * time.Hour} {
		modernBubble(t, "widgets: [{widget: countdown, title: Launch, to: "+flow(t0.Add(ahead).Format("2006-01-02 15:04"))+"}]", scene{size: image.Pt(300, 200)}, look.Calm(true), func(d *data) {
			now := t0
			for range 130 { // digits are shaped once
				now = now.Add(time.Second)
				d.r.Step(now)
			}
			if n := testing.AllocsPerRun(20, func() { now = now.Add(time.Second); d.r.Step(now) }); n != 0 {
				t.Errorf("%v before: a second: got %v allocations, want 0", ahead, n)
			}
			if n := testing.AllocsPerRun(20, func() { d.r.Repaint(); d.r.Step(now) }); n != 0 {
				t.Errorf("%v before: painted anew: got %v allocations, want 0", ahead, n)
			}
		})
	}
}

func TestCountdownGoldens(t *testing.T) {
	card := image.Pt(320, 190)
	modernSheet(t, "countdown", []scene{
		{size: card, widget: "{widget: countdown, title: Christmas, icon: 'mdi:pine-tree', to: '12-25'}"},
		{size: card, widget: "{widget: countdown, title: Launch, to: " + flow(t0.Add(26*time.Hour+90*time.Second).Format("2006-01-02 15:04")) + "}"},
		{size: card, widget: "{widget: countdown, title: Today, to: " + flow(t0.Format("01-02")) + "}"},
		{size: card, widget: "{widget: countdown, title: Since, since: true, to: '2026-01-01'}"},
		{size: card, locale: "de", widget: "{widget: countdown, title: Urlaub, to: '12-25', align: end}"},
		{size: image.Pt(150, 110), picture: image.Pt(320, 240), widget: "{widget: countdown, title: Christmas, to: '12-25'}"},
		{size: card, widget: "{widget: countdown, title: Nothing yet, to: !data .p}"},
	})
}

// countdownTo is a countdown in a wall, and what it says.
func countdownTo(t *testing.T, params string, use func(d *data, said func(after time.Duration) string)) {
	t.Helper()
	modernBubble(t, "widgets: [{widget: countdown, "+bareCard+params+"}]", scene{size: image.Pt(400, 150)}, look.Calm(true), func(d *data) {
		use(d, func(after time.Duration) string {
			d.step(after)
			f := only[*frame](d)
			if !f.shown {
				return "hidden"
			}
			w := f.inner.(*countdown)
			return string(w.number.raw) + string(w.unit.raw)
		})
	})
}

func TestCountdownSays(t *testing.T) {
	day := 24 * time.Hour
	moment := func(d time.Duration) string { return flow(t0.Add(d).Format("2006-01-02 15:04")) }
	date := func(d time.Duration) string { return flow(t0.Add(d).Format("2006-01-02")) }
	for _, tc := range []struct {
		name, params string
		after        time.Duration
		want         string
	}{
		{"days", "to: " + date(10*day), 0, "10days"},
		{"today", "to: " + date(0), 0, "today"},
		{"a date that is over", "to: " + date(-day), 0, "hidden"},
		{"counts on", "since: true, to: " + date(-3*day), 0, "3days"},
		{"hours", "to: " + moment(3*time.Hour), 0, "3:00:00"},
		{"minutes", "to: " + moment(10*time.Minute), time.Second, "9:59"},
		{"over", "to: " + moment(time.Minute), time.Minute, "hidden"},
		{"further than a duration is long", "to: '3000-01-01'", 0, "355,422days"},
		{"each year", "to: " + flow(t0.AddDate(0, 0, -1).Format("01-02")), 0, "364days"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			countdownTo(t, tc.params, func(_ *data, said func(time.Duration) string) {
				if got := said(tc.after); got != tc.want {
					t.Errorf("got %q, want %q", got, tc.want)
				}
			})
		})
	}
	countdownTo(t, "to: !data .p", func(d *data, said func(time.Duration) string) {
		if got := said(0); got != "—" {
			t.Errorf("no value: got %q", got)
		}
		d.named["p"].Publish(t0.Add(5*day).Format(time.RFC3339), t0)
		if got := said(time.Second); got != "5days" {
			t.Errorf("a live moment: got %q", got)
		}
	})
}

func TestCountdownToAnEvent(t *testing.T) {
	e := testEnv()
	b := builder(e)
	w := &countdown{b: b, events: &events{b: b, list: []*calendar.Event{
		{Title: "Old", Start: t0.Add(-time.Hour), End: t0.Add(-time.Minute)}, {Title: "New", Start: t0.Add(time.Hour)}, {Title: "Later", Start: t0.Add(2 * time.Hour)},
	}}}
	if w.aim(t0); w.title != "New" || !w.at.Equal(t0.Add(time.Hour)) {
		t.Errorf("got %q at %v, want the next one", w.title, w.at)
	}
}

func TestCountdownMistakes(t *testing.T) {
	wantErrors(t, "widgets: [{widget: countdown}]", "to a moment or to an event")
	wantErrors(t, "widgets: [{widget: countdown, to: '12-25', event: x}]", "one of the two")
	wantErrors(t, "widgets: [{widget: timer, duration: 40d}]", "at most 7 days")
}

var _ render.Widget = (*countdown)(nil)
