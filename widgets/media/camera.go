package media

import (
	"cmp"
	"image"
	"image/color"
	"net/url"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// CameraParams are the parameters of the camera widget.
type CameraParams struct {
	kit.Framed
	// Address of the camera: an MJPEG stream or a single picture. With a password: http://NAME:PASSWORD@HOST/. Exactly one of url and entity
	// is required.
	URL       *config.Live[string] `yaml:"url"`
	URLSecret bool                 `secret:"url"` // true if the address came from a secret
	// Camera of Home Assistant, instead of url.
	Entity *value.Entity `yaml:"entity"`
	// Home Assistant provider. Default: the one in conf.yaml.
	Provider string `yaml:"provider"`
	// mjpeg: a stream. snapshot: a request for each picture. auto: the type of the answer decides. An entity always uses snapshot.
	Form string `yaml:"kind" default:"auto" enum:"auto,mjpeg,snapshot"`
	// Time between single pictures.
	Refresh value.Duration `yaml:"refresh" default:"5s"`
	// cover fills the cell and cuts the edges off. contain shows the whole picture.
	Fit string `yaml:"fit" default:"cover" enum:"cover,contain"`
}

// leastRefresh is the minimum interval between two pictures.
const leastRefresh = time.Second

// every() returns the refresh interval. It warns about an interval between 0 and leastRefresh, and returns leastRefresh instead.
func every(s *kit.Spec, d value.Duration) time.Duration {
	if d != 0 && time.Duration(d) < leastRefresh {
		s.Warnf("refresh", "is %v at least", leastRefresh)
		return leastRefresh
	}
	return time.Duration(d)
}

func buildCamera(b *kit.Builder, s *kit.Spec, p *CameraParams, size image.Point) render.Widget {
	if (p.URL == nil) == (p.Entity == nil) {
		s.Errorf("", "a camera has a url or an entity, one of the two")
		return nil
	}
	q := query.Picture{Box: size, Fit: picture.Cover, Smooth: b.SmoothScaling, Camera: p.Form, Refresh: max(every(s, p.Refresh), leastRefresh)}
	if p.Fit == "contain" {
		q.Fit = picture.Contain
	}
	if p.Entity != nil {
		q.Entity, q.Home = p.Entity.ID, cmp.Or(p.Provider, kit.UsualHome)
	} else {
		q.URL, q.URLSecret, q.At = address(b, s, p.URL, p.URLSecret)
	}
	cell, ok := b.PictureFor(s, q)
	if !ok {
		return nil
	}
	radius := 0
	if size != b.Picture {
		radius = b.Chosen(p.Radius, b.Look.Sizes.Radius)
	}
	w := fading(b, cell, size)
	w.stencil = render.NewStencil(radius, size)
	w.plate = kit.Plate{Rect: image.Rectangle{Max: size}, Color: b.Role("surface")}
	w.badge = newAgeBadge(b, size)
	if !b.Within.Card { // inside a card, the padding of the card is enough
		w.pad = min(b.Px(b.Look.Sizes.Padding), min(size.X, size.Y)/8)
	}
	w.from = hostOf(q)
	w.lost = b.Failing(w.inside().Size())
	w.loading, w.waits = b.Loading(w.inside().Size()), true
	return w
}

// address() returns the address of a picture: a constant URL, or the cell of the program that returns the URL. `hidden` is true for a
// secret URL.
func address(b *kit.Builder, s *kit.Spec, l *config.Live[string], secret bool) (url string, hidden bool, at *provider.Cell) {
	if l.IsLive() {
		return "", false, b.CellOf(s, l.Program)
	}
	return l.Plain, secret, nil
}

// hostOf returns the host in a camera's address. If the address is secret or not constant, it returns "".
func hostOf(q query.Picture) string {
	if q.URLSecret {
		return ""
	}
	u, err := url.Parse(q.URL)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// fadeTime is the time in which the first picture fades in.
const fadeTime = 300 * time.Millisecond

// fadingImage shows the pictures of a provider.Cell. The first picture fades in.
type fadingImage struct {
	b       *kit.Builder
	value   provider.Typed[*picture.Picture]
	film    kit.Film
	plate   kit.Plate
	stencil *render.Stencil
	badge   *ageBadge // shows the age of an outdated picture. If nil, the picture is darkened instead

	lost    *kit.Failing // shown if no picture has ever arrived, may be nil
	loading *kit.Loading // shown before the first attempt has ended, nil if `lost` is nil
	waits   bool         // true while `loading` is shown
	pad     int          // padding around `lost`, in px
	from    string       // host in the camera's address, used if the provider.Cell does not name the failed source
	failed  time.Time    // time of the first failure, zero if `lost` is hidden

	seen  *provider.Sample
	stale bool
	since time.Time // start of the fade
	veil  uint8     // opacity of the background color that covers the picture during the fade
}

// fading() creates a widget for the pictures of a provider.Cell.
func fading(b *kit.Builder, v provider.Typed[*picture.Picture], size image.Point) *fadingImage {
	return &fadingImage{b: b, value: v, stencil: render.NewStencil(0, size)}
}

// Update implements render.Widget.
func (w *fadingImage) Update(t render.Tick) {
	s := kit.SampleOf(t, w.value.Cell)
	stale := kit.IsStale(t, s)
	if s != w.seen {
		w.seen = s
		if pic, ok := w.value.Value(s); ok {
			if w.film.Pic == nil && pic != nil && !w.b.Reduced {
				w.since, w.veil = t.Now(), 255
			}
			w.film.Show(t, pic)
		}
		w.miss(t, s)
	}
	stale = stale && w.film.Pic != nil
	if stale != w.stale {
		w.stale = stale
		t.DamageAll()
	}
	if stale && w.badge != nil {
		w.badge.update(t, s.At)
	}
	if !w.failed.IsZero() {
		w.lost.Update(t.In(w.inside()), w.value.Cell.NextTry())
	}
	w.fade(t)
	w.film.Update(t)
}

// inside() returns the box for `lost` and `loading`.
func (w *fadingImage) inside() image.Rectangle {
	return image.Rectangle{Max: w.plate.Rect.Max}.Inset(w.pad)
}

// miss() shows the failure of the requests, if no picture has ever arrived.
func (w *fadingImage) miss(t render.Tick, s *provider.Sample) {
	failed := time.Time{}
	if w.lost != nil && w.film.Pic == nil && s.Err != nil {
		failed = s.Failing
	}
	if waits := w.lost != nil && w.film.Pic == nil && failed.IsZero(); waits != w.waits {
		w.waits = waits
		t.DamageAll()
	}
	if failed.Equal(w.failed) {
		return
	}
	if w.failed = failed; !failed.IsZero() {
		w.lost.Say(cmp.Or(w.value.Cell.FailedSource(), w.from), fetch.ClassOf(s.Err), failed, t.Now())
	}
	t.DamageAll()
}

// fade() updates the opacity while the first picture fades in.
func (w *fadingImage) fade(t render.Tick) {
	if w.veil == 0 {
		return
	}
	passed := t.Now().Sub(w.since)
	veil := uint8(0)
	if passed >= 0 && passed < fadeTime && t.Shown() {
		veil = uint8(255 - 255*passed/fadeTime)
		t.Wake(t.Now())
	}
	if veil != w.veil {
		w.veil = veil
		t.Damage(w.film.Pic.Rect)
	}
}

// Paint implements render.Widget.
func (w *fadingImage) Paint(c render.Canvas) {
	w.stencil.Save(c)
	w.plate.Paint(c)
	if w.film.Pic != nil {
		w.film.Paint(c)
		if w.veil > 0 {
			c.Fill(w.film.Pic.Rect, share(w.b.Role("surface"), w.veil))
		}
		if w.stale && w.badge == nil {
			c.Fill(w.film.Pic.Rect, piece.Veil)
		}
	}
	if w.stale && w.badge != nil {
		w.badge.paint(c)
	}
	w.stencil.Restore(c)
	switch in := c.In(w.inside()); {
	case !w.failed.IsZero():
		w.lost.Paint(in)
	case w.waits:
		w.loading.Paint(in)
	}
}

// share() multiplies all channels of a premultiplied color by `of`/255.
func share(c color.RGBA, of uint8) color.RGBA {
	f := func(v uint8) uint8 { return uint8((int(v)*int(of) + 127) / 255) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), f(c.A)}
}

// Sizes of an ageBadge, in px on a screen whose shorter side has 720 px. The colors badgeGround and badgeInk are readable on every
// picture.
const (
	badgeInset = 12
	badgePad   = 10
)

var (
	badgeGround = color.RGBA{A: 176}
	badgeInk    = color.RGBA{255, 255, 255, 255}
)

// ageBadge shows the age of an outdated picture in a corner of the picture.
type ageBadge struct {
	b      *kit.Builder
	size   image.Point
	icon   *kit.Mark
	words  piece.Snippet
	rect   image.Rectangle
	corner *render.Corner
	minute time.Time
	at     time.Time
	buf    []byte
}

func newAgeBadge(b *kit.Builder, size image.Point) *ageBadge {
	w := &ageBadge{b: b, size: size, icon: b.Mark(image.Rectangle{}), words: piece.NewSnippet(b, b.Face("caption"), b.EdgeOf("start"))}
	side := b.Px(kit.HeadIcon)
	w.icon.Place(image.Rect(0, 0, side, side))
	w.icon.Set("mdi:clock-alert-outline")
	return w
}

// update shows the age of a picture. The parameter `at` is the time at which the picture arrived.
func (w *ageBadge) update(t render.Tick, at time.Time) {
	minute := t.Now().Truncate(time.Minute)
	t.Wake(minute.Add(time.Minute))
	if minute.Equal(w.minute) && at.Equal(w.at) {
		return
	}
	w.minute, w.at = minute, at
	t.Damage(w.rect)
	w.buf = w.b.Locale.AppendRelative(w.buf[:0], at, t.Now())
	w.words.Set(w.buf)
	w.lay()
	t.Damage(w.rect)
}

// lay places the badge in the bottom corner where lines of text start. If there is not enough room, it shows only the icon.
func (w *ageBadge) lay() {
	b := w.b
	in, pad := min(b.Px(badgeInset), w.size.Y/8), b.Px(badgePad)
	side, wide := w.icon.Box.Dx(), w.words.Want()
	high := max(side, w.words.Face.Line) + pad/2
	long := pad + side + pad/2 + wide + pad
	if in+long > w.size.X {
		long, wide = side+pad, 0
	}
	left, top := in, w.size.Y-in-high
	if b.Locale.RightToLeft {
		left = w.size.X - in - long
	}
	rect := image.Rect(left, top, left+long, top+high)
	if rect.Size() != w.rect.Size() || w.corner == nil {
		w.corner = render.NewCorner(high/2, rect.Size())
	}
	w.rect = rect
	x := left + (long-side)/2
	words := image.Rectangle{}
	if wide > 0 {
		x = left + pad
		words = image.Rect(x+side+pad/2, top, x+side+pad/2+wide, top+high)
		if b.Locale.RightToLeft {
			x = left + long - pad - side
			words = image.Rect(x-pad/2-wide, top, x-pad/2, top+high)
		}
	}
	w.icon.Place(image.Rect(x, top+(high-side)/2, x+side, top+(high-side)/2+side))
	w.words.Place(words)
}

func (w *ageBadge) paint(c render.Canvas) {
	c.FillRound(w.rect, w.corner, badgeGround)
	w.icon.Paint(c, badgeInk)
	if !w.words.Box.Empty() {
		w.words.Paint(c, badgeInk)
	}
}
