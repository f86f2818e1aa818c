package notice

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
)

// Sizes of the banner on a themed wall, in px on a screen whose shorter side has 720 px.
const (
	bannerHigh  = 52
	bannerSide  = 24 // padding before the icon and after the last text
	bannerIcon  = 24
	bannerGap   = 12
	bannerBelow = 12 // padding below a message of several lines
	edgeShare   = 20 // divisor: the margin around the banner is at most the shorter side divided by edgeShare
	bannerTint  = 16 // percentage of the color "bad" or "warn" in the color of the banner
)

// themedBanner is the banner of a themed wall. It shows an icon, the place of an error and the message. If the wall still shows an
// earlier version of the files, the banner also shows the time of this version.
type themedBanner struct {
	b       *kit.Builder
	seen    uint64 // Seq of the shown sample
	shown   kit.Banner
	size    image.Point
	wide    int             // width of the plate, in px
	box     image.Rectangle // strip of the wall that belongs to the banner, including the margins
	plate   image.Rectangle // background of the texts, inside `box`
	icon    *kit.Mark
	place   *kit.Caption
	words   *kit.Caption // the message in one line after the place
	stays   *kit.Caption
	block   *text.Block // the message in several lines below the place
	blockAt image.Point
	least   int // height of a banner with one line, in px
	corner  *render.Corner

	colors [2]bannerColors // colors for an error, and colors for a notice
}

type bannerColors struct{ ground, state, ink color.RGBA }

// newThemedBanner returns the banner of a themed screen.
func newThemedBanner(b *kit.Builder, size image.Point) *themedBanner {
	w := &themedBanner{b: b, size: size, least: min(b.Px(bannerHigh), size.Y/bannerMost-around(b))}
	margin, _ := edges(b)
	w.wide = size.X - 2*margin
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
	lines := max(1, min(bannerLines, (size.Y/bannerMost-around(b)-w.least-b.Px(bannerBelow))/f.Line))
	w.block = text.NewBlock(b.Text, text.Options{
		Font: f.Font, Size: f.Size, Box: image.Pt(max(1, w.wide-w.start()-b.Px(bannerSide)), lines*f.Line),
		Wrap: true, Ellipsis: true, Align: align,
	})
	w.colors = bannerColorsOf(b.Look)
	return w
}

// bannerColorsOf returns the colors for an error and for a notice. The background is the color of cards, mixed with "bad" or with "warn".
func bannerColorsOf(l *look.Look) (all [2]bannerColors) {
	surface := l.Colors["surface"]
	surface.A = 255 // opaque, because the banner covers widgets
	for i, role := range []string{"bad", "warn"} {
		state := render.Premultiply(l.Colors[role])
		ground := render.Premultiply(surface)
		if !l.Ink {
			ground = kit.Blend(ground, state, bannerTint)
		}
		all[i] = bannerColors{ground, state, render.Premultiply(l.Colors["text"])}
	}
	return all
}

// edges() returns the margin around the plate and the gap above the plate, in px. On a small wall, the margin and the gap are smaller.
func edges(b *kit.Builder) (margin, gap int) {
	most := b.Shorter() / edgeShare
	return min(b.Px(b.Look.Sizes.Margin), most), min(b.Px(noticeGap), most)
}

// around() returns the sum of the margin below the plate and the gap above the plate, in px.
func around(b *kit.Builder) int {
	margin, gap := edges(b)
	return margin + gap
}

// high() updates the banner. It returns the height in px that notices at the bottom must leave free for the banner. The theme's margin is
// not included in this height.
func (w *themedBanner) high(t render.Tick) int {
	if w == nil {
		return 0
	}
	if w.Update(t); w.box.Empty() {
		return 0
	}
	return w.box.Dy() - w.b.Px(w.b.Look.Sizes.Margin)
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

// start returns the x coordinate of the texts, which follow the icon.
func (w *themedBanner) start() int {
	return w.b.Px(bannerSide) + w.b.Px(bannerIcon) + w.b.Px(bannerGap)
}

// layOut places all parts in one line if there is room. Otherwise, it omits the time, or places the message below the place. `now` is
// needed for the format of the time.
func (w *themedBanner) layOut(now time.Time) {
	b, x := w.b, w.shown
	gap, left, right := b.Px(bannerGap), w.start(), w.wide-b.Px(bannerSide)
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

// room() returns the width of a text in px, including the gap after the text. For an empty text, it returns 0.
func (w *themedBanner) room(c *kit.Caption) int {
	if c.Raw == "" {
		return 0
	}
	return w.b.TextWidth(c.Face, c.Raw) + w.b.Px(bannerGap)
}

// put() places the parts between the coordinates `left` and `right`. `place` is the width in px of the text with the place of the error.
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
	margin, above := edges(b)
	high = min(high, w.size.Y/bannerMost-margin-above)
	w.plate = image.Rect(margin, w.size.Y-margin-high, margin+w.wide, w.size.Y-margin)
	w.box = image.Rect(0, w.plate.Min.Y-above, w.size.X, w.size.Y)
	w.corner = render.NewCorner(b.Px(b.Look.Sizes.Radius), w.plate.Size())
	side := b.Px(bannerIcon)
	line := max(first, w.words.Face.Line+b.Px(bannerBelow))
	at := func(x0, x1 int) image.Rectangle { return b.Mirrored(image.Rect(x0, 0, x1, line), w.wide) }
	icon := image.Rect(b.Px(bannerSide), (line-side)/2, b.Px(bannerSide)+side, (line-side)/2+side)
	w.icon.Place(b.Mirrored(icon, w.wide))
	w.place.Place(at(left, min(right, left+max(place, 1))))
	w.words.Place(at(left+place, right))
	w.stays.Place(at(left, right))
	w.blockAt = b.Mirrored(image.Rect(left, first, right, first+more), w.wide).Min
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
	c.Fill(w.box, w.b.Role("background"))
	if w.b.Look.Ink { // e-paper would show a tint as a pattern of dots
		c.Fill(w.plate, col.ground)
		c.Fill(image.Rect(0, w.box.Min.Y, w.size.X, w.box.Min.Y+bannerRule), col.ink)
	} else {
		c.FillRound(w.plate, w.corner, col.ground)
	}
	in := c.In(w.plate)
	w.icon.Paint(in, col.state)
	w.place.Paint(in, col.ink)
	w.words.Paint(in, col.ink)
	w.stays.Paint(in, w.b.Role("muted"))
	if w.block.Lines() > 0 {
		w.block.Paint(c.Dst, c.Clip, c.Org.Add(w.plate.Min).Add(w.blockAt), col.ink)
	}
}

// Speak implements speech.Speaker.
func (w *themedBanner) Speak(s *speech.Speech) {
	if w.box.Empty() {
		return
	}
	s.Open(speech.Alert)
	s.Add(w.shown.Place)
	s.Add(w.shown.Words)
	s.Add(w.stays.Raw)
	s.Close()
}
