package kit

import (
	"image"
	"image/color"
	"strings"

	"dashboard/render"
)

// Head is the title line of a card.
type Head struct {
	icon               *Mark
	title, note        *Caption
	flag               *Mark  // icon before the note: a clock for an outdated value, or the icon of the failure or of the state
	Since              string // text shown instead of the note if a value is outdated, otherwise ""
	Inside             bool   // true if the content shows the title and the icon itself
	State              State  // state of the value, shown instead of the note
	Fault              string // icon of a failure for which the content has no room, or ""
	warn               color.RGBA
	TitleIn, NoteIn    Input
	IconIn, Accent     Input
	Box                image.Rectangle
	color, accentColor color.RGBA
	iconInk, titleInk  color.RGBA // colors of the icon, if no accent is set, and of the title
}

// Heights and gaps of a title line, in px on a screen whose shorter side has 720 px.
const (
	HeadHeight = 24
	HeadIcon   = 20
	HeadGap    = 8
	HeadBelow  = 12
)

// Widths in em. A title next to a failure's icon is hidden if its room is narrower than titleLeast. From titleClear on, the beginning of
// any title is clearer than its icon.
const (
	titleLeast = 4
	titleClear = 6
)

// NewHead creates the title line at the top of a box. It returns nil if the file sets no part of a title line.
func (b *Builder) NewHead(s *Spec, f *Framed, box image.Rectangle) *Head {
	h := &Head{
		TitleIn: InputOf(b, s, f.Title, AnyOf[string]), NoteIn: InputOf(b, s, f.Note, AnyOf[string]),
		IconIn: InputOf(b, s, f.Icon, IconOf), Accent: InputOf(b, s, f.Accent, ColorOf),
	}
	if f.Icon != nil && !f.Icon.IsLive() {
		b.CheckIcon(s, "icon", f.Icon.Plain)
	}
	if h.TitleIn.blank() && h.NoteIn.blank() && h.IconIn.blank() {
		return nil
	}
	box.Max.Y = box.Min.Y + b.Px(HeadHeight)
	h.iconInk, h.titleInk = b.Role("muted"), b.Role("muted")
	h.Box, h.color, h.titleInk, h.warn = box, b.Role("muted"), b.Role("muted"), b.Role("warn")
	st := b.Look.Styles["caption"]
	st.Weight = 500
	titleFace := b.FaceOf("caption", st)
	side := b.Px(HeadIcon)
	icon := image.Rectangle{Min: box.Min.Add(image.Pt(0, (box.Dy()-side)/2)), Max: box.Min.Add(image.Pt(side, (box.Dy()+side)/2))}
	h.icon, h.flag = b.Mark(h.flip(b, icon)), b.Mark(icon)
	h.title = b.Caption(titleFace, box, b.EdgeOf("start"))
	h.note = b.Caption(b.Face("caption"), box, b.EdgeOf("end"))
	h.Load(b)
	return h
}

// lit gives the icon the opaque color of a tinted card, and the title the color of texts. The zero color means no tint.
func (h *Head) lit(b *Builder, tint color.RGBA) {
	h.iconInk, h.titleInk = b.Role("muted"), b.Role("muted")
	if c := color.NRGBAModel.Convert(tint).(color.NRGBA); c.A > 0 {
		h.iconInk, h.titleInk = color.RGBA{c.R, c.G, c.B, 255}, b.Role("text")
	}
	h.Load(b)
}

