package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/calendar"
	"dashboard/render"
)

// timeline is the working hours of today as a bar: what is taken up, and where now is.
type timeline struct {
	b        *Builder
	events   *events
	box      image.Rectangle
	track    image.Rectangle
	corner   *render.Corner
	blocks   []timelineBlock
	corners  map[image.Point]*render.Corner
	hours    []snippet
	now      snippet
	line     image.Rectangle
	from, to time.Time
	round    int
	buf      []byte

	ground, past, ahead, free, text, muted color.RGBA
}

// timelineBlock is a part of the bar.
type timelineBlock struct {
	rect   image.Rectangle
	color  color.RGBA
	corner *render.Corner
}

// The hours that are always shown, and how many names of hours and blocks there may be.
const (
	dayFrom    = 8
	dayTo      = 18
	mostHours  = 13
	mostBlocks = 64
)

func (b *Builder) timeline(e *events, box image.Rectangle, track int, labels face) *timeline {
	w := &timeline{
		b: b, events: e, box: box, round: b.px(6), corners: map[image.Point]*render.Corner{}, blocks: make([]timelineBlock, 0, mostBlocks),
		ground: b.role("line"), past: tint(b.role("muted"), 0.5), ahead: b.role("accent"), free: b.shade("good", 0.35), text: b.role("text"), muted: b.role("muted"),
	}
	w.track = image.Rect(box.Min.X, box.Min.Y+labels.line, box.Max.X, box.Min.Y+labels.line+track)
	w.corner = render.NewCorner(w.round, w.track.Size())
	for range mostHours {
		w.hours = append(w.hours, b.snippet(labels, edgeCenter))
	}
	st := b.Look.Styles["label"]
	st.Weight = max(600, st.Weight)
	w.now = b.snippet(b.faceOf("label", st), edgeCenter)
	return w
}

// lay places the blocks of the day of a moment.
func (w *timeline) lay(now time.Time, s calendar.State) {
	day, end := midnightOf(now, 0), midnightOf(now, 1)
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
	for _, e := range w.events.list {
		if e.Busy && !e.AllDay && during(e, day, end) {
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
	for _, e := range w.events.list {
		if e.Busy && !e.AllDay && during(e, day, end) {
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

// x is where a moment is, px.
func (w *timeline) x(t time.Time) int {
	share := float64(t.Sub(w.from)) / float64(max(1, w.to.Sub(w.from)))
	if w.b.Locale.RightToLeft {
		share = 1 - share
	}
	return w.track.Min.X + int(min(max(share, 0), 1)*float64(w.track.Dx())+0.5)
}

// add adds a block, if there is anything of it in the hours shown.
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

// mark writes the hours below and the time above now.
func (w *timeline) mark(now time.Time) {
	f := w.hours[0].face
	step := 1
	wide := 4 * f.size
	if w.b.Locale.Hours == 12 {
		wide = max(wide, w.b.textWidth(f, "00 PM")*5/4)
	}
	for all := int(w.to.Sub(w.from) / time.Hour); all/step*wide > w.track.Dx() || all/step >= mostHours; {
		step++
	}
	n := 0
	for t := w.from; !t.After(w.to) && n < mostHours; t = t.Add(time.Duration(step) * time.Hour) {
		w.buf = w.b.Locale.Append(w.buf[:0], t, locale.Hour)
		w.hours[n].put(w.buf, w.around(f, t, w.track.Max.Y+w.b.px(4), w.box.Max.Y))
		n++
	}
	for ; n < mostHours; n++ {
		w.hours[n].put(nil, image.Rectangle{})
	}
	x, thick, over := w.x(now), w.b.px(2), w.b.px(5)
	w.line = image.Rect(x-thick/2, w.track.Min.Y-over, x-thick/2+thick, w.track.Max.Y+over)
	w.buf = w.b.appendTime(w.buf[:0], now)
	w.now.put(w.buf, w.around(w.now.face, now, w.box.Min.Y, w.track.Min.Y-over))
}

// around is the box of the text in buf with a moment in its middle, moved into the track's width.
func (w *timeline) around(f face, t time.Time, top, bottom int) image.Rectangle {
	w.b.Text.ShapeBytes(&w.b.scratch, f.font, f.size, w.buf)
	half := w.b.scratch.Width()/2 + 1
	x := min(max(w.x(t), w.track.Min.X+half), w.track.Max.X-half)
	return image.Rect(x-half, top, x+half+1, bottom)
}

func (w *timeline) paint(c render.Canvas) {
	c.FillRound(w.track, w.corner, w.ground)
	for i := range w.blocks {
		c.FillRound(w.blocks[i].rect, w.blocks[i].corner, w.blocks[i].color)
	}
	c.Fill(w.line, w.text)
	w.now.paint(c, w.text)
	for i := range w.hours {
		w.hours[i].paint(c, w.muted)
	}
}
