package clock

import (
	"image"
	"testing"
	"time"
)

// TestSunpathIsLowAtNight checks that the part of the sun's path below the horizon is low in summer and in winter, so that the times below
// it are near the horizon. The highest point is noon.
func TestSunpathIsLowAtNight(t *testing.T) {
	day := time.Date(2026, 6, 21, 0, 0, 0, 0, time.UTC)
	for _, half := range []time.Duration{3 * time.Hour, 8 * time.Hour, 11 * time.Hour} {
		noon := day.Add(12 * time.Hour)
		d := newCourse(noon, noon.Add(-half), noon.Add(half), image.Rect(0, 100, 400, 200))
		for _, at := range []struct {
			name string
			time time.Time
			y    float64
		}{{"noon", noon, 100}, {"sunrise", d.rise, 190}, {"sunset", d.set, 190}, {"midnight", day, 200}} {
			if got := d.y(at.time); got < at.y-0.5 || got > at.y+0.5 {
				t.Errorf("half a day of %v: got %s at %.1f, want %.0f", half, at.name, got, at.y)
			}
		}
	}
}
