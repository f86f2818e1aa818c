package widgets

import (
	"image"
	"strings"

	"dashboard/render"
	"dashboard/render/picture"
)

// ImageParams are the parameters of the image widget.
type ImageParams struct {
	Path string `yaml:"path" alias:"image_path" doc:"Picture file: JPEG, PNG, GIF, WebP, BMP or SVG. Animations run. Without one nothing is shown."`
	Fitting
	Backdrop
}

// imageWidget shows a picture from a file, its corners cut as the background's are.
type imageWidget struct {
	film    film
	plate   plate
	stencil *render.Stencil
}

func buildImage(b *Builder, s *Spec, p *ImageParams, size image.Point) render.Widget {
	w := &imageWidget{
		plate:   newPlate(p.BackgroundColor, 0, image.Rectangle{Max: size}),
		stencil: render.NewStencil(p.CornerRadius, size),
	}
	if p.Path == "" {
		s.Warnf("", "an image without a path shows nothing")
		return w
	}
	var err error
	w.film.pic, err = picture.Load(b.Files, strings.TrimPrefix(p.Path, "file://"), size, p.rule(), b.SmoothScaling)
	if err != nil {
		s.Errorf("path", "%v", err)
		return nil
	}
	return w
}

// Update implements render.Widget.
func (w *imageWidget) Update(t render.Tick) { w.film.update(t) }

// Paint implements render.Widget.
func (w *imageWidget) Paint(c render.Canvas) {
	w.stencil.Save(c)
	w.plate.paint(c)
	w.film.paint(c)
	w.stencil.Restore(c)
}