// Load reads the current values and places the parts.
func (h *Head) Load(b *Builder) {
	h.icon.Set(h.IconIn.Text())
	h.accentColor = h.Accent.Color(b, h.iconInk)
	h.note.Place(h.Box)
	h.note.Set(h.NoteIn.Text())
	h.flag.Set("")
	box, gap := h.Box, b.Px(HeadGap)
	breaks := func(r rune) bool { return strings.ContainsRune(" /-\u00a0", r) || r >= 0x0e00 } // from Thai on, scripts have no spaces
	words := h.TitleIn.Text()
	wide := b.TextWidth(h.title.Face, words) // the title is more important than the note
	if !h.icon.empty() && wide > box.Dx()-h.icon.Box.Dx()-gap && wide > 0 {
		if f := h.title.Face; box.Dx() < titleClear*f.Size && (3*wide*h.title.Least > 4*box.Dx()*f.Size ||
			!strings.ContainsFunc(words, breaks) && b.Text.FitWidth(f.Font, words, f.Size, box.Dx()) < h.title.Least) {
			words, wide = "", 0 // the icon is clearer than the first letters of the title
		} else {
			h.icon.Set("")
		}
	}
	if !h.icon.empty() {
		box.Min.X += h.icon.Box.Dx() + gap
	}
	room := box.Dx() - wide - gap
	if h.Fault != "" {
		box = h.fault(b, box, room)
	} else if h.Since != "" {
		box.Max.X -= h.raise(b, room, oldIcon, h.Since)
	} else if icon, word := h.State.Icon, h.State.Word; h.flagged() {
		if icon == h.icon.Name {
			icon = ""
		}
		box.Max.X -= h.raise(b, room, icon, word)
	} else if w := h.note.Width(); w > 0 {
		if w > room {
			h.note.Set("")
		} else {
			box.Max.X -= w + gap
		}
	}
	h.title.Place(h.flip(b, box))
	if h.title.Set(words); h.Fault != "" && wide > box.Dx() && box.Dx() < titleLeast*h.title.Face.Size {
		h.title.Set("") // the icon alone is clearer than a letter of the title
	}
}

// fault() places the icon of a failure at the end of the line. If there is no room, the icon is before the title. fault() returns the
// title's box.
func (h *Head) fault(b *Builder, box image.Rectangle, room int) image.Rectangle {
	if used := h.raise(b, room, h.Fault, ""); used > 0 {
		box.Max.X -= used
		return box
	}
	if h.icon.empty() {
		box.Min.X += h.icon.Box.Dx() + b.Px(HeadGap)
	}
	h.icon.Set(h.Fault)
	return box
}

// flagged() reports whether the title line must show the word or the icon of the state. The icon is not needed if the title already has
// the same icon.
func (h *Head) flagged() bool {
	return h.State.Word != "" || h.State.Icon != "" && h.State.Icon != h.icon.Name
}

// raise places an icon and a text at the end of the line. If there is not enough room for both, it places only the icon. It returns the
// width in px of the placed parts, including the gap before them. If even the icon does not fit, it returns 0.
func (h *Head) raise(b *Builder, room int, icon, said string) int {
	side, gap := h.flag.Box.Dx(), b.Px(HeadGap)
	h.flag.Set(icon)
	if h.flag.empty() {
		side = 0
	}
	h.note.Set(said)
	words := h.note.Width()
	if side > 0 && words > 0 {
		words += gap * 3 / 4
	}
	if side+words > room {
		h.note.Set("")
		words = 0
	}
	if side > room {
		h.flag.Set("")
		return 0
	}
	end := h.Box.Max.X - words
	h.flag.Place(h.flip(b, image.Rect(end-side, h.flag.Box.Min.Y, end, h.flag.Box.Max.Y)))
	return side + words + gap
}

// flip() mirrors a part of the line in languages that are written from right to left.
func (h *Head) flip(b *Builder, r image.Rectangle) image.Rectangle {
	if !b.Locale.RightToLeft {
		return r
	}
	sum := h.Box.Min.X + h.Box.Max.X
	return image.Rect(sum-r.Max.X, r.Min.Y, sum-r.Min.X, r.Max.Y)
}

// update updates the values of the line and reports whether one of them changed.
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
	icon, title := h.accentColor, h.titleInk
	switch {
	case h.State.Bad:
		icon, title = h.State.Color, h.State.Color
	case h.State.Icon != "" && !h.flagged():
		icon = h.State.Color
	}
	h.icon.Paint(c, icon)
	h.title.Paint(c, title)
	ink := h.color
	switch {
	case h.Since != "":
		ink = h.warn
	case h.flagged():
		ink = h.State.Color
	}
	h.flag.Paint(c, ink)
	h.note.Paint(c, ink)
}

// Keep moves the texts up or down until they are inside a box.
func (h *Head) Keep(in image.Rectangle) {
	h.title.Keep(in)
	h.note.Keep(in)
}

// natural() returns the width of the complete title line.
func (h *Head) natural(b *Builder) int {
	n := b.TextWidth(h.title.Face, h.TitleIn.Text())
	if !h.icon.empty() {
		n += h.icon.Box.Dx() + b.Px(HeadGap)
	}
	if h.note.Raw != "" {
		n += b.TextWidth(h.note.Face, h.note.Raw) + b.Px(HeadGap)
	}
	return n
}
