package widgets

import (
	"image"
	"image/color"
	"math"
	"strings"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	fetched "dashboard/provider/picture"
	"dashboard/provider/rest"
	"dashboard/render"
	"dashboard/render/picture"
)

// RestImageParams are the parameters of the restimage widget.
type RestImageParams struct {
	URL             string            `yaml:"url" required:"true" doc:"Address of the picture: http, https, or file:// and a path. Animations run."`
	Headers         map[string]string `yaml:"headers" doc:"Request headers."`
	Auth            *rest.Auth        `yaml:"auth" doc:"Who asks."`
	JSONPath        string            `yaml:"json_path" doc:"Path to the picture's address in the document that url gives; the picture itself is fetched without auth."`
	JQExpression    string            `yaml:"jq_expression" doc:"jq program that finds the picture's address, applied after json_path."`
	UpdateFrequency int               `yaml:"update_frequency" default:"30" min:"1" unit:"s" doc:"Pause between fetches."`
	Static          bool              `yaml:"static" default:"false" doc:"Fetch until it has worked once, then never again."`
	Timeout         float64           `yaml:"timeout" default:"30" min:"0.1" max:"600" unit:"s" doc:"Longest time for one request."`
	Fitting
	Backdrop
}

// imageJitter is the most that is added to the pause between fetches, which half of it bounds too: walls that start together
// do not ask together for ever.
const imageJitter = 15 * time.Second

// fetchedImage shows the picture in a cell, its corners cut as the background's are. One that is out of date is
// darkened.
type fetchedImage struct {
	film    film
	plate   plate
	stencil *render.Stencil
	size    image.Point
	cell    *provider.Cell   // of *picture.Picture
	before  *picture.Picture // shown until the first comes; may be nil

	seen  *provider.Sample
	stale bool
}

// newFetchedImage makes a widget for the picture in a cell.
func newFetchedImage(size image.Point, d Backdrop, cell *provider.Cell, before *picture.Picture) *fetchedImage {
	return &fetchedImage{
		film: film{pic: before}, before: before, size: size, cell: cell,
		plate:   newPlate(d.BackgroundColor, 0, image.Rectangle{Max: size}),
		stencil: render.NewStencil(d.CornerRadius, size),
	}
}

func buildRestImage(b *Builder, s *Spec, p *RestImageParams, size image.Point) render.Widget {
	c, ok := p.config(b, s, size)
	if !ok {
		return nil
	}
	key := c.Key(p.JSONPath, p.JQExpression)
	return newFetchedImage(size, p.Backdrop, b.add(key, fetched.New(c, b.Client, b.decoding)), nil)
}

// config checks the parameters; what is wrong with them is an error.
func (p *RestImageParams) config(b *Builder, s *Spec, size image.Point) (c fetched.Config, ok bool) {
	interval := time.Duration(p.UpdateFrequency) * time.Second
	c = fetched.Config{
		Request:  fetch.Request{URL: p.URL, Header: p.Headers, Timeout: seconds(p.Timeout)},
		Interval: interval, Jitter: min(interval/2, imageJitter), Static: p.Static,
		Box: size, Fit: p.rule(), Smooth: b.SmoothScaling,
	}
	var err error
	ok = true
	if c.Request.Auth, err = p.Auth.Who(); err != nil {
		s.Errorf("auth", "%v", err)
		ok = false
	}
	if !strings.HasPrefix(p.URL, "file://") {
		if err := fetch.CheckURL(p.URL); err != nil {
			s.Errorf("url", "%v", err)
			ok = false
		}
	}
	x, sound := extractor(s, "json_path", p.JSONPath, "jq_expression", p.JQExpression)
	if sound && !x.Empty() && !strings.HasPrefix(p.URL, "file://") {
		c.Pick = x // what is in a file is a picture, as in Grydgets
	}
	return c, ok && sound
}

// Update implements render.Widget.
func (w *fetchedImage) Update(t render.Tick) {
	s := w.cell.Load()
	stale := isStale(t, s)
	if s != w.seen {
		w.seen = s
		pic, ok := s.Value.(*picture.Picture)
		if !ok {
			pic = w.before
		}
		w.film.show(t, pic)
	}
	if stale != w.stale {
		w.stale = stale
		if w.film.pic != nil {
			t.Damage(w.film.pic.Rect)
		}
	}
	w.film.update(t)
}

// Paint implements render.Widget.
func (w *fetchedImage) Paint(c render.Canvas) {
	w.stencil.Save(c)
	w.plate.paint(c)
	w.film.paint(c)
	if w.stale && w.film.pic != nil {
		c.Fill(w.film.pic.Rect, veil)
	}
	w.stencil.Restore(c)
}

// veil darkens a picture that is out of date.
var veil = color.RGBA{A: uint8(math.Round(255 * (1 - staleStrength)))}
