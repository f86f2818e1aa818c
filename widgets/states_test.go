package widgets

import (
	"errors"
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
)

// stateWidgets are widgets whose values come from one program.
var stateWidgets = []struct {
	size   image.Point
	widget string
}{
	{image.Pt(300, 206), "{widget: card, title: Greenhouse, icon: mdi:sprout-outline, value: !data .p, unit: °}"},
	{image.Pt(300, 206), "{widget: chart, title: Power, icon: mdi:flash, series: !data .p}"},
	{image.Pt(300, 206), "{widget: list, title: Trains, icon: mdi:train, note: north, items: !data .p}"},
	{image.Pt(300, 206), "{widget: gauge, title: Wind, value: !data .p, min: 0, max: 50}"},
	{image.Pt(300, 48), "{widget: text, text: !data .p}"},
	{image.Pt(40, 40), "{widget: icon, icon: !data .p}"},
}

// stateScenes are these widgets in one language, fed alike.
func stateScenes(lang string, after time.Duration, feed func(d *data)) (all []scene) {
	for _, w := range stateWidgets {
		all = append(all, scene{size: w.size, widget: w.widget, locale: lang, feed: feed, after: after})
	}
	return all
}

// What a widget looks like before its first value, when its value is old, and when there is no answer.
func TestGoldenStates(t *testing.T) {
	down := func(d *data) { d.named["p"].Fail(errors.New("no route to host"), t0.Add(-30*time.Minute)) }
	old := func(d *data) {
		p := d.named["p"]
		p.Promise(time.Minute)
		p.Publish([]any{3, 7, 5, 9}, t0.Add(-40*time.Minute))
	}
	modernSheet(t, "states-waiting", stateScenes("en-GB", time.Second, nil))
	modernSheet(t, "states-stale", stateScenes("en-GB", time.Second, old))
	modernSheet(t, "states-failed", stateScenes("en-GB", time.Second, down))
	modernSheet(t, "states-failed-rtl", stateScenes("he", time.Second, down))
	modernSheet(t, "states-stale-rtl", stateScenes("he", time.Second, old))
	modernSheet(t, "states-failed-de", stateScenes("de", time.Second, down))
	ink, _ := look.Named("eink", false)
	for _, s := range stateScenes("en-GB", time.Second, down)[:1] {
		s.drawIn(t, ink, "states-failed-eink")
	}
	for _, s := range stateScenes("en-GB", time.Second, old)[:1] {
		s.drawIn(t, ink, "states-stale-eink")
	}
}

// Since when there is no answer is the first of the failures, and the words go with the first value.
func TestFailedSince(t *testing.T) {
	s := scene{size: image.Pt(300, 206), widget: stateWidgets[0].widget, locale: "en-GB"}
	modernBubble(t, "widgets: ["+s.widget+"]\n", s, look.Calm(true), func(d *data) {
		p := d.named["p"]
		d.step(0)
		f := d.tree.child.(*guard).inner.(*frame)
		p.Fail(errors.New("x"), t0)
		d.step(time.Second)
		p.Fail(errors.New("x"), t0.Add(10*time.Minute))
		d.step(10 * time.Minute)
		if f.failing == nil || f.failing.time.raw != "since 12:34" || f.failing.words.raw != "No answer" {
			t.Fatalf("got %+v", f.failing)
		}
		p.Promise(time.Minute)
		p.Publish(7, t0.Add(11*time.Minute))
		d.step(11 * time.Minute)
		if !f.values.failed.IsZero() || f.head.since != "" {
			t.Error("a value came, and it is still said that there is none")
		}
		d.step(20 * time.Minute)
		if f.head.since != "since 12:45" {
			t.Errorf("a value that is old: got %q", f.head.since)
		}
		d.step(26 * time.Hour)
		p.Promise(time.Hour)
		d.step(26 * time.Hour)
	})
}

// What the widgets inside it ask for, in their title lines and conditions too, does not make a container say that there is no
// answer.
func TestContainersHaveNoValues(t *testing.T) {
	const wall = "widgets:\n  - widget: column\n    children:\n      - {widget: card, title: !data '.p[0]', value: !data '.p[1]'}\n" +
		"      - {widget: text, text: here, when: {value: !data '.p[2]', above: 3}}\n"
	modernBubble(t, wall, scene{size: image.Pt(300, 300), locale: "en"}, look.Calm(true), func(d *data) {
		d.step(0)
		d.named["p"].Fail(errors.New("x"), t0)
		d.step(time.Second)
		f := d.tree.child.(*guard).inner.(*frame)
		if len(f.values.cells) > 0 || f.failing != nil {
			t.Errorf("the column asks for %d values", len(f.values.cells))
		}
	})
}
