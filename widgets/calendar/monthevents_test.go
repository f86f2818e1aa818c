package calendar

import (
	"fmt"
	"image"
	"math/rand/v2"
	"testing"

	"dashboard/provider/calendar"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

func TestMonthEventsGoldens(t *testing.T) {
	walltest.ModernSheet(t, "month-events", []walltest.Scene{
		{Size: image.Pt(900, 640), Locale: "en-GB", Widget: walltest.FamilyMonth + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(350, 304), Locale: "en-GB", Widget: walltest.FamilyMonth + ", week_numbers: false}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(700, 420), Locale: "he", Widget: walltest.FamilyMonth + ", weeks: 3, title: Weeks, week_numbers: false}", Feed: walltest.Planning(walltest.Plans)},
	})
	walltest.ModernSheet(t, "month-sizes", []walltest.Scene{
		{Size: image.Pt(320, 240), Picture: image.Pt(320, 240), Widget: walltest.FamilyMonth + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(800, 480), Picture: image.Pt(800, 480), Locale: "de", Widget: walltest.FamilyMonth + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(540, 700), Picture: image.Pt(1080, 1920), Widget: walltest.FamilyMonth + ", weeks: 4}", Feed: walltest.Planning(walltest.Plans)},
	})
	inkSheet(t, "month-eink", []walltest.Scene{
		{Size: image.Pt(800, 480), Picture: image.Pt(800, 480), Locale: "en-GB", Widget: walltest.FamilyMonth + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(300, 240), Picture: image.Pt(800, 480), Locale: "en-GB", Widget: walltest.FamilyMonth + "}", Feed: walltest.Planning(walltest.Plans)},
	})
}

// TestLanes checks that two events never share a lane on the same day, and that the hidden events of each day are counted. If no day has
// more than one event, no event is hidden.
func TestLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		most := 1 + r.IntN(5)
		items := make([]monthItem, r.IntN(14))
		var on [piece.DaysOfWeek]int
		for i := range items {
			from := r.IntN(piece.DaysOfWeek)
			items[i] = monthItem{from: from, to: from + r.IntN(piece.DaysOfWeek-from)}
			for d := from; d <= items[i].to; d++ {
				on[d]++
			}
		}
		left := lanes(items, most)
		var shown [piece.DaysOfWeek]int
		taken := map[string]bool{}
		for _, m := range items {
			for d := m.from; !m.hidden && d <= m.to; d++ {
				key := fmt.Sprint(d, " ", m.lane)
				if taken[key] || m.lane >= most || m.lane == most-1 && left[d] > 0 {
					t.Fatalf("most %d: %+v, left %v", most, items, left)
				}
				taken[key] = true
				shown[d]++
			}
		}
		for d := range piece.DaysOfWeek {
			if shown[d]+left[d] != on[d] {
				t.Fatalf("most %d: day %d has %d, shows %d and tells of %d", most, d, on[d], shown[d], left[d])
			}
		}
		if every := max(on[0], on[1], on[2], on[3], on[4], on[5], on[6]); every <= 1 && left != [piece.DaysOfWeek]int{} {
			t.Fatalf("one event a day is hidden: %+v", items)
		}
	}
}

func monthIn(d *walltest.Data) *month { return walltest.Only[*kit.Frame](d).Inner.(*month) }

// TestMonthTitlesBreak checks that a long title takes further lines if the day has free lanes, and that the events below it move down. If a
// day has no free lane, titles have one line.
func TestMonthTitlesBreak(t *testing.T) {
	const long = "Market, then brunch at Mira's"
	event := func(day, hour int, title string, of *calendar.Calendar) walltest.Planned {
		return walltest.Planned{Day: day, From: hour * 60, To: hour*60 + 30, Title: title, Of: of}
	}
	plans := []walltest.Planned{event(1, 8, long, walltest.Anna), event(1, 10, "Tea", walltest.Ben)} // on the day after T0
	for hour := 12; hour < 16; hour++ {
		plans = append(plans, event(2, hour, long, walltest.Bins))
	}
	for _, size := range []image.Point{{900, 640}, {900, 720}} {
		walltest.ModernBubble(t, "widgets: ["+walltest.FamilyMonth+", week_numbers: false}]", walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
			walltest.Planning(plans)(d)
			d.Step(0)
			w := monthIn(d)
			if n := len(w.bars); n < 2 {
				t.Fatalf("%v: %d events", size, n)
			}
			if string(w.bars[0].title.Raw) == long {
				t.Errorf("%v: the title has one line", size)
			}
			shown, last := string(w.bars[0].title.Raw), w.bars[0].title.Box.Min.Y
			for _, c := range w.bars[0].below {
				if c.Box.Min.Y <= last {
					t.Errorf("%v: the line %q is at %d, not below %d", size, c.Raw, c.Box.Min.Y, last)
				}
				shown, last = shown+" "+string(c.Raw), c.Box.Min.Y
			}
			if shown != long {
				t.Errorf("%v: the title is %q", size, shown)
			}
			if tea := w.bars[1].title; string(tea.Raw) != "Tea" || tea.Box.Min.Y <= last {
				t.Errorf("%v: the next event %q is at %d, not below %d", size, tea.Raw, tea.Box.Min.Y, last)
			}
			for _, v := range w.bars[2:] {
				if len(v.below) > 0 {
					t.Errorf("%v: %q takes several lines on a day without free lanes", size, v.title.Raw)
				}
			}
		})
	}
}

// TestMonthAllocatesNothing checks that frames allocate no memory while no value arrives.
func TestMonthAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	walltest.ModernBubble(t, "widgets: ["+walltest.FamilyMonth+"}]", walltest.Scene{Size: image.Pt(900, 640)}, look.Calm(true), func(d *walltest.Data) {
		walltest.Planning(walltest.Plans)(d)
		d.Step(0)
		now := walltest.Warm(d.R)
		if got := testing.AllocsPerRun(20, func() { d.R.Step(now) }); got != 0 {
			t.Errorf("unchanged: got %v allocations", got)
		}
		if got := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); got != 0 {
			t.Errorf("painted whole: got %v allocations", got)
		}
	})
}

// TestMonthTitlesShrink checks titles that are too wide for their day. They have smaller text, but not less than three quarters of the
// usual size. A title that needs even smaller text is cut and has the usual size.
func TestMonthTitlesShrink(t *testing.T) {
	for _, tc := range []struct {
		title          string
		allDay         bool
		smaller, whole bool
	}{
		{"Tea", false, false, true},
		{"Choirrehearsals", false, true, true},
		{"Choir rehearsals", true, true, true},
		{"Choirrehearsalsandconcerts", false, false, false},
	} {
		plan := walltest.Planned{Day: 1, From: 8 * 60, To: 9 * 60, Title: tc.title, Of: walltest.Anna}
		if tc.allDay {
			plan.From, plan.To = -1, 0
		}
		walltest.ModernBubble(t, "widgets: ["+walltest.FamilyMonth+", week_numbers: false}]", walltest.Scene{Size: image.Pt(800, 640)}, look.Calm(true), func(d *walltest.Data) {
			walltest.Planning([]walltest.Planned{plan})(d)
			d.Step(0)
			c := monthIn(d).bars[0].title
			usual := monthIn(d).b.Face("label").Size
			if smaller, whole := c.Face.Size < usual, c.Want() <= c.Box.Dx(); smaller != tc.smaller || whole != tc.whole {
				t.Errorf("%s: size %d of %d, %d px of %d", tc.title, c.Face.Size, usual, c.Want(), c.Box.Dx())
			}
		})
	}
}
