package client

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"time"

	"dashboard/render"
	"dashboard/render/damage"
	"dashboard/render/text"
)

// Colors of the overlays. Colors with transparency are premultiplied.
var (
	white      = color.RGBA{255, 255, 255, 255}
	panelBlack = color.RGBA{A: 170}
)

// marginShare is the distance of overlays from the edges of the screen, relative to the screen's shorter side.
const marginShare = 0.025

// A screen is the picture that is shown: the frame or the offline screen, and overlays. Only the goroutine that shows frames may use it.
type screen struct {
	opts  *Options
	frame *frame
	mixed *image.RGBA // the frame with overlays. nil without overlays, because then the frame itself is shown

	triangle *triangle
	offline  *offline // nil if the options have no offline screen
	rejected *offline // card for a rejected token, nil before the token is rejected
	never    *offline // card for a service that has never answered or has no frame, or nil if it is not needed
	panel    *panel   // nil if latencies are not shown

	state     State
	failure   string      // reason why the last connection has failed
	unpainted bool        // the service has no frame yet
	changed   damage.List // parts that must be painted
	drawn     damage.List // parts that were painted, but that the display does not show yet
}

func newScreen(o *Options, f *frame) *screen {
	s := &screen{opts: o, frame: f, triangle: newTriangle(o.Size, o.Corner)}
	if o.Offline != nil {
		s.offline = newOffline(*o.Offline, lost, o.Size, o.URL, o.Text)
		s.offline.retry = o.ReconnectDelay
	}
	if o.Latency {
		s.panel = newPanel(o.Size, o.Text)
	}
	return s
}

// lost() marks the rectangle r as changed, because the display has lost its content.
func (s *screen) lost(r image.Rectangle) { s.changed.Add(r) }

// done() records that the display shows all painted parts.
func (s *screen) done() { s.drawn.Reset() }

// update sets the overlays for the time `now` and a state. It returns the time of their next change, or zero for never.
func (s *screen) update(now time.Time, state State) (next time.Time) {
	switch {
	case state != Rejected || s.rejected != nil:
	case s.opts.Problem != "":
		s.rejected = newOffline(plain, wrong, s.opts.Size, s.opts.Problem, s.opts.Text)
	case s.opts.Notice != nil:
		s.rejected = newNotice(s.opts.Notice, s.asked().ClockFormat, s.opts.Size, s.opts.Text)
	case s.opts.Paired:
		s.rejected = newOffline(Offline{ClockFormat: s.asked().ClockFormat}, removed, s.opts.Size, s.opts.URL, s.opts.Text)
	default:
		s.rejected = newOffline(Offline{ClockFormat: s.asked().ClockFormat}, token, s.opts.Size, s.opts.URL, s.opts.Text)
	}
	at, any := s.frame.came()
	if s.offline != nil {
		s.offline.frame = at
	}
	switch {
	case any && s.never != nil:
		s.changed.Add(s.frame.pix.Rect)
		s.never = nil
	case !any && state == Stale && (s.never == nil || (s.never.why == unpainted) != s.unpainted):
		why := never
		if s.unpainted {
			why = unpainted
		}
		s.never = newOffline(s.asked(), why, s.opts.Size, s.opts.URL, s.opts.Text)
		s.changed.Add(s.frame.pix.Rect)
	}
	if s.never != nil {
		s.never.failure = s.failure
	}
	if state != s.state {
		s.changed.Add(s.warning())
		s.state = state
		s.changed.Add(s.warning())
		s.words().old()
	}
	if words := s.words(); words != nil {
		words.timeless = s.opts.TimeSet != nil && !s.opts.TimeSet(now)
		next = words.update(now.In(s.opts.Location), &s.changed)
	}
	return next
}

// `plain` is the offline screen if the options contain none. It shows problems during the setup: the service has never answered, or it
// rejects the token.
var plain = Offline{ClockFormat: "%H:%M"}

// asked() returns the offline screen of the options, or `plain` if the options have no offline screen.
func (s *screen) asked() Offline {
	if s.opts.Offline != nil {
		return *s.opts.Offline
	}
	return plain
}

