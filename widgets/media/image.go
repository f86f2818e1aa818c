package media

import (
	"image"
	"strings"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// ImageParams are the parameters of the image widget.
type ImageParams struct {
	// Picture file. Animations run. Default: nothing is shown.
	Path *config.Live[string] `yaml:"path" alias:"image_path"`
	// Address of the picture, http or https, instead of path.
	URL       *config.Live[string] `yaml:"url"`
	URLSecret bool                 `secret:"url"` // true if the address came from a secret
	// Time until the file or address is read again. Default: never.
	Refresh value.Duration `yaml:"refresh"`
	kit.Fitting
	kit.Backdrop
}

// imageWidget shows a picture from a file. The corners of the background clip the picture.
type imageWidget struct {
	film    kit.Film
	plate   kit.Plate
	stencil *render.Stencil
}

func buildImage(b *kit.Builder, s *kit.Spec, p *ImageParams, size image.Point) render.Widget {
	switch {
	case p.Path != nil && p.URL != nil:
		s.Errorf("", "an image has a path or a url, one of the two")
		return nil
	case p.URL != nil || p.Path != nil && (p.Path.IsLive() || p.Refresh > 0):
		return changingImage(b, s, p, size)
	}
	w := &imageWidget{
		plate:   kit.NewPlate(p.BackgroundColor, 0, image.Rectangle{Max: size}),
		stencil: render.NewStencil(p.CornerRadius, size),
	}
	if p.Path == nil || p.Path.Plain == "" {
		s.Warnf("", "an image without a path shows nothing")
		return w
	}
	var err error
	path := strings.TrimPrefix(p.Path.Plain, "file://")
	if w.film.Pic, err = b.Load(path, size, p.Rule()); err != nil {
		b.NoPicture(s, "path", path, err)
	}
	return w
}

// changingImage creates the widget for a picture that is fetched or may change.
func changingImage(b *kit.Builder, s *kit.Spec, p *ImageParams, size image.Point) render.Widget {
	q := query.Picture{Box: size, Fit: p.Rule(), Smooth: b.SmoothScaling, Refresh: every(s, p.Refresh)}
	from := p.URL
	if q.Path = from == nil; q.Path {
		from = p.Path
	}
	q.URL, q.URLSecret, q.At = address(b, s, from, p.URLSecret)
	q.Static = q.Refresh == 0
	cell, ok := b.PictureFor(s, q)
	if !ok {
		return nil
	}
	w := fading(b, cell, size)
	w.plate = kit.NewPlate(p.BackgroundColor, 0, image.Rectangle{Max: size})
	w.stencil = render.NewStencil(p.CornerRadius, size)
	return w
}

// Update implements render.Widget.
func (w *imageWidget) Update(t render.Tick) { w.film.Update(t) }

// Paint implements render.Widget.
func (w *imageWidget) Paint(c render.Canvas) {
	w.stencil.Save(c)
	w.plate.Paint(c)
	w.film.Paint(c)
	w.stencil.Restore(c)
}
