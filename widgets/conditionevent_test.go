package widgets

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/control/page"
	"dashboard/provider/sources"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

// TestEventCondition checks that a widget is shown from 30 minutes before an event, which is the key `lead`, until the end of the event.
func TestEventCondition(t *testing.T) {
	file := `widgets: [{widget: card, name: a, when: {event: "dentist*", calendar: Anna, provider: calendar-family, lead: 30m}, children: [{widget: text, text: x}]}]`
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(200, 100)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		if walltest.Only[*kit.Frame](d).Shown {
			t.Error("it is shown before there is a calendar")
		}
		walltest.Planning(walltest.Plans)(d)
		for _, tt := range []struct {
			after time.Duration
			shown bool
			wake  time.Duration
		}{
			{0, false, 6 * time.Minute},                     // 12:34. The event takes place from 13:10 to 14:00
			{6*time.Minute - 1, false, 6 * time.Minute},     // 12:39:59
			{6 * time.Minute, true, 86 * time.Minute},       // 12:40
			{40 * time.Minute, true, 86 * time.Minute},      // 13:14
			{86*time.Minute - 1, true, 86 * time.Minute},    // 13:59:59
			{86 * time.Minute, false, 24 * 365 * time.Hour}, // 14:00
		} {
			_, next := d.Step(tt.after)
			if got := walltest.Only[*kit.Frame](d).Shown; got != tt.shown {
				t.Errorf("after %v: got %v", tt.after, got)
			}
			if want := walltest.T0.Add(tt.wake); next.IsZero() && tt.shown || next.After(want) {
				t.Errorf("after %v: wakes at %v, want %v", tt.after, next, want)
			}
		}
	})
}

// TestEventConditionMistakes checks that a wrong provider in an event condition is reported.
func TestEventConditionMistakes(t *testing.T) {
	for want, rule := range map[string]string{
		"no provider is named 'famly'":  "{event: x, provider: famly}",
		"this widget needs one of type": "{event: x, provider: weather-p}",
	} {
		s, r := walltest.Parse(t, "widgets: [{widget: card, when: "+rule+"}]")
		e := walltest.TestEnv()
		e.Sources = sources.New(walltest.NewSources("p", "weather-p", walltest.Family), nil)
		screen.Build(walltest.Builder(e), s, image.Pt(100, 100))
		if err := r.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", rule, err)
		}
	}
}

// TestEventTriggersPage checks a page with a trigger for an event. The page appears 30 minutes before the event, as configured, and
// disappears when the event ends. It keeps the screen on. The status of the pages includes the time at which the page disappears.
func TestEventTriggersPage(t *testing.T) {
	soon := `{widget: empty, name: soon, color: blue, trigger: {when: {event: "dentist*", calendar: Anna, provider: calendar-family, lead: 30m}, hold: 1m, wake: true}}`
	walltest.PagesOf(t, walltest.RedPage+","+soon, func(d *walltest.Data, all *page.Pages) {
		walltest.Planning(walltest.Plans)(d)
		for _, tt := range []struct {
			after time.Duration // after 12:34. The event takes place from 13:10 to 14:00
			page  string
			until time.Duration // 0 if no end is known
		}{
			{0, "home", 6 * time.Minute}, {6*time.Minute - 1, "home", 6 * time.Minute}, {6 * time.Minute, "soon", 86 * time.Minute},
			{36 * time.Minute, "soon", 86 * time.Minute}, {86*time.Minute - 1, "soon", 86 * time.Minute}, {86 * time.Minute, "home", 0},
		} {
			d.Step(tt.after)
			now := walltest.T0.Add(tt.after)
			st := all.List(now)[0]
			if want := walltest.T0.Add(tt.until); st.Page != tt.page || all.Awake() != (tt.page == "soon") || tt.until > 0 && !st.Until.Equal(want) {
				t.Errorf("after %v: got %s until %v, awake %v; want %s until %v", tt.after, st.Page, st.Until, all.Awake(), tt.page, want)
			}
		}
	})
}
