package widgets

import (
	"image"
	"image/color"

	"dashboard/internal/locale"
	"dashboard/render"
)

// agendaLook is what all rows of an agenda are drawn with.
type agendaLook struct {
	b                      *Builder
	body, time, note, head face
	height                 int // px, of a row
	bar                    image.Point
	barCorner              *render.Corner
	indent                 int // where the time begins, px
	times                  int // width of the column of times, px
	gap, icon              int
	text, muted, faint     color.RGBA
	accent                 color.RGBA
	mirrored               bool
	least                  int  // of the column of times
	wordless               bool // it has no room to say that something takes all day
	buf                    []byte
}

// Lengths of a row, px at a shorter side of 720 px.
const (
	agendaHeight  = 39
	agendaInk     = 34 // of a row in black and white
	agendaBar     = 4
	agendaBarHigh = 30
	agendaIndent  = 14 // from the bar to the time
	agendaTimes   = 78
	agendaGap     = 14
	agendaBelow   = 4 // a heading
	agendaAbove   = 10
	agendaTime    = 0.9 // of the size of the title
	timesLeast    = 0.16
	timesMost     = 0.4 // of the width that the column of times may take
	tailGap       = 6
)

func (b *Builder) agendaLook(s *Spec, t *Typed) *agendaLook {
	k := &agendaLook{
		b: b, body: b.typed(s, t, "body"), note: b.face("caption"), head: b.face("label"), gap: b.px(agendaGap), icon: b.px(rowIcon),
		text: b.role("text"), muted: b.role("muted"), faint: b.role("faint"), accent: b.role("accent"), mirrored: b.Locale.RightToLeft,
	}
	if t.Color != nil && !t.Color.IsLive() {
		k.text = render.Premultiply(t.Color.Plain.NRGBA)
	}
	k.time = b.faceAt(b.Look.Styles["body"], max(k.note.size, whole(float64(k.body.size)*agendaTime)))
	label := b.Look.Styles["label"]
	label.Weight = max(600, label.Weight)
	k.head = b.faceOf("label", label)
	k.height, k.bar = b.px(agendaHeight), image.Pt(b.px(agendaBar), b.px(agendaBarHigh))
	if b.Look.Ink {
		k.height, k.bar = b.px(agendaInk), image.Pt(b.px(inkBar), b.px(agendaInk*0.7))
	}
	k.height = max(k.height, k.body.line+k.body.size/10)
	k.bar.Y = min(max(k.bar.Y, k.body.line), k.height-max(2, k.height/8))
	k.barCorner = render.NewCorner(k.bar.X/2, k.bar)
	k.indent = k.bar.X + b.px(agendaIndent)
	k.least = b.px(agendaTimes)
	if b.shorter() < small {
		k.least, k.indent, k.gap = 0, k.bar.X+b.px(agendaIndent*2/3), b.px(agendaGap*2/3)
	}
	return k
}

// headHeight is how high a heading is, with the room around it.
func (k *agendaLook) headHeight(first bool) int {
	h := max(k.head.line, k.head.size*5/4) + k.b.px(agendaBelow)
	if !first {
		h += k.b.px(agendaAbove)
	}
	return h
}

// measure finds how wide the column of times has to be for entries.
func (k *agendaLook) measure(entries []agendaEntry, w *agenda) {
	most := int(float64(w.size.X) * timesMost)
	if k.wordless = false; k.widest(entries, w) > most {
		k.wordless = w.params.Headings
	}
	k.times = min(k.widest(entries, w), most)
}

// widest is how wide what stands before the titles of entries is, px.
func (k *agendaLook) widest(entries []agendaEntry, w *agenda) int {
	n := min(k.least, int(float64(w.size.X)*timesLeast))
	for _, e := range entries {
		k.buf = w.appendColumn(k.buf[:0], e)
		k.b.Text.ShapeBytes(&k.b.scratch, k.time.font, k.time.size, k.buf)
		n = max(n, k.b.scratch.Width())
	}
	return n
}

// appendColumn appends what stands before the title of an entry: the time or, without headings, the day.
func (w *agenda) appendColumn(dst []byte, e agendaEntry) []byte {
	if !w.params.Headings {
		return w.b.appendDay(dst, w.midnight(e.ahead), e.ahead, true)
	}
	return w.appendWhen(dst, e)
}

// appendWhen appends when an entry is on its day: of a task the time at which it is due, or the day where that is over, nothing where it is
// that day.
func (w *agenda) appendWhen(dst []byte, e agendaEntry) []byte {
	day := w.midnight(e.ahead)
	switch {
	case w.look.wordless && !e.task && w.order(e) == 0:
		return dst
	case !e.task:
		return w.b.appendWhen(dst, e.event, day, w.midnight(e.ahead+1))
	case e.event.Start.Before(day):
		return w.b.Locale.Append(dst, e.event.Start, locale.DateBrief)
	case e.event.AllDay:
		return dst
	}
	return w.b.appendTime(dst, e.event.Start)
}

// icon is what stands before the title: that of the calendar, or a box for a task.
func (e agendaEntry) icon() string {
	if name := iconOfEvent(e.event); name != "" || !e.task {
		return name
	}
	return iconTask
}

// iconTask stands before what is to be done.
const iconTask = "mdi:checkbox-blank-outline"
