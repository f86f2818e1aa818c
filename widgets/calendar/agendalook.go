package calendar

import (
	"image"
	"image/color"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// agendaLook holds the faces, colors and lengths for all rows of an agenda.
type agendaLook struct {
	b                      *kit.Builder
	body, time, note, head kit.Face
	height                 int // height of a row, in px
	pitch                  int // distance between two lines of a title, in px
	bar                    image.Point
	barCorner              *render.Corner
	frames                 [2]*render.Corner // outer and inner corner of the frame around the time until an event, in black and white
	indent                 int               // x coordinate of the time, in px
	times                  int               // width of the column of times, in px
	gap, icon              int
	text, muted, faint     color.RGBA
	accent                 color.RGBA
	mirrored               bool
	least                  int  // minimum width of the column of times, in px
	wordless               bool // true if the column has no room for the words "all day"
	step                   int  // number of text styles by which the text is larger than the default. Negative if the text is smaller
	more                   int  // px added to each row. Negative if the rows are closer together
	ranges                 bool // true if times include the end
	owners                 ownerLook
	buf                    []byte
}

// Lengths of a row, in px on a screen whose shorter side has 720 px.
const (
	agendaHeight  = 39
	agendaInk     = 34 // height of a row in black and white
	inkApart      = 8  // gap between bars in black and white, in px. It is not scaled
	agendaBar     = 4
	agendaBarHigh = 30
	agendaIndent  = 14 // distance from the bar to the time
	agendaTimes   = 78
	agendaGap     = 14
	agendaBelow   = 4 // room below a heading
	agendaAbove   = 10
	agendaTime    = 0.9 // text size of the time, as a share of the title's text size
	timesLeast    = 0.16
	timesMost     = 0.4 // maximum width of the column of times, as a share of the row
	tailGap       = 6
)

// newAgendaLook creates the faces and colors of rows. The parameter `step` is the number of styles by which the text is larger than the
// default. If `step` is negative, the text is smaller.
func newAgendaLook(b *kit.Builder, s *kit.Spec, t *kit.Typed, step int) *agendaLook {
	body := b.Typed(s, t, "body")
	if step != 0 {
		body = b.Risen("body", b.Look.Styles["body"], step)
	}
	by := float64(body.Size) / float64(b.Typed(s, t, "body").Size)
	k := &agendaLook{
		b: b, step: step, body: body, note: b.Risen("caption", b.Look.Styles["caption"], step),
		gap: b.Px(agendaGap * by), icon: b.Px(piece.RowIcon * by),
		text: b.Role("text"), muted: b.Role("muted"), faint: b.Role("faint"), accent: b.Role("accent"), mirrored: b.Locale.RightToLeft,
	}
	if t.Color != nil && !t.Color.IsLive() {
		k.text = render.Premultiply(t.Color.Plain.NRGBA)
	}
	k.time = b.FaceAt(b.Look.Styles["body"], max(k.note.Size, kit.Whole(float64(k.body.Size)*agendaTime)))
	label := b.Look.Styles["label"]
	label.Weight = max(600, label.Weight)
	k.head = b.Risen("label", label, step)
	k.height, k.bar = b.Px(agendaHeight*by), image.Pt(b.Px(agendaBar*by), b.Px(agendaBarHigh*by))
	if b.Look.Ink {
		k.height, k.bar = b.Px(agendaInk*by), image.Pt(b.Px(kit.InkBar), b.Px(agendaInk*0.7*by))
	}
	k.height = max(k.height, k.body.Line+k.body.Size/10)
	k.pitch = kit.Whole(titlePitch * float64(k.body.Size))
	k.bar.Y = min(max(k.bar.Y, k.body.Line), k.height-max(2, k.height/8))
	if b.Look.Ink {
		k.bar.Y = min(k.bar.Y, k.height-inkApart)
		high := k.frameHigh()
		for i := range k.frames {
			k.frames[i] = render.NewCorner(high/4-i*k.frameLine(), image.Pt(high, high).Sub(image.Pt(2*i, 2*i).Mul(k.frameLine())))
		}
	}
	k.barCorner = render.NewCorner(k.bar.X/2, k.bar)
	k.indent = k.bar.X + b.Px(agendaIndent*by)
	k.least = b.Px(agendaTimes * by)
	k.owners = newOwnerLook(b, by)
	if b.Shorter() < kit.Small {
		k.least, k.indent, k.gap = 0, k.bar.X+b.Px(agendaIndent*2/3*by), b.Px(agendaGap*2/3*by)
	}
	return k
}

// headHeight returns the height of a heading, including the room around it.
func (k *agendaLook) headHeight(first bool) int {
	h := max(k.head.Line, k.head.Size*5/4) + k.b.Px(agendaBelow)
	if !first {
		h += k.b.Px(agendaAbove)
	}
	return h
}

// measure computes the width of the column of times from the entries.
func (k *agendaLook) measure(entries []agendaEntry, w *agenda) {
	most := int(float64(w.size.X) * timesMost)
	if k.wordless = false; k.widest(entries, w) > most {
		k.wordless = w.params.Headings
	}
	if k.times = k.widest(entries, w); !w.params.Headings { // names of days may be cut, but times may not
		k.times = min(k.times, most)
	}
}

// widest() returns the width of the column before the titles of entries, in px.
func (k *agendaLook) widest(entries []agendaEntry, w *agenda) int {
	n := min(k.least, int(float64(w.size.X)*timesLeast))
	for _, e := range entries {
		k.buf = w.appendColumn(k.buf[:0], e)
		k.b.Text.ShapeBytes(&k.b.Scratch, k.time.Font, k.time.Size, k.buf)
		n = max(n, k.b.Scratch.Width())
	}
	return n
}

// appendColumn appends the text before the title of an entry: the time or, without headings, the day.
func (w *agenda) appendColumn(dst []byte, e agendaEntry) []byte {
	if !w.params.Headings {
		return appendDay(w.b, dst, w.midnight(e.ahead), e.ahead, true)
	}
	return w.appendWhen(dst, e)
}

// appendWhen appends the time of an entry on its day. For a task, this is the due time, or the due day if the task is overdue. For a task
// without a due time, it appends nothing. If the column has no room for "all day", it also appends nothing for an event that takes the
// whole day or starts on an earlier day.
func (w *agenda) appendWhen(dst []byte, e agendaEntry) []byte {
	day := w.midnight(e.ahead)
	switch {
	case w.look.wordless && !e.task && w.order(e) == 0:
		return dst
	case !e.task:
		return w.appendEnd(appendWhen(w.b, dst, e.event, day, w.midnight(e.ahead+1)), e)
	case e.event.Start.Before(day):
		return w.b.Locale.Append(dst, e.event.Start, locale.DateBrief)
	case e.event.AllDay:
		return dst
	}
	return appendTime(w.b, dst, e.event.Start)
}

// appendEnd appends the end of an event that starts and ends on its day. If some rows have no room for their ends, it appends nothing.
func (w *agenda) appendEnd(dst []byte, e agendaEntry) []byte {
	v := e.event
	if !w.look.ranges || v.AllDay || !v.End.After(v.Start) || v.Start.Before(w.midnight(e.ahead)) || v.End.After(w.midnight(e.ahead+1)) {
		return dst
	}
	return appendTime(w.b, append(dst, " – "...), v.End)
}

// icon() returns the icon before the title. If the server has not received or has rejected a change of a task, the icon shows this state.
// Otherwise, it is the calendar's icon. A task without a calendar icon has an empty checkbox.
func (e agendaEntry) icon() string {
	switch t := e.event.Task; {
	case t == nil:
	case t.Problem != "":
		return iconRefused
	case t.Waiting:
		return iconWaiting
	}
	if name := iconOfEvent(e.event); name != "" || !e.task {
		return name
	}
	return iconTask
}

// Icons before a task. There are icons for an open task, for a change that the server has not received yet, and for a change that the
// server rejected.
const (
	iconTask    = "mdi:checkbox-blank-outline"
	iconWaiting = "mdi:progress-check"
	iconRefused = "mdi:alert-circle"
)
