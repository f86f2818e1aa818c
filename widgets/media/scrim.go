package media

import (
	"image"
	"image/color"

	"dashboard/provider/photos"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
)

// A scrim is a dark layer between a photo and the texts on it. Its opacity depends on the photo.
type scrim struct {
	rect      image.Rectangle // rectangle of the layer, which ends at the bottom of the widget
	edge      []uint8         // opacity of each row above the caption or the shaded area, as a share from 0 to 255 of the layer's opacity
	last, now int             // opacity for the previous photo and for the current photo, from 0 to 255
}

// newScrim returns the scrim for a caption or for a shaded area. `top` is the upper edge of the caption or of the area. The scrim fades
// in above this edge. The parameter `edge` is the height of the fade in rows of pixels.
func newScrim(size image.Point, top, edge int) scrim {
	edge = max(0, min(edge, top))
	s := scrim{rect: image.Rect(0, top-edge, size.X, size.Y), edge: make([]uint8, edge)}
	for y := range s.edge {
		at := (float64(y) + 0.5) / float64(edge)
		s.edge[y] = uint8(255 * at * at * (3 - 2*at))
	}
	return s
}

// turn() makes the current opacity the previous opacity. The parameter `need` is the new current opacity.
func (s *scrim) turn(need uint8) { s.last, s.now = s.now, int(need) }

// opacity() returns the opacity during a fade. `share` is the progress of the fade, from 0 to 255. If the new photo needs a darker layer,
// the layer becomes darker in the first half of the fade. If the new photo needs a lighter layer, the layer becomes lighter in the second
// half. The layer is therefore always dark enough for both photos.
func (s *scrim) opacity(share int) int {
	part := min(255, 2*share)
	if s.now < s.last {
		part = max(0, 2*share-255)
	}
	return s.last + (s.now-s.last)*part/255
}

func (s *scrim) paint(c render.Canvas, share int) {
	a := s.opacity(share)
	if a == 0 {
		return
	}
	for y, part := range s.edge {
		row := image.Rect(s.rect.Min.X, s.rect.Min.Y+y, s.rect.Max.X, s.rect.Min.Y+y+1)
		c.Fill(row, color.RGBA{A: uint8(a * int(part) / 255)})
	}
	below := s.rect
	below.Min.Y += len(s.edge)
	c.Fill(below, color.RGBA{A: uint8(a)})
}

// shadeParts is the number of columns into which the shaded area is divided. The brightest column determines the opacity, because a text
// may cover only a part of the width.
const shadeParts = 8

// need() returns the opacity that a photo needs, so that the photo is dark enough from the start to the end of its motion.
func (w *photosWidget) need(p *photos.Photo) (need uint8) {
	if len(w.caption.Raw) > 0 {
		need = max(w.needIn(p, w.caption.Ink, 1), w.needIn(p, w.sign.Box, 1))
	}
	for i := range shadeParts {
		part := w.shaded
		part.Min.X, part.Max.X = w.shaded.Max.X*i/shadeParts, w.shaded.Max.X*(i+1)/shadeParts
		if !part.Empty() {
			need = max(need, w.needIn(p, part, look.Luminance(w.b.Look.Colors["muted"])))
		}
	}
	return need
}

// needIn returns the opacity that a photo needs behind a text in a part of the widget. `luminance` is the luminance of the text, from 0 to
// 1.
func (w *photosWidget) needIn(p *photos.Photo, part image.Rectangle, luminance float64) uint8 {
	img := p.Picture.Frames[0].Img
	area := part.Sub(p.Picture.Rect.Min).Add(img.Rect.Min)
	need := kit.Darkness(img, area, w.ground, luminance)
	if w.moves {
		room := p.Picture.Rect.Size().Sub(w.size)
		need = max(need, kit.Darkness(img, area.Add(room), w.ground, luminance))
	}
	return need
}
