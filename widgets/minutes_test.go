package widgets

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestWordsOfAnotherDayAllocateNothing checks clocks and calendars on two days. On the first day, shaping the texts of each minute
// allocates memory. On the second day, a minute allocates no memory.
func TestWordsOfAnotherDayAllocateNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, w := range []string{"{widget: clock}", "{widget: clock, kind: world, zones: {Tokyo: Asia/Tokyo}}", walltest.FamilyMonth + "}", walltest.FamilyWeek + "}"} {
		walltest.ModernBubble(t, "widgets: ["+w+"]", walltest.Scene{Size: image.Pt(500, 420)}, look.Calm(true), func(d *walltest.Data) {
			planningIf(d)
			i := 0
			step := func() { i++; d.R.Step(walltest.T0.Add(time.Duration(i%1440) * time.Minute)) }
			for range 1440 {
				step()
			}
			i = 0
			if got := testing.AllocsPerRun(300, step); got != 0 {
				t.Errorf("%s: %v allocations a minute, want 0", w, got)
			}
		})
	}
}

// planningIf publishes the family's agenda if the widget shows a calendar.
func planningIf(d *walltest.Data) {
	if d.ByName[walltest.Family] != nil {
		walltest.Planning(walltest.Plans)(d)
	}
}
