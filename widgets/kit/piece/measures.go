package piece

import (
	"cmp"
	"image/color"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/internal/localtime"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
)

// DaysBetween returns the number of days between the dates of two times. Both dates are in the time zone of the first time.
func DaysBetween(from, to time.Time) int {
	to = to.In(from.Location())
	a := time.Date(from.Year(), from.Month(), from.Day(), 0, 0, 0, 0, time.UTC)
	b := time.Date(to.Year(), to.Month(), to.Day(), 0, 0, 0, 0, time.UTC)
	return int((b.Unix() - a.Unix()) / (24 * 60 * 60)) // a time.Duration is limited to 292 years
}

// MidnightOf returns the midnight at which a day starts. `ahead` is the number of days from the day of `now`: 0 is today.
func MidnightOf(now time.Time, ahead int) time.Time {
	return localtime.At(now.Year(), now.Month(), now.Day()+ahead, 0, now.Location())
}

// PlainIcon returns an icon in the form in which the configuration holds it.
func PlainIcon(name string) *config.Live[value.Icon] {
	return &config.Live[value.Icon]{Plain: value.Icon{Name: name}}
}

// PlainLine returns a text in the form in which the configuration holds it.
func PlainLine(s string) *config.Live[string] { return &config.Live[string]{Plain: s} }

// DaysOfWeek is the number of columns of a calendar.
const DaysOfWeek = 7

// FadeRows appends the colors of a gradient, one for each row. Each color is c, premultiplied, with
// its own opacity. The opacity changes from the first to the last row.
func FadeRows(b *kit.Builder, dst []color.RGBA, c color.NRGBA, from, to float64, rows int) []color.RGBA {
	for i := range rows {
		share := from + (to-from)*float64(i)/float64(max(1, rows-1))
		n := c
		n.A = uint8(math.Round(255 * share))
		dst = append(dst, render.Premultiply(n))
	}
	return dst
}

// hyphenated reports whether a broken word needs a hyphen. `before` and `behind` are the two parts of the word.
func hyphenated(before, behind string) bool {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(behind)
	return unicode.In(a, unicode.Latin, unicode.Greek, unicode.Cyrillic) && unicode.In(b, unicode.Latin, unicode.Greek, unicode.Cyrillic)
}

// CutWord returns how many bytes of a word fit into a width in px together with a hyphen. It also returns the hyphen if the script of the
// word uses hyphens. If too few letters fit, it returns 0.
func CutWord(b *kit.Builder, f kit.Face, word string, wide int) (n int, hyphen string) {
	n = b.Text.FitStart(f.Font, f.Size, word, "-", wide)
	for left := utf8.RuneCountInString(word[n:]); left < LeastBehind && n > 0; left++ {
		_, size := utf8.DecodeLastRuneInString(word[:n])
		n -= size
	}
	switch {
	case utf8.RuneCountInString(word[:n]) < LeastBefore:
		return 0, ""
	case hyphenated(word[:n], word[n:]):
		return n, "-"
	}
	return n, ""
}

// LeastBefore and LeastBehind are the minimum numbers of letters before and after the hyphen of a broken word.
const LeastBefore, LeastBehind = 2, 3

// LongDay is a time for measuring the width of dates and times. In European languages, its names
// and numbers are among the longest, also in 12-hour format.
var LongDay = time.Date(2026, 9, 30, 22, 0, 0, 0, time.UTC)

// LongMorning is like LongDay, but before noon. In English, AM is wider than PM.
var LongMorning = LongDay.Add(-12 * time.Hour)

// DisplayMost is the maximum size of a clock's digits, in px on a screen whose shorter side has 720 px.
const DisplayMost = 240

// MaxListed is the maximum number of rows of a list on one page.
const MaxListed = 50

// MaxTurned is the maximum number of entries that a list with several pages shows. If there are more entries, the list shows the number
// of entries that it does not show.
const MaxTurned = 300

// Looked returns the maximum number of entries that a list shows. For a list with several pages, this is MaxTurned, otherwise MaxListed.
// A `limit` above 0 can only reduce this number.
func Looked(limit int, turns bool) int {
	most := MaxListed
	if turns {
		most = MaxTurned
	}
	if limit > 0 {
		return min(limit, most)
	}
	return most
}

// AppendLeft appends "+3 more" in the wall's language. If this text is wider than `room`, in px, it appends "+3".
func AppendLeft(b *kit.Builder, dst []byte, n int, f kit.Face, room int) []byte {
	whole := appendMore(b, dst, n)
	b.Text.ShapeBytes(&b.Scratch, f.Font, f.Size, whole[len(dst):])
	if b.Scratch.Width() <= room {
		return whole
	}
	return b.Locale.AppendNumber(append(dst, '+'), float64(n), 0, false)
}

// appendMore appends "+3 more" in the wall's language.
func appendMore(b *kit.Builder, dst []byte, n int) []byte {
	before, after, _ := strings.Cut(b.Locale.Say(locale.More), "{}")
	dst = append(dst, before...)
	dst = b.Locale.AppendNumber(dst, float64(n), 0, false)
	return append(dst, after...)
}

// Hairline returns the thickness in px of a line between rows or of a chart's grid. It is rounded down, because a thick line separates more
// than it has to.
func Hairline(b *kit.Builder) int {
	if b.Look.Ink {
		return max(1, b.Px(b.Look.Sizes.Line))
	}
	return max(1, int(b.Look.Sizes.Line*look.Lengths(b.Shorter())*cmp.Or(b.Zoom, 1)))
}

// RowIcon is the size of an icon in a row, in px on a screen whose shorter side has 720 px.
const RowIcon = 22

// Luminance returns the approximate luminance of a color, from 0 to 1.
func Luminance(c color.NRGBA) float64 {
	lin := func(v uint8) float64 { return math.Pow(float64(v)/255, 2.2) }
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}

// Veil is a translucent black, which is painted over an outdated picture to darken it.
var Veil = color.RGBA{A: uint8(math.Round(255 * (1 - kit.StaleStrength)))}

// Blended returns a mix of the colors `a` and `b`. The share of `b` is `share`.
func Blended(a, b color.RGBA, share float64) color.RGBA {
	share = min(max(share, 0), 1)
	f := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + float64((float64(y)-float64(x))*share))) }
	return color.RGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), f(a.A, b.A)}
}

// ThinSpace is the space between a number and its unit.
const ThinSpace = "\u202f"

// Overshoot is the height by which round digits are higher than CapHeight, as a share of the text size.
const Overshoot = 0.02

// CapHeight is the height of digits, as a share of the text size.
const CapHeight = 0.73

// BarHigh is the thickness of a meter, in px on a screen whose shorter side has 720 px.
const BarHigh = 8

// BarHeight is the thickness of a bar in a row, in px on a screen whose shorter side has 720 px.
const BarHeight = 8
