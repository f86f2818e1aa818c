package classic

import (
	"image"
	"math"
	"testing"
	"time"

	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// FuzzClock draws clocks with any format at any time. For each text, the clock computes the period in which the text is correct. This
// period must include the time of the drawing and last at most a minute.
func FuzzClock(f *testing.F) {
	for _, format := range []string{"%H:%M", "%A, %B %d", "%T", "%s", "%", "%%", "%-d", "%E", "%:z", "%10Y", "%^a %U %j", "%99999999d", "\n", "%é", "\x80\x00"} {
		f.Add(format, int64(1795264440))
	}
	f.Add("%Y-%m-%d", int64(math.MinInt64))
	f.Add("%c %x %X %Z", int64(253402300800)) // the year 10000
	f.Add("%G-W%V-%u", int64(-62135596801))
	b, size := walltest.Builder(walltest.TestEnv()), image.Pt(120, 60)
	f.Fuzz(func(t *testing.T, format string, unix int64) {
		const longest = 200 // maximum length of a format in bytes. A longer format would only take more time
		if len(format) > longest {
			return
		}
		w := buildDateClock(b, &kit.Spec{}, &DateClockParams{TimeFormat: format, DateFormat: "%d"}, size).(*dateClock)
		now := time.Unix(unix%(1<<40), 999).UTC()
		for range 3 {
			walltest.PaintOnce(w, size, now)
			if !w.until.After(now) || w.from.After(now) || w.until.Sub(w.from) > time.Minute {
				t.Fatalf("%q at %v: right from %v until %v", format, now, w.from, w.until)
			}
			now = w.until
		}
	})
}

// FuzzTimeOfDay parses any text as a time of day. The result is a minute of the day, or the text is not accepted.
func FuzzTimeOfDay(f *testing.F) {
	for _, s := range []string{"08:00", "8:5", "23:59", "24:00", "00:60", "", ":", "1:2:3", " 7:30 ", "-1:00", "+1:00", "99999999999999999999:0", "٠٨:٠٠"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if m, ok := timeOfDay(s); ok && (m < 0 || m >= 24*60) {
			t.Errorf("%q: got minute %d, %v", s, m, ok)
		}
	})
}
