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

// Lengths of a Failing, in px on a screen whose shorter side has 720 px.
const (
	failedIcon = 30
	failedGap  = 12
)

// Failing is shown instead of a widget whose source has never sent a value. It shows an icon, the source, the reason of the failure, and
// the time since the failure.
type Failing struct {
	b           *Builder
	size        image.Point
	icon        *Mark
	Words, Time *Caption
	more        *Caption // second line of the text in Words
	color, text color.RGBA
}

// Failing returns a Failing for the size of a widget.
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

// reasons are the texts for classes of failures. Any other class is shown as "no answer".
var reasons = map[fetch.Class]locale.Phrase{
	fetch.Denied: locale.TokenRefused, fetch.NotFound: locale.NotFound, fetch.NoName: locale.NotFound, fetch.Certificate: locale.NotTrusted,
	fetch.WebPage: locale.WebPage, fetch.NoFile: locale.NoFile, fetch.NoNetwork: locale.NoNetwork,
	fetch.NoService: locale.NoServer, fetch.NoHost: locale.NoServer,
}

// sourceName returns the name of a source in the form for display, with spaces instead of underscores.
func sourceName(configured string) string {
	if configured == "homeassistant" { // the name that conf.yaml's key homeassistant gives its provider
		return "Home Assistant"
	}
	return strings.ReplaceAll(configured, "_", " ")
}

// A failure describes a source that does not answer.
type failure struct {
	source string // name in the configuration, or ""
	class  fetch.Class
	since  string
}

// A wording is a text for a failure. more is its second line, and time is the line below. Both may be empty. If last is true, the text
// may shrink to the minimum size.
type wording struct {
	words, more, time string
	last              bool
}

// wordings returns the possible texts for a failure, from the most complete to the shortest.
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
		source := x.source
		if !strings.Contains(source, ".") { // the name of a host is not capitalized
			source = l.Capital(source)
		}
		named := func(s string) string { return l.Labeled(source, s) }
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

// Say sets the source, the reason and the time of a failure. It chooses the most complete text that fits. If no text fits, only the icon
// is shown.
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

// left returns the x coordinate of the text, which is next to the icon.
func (f *Failing) left() int { return f.icon.Box.Dx() + f.b.Px(failedGap) }

// first returns the height of the line with the icon, in px.
func (f *Failing) first() int { return max(f.icon.Box.Dy(), f.Words.Face.Line) }

// fits reports whether a wording fits into the widget.
func (f *Failing) fits(x wording) bool {
	high, wide := f.first(), f.size.X-f.left()
	if x.more != "" {
		high += f.more.Face.Line
	}
	if x.time != "" {
		high += f.Time.Face.Line + f.b.Px(TitleBelow)
	}
	if x.more == "" && x.time == "" {
		high = f.b.Least() * 5 / 4 // the text shrinks with its box, if it is a single line
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

// place places the icon and the lines at the top of the widget.
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

// Mirrored mirrors a rectangle inside the given width in languages that are written from right to left.
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

// waitingDash returns a dash, which a widget shows before its first value. The dash is in the first line of the widget's text.
func (b *Builder) waitingDash(size image.Point) *Caption {
	face := b.Face("body")
	c := b.Caption(face, image.Rectangle{}, b.EdgeOf(""))
	c.Set(NoValue)
	c.Place(image.Rect(0, 0, size.X, min(max(b.Px(failedIcon), face.Line), size.Y)))
	return c
}

// waitingWords returns a sentence for the bottom of a widget that waits for its first value. If there is no room below the dash, the
// caption is empty.
func (b *Builder) waitingWords(size image.Point) *Caption {
	face := b.Face("caption")
	c := b.Caption(face, image.Rectangle{}, b.EdgeOf(""))
	words := b.Locale.Say(locale.FirstValue)
	if size.Y < 4*face.Line || b.TextWidth(face, words) > size.X {
		return c
	}
	c.Place(image.Rect(0, size.Y-face.Line, size.X, size.Y))
	c.Set(words)
	return c
}
