package classic

import (
	"image"

	"dashboard/control"
	"dashboard/control/notify"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/widgets/kit"
)

// NotifiableImageParams are the parameters of the notifiableimage widget.
type NotifiableImageParams struct {
	// Scaling of the picture: contain shows the whole picture, cover fills the cell and cuts edges off, stretch fills the cell and
	// changes the aspect ratio.
	Fit string `yaml:"fit" default:"contain" enum:"contain,cover,stretch"`
	// Same as fit: contain.
	PreserveAspectRatio bool `yaml:"preserve_aspect_ratio" default:"false"`
}

// notifiableImage shows its child. While there is a notification, it shows the notification's picture instead.
type notifiableImage struct {
	child render.Widget
	inbox *notify.Inbox
	size  image.Point
	shown *notify.Notification
	film  kit.Film
	at    image.Point // top left corner of the box for which the picture was decoded
}

func buildNotifiableImage(b *kit.Builder, s *kit.Spec, p *NotifiableImageParams, size image.Point) render.Widget {
	fit := picture.Contain
	if !p.PreserveAspectRatio {
		fit = kit.Fitting{Fit: p.Fit}.Rule()
	}
	return &notifiableImage{
		inbox: inbox(b, s, notify.Image, notify.View{Box: size, Fit: fit, Smooth: b.SmoothScaling}),
		size:  size, child: b.Build(s.Children[0], size),
	}
}

// Update implements render.Widget.
func (w *notifiableImage) Update(t render.Tick) {
	n, until := w.inbox.Current(t.Now(), t.Shown())
	if n != w.shown {
		w.shown, w.film = n, kit.Film{}
		t.DamageAll()
		if n != nil {
			w.film.Pic = n.Picture
			w.at = w.size.Sub(n.Box).Div(2) // center the box, because the cell may have another size than the box
		}
	}
	if n == nil {
		w.child.Update(t)
		return
	}
	t.Wake(until)
	w.film.Update(t.In(image.Rectangle{Max: n.Box}.Add(w.at)))
	w.child.Update(t.Hidden())
}

// Paint implements render.Widget.
func (w *notifiableImage) Paint(c render.Canvas) {
	if w.shown == nil {
		w.child.Paint(c)
		return
	}
	w.film.Paint(c.In(image.Rectangle{Max: w.size}).At(w.at))
}

// Reach implements kit.Holder.
func (w *notifiableImage) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return each(w.child, p)
}

// Tap implements kit.Tappable. It dismisses the notification.
func (w *notifiableImage) Tap(image.Point) (control.Action, bool) { return dismissed(w.inbox, w.shown) }
