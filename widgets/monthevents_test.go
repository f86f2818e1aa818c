package widgets

import (
	"fmt"
	"image"
	"math/rand/v2"
	"testing"

	"dashboard/theme/look"
)

const familyMonth = "{widget: month, provider: calendar-family"

func TestMonthEventsGoldens(t *testing.T) {
	modernSheet(t, "month-events", []scene{
		{size: image.Pt(900, 640), locale: "en-GB", widget: familyMonth + "}", feed: planning(plans)},
		{size: image.Pt(350, 304), locale: "en-GB", widget: familyMonth + ", week_numbers: false}", feed: planning(plans)},
		{size: image.Pt(700, 420), locale: "he", widget: familyMonth + ", weeks: 3, title: Weeks, week_numbers: false}", feed: planning(plans)},
	})
	modernSheet(t, "month-sizes", []scene{
		{size: image.Pt(320, 240), picture: image.Pt(320, 240), widget: familyMonth + "}", feed: planning(plans)},
		{size: image.Pt(800, 480), picture: image.Pt(800, 480), locale: "de", widget: familyMonth + "}", feed: planning(plans)},
		{size: image.Pt(540, 700), picture: image.Pt(1080, 1920), widget: familyMonth + ", weeks: 4}", feed: planning(plans)},
	})
	inkSheet(t, "month-eink", []scene{
		{size: image.Pt(800, 480), picture: image.Pt(800, 480), locale: "en-GB", widget: familyMonth + "}", feed: planning(plans)},
		{size: image.Pt(300, 240), picture: image.Pt(800, 480), locale: "en-GB", widget: familyMonth + "}", feed: planning(plans)},
	})
}

// TestLanes: no two events share a place, each day tells how many it hides, and nothing is hidden without need.
func TestLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		most := 1 + r.IntN(5)
		items := make([]monthItem, r.IntN(14))
		var on [daysOfWeek]int
		for i := range items {
			from := r.IntN(daysOfWeek)
			items[i] = monthItem{from: from, to: from + r.IntN(daysOfWeek-from)}
			for d := from; d <= items[i].to; d++ {
				on[d]++
			}
		}
		left := lanes(items, most)
		var shown [daysOfWeek]int
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
		for d := range daysOfWeek {
			if shown[d]+left[d] != on[d] {
				t.Fatalf("most %d: day %d has %d, shows %d and tells of %d", most, d, on[d], shown[d], left[d])
			}
		}
		if every := max(on[0], on[1], on[2], on[3], on[4], on[5], on[6]); every <= 1 && left != [daysOfWeek]int{} {
			t.Fatalf("one event a day is hidden: %+v", items)
		}
	}
}

// TestMonthAllocatesNothing while nothing comes in.
func TestMonthAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	modernBubble(t, "widgets: ["+familyMonth+"}]", scene{size: image.Pt(900, 640)}, look.Calm(true), func(d *data) {
		planning(plans)(d)
		d.step(0)
		now := warm(d.r)
		if got := testing.AllocsPerRun(20, func() { d.r.Step(now) }); got != 0 {
			t.Errorf("unchanged: got %v allocations", got)
		}
		if got := testing.AllocsPerRun(20, func() { d.r.Repaint(); d.r.Step(now) }); got != 0 {
			t.Errorf("painted whole: got %v allocations", got)
		}
	})
}
