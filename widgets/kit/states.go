package kit

import (
	"image"
	"image/color"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/render"
)

// watched is the state of a widget's values: all values that it requested when it was built, except for those requested
// by the widgets inside it and by its title line.
type watched struct {
	Cells  []*provider.Cell
	stale  time.Time // when the oldest value came, if one is stale; else zero
	Failed time.Time // since when there is no answer at all; else zero
	class  fetch.Class
}

// watching records the cells that build asks for.
func (b *Builder) watching(w *watched, build func()) {
	before := b.watch
	b.watch = w
	build()
	b.watch = before
}

// Asks notes a cell that a widget asks for.
func (b *Builder) Asks(c *provider.Cell) {
	if b.watch != nil && c != nil {
		b.watch.Cells = append(b.watch.Cells, c)
	}
}

// update reports whether anything changed.
func (w *watched) update(t render.Tick) bool {
	if len(w.Cells) == 0 {
		return false
	}
	var stale, failed time.Time
	lost, class := 0, fetch.Unclassified
	for _, c := range w.Cells {
		s := c.Load()
		if IsStale(t, s) && (stale.IsZero() || s.At.Before(stale)) {
			stale = s.At
		}
		if !s.Has() && s.Err != nil {
			lost++
			if failed.IsZero() || s.Failing.Before(failed) {
				failed, class = s.Failing, fetch.ClassOf(s.Err)
			}
		}
	}
	if lost < len(w.Cells) {
		failed, class = time.Time{}, fetch.Unclassified
	}
	changed := !stale.Equal(w.stale) || !failed.Equal(w.Failed) || class != w.class
	w.stale, w.Failed, w.class = stale, failed, class
	return changed
}

// since formats a moment: a time of today, or a date.
func (b *Builder) since(at, now time.Time) string {
	at, now = at.In(b.Location), now.In(b.Location)
	word := locale.Time
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		word = locale.Date
	}
	return string(b.Locale.Append(nil, at, word))
}

// Measures of the replacement for a widget without values, px at a shorter side of 720 px.
const (
	failedIcon = 30
	failedGap  = 12
)

// Failing stands in place of a widget whose source never answered: an icon, and words where there is room for them.
type Failing struct {
	b           *Builder
	size        image.Point
	icon        *Mark
	Words, Time *Caption
	color, text color.RGBA
}

// Failing makes it for a widget's room.
func (b *Builder) Failing(size image.Point) *Failing {
	f := &Failing{b: b, size: size, color: b.Role("muted"), text: b.Role("text")}
	side := min(b.Px(failedIcon), size.X, size.Y)
	f.icon = b.Mark(image.Rect(0, 0, side, side))
	f.icon.Set("mdi:cloud-off-outline")
	f.Words = b.Caption(b.Face("body"), image.Rectangle{}, b.EdgeOf(""))
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

// Say shows the reason why there is no answer, and since when: on two lines, on one, or with the icon alone.
func (f *Failing) Say(class fetch.Class, at, now time.Time) {
	b := f.b
	reason, known := reasons[class]
	if !known {
		reason = locale.NoAnswer
	}
	since := b.since(at, now)
	line, small := f.Words.Face.Line, f.Time.Face.Line
	left := f.icon.Box.Dx() + b.Px(failedGap)
	high := max(f.icon.Box.Dy(), line)
	two := f.size.Y >= high+small+b.Px(TitleBelow)
	if two {
		f.Words.Set(b.Locale.Capital(b.Locale.Say(reason)))
		f.Time.Set(string(b.Locale.AppendPhrase(nil, locale.Since, since)))
	} else {
		f.Words.Set(b.Locale.Capital(b.Locale.Say(reason)))
		if !known {
			f.Words.Set(string(b.Locale.AppendPhrase(nil, locale.NoAnswerSince, since)))
		}
		f.Time.Set("")
		high = min(high, f.size.Y)
	}
	icon := image.Rect(0, (high-f.icon.Box.Dy())/2, f.icon.Box.Dx(), (high+f.icon.Box.Dy())/2)
	words := image.Rect(left, 0, f.size.X, high)
	if b.TextWidth(f.Words.Face, f.Words.Raw)*f.Words.Least > words.Dx()*f.Words.Face.Size {
		f.Words.Set(b.Locale.Capital(b.Locale.Say(locale.NoAnswer))) // the reason and the time leave before words are cut
	}
	if words.Dx() < 3*f.Words.Face.Size { // no room for words
		f.Words.Set("")
		f.Time.Set("")
	}
	below := image.Rect(left, high+b.Px(TitleBelow), f.size.X, high+b.Px(TitleBelow)+small)
	f.icon.Place(b.Mirrored(icon, f.size.X))
	f.Words.Place(b.Mirrored(words, f.size.X))
	f.Time.Place(b.Mirrored(below, f.size.X))
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
	f.Time.Paint(c, f.color)
}
