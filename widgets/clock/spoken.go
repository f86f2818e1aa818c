package clock

import (
	"image"
	"image/color"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// speaks() reports whether times can be written in words in a language.
func speaks(language string) bool { return language == "en" || language == "de" }

// spoken shows the time in words, in steps of five minutes.
type spoken struct {
	b     *kit.Builder
	loc   *time.Location
	block *piece.Paragraph
	ink   color.RGBA
	size  image.Point
	said  [2]int // shown hour, and shown minute divided by five
}

func wordClock(b *kit.Builder, s *kit.Spec, p *ClockParams, size image.Point, loc *time.Location) *spoken {
	w := &spoken{b: b, loc: loc, size: size, ink: inputColor(b, s, p), said: [2]int{-1, -1}}
	f := b.Typed(s, &p.Typed, "figure")
	for f.Size > b.Least() && !w.fits(f) {
		st := b.Look.Styles["figure"]
		f = b.FaceAt(st, f.Size*9/10)
		f.Line = f.Size * 6 / 5
	}
	f.Line = max(f.Line, f.Size*6/5)
	v := map[string]text.VAlign{"": text.Middle, "center": text.Middle, "top": text.Top, "bottom": text.Bottom}[p.VerticalAlign]
	w.block = piece.NewParagraph(b, f, size, b.EdgeOf(p.Align), v, 0)
	return w
}

// longest() returns the longest text that a time can have in a language.
func longest(language string) string {
	if language == "de" {
		return "fünf nach halb zwölf"
	}
	return "twenty-five past eleven"
}

// fits() reports whether the longest text fits in a face.
func (w *spoken) fits(f kit.Face) bool {
	lines := max(1, w.size.Y/max(1, f.Size*6/5))
	widest := w.b.TextWidth(f, "twenty-five")
	all := w.b.TextWidth(f, longest(w.b.Locale.Language))
	return widest <= w.size.X && all <= w.size.X*lines*4/5
}

// timeInWords returns the time in words, rounded down to five minutes.
func timeInWords(language string, hour, minute int) string {
	if language == "de" {
		return german(hour, minute/5)
	}
	return english(hour, minute/5)
}

func english(hour, fives int) string {
	hours := [...]string{"twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"}
	minutes := [...]string{"", "five", "ten", "quarter", "twenty", "twenty-five", "half"}
	switch {
	case fives == 0 && hour == 0:
		return "midnight"
	case fives == 0 && hour == 12:
		return "noon"
	case fives == 0:
		return hours[hour%12] + " o’clock"
	case fives <= 6:
		return minutes[fives] + " past " + hours[hour%12]
	}
	return minutes[12-fives] + " to " + hours[(hour+1)%12]
}

func german(hour, fives int) string {
	hours := [...]string{"zwölf", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf"}
	this, next := hours[hour%12], hours[(hour+1)%12]
	switch fives {
	case 0:
		if hour%12 == 1 {
			return "ein Uhr"
		}
		return this + " Uhr"
	case 1:
		return "fünf nach " + this
	case 2:
		return "zehn nach " + this
	case 3:
		return "Viertel nach " + this
	case 4:
		return "zwanzig nach " + this
	case 5:
		return "fünf vor halb " + next
	case 6:
		return "halb " + next
	case 7:
		return "fünf nach halb " + next
	case 8:
		return "zwanzig vor " + next
	case 9:
		return "Viertel vor " + next
	case 10:
		return "zehn vor " + next
	}
	return "fünf vor " + next
}

// Natural implements kit.Sized.
func (w *spoken) Natural(width int) image.Point { return w.block.Natural(width) }

// Update implements render.Widget.
func (w *spoken) Update(t render.Tick) {
	now := t.Now().In(w.loc)
	if at := [2]int{now.Hour(), now.Minute() / 5}; at != w.said {
		w.said = at
		w.block.Set(timeInWords(w.b.Locale.Language, now.Hour(), now.Minute()))
		t.DamageAll()
	}
	t.Wake(t.Now().Truncate(time.Minute).Add(time.Minute))
}

// Paint implements render.Widget.
func (w *spoken) Paint(c render.Canvas) { w.block.Paint(c, w.ink) }

// unspoken() warns that the language has no words for times.
func unspoken(s *kit.Spec, l *locale.Locale) {
	s.Warnf("kind", "the time cannot be written in words in the language %s, so digits are shown; English and German have words", l.Language)
}
