package kit

import (
	"time"

	"dashboard/internal/locale"
)

// Banner is the content of the strip at the bottom of a wall. The zero value shows nothing.
type Banner struct {
	Place, Words string    // file:line:column or "", and the sentence
	Stays        time.Time // time since which the wall keeps its previous content, zero if it does not
	Notice       bool      // true if it is not an error. A themed wall shows it less prominently, a classic wall only if Until is zero
	Until        time.Time // time when the banner disappears. If zero, the next banner replaces it
}

// String returns the place and the sentence.
func (b Banner) String() string {
	if b.Place == "" {
		return b.Words
	}
	return b.Place + ": " + b.Words
}

// Since formats a time: the time of day if it is today, otherwise the date.
func (b *Builder) Since(at, now time.Time) string {
	at, now = at.In(b.Location), now.In(b.Location)
	word := locale.Time
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		word = locale.Date
	}
	return string(b.Locale.Append(nil, at, word))
}
