package widgets

import (
	"bytes"
	"image"
	"image/color"
	"strconv"
	"time"

	"dashboard/config/value"
	"dashboard/control/timer"
	"dashboard/render"
	"dashboard/theme/look"
)

// TimerParams are the parameters of the timer widget.
type TimerParams struct {
	Framed
	Typed
	Duration value.Duration   `yaml:"duration" doc:"How long it runs; without one it counts up."`
	Presets  []value.Duration `yaml:"presets" maxlen:"4" doc:"Other durations, which are offered below it."`
}

// timerWidget shows a timer: what is left on a ring or a bar, with the time at which it ends.
type timerWidget struct {
	b     *Builder
	size  image.Point
	timer *timer.Timer

	round   *round
	bar     *meter
	digits  snippet
	foot    snippet
	chips   []snippet
	plates  []image.Rectangle
	corners []*render.Corner
	presets []time.Duration // of plates
	asked   bool            // the file says what a tap does
	accent  input

	state        timer.State
	share        int // of the ring, in steps
	fill, ink    color.RGBA
	track, muted color.RGBA
	buf          []byte
}

// Proportions of a timer, px at a shorter side of 720 px where they are lengths.
const (
	timerRing  = 96   // least diameter of a ring
	timerDigit = 0.26 // size of the digits, of the ring's width
	timerSteps = 720  // pictures of a ring from full to empty
)

func buildTimer(b *Builder, s *Spec, p *TimerParams, size image.Point) render.Widget {
	w := &timerWidget{b: b, size: size, accent: inputOf(b, s, p.Accent, colorOf), track: b.role("line"), muted: b.role("muted"), share: -1}
	if p.Duration < 0 || time.Duration(p.Duration) > timer.MaxDuration {
		s.Errorf("duration", "must be at most %d days", int(timer.MaxDuration.Hours()/24))
	}
	w.timer, w.asked = b.timerOf(s, p), b.common(s).OnTap != nil
	note := b.face("caption")
	foot := note.line + note.size/3
	if s.Name == "" || size.Y < 3*foot {
		foot = min(foot, size.Y/4)
	}
	box := image.Rectangle{Max: size}
	box.Max.Y -= w.offer(p, note, box)
	ring := min(box.Dx(), box.Dy()-foot)
	switch {
	case ring >= b.px(timerRing) && box.Dx() < 2*box.Dy()+box.Dy()/2:
		area := image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Max.Y-foot)
		w.round = b.round(area, false, false)
		st := b.Look.Styles["figure"]
		w.digits = b.snippet(b.faceAt(st, w.fitting(st, int((2*w.round.radius+w.round.stroke)*timerDigit), int(2*w.round.radius*0.8))), edgeCenter)
		w.digits.box = area
		w.foot = b.snippet(note, edgeCenter)
		w.foot.box = image.Rect(box.Min.X, box.Max.Y-foot, box.Max.X, box.Max.Y)
	default:
		w.flat(s, p, box, note)
	}
	w.show(time.Time{}, render.Tick{}, false)
	return w
}

// flat places digits above a bar, what it tells beside them or not at all.
func (w *timerWidget) flat(s *Spec, p *TimerParams, box image.Rectangle, note face) {
	b := w.b
	bar := b.px(barHigh)
	if box.Dy() > 3*bar {
		w.bar = b.meter(image.Rect(box.Min.X, box.Max.Y-bar, box.Max.X, box.Max.Y))
		box.Max.Y -= bar * 3 / 2
	}
	st := b.Look.Styles["figure"]
	big := b.typed(s, &p.Typed, "figure").size
	w.foot = b.snippet(note, b.edgeOf("start"))
	high := note.line
	if box.Dy() < 3*high {
		high = 0
	}
	px := w.fitting(st, min(max(big, b.px(figureMost)), (box.Dy()-high)*9/10), box.Dx())
	w.digits = b.snippet(b.faceAt(st, px), b.edgeOf("start"))
	w.digits.box = image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Max.Y-high)
	if high > 0 {
		w.foot.box = image.Rect(box.Min.X, box.Max.Y-high, box.Max.X, box.Max.Y)
	}
}

// fitting is the largest size up to px at which the digits of an hour, or of a short timer, are so wide.
func (w *timerWidget) fitting(st look.Style, px, width int) int {
	px = max(px, w.b.least())
	f := w.b.faceAt(st, px)
	longest := "88:88"
	if d := w.timer.At(time.Time{}).Duration; d == 0 || d >= time.Hour {
		longest = "8:88:88"
	}
	return max(w.b.least(), w.b.Text.FitWidth(f.font, longest, px, width))
}

// offer places the presets at the foot and returns how high they are, px.
func (w *timerWidget) offer(p *TimerParams, note face, box image.Rectangle) int {
	high := note.line + note.size/2
	if len(p.Presets) == 0 || box.Dy() < 5*high {
		return 0
	}
	x := box.Min.X
	for _, d := range p.Presets {
		c := w.b.snippet(note, edgeCenter)
		c.set(w.b.Locale.AppendDuration(nil, time.Duration(d)))
		wide := c.want() + note.size*2
		if x+wide > box.Max.X {
			break
		}
		plate := image.Rect(x, box.Max.Y-high, x+wide, box.Max.Y)
		if w.b.Locale.RightToLeft {
			plate = image.Rect(box.Min.X+box.Max.X-plate.Max.X, plate.Min.Y, box.Min.X+box.Max.X-plate.Min.X, plate.Max.Y)
		}
		c.place(plate)
		w.presets = append(w.presets, time.Duration(d))
		w.chips, w.plates, w.corners = append(w.chips, c), append(w.plates, plate), append(w.corners, render.NewCorner(high/2, plate.Size()))
		x += wide + note.size/2
	}
	return high + note.size/2
}

