package calendar

import (
	"image"
	"testing"
	"unicode"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestDaysOfAWeekAreAlike checks the names of the columns in a week widget. Either all columns have the name of the day, or all columns
// have only the number of the day.
func TestDaysOfAWeekAreAlike(t *testing.T) {
	for wide := 150; wide <= 700; wide += 10 {
		walltest.ModernBubble(t, "widgets: ["+walltest.FamilyWeek+"}]", walltest.Scene{Size: image.Pt(wide, 400), Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
			walltest.Planning(walltest.Plans)(d)
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*week)
			words := 0
			for _, n := range w.names {
				if unicode.IsLetter([]rune(string(n.Raw))[0]) {
					words++
				}
			}
			if words != 0 && words != len(w.names) {
				t.Errorf("%d px: %d of %d columns have a word", wide, words, len(w.names))
			}
		})
	}
}
