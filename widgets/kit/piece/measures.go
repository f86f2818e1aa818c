package piece

import (
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
	"dashboard/widgets/kit"
)

// DaysBetween is how many days the date of a moment is after another's, by the clock of the first.
func DaysBetween(from, to time.Time) int {
	to = to.In(from.Location())
	a := time.Date(from.Year(), from.Month(), from.Day(), 0, 0, 0, 0, time.UTC)
	b := time.Date(to.Year(), to.Month(), to.Day(), 0, 0, 0, 0, time.UTC)
	return int((b.Unix() - a.Unix()) / (24 * 60 * 60)) // a time.Duration is 292 years at most
}

// MidnightOf is the first moment of the day that is ahead days after now's.
func MidnightOf(now time.Time, ahead int) time.Time {
	return localtime.At(now.Year(), now.Month(), now.Day()+ahead, 0, now.Location())
}

// PlainIcon returns an icon as if it were written in the file.
func PlainIcon(name string) *config.Live[value.Icon] {
	return &config.Live[value.Icon]{Plain: value.Icon{Name: name}}
}

// PlainLine returns a text as if it were written in the file.
func PlainLine(s string) *config.Live[string] { return &config.Live[string]{Plain: s} }

// DaysOfWeek is the number of columns of a calendar.
const DaysOfWeek = 7

// FadeRows are a color's rows of a gradient from one opacity to another, premultiplied.
func FadeRows(b *kit.Builder, dst []color.RGBA, c color.NRGBA, from, to float64, rows int) []color.RGBA {
	for i := range rows {
		share := from + (to-from)*float64(i)/float64(max(1, rows-1))
		n := c
		n.A = uint8(math.Round(255 * share))
		dst = append(dst, render.Premultiply(n))
	}
	return dst
}

// Hyphenated reports whether a word that is cut between these two gets a hyphen.
func Hyphenated(before, behind string) bool {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(behind)
	return unicode.In(a, unicode.Latin, unicode.Greek, unicode.Cyrillic) && unicode.In(b, unicode.Latin, unicode.Greek, unicode.Cyrillic)
}

// LeastBefore and leastBehind are how many letters of a word stay before and behind a hyphen.
const LeastBefore, LeastBehind = 2, 3

// LongDay has names and numbers as long as any, its hour too in halves of a day, at least in the languages of Europe.
var LongDay = time.Date(2026, 9, 30, 22, 0, 0, 0, time.UTC)

// DisplayMost is the largest size of a clock's digits, px at a shorter side of 720 px.
const DisplayMost = 240

// MaxListed bounds the rows of a list on one page.
const MaxListed = 50

// MaxTurned bounds the entries of a list that turns pages. A list with more entries shows the number of the others.
const MaxTurned = 300

// Looked returns how many entries of a list are shown: limit if there is one, or the most.
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

// AppendLeft appends "+3 more" in the wall's language, or "+3" where that has no room in a width, px: the number counts.
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

// RowIcon is the size of an icon in a row, px at a shorter side of 720 px.
const RowIcon = 22

// Luminance is about how light a color is, 0 to 1.
func Luminance(c color.NRGBA) float64 {
	lin := func(v uint8) float64 { return math.Pow(float64(v)/255, 2.2) }
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}

// Veil darkens a picture that is out of date.
var Veil = color.RGBA{A: uint8(math.Round(255 * (1 - kit.StaleStrength)))}

// Blended is a color between two.
func Blended(a, b color.RGBA, share float64) color.RGBA {
	share = min(max(share, 0), 1)
	f := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + float64((float64(y)-float64(x))*share))) }
	return color.RGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), f(a.A, b.A)}
}

// ThinSpace stands between a number and its unit.
const ThinSpace = "\u202f"

// Overshoot is how far round digits rise above capHeight, of their size.
const Overshoot = 0.02

// CapHeight is the height of digits, of their size.
const CapHeight = 0.73

// BarHigh is the thickness of a meter, px at a shorter side of 720 px.
const BarHigh = 8

// BarHeight is the thickness of a bar in a row, px at a shorter side of 720 px.
const BarHeight = 8