// timerOf is the timer that a widget shows; it goes by the widget's name, and without one by where it is in the file.
func (b *Builder) timerOf(s *Spec, p *TimerParams) *timer.Timer {
	name, label := s.Name, s.Name
	if name == "" {
		name = s.Pos
	}
	if p.Title != nil && !p.Title.IsLive() {
		label = p.Title.Plain
	}
	if b.Timers == nil {
		b.Timers = timer.New(func() {}).Begin()
	}
	if s.Name != "" {
		b.Timers.Expect()
	}
	t, ok := b.Timers.Timer(name, label, time.Duration(p.Duration))
	if !ok {
		s.Errorf("name", "there are too many timers: at most %d", timer.MaxTimers)
	}
	return t
}

// appendClock appends a length of time as a clock shows it: 4:32, 1:04:32.
func appendClock(dst []byte, d time.Duration) []byte {
	s := int64(d / time.Second)
	two := func(n int64) {
		if n < 10 {
			dst = append(dst, '0')
		}
		dst = strconv.AppendInt(dst, n, 10)
	}
	if s >= 3600 {
		dst = strconv.AppendInt(dst, s/3600, 10)
		dst = append(dst, ':')
		two(s / 60 % 60)
	} else {
		dst = strconv.AppendInt(dst, s/60, 10)
	}
	dst = append(dst, ':')
	two(s % 60)
	return dst
}

// timerShows is the time that the digits have: what is left, the second that has begun counted whole, or what has passed.
func timerShows(st timer.Status) time.Duration {
	if st.Duration == 0 {
		return st.Passed.Truncate(time.Second)
	}
	return (st.Left + time.Second - 1).Truncate(time.Second)
}

// show brings the parts to a moment, and damages what changes.
func (w *timerWidget) show(now time.Time, t render.Tick, live bool) {
	st := w.timer.At(now)
	w.buf = appendClock(w.buf[:0], timerShows(st))
	changed := st.State != w.state
	w.state = st.State
	old := w.digits.ink
	if w.digits.set(w.buf) && live {
		t.Damage(old)
		t.Damage(w.digits.ink)
	}
	share := 1.0
	if st.Duration > 0 {
		share = float64(st.Left) / float64(st.Duration)
	} else if w.round != nil {
		share = float64(st.Passed%time.Minute) / float64(time.Minute)
	}
	if step := int(share*timerSteps + 0.5); step != w.share {
		w.share, changed = step, true
		switch {
		case w.round != nil:
			w.round.set(float64(step) / timerSteps)
		case w.bar != nil:
			w.bar.set(float64(step) / timerSteps)
		}
	}
	w.colors(st.State)
	if w.buf = w.appendFoot(w.buf[:0], st); w.cuts(w.buf) { // when it ends counts
		if i := bytes.Index(w.buf, []byte(" → ")); i >= 0 {
			w.buf = append(w.buf[:0], w.buf[i+1:]...)
		}
	}
	changed = w.foot.set(w.buf) || changed
	if changed && live {
		t.DamageAll()
	}
}

// colors are those of a state.
func (w *timerWidget) colors(s timer.State) {
	w.ink, w.fill = w.b.role("text"), w.accent.color(w.b, w.b.role("accent"))
	switch s {
	case timer.Stopped:
		w.ink, w.fill = w.muted, w.muted
	case timer.Over:
		w.ink, w.fill = w.b.role("warn"), w.b.role("warn")
	}
}

// appendFoot appends the whole length and when it ends: "4:00 · 18:17".
func (w *timerWidget) appendFoot(dst []byte, st timer.Status) []byte {
	if st.Duration == 0 || st.State == timer.Ready {
		return dst
	}
	dst = appendClock(dst, st.Duration)
	if !st.EndsAt.IsZero() {
		dst = append(dst, " → "...)
		dst = w.b.Locale.Append(dst, st.EndsAt.In(w.b.Location), timeWords["time"])
	}
	return dst
}

// cuts reports whether a text has no room in the foot.
func (w *timerWidget) cuts(text []byte) bool {
	w.b.Text.ShapeBytes(&w.b.scratch, w.foot.face.font, w.foot.face.size, text)
	return w.b.scratch.Width() > w.foot.box.Dx()
}

// Update implements render.Widget.
func (w *timerWidget) Update(t render.Tick) {
	if w.accent.update(t) {
		t.DamageAll()
	}
	w.show(t.Now(), t, true)
	st := w.timer.At(t.Now())
	if st.State != timer.Running {
		return
	}
	next := st.Passed.Truncate(time.Second) + time.Second - st.Passed
	if st.Duration > 0 {
		next = st.Left - (timerShows(st) - time.Second)
	}
	t.Wake(t.Now().Add(max(next, time.Millisecond)))
}

// natural implements sized.
func (w *timerWidget) natural(width int) image.Point {
	return image.Pt(width, w.digits.face.line+w.foot.face.line+w.b.px(barHigh)*3/2)
}

// Paint implements render.Widget.
func (w *timerWidget) Paint(c render.Canvas) {
	switch {
	case w.round != nil:
		w.round.paint(c, w.track, w.fill, w.muted)
	case w.bar != nil:
		w.bar.paint(c, w.track, w.fill, w.muted)
	}
	w.digits.paint(c, w.ink)
	w.foot.paint(c, w.muted)
	for i := range w.chips {
		c.FillRound(w.plates[i], w.corners[i], w.track)
		w.chips[i].paint(c, w.b.role("text"))
	}
}
