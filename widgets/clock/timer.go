package clock

import (
	"bytes"
	"image"
	"image/color"
	"strconv"
	"time"

	"dashboard/config/value"
	"dashboard/control/timer"
	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// TimerParams are the parameters of the timer widget.
type TimerParams struct {
	kit.Framed
	kit.Typed
	// Duration of the timer. Default: a stopwatch.
	Duration value.Duration `yaml:"duration"`
	// Durations to choose from, below the timer.
	Presets []value.Duration `yaml:"presets" maxlen:"4"`
}

// timerWidget shows a timer: the remaining time on a ring or a bar, and the time of its end.
type timerWidget struct {
	b     *kit.Builder
	size  image.Point
	timer *timer.Timer

	round   *piece.Round
	bar     *piece.Meter
	digits  piece.Snippet
	play    *kit.Mark     // play icon in the ring before the start, nil without a ring
	idle    piece.Snippet // duration in words, shown before the start
	foot    piece.Snippet
	crown   crown
	chips   []piece.Snippet
	plates  []image.Rectangle
	corners []*render.Corner
	presets []time.Duration // durations of the presets that are shown
	asked   bool            // true if the file defines an action for taps
	accent  kit.Input

	state        timer.State
	share        int // filled share of the ring, in steps
	fill, ink    color.RGBA
	track, muted color.RGBA
	buf          []byte
}

// Proportions of a timer. Lengths are in px on a screen whose shorter side has 720 px.
const (
	timerRing  = 96   // minimum diameter of a ring
	timerDigit = 0.26 // size of the digits, as a share of the ring's width
	timerPlay  = 0.3  // side of the play icon, as a share of the ring's width
	timerSteps = 720  // number of steps between an empty and a full ring
)

func buildTimer(b *kit.Builder, s *kit.Spec, p *TimerParams, size image.Point) render.Widget {
	w := &timerWidget{b: b, size: size, accent: kit.InputOf(b, s, p.Accent, kit.ColorOf), track: b.Role("line"), muted: b.Role("muted"), share: -1}
	if p.Duration < 0 || time.Duration(p.Duration) > timer.MaxDuration {
		s.Errorf("duration", "must be at most %d days", int(timer.MaxDuration.Hours()/24))
	}
	w.timer, w.asked = timerOf(b, s, p), b.Common(s).OnTap != nil
	note := b.Face("caption")
	foot := footHeight(s, note, size)
	box := image.Rectangle{Max: size}
	box.Max.Y -= w.offer(p, note, box)
	ring := min(box.Dx(), box.Dy()-foot)
	switch {
	case crowns(b, &p.Framed, size):
		w.circle(w.crown.lay(b, s, &p.Framed, box, foot), note, foot)
	case ring >= b.Px(timerRing) && box.Dx() < 2*box.Dy()+box.Dy()/2:
		w.circle(image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Max.Y-foot), note, foot)
		w.foot.Box = image.Rect(box.Min.X, box.Max.Y-foot, box.Max.X, box.Max.Y)
	default:
		w.flat(s, p, box, note)
	}
	w.show(time.Time{}, render.NewTick(time.Time{}, image.Point{}), false)
	return w
}

// footHeight returns the height of the line with the end time, in px.
func footHeight(s *kit.Spec, note kit.Face, size image.Point) int {
	foot := note.Line + note.Size/3
	if s.Name == "" || size.Y < 3*foot {
		foot = min(foot, size.Y/4)
	}
	return foot
}

// circle() places the ring in an area. The digits are inside the ring. The foot, which is the line with the end time, is below the ring.
func (w *timerWidget) circle(area image.Rectangle, note kit.Face, foot int) {
	b := w.b
	w.round = piece.NewRound(b, area, false, false)
	st := b.Look.Styles["figure"]
	w.digits = piece.NewSnippet(b, b.Ticking(st, w.fitting(st, int((2*w.round.Radius+w.round.Stroke)*timerDigit), int(2*w.round.Radius*0.8))), kit.EdgeCenter)
	w.digits.Box = area
	w.wait(area)
	w.foot = piece.NewSnippet(b, note, kit.EdgeCenter)
	top := area.Max.Y + w.crown.high
	w.foot.Box = image.Rect(area.Min.X, top, area.Max.X, top+foot)
	if w.crown.icon != nil {
		wide := 2 * w.round.Radius
		side := int(wide * crownIcon)
		mid := area.Min.Add(area.Size().Div(2))
		w.crown.icon.Place(image.Rect(mid.X-side/2, mid.Y-int(wide*crownRise)-side/2, mid.X-side/2+side, mid.Y-int(wide*crownRise)-side/2+side))
	}
}

