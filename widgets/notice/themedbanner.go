package notice

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
)

// Lengths of the banner of a themed wall, in px on a screen whose shorter side has 720 px.
const (
	bannerHigh  = 52
	bannerSide  = 20 // margin before the icon and after the last text
	bannerIcon  = 24
	bannerGap   = 12
	bannerBelow = 12 // margin below the lines of a long sentence
	bannerTint  = 16 // percentage of the color warn in the background of a notice
)

// themedBanner is the banner of a themed wall: an icon, the place of the error, the sentence, and the time since the error.
type themedBanner struct {
	b       *kit.Builder
	seen    uint64 // Seq of the sample that is shown
	shown   kit.Banner
	size    image.Point
	box     image.Rectangle
	icon    *kit.Mark
	place   *kit.Caption
	words   *kit.Caption // the sentence after the place
	stays   *kit.Caption
	block   *text.Block // the sentence in separate lines
	blockAt image.Point
	least   int // height of one line, in px

	colors [2]bannerColors // colors of an error and of a notice
}

type bannerColors struct{ ground, edge, ink color.RGBA }

// newThemedBanner returns the banner of a themed screen.
func newThemedBanner(b *kit.Builder, size image.Point) *themedBanner {
	w := &themedBanner{b: b, size: size, least: min(b.Px(bannerHigh), size.Y/bannerMost)}
	body := b.Look.Styles["body"]
	body.Weight = 400
	strong := body
	strong.Weight = 600
	edge := b.EdgeOf("")
	w.icon = b.Mark(image.Rectangle{})
	w.place = b.Caption(b.FaceOf("body", strong), image.Rectangle{}, edge)
	w.words = b.Caption(b.FaceOf("body", body), image.Rectangle{}, edge)
	w.stays = b.Caption(b.Face("caption"), image.Rectangle{}, b.EdgeOf("end"))
	align := text.Left
	if b.Locale.RightToLeft {
		align = text.Right
	}
	f := w.words.Face
	lines := max(1, min(bannerLines, (size.Y/bannerMost-w.least-b.Px(bannerBelow))/f.Line))
	w.block = text.NewBlock(b.Text, text.Options{
		Font: f.Font, Size: f.Size, Box: image.Pt(max(1, size.X-w.start()-b.Px(bannerSide)), lines*f.Line),
		Wrap: true, Ellipsis: true, Align: align,
	})
	w.colors = bannerColorsOf(b.Look)
	return w
}

// bannerColorsOf returns two sets of colors. An error has the color bad and the more readable of two inks. A notice has the
// surface color with a tint of warn.
func bannerColorsOf(l *look.Look) [2]bannerColors {
	bad, surface, warn, ink := l.Colors["bad"], l.Colors["surface"], l.Colors["warn"], l.Colors["text"]
	tinted := render.Premultiply(surface)
	if !l.Ink {
		tinted = kit.Blend(tinted, render.Premultiply(warn), bannerTint)
	}
	on := color.NRGBA{0, 0, 0, 255}
	if white := (color.NRGBA{255, 255, 255, 255}); look.Contrast(white, bad) > look.Contrast(on, bad) {
		on = white
	}
	opaque := color.RGBA{bad.R, bad.G, bad.B, 255}
	return [2]bannerColors{{opaque, opaque, render.Premultiply(on)}, {tinted, render.Premultiply(warn), render.Premultiply(ink)}}
}

// Regions implements Layer.
func (w *themedBanner) Regions(t render.Tick) { t.Flat(w.box) }

// Update implements render.Widget.
func (w *themedBanner) Update(t render.Tick) {
	sample := w.b.Banner.Load()
	if sample.Seq != w.seen {
		w.seen = sample.Seq
		content, _ := sample.Value.(kit.Banner)
		w.show(t, content)
	}
	switch until := w.shown.Until; {
	case until.IsZero():
	case !t.Now().Before(until):
		w.show(t, kit.Banner{})
	default:
		t.Wake(until)
	}
}

