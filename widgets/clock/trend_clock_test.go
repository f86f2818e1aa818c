package clock

import (
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
	"image"
	"testing"
)

func TestTimeInWords(t *testing.T) {
	for _, tc := range []struct {
		language     string
		hour, minute int
		want         string
	}{
		{"en", 0, 0, "midnight"}, {"en", 12, 4, "noon"}, {"en", 15, 0, "three o’clock"}, {"en", 10, 30, "half past ten"},
		{"en", 10, 35, "twenty-five to eleven"}, {"en", 11, 59, "five to twelve"}, {"en", 23, 45, "quarter to twelve"},
		{"de", 13, 0, "ein Uhr"}, {"de", 10, 30, "halb elf"}, {"de", 10, 25, "fünf vor halb elf"}, {"de", 10, 20, "zwanzig nach zehn"},
		{"de", 0, 45, "Viertel vor eins"}, {"de", 12, 5, "fünf nach zwölf"},
	} {
		if got := timeInWords(tc.language, tc.hour, tc.minute); got != tc.want {
			t.Errorf("%s, %d:%02d: got %s, want %s", tc.language, tc.hour, tc.minute, got, tc.want)
		}
	}
}

// TestHalfOfTheDayFillsTheWidth checks that a time with AM or PM fills the width of a narrow cell. AM or PM needs only the width of its
// letters.
func TestHalfOfTheDayFillsTheWidth(t *testing.T) {
	const width = 300
	walltest.ModernBubble(t, "widgets: [{widget: clock, card: false, padding: 0, margin: 0, date: ''}]", walltest.Scene{Size: image.Pt(width, 400), Locale: "en-US"}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		w := walltest.Only[*kit.Frame](d).Inner.(*digital)
		if w.half == nil {
			t.Fatal("there is no AM or PM")
		}
		if w.half.Ink.Min.X < w.time.Ink.Max.X || w.half.Ink.Max.X > width || w.half.Ink.Max.X < width*19/20 {
			t.Errorf("the time is at %v and its half at %v, want the half behind it, up to the edge at %d", w.time.Ink, w.half.Ink, width)
		}
	})
}