// wait() places the play icon and the duration, which the ring shows before the start.
func (w *timerWidget) wait(area image.Rectangle) {
	b, wide := w.b, 2*w.round.Radius
	side := int(wide * timerPlay)
	mid := area.Min.Add(area.Size().Div(2))
	face := b.Prose("title")
	if face.Line > side {
		face = b.Prose("caption")
	}
	top := mid.Y - (side+face.Line)/2
	w.play = b.Mark(image.Rect(mid.X-side/2, top, mid.X-side/2+side, top+side))
	w.play.Set("mdi:play")
	half := int(wide * 0.4)
	w.idle = piece.NewSnippet(b, face, kit.EdgeCenter)
	w.idle.Box = image.Rect(mid.X-half, top+side, mid.X+half, top+side+face.Line)
	if d := w.timer.At(time.Time{}).Duration; d%time.Minute == 0 && d > 0 { // for any other duration, the digits are shown instead of `idle`
		w.idle.Set(b.Locale.AppendDuration(nil, d))
	}
}

// waits() reports whether the ring shows the play icon.
func (w *timerWidget) waits() bool {
	return w.play != nil && w.state == timer.Ready && len(w.idle.Raw) > 0
}

// flat() places the digits above a bar. If there is room, the line with the end time is between the digits and the bar.
func (w *timerWidget) flat(s *kit.Spec, p *TimerParams, box image.Rectangle, note kit.Face) {
	b := w.b
	bar := b.Px(piece.BarHigh)
	if box.Dy() > 3*bar {
		w.bar = piece.NewMeter(b, image.Rect(box.Min.X, box.Max.Y-bar, box.Max.X, box.Max.Y))
		box.Max.Y -= bar * 3 / 2
	}
	st := b.Look.Styles["figure"]
	big := b.Typed(s, &p.Typed, "figure").Size
	w.foot = piece.NewSnippet(b, note, b.EdgeOf("start"))
	high := note.Line
	if box.Dy() < 3*high {
		high = 0
	}
	px := w.fitting(st, min(max(big, b.Px(piece.FigureMost)), (box.Dy()-high)*9/10), box.Dx())
	w.digits = piece.NewSnippet(b, b.Ticking(st, px), b.EdgeOf("start"))
	w.digits.Box = image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Max.Y-high)
	if high > 0 {
		w.foot.Box = image.Rect(box.Min.X, box.Max.Y-high, box.Max.X, box.Max.Y)
	}
}

// fitting() returns the largest text size at which the longest time of this timer fits into `width`. The result is at most `px`. All
// lengths are in px.
func (w *timerWidget) fitting(st look.Style, px, width int) int {
	px = max(px, w.b.Least())
	f := w.b.Ticking(st, px)
	longest := "88:88"
	if d := w.timer.At(time.Time{}).Duration; d == 0 || d >= time.Hour {
		longest = "8:88:88"
	}
	return max(w.b.Least(), w.b.Text.FitWidth(f.Font, longest, px, width))
}

// offer() places the presets at the bottom and returns their height in px.
func (w *timerWidget) offer(p *TimerParams, note kit.Face, box image.Rectangle) int {
	high := note.Line + note.Size/2
	if len(p.Presets) == 0 || box.Dy() < 5*high {
		return 0
	}
	x := box.Min.X
	for _, d := range p.Presets {
		c := piece.NewSnippet(w.b, note, kit.EdgeCenter)
		c.Set(w.b.Locale.AppendDuration(nil, time.Duration(d)))
		wide := c.Want() + note.Size*2
		if x+wide > box.Max.X {
			break
		}
		plate := image.Rect(x, box.Max.Y-high, x+wide, box.Max.Y)
		if w.b.Locale.RightToLeft {
			plate = image.Rect(box.Min.X+box.Max.X-plate.Max.X, plate.Min.Y, box.Min.X+box.Max.X-plate.Min.X, plate.Max.Y)
		}
		c.Place(plate)
		w.presets = append(w.presets, time.Duration(d))
		w.chips, w.plates, w.corners = append(w.chips, c), append(w.plates, plate), append(w.corners, render.NewCorner(high/2, plate.Size()))
		x += wide + note.Size/2
	}
	return high + note.Size/2
}

