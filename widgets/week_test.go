package widgets

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
)

const familyWeek = "{widget: week, provider: calendar-family, title: Week, icon: mdi:calendar-week"

func TestWeekGoldens(t *testing.T) {
	modernSheet(t, "week", []scene{
		{size: image.Pt(900, 560), locale: "en-GB", widget: familyWeek + "}", feed: planning(plans)},
		{size: image.Pt(560, 560), locale: "de", widget: familyWeek + ", by: calendar, hours: 08-20}", feed: planning(plans)},
		{size: image.Pt(600, 400), locale: "he", widget: familyWeek + ", days: 4}", feed: planning(plans)},
	})
	modernSheet(t, "week-sizes", []scene{
		{size: image.Pt(320, 240), picture: image.Pt(320, 240), widget: familyWeek + ", days: 3}", feed: planning(plans)},
		{size: image.Pt(800, 480), picture: image.Pt(800, 480), widget: familyWeek + "}", feed: planning(plans)},
		{size: image.Pt(420, 560), picture: image.Pt(1080, 1920), widget: familyWeek + "}", feed: planning(plans)},
		{size: image.Pt(300, 200), widget: familyWeek + "}"},
	})
	inkSheet(t, "week-eink", []scene{{size: image.Pt(800, 480), picture: image.Pt(800, 480), locale: "en-GB", widget: familyWeek + "}", feed: planning(plans)}})
}

// TestWeekMovesALine: a minute damages the line of now alone, and nothing is allocated.
func TestWeekMovesALine(t *testing.T) {
	modernBubble(t, "widgets: ["+familyWeek+", hours: 00-24}]", scene{size: image.Pt(900, 560)}, look.Calm(true), func(d *data) {
		planning(plans)(d)
		d.step(0)
		area := 0
		for i := range 5 {
			damage, _ := d.step(time.Duration(i+1) * 5 * time.Minute)
			for _, r := range damage {
				area += r.Dx() * r.Dy()
			}
		}
		if area == 0 || area > 900*560/20 {
			t.Errorf("five looks damage %d px", area)
		}
		if raceEnabled {
			return
		}
		now := warm(d.r).Add(time.Hour)
		d.r.Step(now)
		if got := testing.AllocsPerRun(20, func() { now = now.Add(time.Minute); d.r.Step(now) }); got != 0 {
			t.Errorf("a minute: got %v allocations", got)
		}
		if got := testing.AllocsPerRun(20, func() { d.r.Repaint(); d.r.Step(now) }); got != 0 {
			t.Errorf("painted whole: got %v allocations", got)
		}
	})
}

// TestWeekSideBySide: no two events of a day cover each other.
func TestWeekSideBySide(t *testing.T) {
	modernBubble(t, "widgets: ["+familyWeek+", hours: 00-24}]", scene{size: image.Pt(900, 900)}, look.Calm(true), func(d *data) {
		planning(plans)(d)
		d.step(0)
		w := only[*frame](d).inner.(*week)
		if len(w.blocks) != 17 {
			t.Errorf("got %d blocks", len(w.blocks))
		}
		for i := range w.blocks {
			for j := range w.blocks[:i] {
				if x := w.blocks[i].rect.Intersect(w.blocks[j].rect); !x.Empty() && x.Dy() > 1 {
					t.Errorf("%s covers %s", w.blocks[i].title.raw, w.blocks[j].title.raw)
				}
			}
		}
	})
}

// Where an hour is too low for a title the events of a day stand one below another, their titles to be read in as many days as have
// room; what has none is counted, and what is over leaves.
func TestWeekInSmallCells(t *testing.T) {
	for _, c := range []struct {
		size, picture image.Point
		days, titles  int
		left          string
	}{
		{image.Pt(400, 300), image.Pt(1280, 720), 4, 8, ""}, {image.Pt(320, 240), image.Pt(800, 480), 3, 7, ""},
		{image.Pt(253, 210), image.Pt(800, 480), 2, 6, ""}, {image.Pt(108, 148), image.Pt(240, 320), 1, 2, "+2 more"},
	} {
		k := everyKind(t)["week"]
		modernBubble(t, "widgets: ["+k.widget+"]", scene{size: c.size, picture: c.picture, locale: "en-GB"}, look.Calm(true), func(d *data) {
			k.feed(d, "usual")
			d.step(0)
			w := only[*frame](d).inner.(*week)
			count := func() (titles int) {
				for i := range w.blocks {
					if !w.blocks[i].title.ink.Empty() && w.blocks[i].title.ink.In(image.Rectangle{Max: w.size}) {
						titles++
					}
				}
				return titles
			}
			left := ""
			if len(w.mores) > 0 {
				left = string(w.mores[0].raw)
			}
			if got := count(); w.columns != c.days || got != c.titles || left != c.left {
				t.Errorf("%v: %d days, %d titles, %q left; want %d, %d, %q", c.size, w.columns, got, left, c.days, c.titles, c.left)
			}
			d.step(45 * time.Minute) // Lunch is over
			if got, want := count(), c.titles-1; c.left == "" && got != want {
				t.Errorf("%v, later: %d titles, want %d", c.size, got, want)
			}
		})
	}
}

// The line of now does not strike words out.
func TestLineOfNowLeavesWordsAlone(t *testing.T) {
	k := everyKind(t)["week"]
	modernBubble(t, "widgets: ["+k.widget+"]", scene{size: image.Pt(800, 480), locale: "en-GB"}, look.Calm(true), func(d *data) {
		k.feed(d, "usual")
		d.step(0)
		w := only[*frame](d).inner.(*week)
		crossed := 0
		for i := range w.blocks {
			ink := w.blocks[i].title.ink
			if ink.Overlaps(w.now) {
				crossed++
			}
			for _, r := range w.nows {
				if r.Overlaps(ink) {
					t.Errorf("%q is struck out", w.blocks[i].title.raw)
				}
			}
		}
		if crossed == 0 {
			t.Error("no words at this time: the test shows nothing")
		}
	})
}
