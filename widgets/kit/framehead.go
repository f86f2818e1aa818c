package kit

import (
	"image"
	"image/color"

	"dashboard/render"
)

// Head is the title line of a card.
type Head struct {
	icon               *Mark
	title, note        *Caption
	clock              *Mark  // before the note with the time since which the value is outdated
	Since              string // in place of the note; empty: nothing is stale
	warn               color.RGBA
	TitleIn, NoteIn    Input
	IconIn, Accent     Input
	Box                image.Rectangle
	color, accentColor color.RGBA
}

// Heights and gaps of a title line, px at a shorter side of 720 px.
const (
	HeadHeight = 24
	HeadIcon   = 20
	HeadGap    = 8
	HeadBelow  = 12
)

// NewHead makes the title line in a box, or nil where nothing is written for it.
func (b *Builder) NewHead(s *Spec, f *Framed, box image.Rectangle) *Head {
	h := &Head{
		TitleIn: InputOf(b, s, f.Title, AnyOf[string]), NoteIn: InputOf(b, s, f.Note, AnyOf[string]),
		IconIn: InputOf(b, s, f.Icon, IconOf), Accent: InputOf(b, s, f.Accent, ColorOf),
	}
	if f.Icon != nil && !f.Icon.IsLive() {
		b.CheckIcon(s, "icon", f.Icon.Plain)
	}
	if !h.TitleIn.written() && !h.NoteIn.written() && !h.IconIn.written() {
		return nil
	}
	box.Max.Y = box.Min.Y + b.Px(HeadHeight)
	h.Box, h.color, h.warn = box, b.Role("muted"), b.Role("warn")
	st := b.Look.Styles["caption"]
	st.Weight = 500
	titleFace := b.FaceOf("caption", st)
	side := b.Px(HeadIcon)
	icon := image.Rectangle{Min: box.Min.Add(image.Pt(0, (box.Dy()-side)/2)), Max: box.Min.Add(image.Pt(side, (box.Dy()+side)/2))}
	h.icon, h.clock = b.Mark(h.flip(b, icon)), b.Mark(icon)
	h.title = b.Caption(titleFace, box, b.EdgeOf("start"))
	h.note = b.Caption(b.Face("caption"), box, b.EdgeOf("end"))
	h.Load(b)
	return h
}

// Load takes over the present values and places the parts.
func (h *Head) Load(b *Builder) {
	h.icon.Set(h.IconIn.Text())
	h.accentColor = h.Accent.Color(b, h.color)
	h.note.Place(h.Box)
	h.note.Set(h.NoteIn.Text())
	h.clock.Set("")
	box, gap := h.Box, b.Px(HeadGap)
	wide := b.TextWidth(h.title.Face, h.TitleIn.Text()) // the title counts
	if !h.icon.empty() && wide > box.Dx()-h.icon.Box.Dx()-gap && wide > 0 {
		h.icon.Set("")
	}
	if !h.icon.empty() {
		box.Min.X += h.icon.Box.Dx() + gap
	}
	room := box.Dx() - wide - gap
	if h.Since != "" {
		box.Max.X -= h.stale(b, room)
	} else if w := h.note.Width(); w > 0 {
		if w > room {
			h.note.Set("")
		} else {
			box.Max.X -= w + gap
		}
	}
	h.title.Place(h.flip(b, box))
	h.title.Set(h.TitleIn.Text())
}

// stale puts a clock and since when at the end of the line, or the clock alone, and returns the room that they take.
func (h *Head) stale(b *Builder, room int) int {
	side, gap := h.clock.Box.Dx(), b.Px(HeadGap)
	h.note.Set(h.Since)
	words := h.note.Width() + gap*3/4
	if side+words > room {
		h.note.Set("")
		words = 0
	}
	if side > room {
		return 0
	}
	end := h.Box.Max.X - words
	h.clock.Place(h.flip(b, image.Rect(end-side, h.clock.Box.Min.Y, end, h.clock.Box.Max.Y)))
	h.clock.Set("mdi:clock-alert-outline")
	return side + words + gap
}

// flip is a part of the line, on its other side where a language runs from right to left.
func (h *Head) flip(b *Builder, r image.Rectangle) image.Rectangle {
	if !b.Locale.RightToLeft {
		return r
	}
	sum := h.Box.Min.X + h.Box.Max.X
	return image.Rect(sum-r.Max.X, r.Min.Y, sum-r.Min.X, r.Max.Y)
}

// update reports whether the line changed.
func (h *Head) update(t render.Tick, b *Builder) bool {
	changed := h.TitleIn.Update(t)
	changed = h.NoteIn.Update(t) || changed
	changed = h.IconIn.Update(t) || changed
	changed = h.Accent.Update(t) || changed
	if changed {
		h.Load(b)
	}
	return changed
}

// Paint draws the title line.
func (h *Head) Paint(c render.Canvas) {
	h.icon.Paint(c, h.accentColor)
	h.title.Paint(c, h.color)
	if h.Since != "" {
		h.clock.Paint(c, h.warn)
		h.note.Paint(c, h.warn)
		return
	}
	h.note.Paint(c, h.color)
}

// natural is how wide a title line is.
func (h *Head) natural(b *Builder) int {
	n := b.TextWidth(h.title.Face, h.title.Raw)
	if !h.icon.empty() {
		n += h.icon.Box.Dx() + b.Px(HeadGap)
	}
	if h.note.Raw != "" {
		n += b.TextWidth(h.note.Face, h.note.Raw) + b.Px(HeadGap)
	}
	return n
}
