package classic

import (
	"image"
	"image/color"

	"dashboard/control"
	"dashboard/control/notify"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// NotifiableTextParams are the parameters of the notifiabletext widget.
type NotifiableTextParams struct {
	kit.Lettering
	// Padding between the text and each edge.
	Padding int `yaml:"padding" default:"0" min:"0" unit:"px"`
	kit.Backdrop
}

// notifiableText shows its child. The text of a notification is drawn over the child or replaces the child.
type notifiableText struct {
	*kit.Words
	child  render.Widget
	inbox  *notify.Inbox
	size   image.Point
	usual  notifiedLook
	shown  *notify.Notification
	covers bool // true if the notification has a background, which hides the child
	scrim  color.RGBA
}

// noticeScrim is the opacity of the layer between the child and a text that has no background.
const noticeScrim = 0.8

// scrimFor returns the color of the layer behind a text without a background. The layer is dark behind light letters and light behind dark
// letters, so that the text stands out from the child's texts.
func scrimFor(text color.RGBA) color.RGBA {
	if text.A == 0 || piece.Luminance(color.NRGBA{text.R, text.G, text.B, 255}) > 0.18 {
		return render.Premultiply(color.NRGBA{A: 255 * noticeScrim})
	}
	return render.Premultiply(color.NRGBA{255, 255, 255, 255 * noticeScrim})
}

// notifiedLook holds the two colors of a notification.
type notifiedLook struct{ text, background color.RGBA }

// inbox() returns the inbox of the widget. It reports an error if the widget has no name, and a warning if another widget already has the
// name. If the widget is built again in another size, it keeps its inbox.
func inbox(b *kit.Builder, s *kit.Spec, kind notify.Kind, view notify.View) *notify.Inbox {
	if s.Name == "" {
		s.Errorf("name", "a %s needs a name, to which notifications are sent", s.Kind)
		return &notify.Inbox{Kind: kind}
	}
	if b.Inboxes == nil {
		return &notify.Inbox{Name: s.Name, Kind: kind}
	}
	if in := b.Boxes[s]; in != nil { // the widget is built again in another size
		b.Inboxes.Resize(s.Name, view)
		return in
	}
	in, ok := b.Inboxes.Inbox(s.Name, kind, view)
	if !ok {
		s.Warnf("name", "another widget is notified by the name '%s'", s.Name)
		return in
	}
	if b.Boxes == nil {
		b.Boxes = map[*kit.Spec]*notify.Inbox{}
	}
	b.Boxes[s] = in
	return in
}

func buildNotifiableText(b *kit.Builder, s *kit.Spec, p *NotifiableTextParams, size image.Point) render.Widget {
	w := &notifiableText{
		Words: b.Words(s, size, p.Lettering, kit.Placement{Padding: p.Padding, Align: "center", Vertical: "center"}, p.Backdrop),
		inbox: inbox(b, s, notify.Text, notify.View{Box: size}), size: size,
	}
	w.usual = notifiedLook{w.Color, w.Plate.Color}
	w.child = b.Build(s.Children[0], size)
	return w
}

// Update implements render.Widget.
func (w *notifiableText) Update(t render.Tick) {
	n, until := w.inbox.Current(t.Now(), t.Shown())
	if n != w.shown {
		w.show(t, n)
	}
	if n != nil {
		t.Wake(until)
	}
	if w.covers {
		t = t.Hidden()
	}
	w.child.Update(t)
}

// show shows the notification n over the child, or only the child if n is nil.
func (w *notifiableText) show(t render.Tick, n *notify.Notification) {
	t.Damage(w.Block.Ink())
	before := w.covers || w.scrim.A > 0
	w.shown, w.covers, w.scrim = n, false, color.RGBA{}
	if n == nil {
		w.Block.Set("")
	} else {
		w.Block.Set(n.Text)
		w.Color, w.Plate.Color = w.usual.text, w.usual.background
		if n.Color != nil {
			w.Color = render.Premultiply(*n.Color)
		}
		if n.Background != nil {
			w.Plate.Color = render.Premultiply(*n.Background)
		}
		if w.covers = w.Plate.Color.A > 0; !w.covers && n.Text != "" {
			w.scrim = scrimFor(w.Color)
		}
	}
	t.Damage(w.Block.Ink())
	if before || w.covers || w.scrim.A > 0 {
		t.DamageAll()
	}
}

// Paint implements render.Widget.
func (w *notifiableText) Paint(c render.Canvas) {
	if !w.covers {
		w.child.Paint(c)
	}
	if w.shown != nil {
		c.Fill(image.Rectangle{Max: w.size}, w.scrim)
		w.Draw(c)
	}
}

// Reach implements kit.Holder.
func (w *notifiableText) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return !w.covers && each(w.child, p)
}

// Tap implements kit.Tappable. It dismisses the notification.
func (w *notifiableText) Tap(image.Point) (control.Action, bool) { return dismissed(w.inbox, w.shown) }

func dismissed(in *notify.Inbox, n *notify.Notification) (control.Action, bool) {
	return control.Action{}, n != nil && in.Dismiss(n)
}
