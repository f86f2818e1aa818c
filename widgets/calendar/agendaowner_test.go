package calendar

import (
	"fmt"
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestAgendaShowsWhoseItIs checks agendas with several calendars. At its end, each row shows the owner of the event: the name of the
// calendar, or a disc with the initial. The owner does not overlap the texts of the row. No owners are shown if there is only one
// calendar or not enough room.
func TestAgendaShowsWhoseItIs(t *testing.T) {
	for _, c := range []struct {
		size   image.Point
		widget string
		names  bool
		discs  int // minimum number
		owners bool
	}{
		{image.Pt(900, 600), walltest.FamilyAgenda + "}", true, 0, true},
		{image.Pt(460, 600), walltest.FamilyAgenda + "}", false, 3, true},
		{image.Pt(900, 600), walltest.FamilyAgenda + ", calendars: [Anna]}", false, 0, false},
		{image.Pt(230, 600), walltest.FamilyAgenda + "}", false, 0, false},
	} {
		s := walltest.Scene{Size: c.size, Widget: c.widget, Locale: "en-GB"}
		walltest.ModernBubble(t, "widgets: ["+s.Widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
			walltest.Planning(walltest.Plans)(d)
			d.Step(0)
			d.Step(time.Second)
			w := walltest.Only[*kit.Frame](d).Inner.(*agenda)
			discs, owners := 0, 0
			for _, r := range w.slots[:w.used] {
				if r.own.disc.Empty() && len(r.own.name.Raw) == 0 || r.isHeading() {
					continue
				}
				owners++
				where, name := fmt.Sprint(c.size, " ", string(r.title.Raw)), r.own.name
				if r.title.Ink.Overlaps(name.Ink) || r.tail.Ink.Overlaps(name.Ink) || r.end.Ink.Overlaps(name.Ink) {
					t.Errorf("%s: %q is over another text", where, name.Raw)
				}
				if !r.own.disc.Empty() {
					if discs++; !name.Ink.In(r.own.disc) {
						t.Errorf("%s: the initial at %v leaves its disc %v", where, name.Ink, r.own.disc)
					}
				} else if string(name.Raw) != r.entry.event.Calendar.Name {
					t.Errorf("%s: got %q", where, name.Raw)
				}
			}
			if w.look.owners.names != c.names || discs < c.discs || (owners > 0) != c.owners {
				t.Errorf("%v: names %v, %d discs, %d owners", c.size, w.look.owners.names, discs, owners)
			}
		})
	}
}

// TestInkBarsAreApart checks that the bars of neighboring events are at least eight pixels apart on displays without colors, at all
// sizes.
func TestInkBarsAreApart(t *testing.T) {
	ink, _ := look.Named("eink", false)
	for _, picture := range []image.Point{{300, 400}, {400, 300}, {800, 480}, {1200, 825}} {
		s := walltest.Scene{Size: picture, Picture: picture, Widget: walltest.FamilyAgenda + "}", Locale: "en-GB"}
		walltest.ModernBubble(t, "widgets: ["+s.Widget+"]\n", s, ink, func(d *walltest.Data) {
			walltest.Planning(walltest.Plans)(d)
			d.Step(0)
			d.Step(time.Second)
			w := walltest.Only[*kit.Frame](d).Inner.(*agenda)
			for i, r := range w.slots[1:w.used] {
				if above := w.slots[i]; !r.isHeading() && !above.isHeading() && r.bar.Min.Y-above.bar.Max.Y < inkApart {
					t.Errorf("%v: the bars at %v and %v are too near", picture, above.bar, r.bar)
				}
			}
		})
	}
}
