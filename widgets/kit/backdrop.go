package kit

import (
	"errors"
	"image"
	"image/color"
	"math"

	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/theme"
)

// backdrop is the background of a widget: a color, a gradient or a picture. The zero value is empty.
type backdrop struct {
	rect  image.Rectangle
	color color.RGBA
	img   *image.RGBA // pixels of a gradient
	film  Film
	scrim color.RGBA
}

// backdrop() creates the background of a rectangle. It draws the gradient, or loads and blurs the picture. Painting the background does not
// repeat this work.
func (b *Builder) backdrop(s *Spec, g *theme.Background, r image.Rectangle) backdrop {
	d := backdrop{rect: r}
	switch {
	case g == nil || r.Empty():
	case g.Color != nil:
		d.color = render.Premultiply(g.Color.NRGBA)
	case len(g.Colors) > 0:
		d.img = gradient(r.Size(), g.Colors, g.Angle)
	case g.Picture != "":
		if d.film.Pic = b.groundPicture(s, g, r.Size()); d.film.Pic != nil {
			d.scrim = color.RGBA{A: uint8(math.Round(g.Scrim * 255))}
		}
	}
	return d
}

// groundPicture returns the blurred picture of a background for a size, or nil. After the tree is complete, files must not be read. In
// this case, groundPicture scales the background's latest picture.
func (b *Builder) groundPicture(s *Spec, g *theme.Background, size image.Point) *picture.Picture {
	if known := b.grounds[g]; b.Running {
		if known == nil {
			return nil
		}
		return known.Resized(size)
	}
	pic, err := b.backdropPicture(g.Picture, size)
	if err != nil {
		b.NoPicture(s, "background", g.Picture, err)
		return nil
	}
	pic.Blur(g.Blur * b.Scale)
	b.grounds[g] = pic
	return pic
}

// backdropPicture loads a picture for a size. If the picture would need too much memory, backdropPicture loads it in half the size and
// enlarges it. It does not enlarge animations.
func (b *Builder) backdropPicture(path string, size image.Point) (*picture.Picture, error) {
	pic, err := b.Load(path, size, picture.Cover)
	if !errors.Is(err, picture.ErrTooLarge) {
		return pic, err
	}
	half, again := b.Load(path, size.Add(image.Pt(1, 1)).Div(2), picture.Cover)
	if again != nil || len(half.Frames) != 1 {
		return nil, err
	}
	from, to := half.Frames[0].Img, image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			copy(to.Pix[to.PixOffset(x, y):][:4], from.Pix[from.PixOffset(from.Rect.Min.X+min(x/2, from.Rect.Dx()-1), from.Rect.Min.Y+min(y/2, from.Rect.Dy()-1)):][:4])
		}
	}
	half.Frames[0].Img, half.Rect = to, to.Rect
	return half, nil
}

// gradient() draws two to four colors along a line. An angle of 0 degrees runs upward, and 90 degrees run to the right.
func gradient(size image.Point, colors []theme.Color, angle float64) *image.RGBA {
	img := image.NewRGBA(image.Rectangle{Max: size})
	sin, cos := math.Sincos(angle * math.Pi / 180)
	reach := math.Abs(sin)*float64(size.X) + math.Abs(cos)*float64(size.Y)
	for y := range size.Y {
		for x := range size.X {
			px, py := float64(x)+0.5-float64(size.X)/2, float64(y)+0.5-float64(size.Y)/2
			at := (float64(px*sin)-float64(py*cos))/reach + 0.5
			img.SetRGBA(x, y, along(colors, at))
		}
	}
	return img
}

// along() returns the premultiplied color at a position of the gradient. The parameter `at` is the position as a share of the gradient's
// length.
func along(colors []theme.Color, at float64) color.RGBA {
	at = min(max(at, 0), 1) * float64(len(colors)-1)
	i := min(int(at), len(colors)-2)
	a, b, share := render.Premultiply(colors[i].NRGBA), render.Premultiply(colors[i+1].NRGBA), at-float64(i)
	f := func(x, y uint8) uint8 {
		return uint8(math.Round(float64(float64(x)*(1-share)) + float64(float64(y)*share)))
	}
	return color.RGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), f(a.A, b.A)}
}

func (d *backdrop) update(t render.Tick) {
	if d.color.A == 255 {
		t.Flat(d.rect)
	}
	if d.film.Pic != nil {
		d.film.Update(t.In(d.rect))
	}
}

func (d *backdrop) paint(c render.Canvas) {
	switch {
	case d.img != nil:
		c.Image(d.rect.Min, d.img, false)
	case d.film.Pic != nil:
		d.film.Paint(c.In(d.rect))
		c.Fill(d.rect, d.scrim)
	default:
		c.Fill(d.rect, d.color)
	}
}
