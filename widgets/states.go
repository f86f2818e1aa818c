package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/render"
)

// watched is what the values of a widget are like: all of those that it asked for when it was built, but for those of the
// widgets inside it and of its title line.
type watched struct {
	cells  []*provider.Cell
	stale  time.Time // when the oldest value came, if one is stale; else zero
	failed time.Time // since when there is no answer at all; else zero
}

// watching has the cells noted that build asks for.
func (b *Builder) watching(w *watched, build func()) {
	before := b.watch
	b.watch = w
	build()
	b.watch = before
}

// asks notes a cell that a widget asks for.
func (b *Builder) asks(c *provider.Cell) {
	if b.watch != nil && c != nil {
		b.watch.cells = append(b.watch.cells, c)
	}
}

// update reports whether anything changed.
func (w *watched) update(t render.Tick) bool {
	if len(w.cells) == 0 {
		return false
	}
	var stale, failed time.Time
	lost := 0
	for _, c := range w.cells {
		s := c.Load()
		if isStale(t, s) && (stale.IsZero() || s.At.Before(stale)) {
			stale = s.At
		}
		if !s.Has() && s.Err != nil {
			lost++
			if failed.IsZero() || s.Failing.Before(failed) {
				failed = s.Failing
			}
		}
	}
	if lost < len(w.cells) {
		failed = time.Time{}
	}
	changed := !stale.Equal(w.stale) || !failed.Equal(w.failed)
	w.stale, w.failed = stale, failed
	return changed
}

// since is a moment as the wall tells it: a time of today, or a date.
func (b *Builder) since(at, now time.Time) string {
	at, now = at.In(b.Location), now.In(b.Location)
	word := locale.Time
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		word = locale.Date
	}
	return string(b.Locale.Append(nil, at, word))
}

// Measures of what stands in place of a widget without values, px at a shorter side of 720 px.
const (
	failedIcon = 30
	failedGap  = 12
)

// failing stands in place of a widget whose source never answered: an icon, and words where there is room for them.
type failing struct {
	b           *Builder
	size        image.Point
	icon        *mark
	words, time *caption
	color, text color.RGBA
}

// failing makes it for a widget's room.
func (b *Builder) failing(size image.Point) *failing {
	f := &failing{b: b, size: size, color: b.role("muted"), text: b.role("text")}
	side := min(b.px(failedIcon), size.X, size.Y)
	f.icon = b.mark(image.Rect(0, 0, side, side))
	f.icon.set("mdi:cloud-off-outline")
	f.words = b.caption(b.face("body"), image.Rectangle{}, b.edgeOf(""))
	f.words.least = b.least()
	f.time = b.caption(b.face("caption"), image.Rectangle{}, b.edgeOf(""))
	return f
}

// say tells since when there is no answer: on two lines, on one, or with the icon alone.
func (f *failing) say(at, now time.Time) {
	b := f.b
	since := b.since(at, now)
	line, small := f.words.face.line, f.time.face.line
	left := f.icon.box.Dx() + b.px(failedGap)
	high := max(f.icon.box.Dy(), line)
	two := f.size.Y >= high+small+b.px(titleBelow)
	if two {
		f.words.set(capital(b.Locale.Say(locale.NoAnswer)))
		f.time.set(string(b.Locale.AppendPhrase(nil, locale.Since, since)))
	} else {
		f.words.set(string(b.Locale.AppendPhrase(nil, locale.NoAnswerSince, since)))
		f.time.set("")
		high = min(high, f.size.Y)
	}
	icon := image.Rect(0, (high-f.icon.box.Dy())/2, f.icon.box.Dx(), (high+f.icon.box.Dy())/2)
	words := image.Rect(left, 0, f.size.X, high)
	if b.textWidth(f.words.face, f.words.raw)*f.words.least > words.Dx()*f.words.face.size {
		f.words.set(capital(b.Locale.Say(locale.NoAnswer))) // since when leaves before words are cut
	}
	if words.Dx() < 3*f.words.face.size { // no room for words
		f.words.set("")
		f.time.set("")
	}
	below := image.Rect(left, high+b.px(titleBelow), f.size.X, high+b.px(titleBelow)+small)
	f.icon.place(b.mirrored(icon, f.size.X))
	f.words.place(b.mirrored(words, f.size.X))
	f.time.place(b.mirrored(below, f.size.X))
}

// mirrored is a rectangle in a width, on the other side where a language runs from right to left.
func (b *Builder) mirrored(r image.Rectangle, width int) image.Rectangle {
	if !b.Locale.RightToLeft {
		return r
	}
	return image.Rect(width-r.Max.X, r.Min.Y, width-r.Min.X, r.Max.Y)
}

func (f *failing) paint(c render.Canvas) {
	f.icon.paint(c, f.color)
	f.words.paint(c, f.text)
	f.time.paint(c, f.color)
}