// words() returns the card that covers the frame, or nil.
func (s *screen) words() *offline {
	switch s.state {
	case Rejected:
		return s.rejected
	case Stale:
		if s.never != nil {
			return s.never
		}
		return s.offline
	}
	return nil
}

// warning() returns the rectangle of the warning that covers the frame.
func (s *screen) warning() image.Rectangle {
	switch {
	case !s.state.warns():
		return image.Rectangle{}
	case s.words() != nil:
		return s.frame.pix.Rect
	}
	return s.triangle.at
}

// paint paints all changes. It returns the rectangles that the display does not show yet. They are valid until the next call.
func (s *screen) paint() []image.Rectangle {
	s.frame.mu.Lock()
	defer s.frame.mu.Unlock()
	if words := s.words(); words != nil && len(s.frame.fresh.Rects()) > 0 {
		words.old()
		s.changed.Add(s.frame.pix.Rect) // each pixel of the frame changes the blur around it
	}
	s.changed.AddAll(s.frame.fresh.Rects())
	s.frame.fresh.Reset()
	if s.panel != nil && s.frame.unshown {
		s.frame.unshown = false
		s.panel.update(&s.frame.latency, &s.changed)
	}
	s.prepare()
	for _, r := range s.changed.Rects() {
		r = r.Intersect(s.frame.pix.Rect) // text that cannot get smaller may extend beyond a small screen
		if s.mixed != nil {
			s.paintPart(r)
		}
		s.drawn.Add(r)
	}
	s.changed.Reset()
	return s.drawn.Rects()
}

// prepare allocates the picture `mixed` when an overlay appears, and frees it afterwards, because overlays are rare.
func (s *screen) prepare() {
	switch covered := s.state.warns() || s.panel != nil; {
	case !covered:
		s.mixed = nil
	case s.mixed == nil:
		s.mixed = image.NewRGBA(s.frame.pix.Rect)
		copy(s.mixed.Pix, s.frame.pix.Pix)
	}
}

// give() passes the painted parts to a display. Without overlays, it passes the frame itself, which cannot change during the call. In this
// case it also passes the parts that have changed since the painting.
func (s *screen) give(d Display) error {
	if s.mixed != nil {
		return d.DrawFrame(s.mixed, s.drawn.Rects())
	}
	s.frame.mu.Lock()
	defer s.frame.mu.Unlock()
	s.drawn.AddAll(s.frame.fresh.Rects())
	s.frame.fresh.Reset()
	return d.DrawFrame(s.frame.pix, s.drawn.Rects())
}

// paintPart paints everything in r again, beginning with the frame, because parts may overlap.
func (s *screen) paintPart(r image.Rectangle) {
	if r.Empty() {
		return
	}
	draw.Draw(s.mixed, r, s.frame.pix, r.Min, draw.Src)
	c := render.Canvas{Dst: s.mixed, Clip: r}
	if words := s.words(); words != nil {
		words.soften(s.frame.pix)
		words.paint(c)
	} else if s.state.warns() {
		s.triangle.paint(c)
	}
	if s.panel != nil {
		s.panel.paint(c)
	}
}

// round() rounds halves to even, as Grydgets does.
func round(px float64) int { return int(math.RoundToEven(px)) }

// margin() returns the distance of overlays from the edges of a screen, in px.
func margin(screen image.Point) int { return round(marginShare * float64(min(screen.X, screen.Y))) }

// A line is a text at a position on the screen.
type line struct {
	text   text.Line
	base   image.Point // start of the baseline
	hidden bool
}

// ink() returns the rectangle that the text covers.
func (l *line) ink() image.Rectangle { return l.text.Ink().Add(l.base) }

func (l *line) paint(c render.Canvas) { l.paintAs(c, white) }

// paintAs paints the text in a premultiplied color.
func (l *line) paintAs(c render.Canvas, col color.RGBA) {
	if !l.hidden && c.Sees(l.ink()) {
		l.text.Paint(c.Dst, c.Clip, l.base.Add(c.Org), col)
	}
}
