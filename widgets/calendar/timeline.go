package calendar

import (
	"image"
	"image/color"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// timeline shows the working hours of today as a bar with the busy times and a mark at the current time.
type timeline struct {
	b        *kit.Builder
	events   *kit.Events
	box      image.Rectangle
	track    image.Rectangle
	corner   *render.Corner
	blocks   []timelineBlock
	corners  map[image.Point]*render.Corner
	hours    []piece.Snippet
	now      piece.Snippet
	line     image.Rectangle
	from, to time.Time
	round    int
	buf      []byte

	ground, past, ahead, free, text, muted color.RGBA
}

// timelineBlock is a colored part of the bar.
type timelineBlock struct {
	rect   image.Rectangle
	color  color.RGBA
	corner *render.Corner
}

// Limits of a timeline: the hours that are always shown, and the maximum number of hour labels and of blocks.
const (
	dayFrom    = 8
	dayTo      = 18
	mostHours  = 13
	mostBlocks = 64
)

func newTimeline(b *kit.Builder, e *kit.Events, box image.Rectangle, track int, labels kit.Face) *timeline {
	w := &timeline{
		b: b, events: e, box: box, round: b.Px(6), corners: map[image.Point]*render.Corner{}, blocks: make([]timelineBlock, 0, mostBlocks),
		ground: kit.Tint(b.Role("line"), 0.6), past: kit.Tint(b.Role("muted"), 0.36), ahead: b.Role("accent"), free: b.Shade("good", 0.35),
		text: b.Role("text"), muted: b.Role("muted"),
	}
	top := box.Max.Y - labels.Line - b.Px(8) - track
	w.track = image.Rect(box.Min.X, top, box.Max.X, top+track)
	w.corner = render.NewCorner(w.round, w.track.Size())
	for range mostHours {
		w.hours = append(w.hours, piece.NewSnippet(b, labels, kit.EdgeCenter))
	}
	st := b.Look.Styles["label"]
	st.Weight = max(600, st.Weight)
	w.now = piece.NewSnippet(b, b.FaceOf("label", st), kit.EdgeCenter)
	return w
}

// Lengths of the bar in black and white, in px.
const (
	inkLine  = 2
	inkHatch = 4 // distance between the lines of a past event
)

// paintInk draws the bar in black and white. Free time is empty, past events are hatched, and future events are black.
func (w *timeline) paintInk(c render.Canvas) {
	surface := w.b.Role("surface")
	c.FillRound(w.track, w.corner, w.text)
	c.FillRound(w.track.Inset(inkLine), w.corner, surface)
	for i := range w.blocks {
		switch b := &w.blocks[i]; b.color {
		case w.free:
		case w.past:
			for x := b.rect.Min.X; x < b.rect.Max.X; x += inkHatch {
				c.Fill(image.Rect(x, b.rect.Min.Y, min(x+inkLine, b.rect.Max.X), b.rect.Max.Y), w.text)
			}
		default:
			c.FillRound(b.rect, b.corner, w.text)
		}
	}
	c.Fill(w.line.Inset(-inkLine), surface)
}

// lay places the event blocks of the day that contains the time `now`.
func (w *timeline) lay(now time.Time, s calendar.State) {
	day, end := piece.MidnightOf(now, 0), piece.MidnightOf(now, 1)
	w.from, w.to = day.Add(dayFrom*time.Hour), day.Add(dayTo*time.Hour)
	widen := func(from, to time.Time) {
		for from.Before(w.from) && w.from.After(day) {
			w.from = w.from.Add(-time.Hour)
		}
		for to.After(w.to) && w.to.Before(end) {
			w.to = w.to.Add(time.Hour)
		}
	}
	widen(now, now)
	for _, e := range w.events.List {
		if e.Busy && !e.AllDay && kit.During(e, day, end) {
			widen(e.Start, e.End)
		}
	}
	w.blocks = w.blocks[:0]
	if !s.Busy {
		till := w.to
		if !s.Until.IsZero() && s.Until.Before(till) {
			till = s.Until
		}
		w.add(now, till, w.free)
	}
	for _, e := range w.events.List {
		if e.Busy && !e.AllDay && kit.During(e, day, end) {
			w.add(e.Start, minTime(e.End, now), w.past)
			if e.End.After(now) {
				w.add(maxTime(e.Start, now), e.End, w.ahead)
			}
		}
	}
	w.mark(now)
}

func minTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// x returns the position of a time on the bar, in px.
func (w *timeline) x(t time.Time) int {
	share := float64(t.Sub(w.from)) / float64(max(1, w.to.Sub(w.from)))
	if w.b.Locale.RightToLeft {
		share = 1 - share
	}
	return w.track.Min.X + int(min(max(share, 0), 1)*float64(w.track.Dx())+0.5)
}

// add adds a block unless it is completely outside the shown hours.
func (w *timeline) add(from, to time.Time, col color.RGBA) {
	x0, x1 := w.x(from), w.x(to)
	if x0 > x1 {
		x0, x1 = x1, x0
	}
	if !to.After(from) || x1-x0 < 1 || len(w.blocks) == mostBlocks {
		return
	}
	r := image.Rect(x0, w.track.Min.Y, x1-1, w.track.Max.Y)
	if r.Dx() < 1 {
		return
	}
	k, ok := w.corners[r.Size()]
	if !ok {
		if len(w.corners) > 4*mostBlocks {
			clear(w.corners)
		}
		k = render.NewCorner(w.round, r.Size())
		w.corners[r.Size()] = k
	}
	w.blocks = append(w.blocks, timelineBlock{r, col, k})
}

// mark() places the hour labels below the bar and the current time above it.
func (w *timeline) mark(now time.Time) {
	f := w.hours[0].Face
	step := 1
	wide := 4 * f.Size
	if w.b.Locale.Hours == 12 {
		wide = max(wide, w.b.TextWidth(f, "00 PM")*5/4)
	}
	for all := int(w.to.Sub(w.from) / time.Hour); all/step*wide > w.track.Dx() || all/step >= mostHours; {
		step++
	}
	for !w.label(f, step) { // a label at an end of the bar is not centered at its hour, and can touch the next label
		step++
	}
	x, thick, over := w.x(now), w.b.Px(2), w.b.Px(5)
	w.line = image.Rect(x-thick/2, w.track.Min.Y-over, x-thick/2+thick, w.track.Max.Y+over)
	w.buf = appendTime(w.b, w.buf[:0], now)
	put(&w.now, w.buf, w.around(w.now.Face, now, w.box.Min.Y, w.track.Min.Y-over))
}

// label() places an hour label every `step` hours. It reports whether all labels have gaps between them.
func (w *timeline) label(f kit.Face, step int) bool {
	n, apart := 0, true
	for t := w.from; !t.After(w.to) && n < mostHours; t = t.Add(time.Duration(step) * time.Hour) {
		w.buf = w.b.Locale.Append(w.buf[:0], t, locale.Hour)
		box := w.around(f, t, w.track.Max.Y+w.b.Px(4), w.box.Max.Y)
		apart = apart && (n == 0 || !box.Overlaps(w.hours[n-1].Box.Inset(-f.Size/4)))
		put(&w.hours[n], w.buf, box)
		n++
	}
	for ; n < mostHours; n++ {
		put(&w.hours[n], nil, image.Rectangle{})
	}
	return apart
}

// around() returns a box for the text in buf. The box is centered at the time t, but is moved if it would extend beyond the bar.
func (w *timeline) around(f kit.Face, t time.Time, top, bottom int) image.Rectangle {
	w.b.Text.ShapeBytes(&w.b.Scratch, f.Font, f.Size, w.buf)
	half := w.b.Scratch.Width()/2 + 1
	x := min(max(w.x(t), w.track.Min.X+half), w.track.Max.X-half)
	return image.Rect(x-half, top, x+half+1, bottom)
}

func (w *timeline) paint(c render.Canvas) {
	if w.b.Look.Ink {
		w.paintInk(c)
	} else {
		c.FillRound(w.track, w.corner, w.ground)
		for i := range w.blocks {
			c.FillRound(w.blocks[i].rect, w.blocks[i].corner, w.blocks[i].color)
		}
	}
	c.Fill(w.line, w.text)
	w.now.Paint(c, w.text)
	for i := range w.hours {
		w.hours[i].Paint(c, w.muted)
	}
}
