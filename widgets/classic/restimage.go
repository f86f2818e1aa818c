package classic

import (
	"image"

	"dashboard/provider"
	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// RestImageParams are the parameters of the restimage widget.
type RestImageParams struct {
	// Address of the picture: http, https, or file:// with a path. Animations run.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // true if the address came from a secret
	// Request headers.
	Headers map[string]string `yaml:"headers"`
	// Credentials of the request.
	Auth *query.Auth `yaml:"auth"`
	// Path to the picture's address in the document at url. The request for the picture has no credentials.
	JSONPath string `yaml:"json_path"`
	// jq program that returns the picture's address, applied after json_path.
	JQExpression string `yaml:"jq_expression"`
	// Time between requests.
	UpdateFrequency int `yaml:"update_frequency" default:"30" min:"1" else:"1" unit:"s"`
	// Fetches until one request succeeds, then never again.
	Static bool `yaml:"static" default:"false"`
	// Timeout of a request.
	Timeout float64 `yaml:"timeout" default:"30" min:"0.1" max:"600" unit:"s"`
	kit.Fitting
	kit.Backdrop
}

// fetchedImage shows the pictures of a provider.Cell. The corners of the background clip the picture. An outdated picture is darkened.
type fetchedImage struct {
	film    kit.Film
	plate   kit.Plate
	stencil *render.Stencil
	size    image.Point
	value   provider.Typed[*picture.Picture]
	before  *picture.Picture // picture shown until the first picture of the provider.Cell arrives, or nil

	seen  *provider.Sample
	stale bool
}

// newFetchedImage creates a widget for the pictures of a provider.Cell.
func newFetchedImage(size image.Point, d kit.Backdrop, value provider.Typed[*picture.Picture], before *picture.Picture) *fetchedImage {
	return &fetchedImage{
		film: kit.Film{Pic: before}, before: before, size: size, value: value,
		plate:   kit.NewPlate(d.BackgroundColor, 0, image.Rectangle{Max: size}),
		stencil: render.NewStencil(d.CornerRadius, size),
	}
}

func buildRestImage(b *kit.Builder, s *kit.Spec, p *RestImageParams, size image.Point) render.Widget {
	value, ok := b.PictureFor(s, query.Picture{Box: size, Fit: p.Rule(), Smooth: b.SmoothScaling, Address: query.Address{
		URL: p.URL, URLSecret: p.URLSecret, Headers: p.Headers, Auth: p.Auth, JSONPath: p.JSONPath, JQExpression: p.JQExpression,
		UpdateFrequency: p.UpdateFrequency, Static: p.Static, Timeout: p.Timeout,
	}})
	if !ok {
		return nil
	}
	return newFetchedImage(size, p.Backdrop, value, nil)
}

// Update implements render.Widget.
func (w *fetchedImage) Update(t render.Tick) {
	s := kit.SampleOf(t, w.value.Cell)
	stale := kit.IsStale(t, s)
	if s != w.seen {
		w.seen = s
		pic, ok := w.value.Value(s)
		if !ok {
			pic = w.before
		}
		w.film.Show(t, pic)
	}
	if stale != w.stale {
		w.stale = stale
		if w.film.Pic != nil {
			t.Damage(w.film.Pic.Rect)
		}
	}
	w.film.Update(t)
}

// Paint implements render.Widget.
func (w *fetchedImage) Paint(c render.Canvas) {
	w.stencil.Save(c)
	w.plate.Paint(c)
	w.film.Paint(c)
	if w.stale && w.film.Pic != nil {
		c.Fill(w.film.Pic.Rect, piece.Veil)
	}
	w.stencil.Restore(c)
}