// timerOf returns the timer of a widget. The name of the timer is the widget's name or, without a name, the widget's position in the
// file. The label is the title, the name, or the word for a timer.
func timerOf(b *kit.Builder, s *kit.Spec, p *TimerParams) *timer.Timer {
	name, label := s.Name, s.Name
	if name == "" {
		name = s.Pos
	}
	if p.Title != nil && !p.Title.IsLive() {
		label = p.Title.Plain
	}
	if label == "" {
		label = b.Locale.Say(locale.TheTimer)
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

// appendClock appends a duration in the form of a clock: 4:32, 1:04:32.
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

// timerShows returns the duration that the digits show. This is the remaining time, rounded up to a whole second, or the elapsed time of
// a stopwatch.
func timerShows(st timer.Status) time.Duration {
	if st.Duration == 0 {
		return st.Passed.Truncate(time.Second)
	}
	return (st.Left + time.Second - 1).Truncate(time.Second)
}

// show updates the parts for the time `now` and damages the changed areas.
func (w *timerWidget) show(now time.Time, t render.Tick, live bool) {
	st := w.timer.At(now)
	w.buf = appendClock(w.buf[:0], timerShows(st))
	changed := st.State != w.state
	w.state = st.State
	old := w.digits.Ink
	if w.digits.Set(w.buf) && live {
		t.Damage(old)
		t.Damage(w.digits.Ink)
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
			w.round.Set(float64(step) / timerSteps)
		case w.bar != nil:
			w.bar.Set(float64(step) / timerSteps)
		}
	}
	w.colors(st.State)
	if w.buf = w.appendFoot(w.buf[:0], st); w.cuts(w.buf) { // omit the duration, because the end time is more important
		if i := bytes.Index(w.buf, []byte(footGap)); i >= 0 {
			w.buf = append(w.buf[:0], w.buf[i+len(footGap):]...)
		}
		if w.cuts(w.buf) && !st.EndsAt.IsZero() {
			w.buf = w.b.Locale.Append(w.buf[:0], st.EndsAt.In(w.b.Location), format.TimeWords["time"])
		}
		if w.cuts(w.buf) {
			w.buf = w.buf[:0] // no time is better than a time without its last digits
		}
	}
	changed = w.foot.Set(w.buf) || changed
	if changed && live {
		t.DamageAll()
	}
}

// colors() sets the colors for a state of the timer.
func (w *timerWidget) colors(s timer.State) {
	w.ink, w.fill = w.b.Role("text"), w.accent.Color(w.b, w.b.Role("accent"))
	switch s {
	case timer.Ready:
		w.fill = w.track
	case timer.Stopped:
		w.ink, w.fill = w.muted, w.muted
	case timer.Over:
		w.ink, w.fill = w.b.Role("warn"), w.b.Role("warn")
	}
}

// Update implements render.Widget.
func (w *timerWidget) Update(t render.Tick) {
	if w.accent.Update(t) {
		t.DamageAll()
	}
	w.crown.update(t)
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

// Natural implements kit.Sized.
func (w *timerWidget) Natural(width int) image.Point {
	return image.Pt(width, w.digits.Face.Line+w.foot.Face.Line+w.b.Px(piece.BarHigh)*3/2)
}

// Paint implements render.Widget.
func (w *timerWidget) Paint(c render.Canvas) {
	switch {
	case w.round != nil:
		w.round.Paint(c, w.track, w.fill, w.muted)
	case w.bar != nil:
		w.bar.Paint(c, w.track, w.fill, w.muted)
	}
	if w.waits() {
		w.play.Paint(c, w.muted)
		w.idle.Paint(c, w.ink)
	} else {
		w.digits.Paint(c, w.ink)
		w.crown.paintIcon(c, w.shade())
	}
	w.crown.title.Paint(c, w.b.Role("text"))
	w.foot.Paint(c, w.muted)
	for i := range w.chips {
		c.FillRound(w.plates[i], w.corners[i], w.track)
		w.chips[i].Paint(c, w.b.Role("text"))
	}
}

// shade() returns the color of the icon in the ring: the color of the filled part or, before the start, the muted color.
func (w *timerWidget) shade() color.RGBA {
	if w.fill == w.track {
		return w.muted
	}
	return w.fill
}

// Urgency implements kit.Urgent. A finished timer is urgent.
func (w *timerWidget) Urgency(time.Time) float64 {
	if w.state == timer.Over {
		return 1
	}
	return 0
}
