package ical

import (
	"strings"
	"testing"
	"time"
)

// TestManyComponents: components above the limit are dropped and counted.
func TestManyComponents(t *testing.T) {
	const lunch = "BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:lunch\r\nDTSTART:20260514T120000Z\r\nEND:VEVENT\r\n"
	for others, want := range map[int]int{maxComponents - 2: 1, maxComponents - 1: 0, maxComponents + 100: 0} { // the calendar itself counts as a component too
		c, err := Parse([]byte("BEGIN:VCALENDAR\r\n"+strings.Repeat("BEGIN:X\r\nEND:X\r\n", others)+lunch+"END:VCALENDAR\r\n"), Options{From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Events) != want || (c.Skipped > 0) != (want == 0) {
			t.Errorf("after %d components: got %d events, %d left out; want %d", others, len(c.Events), c.Skipped, want)
		}
	}
}
