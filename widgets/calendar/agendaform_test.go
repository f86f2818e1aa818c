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

// TestAgendaTitlesStayWhole checks what an agenda gives up to keep its titles complete: first the owner's disc, then the size of the
// text, then entries. A title takes two lines before it is cut.
func TestAgendaTitlesStayWhole(t *testing.T) {
	for _, tt := range []struct {
		size, picture image.Point
		params        string
		rows          int // minimum number of entries
		discs, small  bool
	}{
		{image.Pt(340, 300), image.Pt(800, 480), "", 4, true, false},
		{image.Pt(285, 300), image.Pt(480, 320), "", 4, true, false},
		{image.Pt(190, 230), image.Pt(480, 320), "", 4, false, true},
		{image.Pt(120, 170), image.Pt(320, 240), ", title: Calendar", 3, false, true},
		{image.Pt(130, 190), image.Pt(480, 320), ", title: Next", 3, false, true},
	} {
		where := fmt.Sprint(tt.size, " of ", tt.picture)
		file := "widgets: [{widget: agenda, provider: calendar-family, days: 2" + tt.params + "}]\n"
		s := walltest.Scene{Size: tt.size, Picture: tt.picture, Locale: "en-GB"}
		walltest.ModernBubble(t, file, s, look.Calm(true), func(d *walltest.Data) {
			walltest.Planning(longTitles)(d)
			d.Step(0)
			d.Step(time.Second)
			w := walltest.Only[*kit.Frame](d).Inner.(*agenda)
			rows, discs := 0, false
			for _, r := range w.slots[:w.used] {
				if r.isHeading() {
					continue
				}
				rows, discs = rows+1, discs || !r.own.disc.Empty()
				if r.over() > 0 || shownTitle(r) != r.text {
					t.Errorf("%s: %q is cut", where, r.text)
				}
				if in := r.title.Ink.Union(r.second.Ink); in.Dy() > r.rect.Dy() || !r.second.Ink.Empty() && r.second.Ink.Overlaps(r.title.Ink) {
					t.Errorf("%s: the lines %v and %v of %q leave the row %v or overlap", where, r.title.Ink, r.second.Ink, r.text, r.rect)
				}
			}
			if rows < tt.rows || discs != tt.discs || (w.look.step < 0) != tt.small {
				t.Errorf("%s: %d rows, discs %v, step %d; want %d rows, discs %v, smaller text %v", where, rows, discs, w.look.step, tt.rows, tt.discs, tt.small)
			}
		})
	}
}

// longTitles are events whose titles do not fit on one line of a small agenda.
var longTitles = []walltest.Planned{
	{Day: 0, From: 13 * 60, To: 14 * 60, Title: "Dentist", Of: walltest.Anna},
	{Day: 0, From: 14 * 60, To: 15 * 60, Title: "Call with the roofer", Of: walltest.Ben},
	{Day: 0, From: 17 * 60, To: 18 * 60, Title: "Choir rehearsal", Of: walltest.Anna},
	{Day: 1, From: 18 * 60, To: 19 * 60, Title: "Dinner with Lena", Of: walltest.Ben},
}

// TestAgendaShortensOnlyBirthdays checks that a title keeps a number in brackets at its end if the event is no birthday. Birthdays that
// would be cut lose the age.
func TestAgendaShortensOnlyBirthdays(t *testing.T) {
	brief := false
	for i := range 45 {
		wide, high := 80+i%15*10, 40+i/15*40
		s := walltest.Scene{Size: image.Pt(wide, high), Picture: image.Pt(480, 320), Locale: "en-GB"}
		walltest.ModernBubble(t, "widgets: [{widget: agenda, provider: calendar-family, days: 2}]\n", s, look.Calm(true), func(d *walltest.Data) {
			walltest.Planning([]walltest.Planned{
				{Day: 0, From: -1, Title: "Maximilian", Of: walltest.Birthdays},
				{Day: 0, From: 14 * 60, To: 15 * 60, Title: "Telefonkonferenz (4711)", Of: walltest.Ben},
			})(d)
			d.Step(0)
			for _, r := range walltest.Only[*kit.Frame](d).Inner.(*agenda).slots {
				if e := r.entry.event; e != nil && e.Calendar != walltest.Birthdays && r.text != e.Title {
					t.Errorf("%dx%d px: the title %q became %q and %q", wide, high, e.Title, r.text, r.after)
				}
				brief = brief || r.text == "Maximilian"
			}
		})
	}
	if !brief {
		t.Error("no size has a birthday without the age")
	}
}