func (w *themedBanner) show(t render.Tick, content kit.Banner) {
	if content == w.shown {
		return
	}
	w.shown = content
	t.Damage(w.box)
	w.box = image.Rectangle{}
	if content.Words != "" {
		w.layOut(t.Now())
	}
	t.Damage(w.box)
}

// start returns the x of the texts after the icon.
func (w *themedBanner) start() int {
	return w.b.Px(bannerSide) + w.b.Px(bannerIcon) + w.b.Px(bannerGap)
}

// layOut places all parts, in one line if there is room. Otherwise the sentence is below the place.
func (w *themedBanner) layOut(now time.Time) {
	b, x := w.b, w.shown
	gap, left, right := b.Px(bannerGap), w.start(), w.size.X-b.Px(bannerSide)
	name := "mdi:alert-circle-outline"
	if x.Notice {
		name = "mdi:information-outline"
	}
	w.icon.Set(name)
	w.place.Set(x.Place)
	w.stays.Set("")
	if !x.Stays.IsZero() {
		w.stays.Set("the wall from " + b.Since(x.Stays, now) + " stays")
	}
	place, stays := w.room(w.place), w.room(w.stays)
	w.words.Set(x.Words)
	w.block.Set("")
	switch words := w.room(w.words); {
	case left+place+words+stays-gap <= right:
	case left+place+words-gap <= right:
		stays = 0
	default:
		w.words.Set("")
		w.block.Set(x.Words)
		if left+place+stays-gap > right {
			stays = 0
		}
	}
	if stays == 0 {
		w.stays.Set("")
	}
	w.put(place, left, right)
}

// room returns the width of a text and the gap after it, or 0 if there is no text.
func (w *themedBanner) room(c *kit.Caption) int {
	if c.Raw == "" {
		return 0
	}
	return w.b.TextWidth(c.Face, c.Raw) + w.b.Px(bannerGap)
}

// put places the parts between left and right. place is the width of the place text.
func (w *themedBanner) put(place, left, right int) {
	b, first := w.b, w.least
	more := w.block.Lines() * w.words.Face.Line
	if more > 0 && w.shown.Place == "" {
		first = b.Px(bannerBelow)
	}
	high := first + more
	if more > 0 {
		high += b.Px(bannerBelow)
	}
	w.box = image.Rect(0, w.size.Y-high, w.size.X, w.size.Y)
	side := b.Px(bannerIcon)
	line := max(first, w.words.Face.Line+b.Px(bannerBelow))
	at := func(x0, x1 int) image.Rectangle { return b.Mirrored(image.Rect(x0, 0, x1, line), w.size.X) }
	icon := image.Rect(b.Px(bannerSide), (line-side)/2, b.Px(bannerSide)+side, (line-side)/2+side)
	w.icon.Place(b.Mirrored(icon, w.size.X))
	w.place.Place(at(left, min(right, left+max(place, 1))))
	w.words.Place(at(left+place, right))
	w.stays.Place(at(left, right))
	w.blockAt = b.Mirrored(image.Rect(left, first, right, first+more), w.size.X).Min
}

// Paint implements render.Widget.
func (w *themedBanner) Paint(c render.Canvas) {
	if w.box.Empty() || !c.Sees(w.box) {
		return
	}
	col := w.colors[0]
	if w.shown.Notice {
		col = w.colors[1]
	}
	c.Fill(w.box, col.ground)
	c.Fill(image.Rect(0, w.box.Min.Y, w.size.X, w.box.Min.Y+bannerRule), col.edge)
	in := c.In(w.box)
	w.icon.Paint(in, col.ink)
	w.place.Paint(in, col.ink)
	w.words.Paint(in, col.ink)
	w.stays.Paint(in, col.ink)
	if w.block.Lines() > 0 {
		w.block.Paint(c.Dst, c.Clip, c.Org.Add(w.box.Min).Add(w.blockAt), col.ink)
	}
}

// Speak implements kit.Speaker.
func (w *themedBanner) Speak(s *kit.Speech) {
	if w.box.Empty() {
		return
	}
	s.Open(kit.Alert)
	s.Add(w.shown.Place)
	s.Add(w.shown.Words)
	s.Add(w.stays.Raw)
	s.Close()
}
