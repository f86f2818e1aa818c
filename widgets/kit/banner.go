package kit

import (
	"time"

	"dashboard/internal/locale"
)

// Banner is the content of the strip across the bottom of a wall. The zero value shows nothing.
type Banner struct {
	Place, Words string    // file:line:column, or ""; and the sentence
	Stays        time.Time // since when the wall has what it shows; zero says nothing about it
	Notice       bool      // no error: a themed wall shows it quietly, a classic wall only without an end
	Until        time.Time // when it disappears; zero is when another one comes
}

// String returns the place and the sentence.
func (b Banner) String() string {
	if b.Place == "" {
		return b.Words
	}
	return b.Place + ": " + b.Words
}

// Since formats a moment: a time of today, or a date.
func (b *Builder) Since(at, now time.Time) string {
	at, now = at.In(b.Location), now.In(b.Location)
	word := locale.Time
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		word = locale.Date
	}
	return string(b.Locale.Append(nil, at, word))
}
