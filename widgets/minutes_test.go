package widgets

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
)

// TestWordsOfAnotherDayAllocateNothing: the first time that a minute's words are said they are shaped, which takes memory; on the next
// day, when all of them have been seen, the minutes of clocks and calendars take none.
func TestWordsOfAnotherDayAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, w := range []string{"{widget: clock}", "{widget: clock, kind: world, zones: {Tokyo: Asia/Tokyo}}", familyMonth + "}", familyWeek + "}"} {
		modernBubble(t, "widgets: ["+w+"]", scene{size: image.Pt(500, 420)}, look.Calm(true), func(d *data) {
			planningIf(d)
			i := 0
			step := func() { i++; d.r.Step(t0.Add(time.Duration(i%1440) * time.Minute)) }
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

// planningIf publishes a family's plans where there is a calendar.
func planningIf(d *data) {
	if d.named[family] != nil {
		planning(plans)(d)
	}
}
