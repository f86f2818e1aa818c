package kit

import (
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/locale"
	"dashboard/render"
)

// Measures of the replacement for a widget without values, px at a shorter side of 720 px.
const (
	failedIcon = 30
	failedGap  = 12
)

// Failing replaces a widget whose source never answered: an icon, the name of the source and the reason, and since when.
type Failing struct {
	b           *Builder
	size        image.Point
	icon        *Mark
	Words, Time *Caption
	more        *Caption // second line of Words
	color, text color.RGBA
}

// Failing makes it for a widget's room.
func (b *Builder) Failing(size image.Point) *Failing {
	f := &Failing{b: b, size: size, color: b.Role("muted"), text: b.Role("text")}
	side := min(b.Px(failedIcon), size.X, size.Y)
	f.icon = b.Mark(image.Rect(0, 0, side, side))
	f.icon.Set("mdi:cloud-off-outline")
	f.Words = b.Caption(b.Face("body"), image.Rectangle{}, b.EdgeOf(""))
	f.more = b.Caption(b.Face("body"), image.Rectangle{}, b.EdgeOf(""))
	f.Words.Least = b.Least()
	f.Time = b.Caption(b.Face("caption"), image.Rectangle{}, b.EdgeOf(""))
	return f
}

// reasons are the phrases for the classes of failures. Other classes are shown as no answer.
var reasons = map[fetch.Class]locale.Phrase{
	fetch.Denied: locale.TokenRefused, fetch.NotFound: locale.NotFound, fetch.NoName: locale.NotFound, fetch.Certificate: locale.NotTrusted,
	fetch.WebPage: locale.WebPage, fetch.NoFile: locale.NoFile, fetch.NoNetwork: locale.NoNetwork,
	fetch.NoService: locale.NoServer, fetch.NoHost: locale.NoServer,
}

// sourceName returns the name of a source as text. An underscore in it stands for a space.
func sourceName(configured string) string {
	if configured == "homeassistant" { // the name that its key in conf.yaml gives
		return "Home Assistant"
	}
	return strings.ReplaceAll(configured, "_", " ")
}

// A failure is a source without an answer.
type failure struct {
	source string // its name, as configured; "" without a name
	class  fetch.Class
	since  string
}

// A wording is one way to report a failure. more and time may be "". The last one may have the least size of text.
type wording struct {
	words, more, time string
	last              bool
}

// wordings returns the ways to report a failure, the most complete first.
func (b *Builder) wordings(x failure) []wording {
	l := b.Locale
	since := string(l.AppendPhrase(nil, locale.Since, x.since))
	none, reason := l.Say(locale.NoAnswer), l.Say(locale.NoAnswer)
	p, known := reasons[x.class]
	if known {
		reason = l.Say(p)
	}
	var all []wording
	if x.source != "" {
		named := func(s string) string { return l.Labeled(l.Capital(x.source), s) }
		all = append(all, wording{words: named(reason), time: since}, wording{words: named(""), more: l.Capital(reason), time: since},
			wording{words: named(none), time: since})
		if !known {
			all = append(all, wording{words: named(string(l.AppendPhrase(nil, locale.NoAnswerSince, x.since)))})
		}
		all = append(all, wording{words: named(reason)}, wording{words: named(none)})
	}
	all = append(all, wording{words: l.Capital(reason), time: since})
	if !known {
		all = append(all, wording{words: string(l.AppendPhrase(nil, locale.NoAnswerSince, x.since))})
	}
	return append(all, wording{words: l.Capital(reason)}, wording{words: l.Capital(none), last: true})
}

// Say shows which source gives no answer, why, and since when, as completely as there is room for. Without room for words it shows
// the icon alone.
func (f *Failing) Say(source string, class fetch.Class, at, now time.Time) {
	b := f.b
	var chosen wording
	for _, x := range b.wordings(failure{sourceName(source), class, b.Since(at, now)}) {
		if f.fits(x) {
			chosen = x
			break
		}
	}
	f.Words.Set(chosen.words)
	f.more.Set(chosen.more)
	f.Time.Set(chosen.time)
	f.place()
}

// left is where the words begin, behind the icon.
func (f *Failing) left() int { return f.icon.Box.Dx() + f.b.Px(failedGap) }

// first is the height of the line with the icon.
func (f *Failing) first() int { return max(f.icon.Box.Dy(), f.Words.Face.Line) }

// fits reports whether there is room for a wording, and its text is not smaller than the least size.
func (f *Failing) fits(x wording) bool {
	high, wide := f.first(), f.size.X-f.left()
	if x.more != "" {
		high += f.more.Face.Line
	}
	if x.time != "" {
		high += f.Time.Face.Line + f.b.Px(TitleBelow)
	}
	if x.more == "" && x.time == "" {
		high = f.b.Least() * 5 / 4 // a single line shrinks with its box
	}
	fits := func(c *Caption, s string) bool {
		least := c.Face.Size * 7 / 8
		if x.last {
			least = f.b.Least()
		}
		return f.b.TextWidth(c.Face, s)*least <= wide*c.Face.Size
	}
	return high <= f.size.Y && wide >= 3*f.Words.Face.Size && fits(f.Words, x.words) && fits(f.more, x.more) && fits(f.Time, x.time)
}

// place puts the icon and the lines at the top of the widget's room.
func (f *Failing) place() {
	b, high := f.b, f.first()
	if f.more.Raw == "" && f.Time.Raw == "" {
		high = min(high, f.size.Y)
	}
	side := f.icon.Box.Dx()
	f.icon.Place(b.Mirrored(image.Rect(0, (high-side)/2, side, (high+side)/2), f.size.X))
	at := func(c *Caption, top, bottom int) int {
		c.Place(b.Mirrored(image.Rect(f.left(), top, f.size.X, bottom), f.size.X))
		return bottom
	}
	bottom := at(f.Words, 0, high)
	if f.more.Raw != "" {
		bottom = at(f.more, bottom, bottom+f.more.Face.Line)
	}
	top := bottom + b.Px(TitleBelow)
	at(f.Time, top, top+f.Time.Face.Line)
}

// Mirrored is a rectangle in a width, on the other side where a language runs from right to left.
func (b *Builder) Mirrored(r image.Rectangle, width int) image.Rectangle {
	if !b.Locale.RightToLeft {
		return r
	}
	return image.Rect(width-r.Max.X, r.Min.Y, width-r.Min.X, r.Max.Y)
}

// Paint implements render.Widget.
func (f *Failing) Paint(c render.Canvas) {
	f.icon.Paint(c, f.color)
	f.Words.Paint(c, f.text)
	f.more.Paint(c, f.text)
	f.Time.Paint(c, f.color)
}

// waitingDash is the dash of a widget before its first value, at the place of the first line of its text.
func (b *Builder) waitingDash(size image.Point) *Caption {
	face := b.Face("body")
	c := b.Caption(face, image.Rectangle{}, b.EdgeOf(""))
	c.Set(NoValue)
	c.Place(image.Rect(0, 0, size.X, min(max(b.Px(failedIcon), face.Line), size.Y)))
	return c
}
