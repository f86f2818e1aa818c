package classic

import (
	"testing"
	"time"

	"dashboard/internal/locale"
)

// TestNamesFollowTheLanguage checks that the names of days and months, AM and PM are in the wall's language. The rest of the format does
// not change.
func TestNamesFollowTheLanguage(t *testing.T) {
	at := time.Date(2026, 8, 5, 17, 4, 0, 0, time.UTC) // a Wednesday
	for _, c := range []struct{ tag, format, want string }{
		{"", "%A, %B %d", "Wednesday, August 05"},
		{"", "100%% %p", "100% PM"},
		{"de", "%A, %d. %B", "Mittwoch, 05. August"},
		{"de", "%a %b", "Mi Aug"},
		{"pl", "%d %B", "05 sierpnia"},
		{"pl", "%B %Y", "sierpień 2026"},
		{"fi", "%A", "keskiviikko"},
		{"de", "100%%A %H:%M", "100%A 17:04"},
		{"en", "%I:%M %p %", "05:04 PM %"},
	} {
		var l *locale.Locale
		if c.tag != "" {
			var err error
			if l, err = locale.Load(c.tag, nil); err != nil {
				t.Fatal(err)
			}
		}
		f := newDateFormat(c.format, l)
		if got := string(f.append(nil, at, l)); got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.tag, c.format, got, c.want)
		}
		buf := make([]byte, 0, 100)
		if n := testing.AllocsPerRun(100, func() { buf = f.append(buf[:0], at, l) }); n > 0 {
			t.Errorf("%s %q: %v allocations", c.tag, c.format, n)
		}
	}
}
