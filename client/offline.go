package client

import (
	"bytes"
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/render/damage"
	"dashboard/render/text"

	"github.com/itchyny/timefmt-go"
)

// The offline screen's measures, those of Grydgets: heights of a line as shares of the screen's height. Its font's
// lines are as high as the font is large, so a height is a size in the built-in font here.
const (
	clockHeight     = 0.40
	minClockHeight  = 12
	messageHeight   = 0.09
	minMessageSize  = 10
	lineGap         = 0.03
	widest          = 0.9 // of the screen's width; a wider line shrinks,
	shrinkBy        = 0.9 // step by step,
	leastLineHeight = 8   // but not below this
)

// An offline is the offline screen: the time and a message over the last frame, darkened.
type offline struct {
	opts  Offline
	size  image.Point
	fonts *text.Cache
	dark  color.RGBA

	step    time.Duration // in which the clock's text changes
	shows   []byte        // the clock's text
	scratch []byte
	clock   line
	message line
}

func newOffline(o Offline, size image.Point, fonts *text.Cache) *offline {
	f := &offline{opts: o, size: size, fonts: fonts, step: clockStep(o.ClockFormat)}
	f.dark = color.RGBA{A: uint8(round(255 * min(1, max(0, o.Dim))))}
	f.fit(&f.message.text, max(minMessageSize, round(messageHeight*float64(size.Y))), []byte(o.Message))
	return f
}

// clockStep is how often a clock with a format changes: every second or every minute.
func clockStep(format string) time.Duration {
	at := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	if timefmt.Format(at, format) != timefmt.Format(at.Add(time.Second), format) {
		return time.Second
	}
	return time.Minute
}

// fit shapes a text in the height, or smaller until it is not too wide.
func (o *offline) fit(l *text.Line, height int, s []byte) {
	limit := round(widest * float64(o.size.X))
	for {
		o.fonts.ShapeBytes(l, text.Default(), height, s)
		less := max(leastLineHeight, round(shrinkBy*float64(height)))
		if l.Width() <= limit || less >= height {
			return
		}
		height = less
	}
}

// update brings the clock to a local time, adds to changed what that changes, and returns when to come again.
func (o *offline) update(now time.Time, changed *damage.List) time.Time {
	next := now.Add(o.step - sinceStep(now, o.step))
	o.scratch = timefmt.AppendFormat(o.scratch[:0], now, o.opts.ClockFormat)
	if bytes.Equal(o.scratch, o.shows) && o.shows != nil {
		return next
	}
	o.shows = append(o.shows[:0], o.scratch...)
	changed.Add(o.clock.ink())
	changed.Add(o.message.ink())
	o.layout()
	changed.Add(o.clock.ink())
	changed.Add(o.message.ink())
	return next
}

// sinceStep is how much of the second or minute of a local clock has gone.
func sinceStep(now time.Time, step time.Duration) time.Duration {
	return (time.Duration(now.Second())*time.Second + time.Duration(now.Nanosecond())) % step
}

// layout places both lines as one block in the middle, by their ink.
func (o *offline) layout() {
	o.fit(&o.clock.text, max(minClockHeight, round(clockHeight*float64(o.size.Y))), o.shows)
	clock, message := o.clock.text.Ink().Size(), o.message.text.Ink().Size()
	gap := round(lineGap * float64(o.size.Y))
	y := (o.size.Y - clock.Y - gap - message.Y) / 2
	o.clock.place(image.Pt((o.size.X-clock.X)/2, y))
	o.message.place(image.Pt((o.size.X-message.X)/2, y+clock.Y+gap))
}

func (o *offline) paint(c render.Canvas) {
	c.Fill(image.Rectangle{Max: o.size}, o.dark)
	o.clock.paint(c)
	o.message.paint(c)
}
