package kit

import (
	"time"

	"dashboard/internal/locale"
)

// Banner is a message for the strip at the bottom of a wall. The zero value shows nothing.
type Banner struct {
	Place, Words string    // file:line:column or "", and the text of the message
	Stays        time.Time // time when the shown files were loaded, if a later reload failed. Otherwise zero
	// True for a notice, false for an error. Themed walls show notices less prominently. Classic walls only show notices without Until.
	Notice bool
	Until  time.Time // time at which the banner disappears. If Until is zero, the banner stays until the next banner
}

// String returns the place and the text of the message.
func (b Banner) String() string {
	if b.Place == "" {
		return b.Words
	}
	return b.Place + ": " + b.Words
}

// Since formats the time `at`. If `at` is today, the text is the time of day, otherwise the date.
func (b *Builder) Since(at, now time.Time) string {
	at, now = at.In(b.Location), now.In(b.Location)
	word := locale.Time
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		word = locale.Date
	}
	return string(b.Locale.Append(nil, at, word))
}
