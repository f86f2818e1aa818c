package widgets

import (
	"image"
	"image/color"

	"dashboard/render"
)

// head is the title line of a card.
type head struct {
	icon               *mark
	title, note        *caption
	clock              *mark  // before the note, where it says since when the value stands still
	since              string // in place of the note; empty: nothing is stale
	warn               color.RGBA
	titleIn, noteIn    input
	iconIn, accent     input
	box                image.Rectangle
	color, accentColor color.RGBA
}

// Heights and gaps of a title line, px at a shorter side of 720 px.
const (
	headHeight = 24
	headIcon   = 20
	headGap    = 8
	headBelow  = 12
)

// newHead makes the title line in a box, or nil where nothing is written for it.
func (b *Builder) newHead(s *Spec, f *Framed, box image.Rectangle) *head {
	h := &head{
		titleIn: inputOf(b, s, f.Title, anyOf[string]), noteIn: inputOf(b, s, f.Note, anyOf[string]),
		iconIn: inputOf(b, s, f.Icon, iconOf), accent: inputOf(b, s, f.Accent, colorOf),
	}
	if f.Icon != nil && !f.Icon.IsLive() {
		b.checkIcon(s, "icon", f.Icon.Plain)
	}
	if !h.titleIn.written() && !h.noteIn.written() && !h.iconIn.written() {
		return nil
	}
	box.Max.Y = box.Min.Y + b.px(headHeight)
	h.box, h.color, h.warn = box, b.role("muted"), b.role("warn")
	st := b.Look.Styles["caption"]
	st.Weight = 500
	titleFace := b.faceOf("caption", st)
	side := b.px(headIcon)
	icon := image.Rectangle{Min: box.Min.Add(image.Pt(0, (box.Dy()-side)/2)), Max: box.Min.Add(image.Pt(side, (box.Dy()+side)/2))}
	h.icon, h.clock = b.mark(h.flip(b, icon)), b.mark(icon)
	h.title = b.caption(titleFace, box, b.edgeOf("start"))
	h.note = b.caption(b.face("caption"), box, b.edgeOf("end"))
	h.load(b)
	return h
}

// load takes over the present values and places the parts.
func (h *head) load(b *Builder) {
	h.icon.set(h.iconIn.text())
	h.accentColor = h.accent.color(b, h.color)
	h.note.place(h.box)
	h.note.set(h.noteIn.text())
	h.clock.set("")
	box, gap := h.box, b.px(headGap)
	wide := b.textWidth(h.title.face, h.titleIn.text()) // the title counts
	if !h.icon.empty() && wide > box.Dx()-h.icon.box.Dx()-gap && wide > 0 {
		h.icon.set("")
	}
	if !h.icon.empty() {
		box.Min.X += h.icon.box.Dx() + gap
	}
	room := box.Dx() - wide - gap
	if h.since != "" {
		box.Max.X -= h.stale(b, room)
	} else if w := h.note.width(); w > 0 {
		if w > room {
			h.note.set("")
		} else {
			box.Max.X -= w + gap
		}
	}
	h.title.place(h.flip(b, box))
	h.title.set(h.titleIn.text())
}

// stale puts a clock and since when at the end of the line, or the clock alone, and returns the room that they take.
func (h *head) stale(b *Builder, room int) int {
	side, gap := h.clock.box.Dx(), b.px(headGap)
	h.note.set(h.since)
	words := h.note.width() + gap*3/4
	if side+words > room {
		h.note.set("")
		words = 0
	}
	if side > room {
		return 0
	}
	end := h.box.Max.X - words
	h.clock.place(h.flip(b, image.Rect(end-side, h.clock.box.Min.Y, end, h.clock.box.Max.Y)))
	h.clock.set("mdi:clock-alert-outline")
	return side + words + gap
}

// flip is a part of the line, on its other side where a language runs from right to left.
func (h *head) flip(b *Builder, r image.Rectangle) image.Rectangle {
	if !b.Locale.RightToLeft {
		return r
	}
	sum := h.box.Min.X + h.box.Max.X
	return image.Rect(sum-r.Max.X, r.Min.Y, sum-r.Min.X, r.Max.Y)
}

// update reports whether the line changed.
func (h *head) update(t render.Tick, b *Builder) bool {
	changed := h.titleIn.update(t)
	changed = h.noteIn.update(t) || changed
	changed = h.iconIn.update(t) || changed
	changed = h.accent.update(t) || changed
	if changed {
		h.load(b)
	}
	return changed
}

func (h *head) paint(c render.Canvas) {
	h.icon.paint(c, h.accentColor)
	h.title.paint(c, h.color)
	if h.since != "" {
		h.clock.paint(c, h.warn)
		h.note.paint(c, h.warn)
		return
	}
	h.note.paint(c, h.color)
}

// natural is how wide a title line is.
func (h *head) natural(b *Builder) int {
	n := b.textWidth(h.title.face, h.title.raw)
	if !h.icon.empty() {
		n += h.icon.box.Dx() + b.px(headGap)
	}
	if h.note.raw != "" {
		n += b.textWidth(h.note.face, h.note.raw) + b.px(headGap)
	}
	return n
}
