package widgets

import (
	"image"
	"testing"
	"unicode"

	"dashboard/theme/look"
)

// The columns of a week have names of days, all of them, or numbers alone.
func TestDaysOfAWeekAreAlike(t *testing.T) {
	for wide := 150; wide <= 700; wide += 10 {
		modernBubble(t, "widgets: ["+familyWeek+"}]", scene{size: image.Pt(wide, 400), locale: "en-GB"}, look.Calm(true), func(d *data) {
			planning(plans)(d)
			d.step(0)
			w := only[*frame](d).inner.(*week)
			words := 0
			for _, n := range w.names {
				if unicode.IsLetter([]rune(string(n.raw))[0]) {
					words++
				}
			}
			if words != 0 && words != len(w.names) {
				t.Errorf("%d px: %d of %d columns have a word", wide, words, len(w.names))
			}
		})
	}
}
