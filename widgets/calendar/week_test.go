package calendar

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

func TestWeekGoldens(t *testing.T) {
	walltest.ModernSheet(t, "week", []walltest.Scene{
		{Size: image.Pt(900, 560), Locale: "en-GB", Widget: walltest.FamilyWeek + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(560, 560), Locale: "de", Widget: walltest.FamilyWeek + ", by: calendar, hours: 08-20}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(600, 400), Locale: "he", Widget: walltest.FamilyWeek + ", days: 4}", Feed: walltest.Planning(walltest.Plans)},
	})
	walltest.ModernSheet(t, "week-sizes", []walltest.Scene{
		{Size: image.Pt(320, 240), Picture: image.Pt(320, 240), Widget: walltest.FamilyWeek + ", days: 3}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(800, 480), Picture: image.Pt(800, 480), Widget: walltest.FamilyWeek + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(420, 560), Picture: image.Pt(1080, 1920), Widget: walltest.FamilyWeek + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(300, 200), Widget: walltest.FamilyWeek + "}"},
	})
	inkSheet(t, "week-eink", []walltest.Scene{{Size: image.Pt(800, 480), Picture: image.Pt(800, 480), Locale: "en-GB", Widget: walltest.FamilyWeek + "}", Feed: walltest.Planning(walltest.Plans)}})
}

// TestWeekMovesALine checks the line at the current time in a week widget. When the line moves, it damages only a small part of the
// widget. A new minute allocates no memory.
func TestWeekMovesALine(t *testing.T) {
	walltest.ModernBubble(t, "widgets: ["+walltest.FamilyWeek+", hours: 00-24}]", walltest.Scene{Size: image.Pt(900, 560)}, look.Calm(true), func(d *walltest.Data) {
		walltest.Planning(walltest.Plans)(d)
		d.Step(0)
		area := 0
		for i := range 5 {
			damage, _ := d.Step(time.Duration(i+1) * 5 * time.Minute)
			for _, r := range damage {
				area += r.Dx() * r.Dy()
			}
		}
		if area == 0 || area > 900*560/20 {
			t.Errorf("five looks damage %d px", area)
		}
		if walltest.RaceEnabled {
			return
		}
		now := walltest.Warm(d.R).Add(time.Hour)
		d.R.Step(now)
		if got := testing.AllocsPerRun(20, func() { now = now.Add(time.Minute); d.R.Step(now) }); got != 0 {
			t.Errorf("a minute: got %v allocations", got)
		}
		if got := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); got != 0 {
			t.Errorf("painted whole: got %v allocations", got)
		}
	})
}

// TestWeekSideBySide checks that the events of a day in a week widget never cover each other.
func TestWeekSideBySide(t *testing.T) {
	walltest.ModernBubble(t, "widgets: ["+walltest.FamilyWeek+", hours: 00-24}]", walltest.Scene{Size: image.Pt(900, 900)}, look.Calm(true), func(d *walltest.Data) {
		walltest.Planning(walltest.Plans)(d)
		d.Step(0)
		w := walltest.Only[*kit.Frame](d).Inner.(*week)
		if len(w.blocks) != 17 {
			t.Errorf("got %d blocks", len(w.blocks))
		}
		for i := range w.blocks {
			for j := range w.blocks[:i] {
				if x := w.blocks[i].rect.Intersect(w.blocks[j].rect); !x.Empty() && x.Dy() > 1 {
					t.Errorf("%s covers %s", w.blocks[i].title.Raw, w.blocks[j].title.Raw)
				}
			}
		}
	})
}

// TestWeekInSmallCells checks week widgets in which an hour is not high enough for a title. The events of a day are then listed one below
// the other. The widget shows fewer days, so that titles are readable. It counts events that do not fit, and omits past events.
func TestWeekInSmallCells(t *testing.T) {
	for _, c := range []struct {
		size, picture image.Point
		days, titles  int
		left          string
	}{
		{image.Pt(400, 300), image.Pt(1280, 720), 4, 8, ""}, {image.Pt(320, 240), image.Pt(800, 480), 3, 7, ""},
		{image.Pt(253, 210), image.Pt(800, 480), 2, 6, ""}, {image.Pt(108, 148), image.Pt(240, 320), 1, 2, "+2 more"},
	} {
		k := walltest.EveryKind(t)["week"]
		walltest.ModernBubble(t, "widgets: ["+k.Widget+"]", walltest.Scene{Size: c.size, Picture: c.picture, Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
			k.Feed(d, "usual")
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*week)
			count := func() (titles int) {
				for i := range w.blocks {
					if !w.blocks[i].title.Ink.Empty() && w.blocks[i].title.Ink.In(image.Rectangle{Max: w.size}) {
						titles++
					}
				}
				return titles
			}
			left := ""
			if len(w.mores) > 0 {
				left = string(w.mores[0].Raw)
			}
			if got := count(); w.columns != c.days || got != c.titles || left != c.left {
				t.Errorf("%v: %d days, %d titles, %q left; want %d, %d, %q", c.size, w.columns, got, left, c.days, c.titles, c.left)
			}
			d.Step(45 * time.Minute) // the event Lunch is over
			if got, want := count(), c.titles-1; c.left == "" && got != want {
				t.Errorf("%v, later: %d titles, want %d", c.size, got, want)
			}
		})
	}
}

// TestLineOfNowLeavesWordsAlone checks that the line at the current time does not cross texts.
func TestLineOfNowLeavesWordsAlone(t *testing.T) {
	k := walltest.EveryKind(t)["week"]
	walltest.ModernBubble(t, "widgets: ["+k.Widget+"]", walltest.Scene{Size: image.Pt(800, 480), Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
		k.Feed(d, "usual")
		d.Step(0)
		w := walltest.Only[*kit.Frame](d).Inner.(*week)
		crossed := 0
		for i := range w.blocks {
			ink := w.blocks[i].title.Ink
			if ink.Overlaps(w.now) {
				crossed++
			}
			for _, r := range w.nows {
				if r.Overlaps(ink) {
					t.Errorf("%q is struck out", w.blocks[i].title.Raw)
				}
			}
		}
		if crossed == 0 {
			t.Error("no words at this time: the test shows nothing")
		}
	})
}
