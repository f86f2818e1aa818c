package notice

import (
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"dashboard/control/notify"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/widgets/kit"
)

// `dims` is the default opacity of the dark layer between the wall and a card.
const dims = 0.6

// `dark` is the color of the dark layer, without its opacity.
var dark = color.NRGBA{5, 8, 13, 255}

// moveTime is the duration of a notification's motion. The darkening of the wall takes the same time, in dimSteps steps. The number of
// steps is small, because each step paints the whole wall again.
const (
	moveTime = 400 * time.Millisecond
	dimSteps = 6
)

// overlay shows notifications above the whole wall.
type overlay struct {
	b     *kit.Builder
	p     *kit.Notices
	size  image.Point
	inbox *notify.Inbox

	shown, last []notify.Shown
	waiting     int
	now         time.Time
	notices     []*notice // notices on the wall, in the order of the notifications. The first notice is painted last
	dim         dimmer

	below *themedBanner // banner at the bottom, which the notices must not cover, or nil
	foot  int           // height of the banner `below`, in px
}

// dimmer is the dark layer between the wall and the notices.
type dimmer struct {
	most     float64 // opacity after the last step
	step, to int     // current step and step to reach, from 0 to dimSteps
	since    time.Time
	from     int
}

// newOverlay creates the overlay for a wall of the given size. It returns nil if the configuration has no notifications.
func newOverlay(b *kit.Builder, size image.Point) *overlay {
	if b.Notices == nil || b.Inboxes == nil {
		return nil
	}
	p := b.Notices
	w := &overlay{b: b, p: p, size: size}
	w.dim.most = dims
	if p.Dim != nil {
		w.dim.most = float64(*p.Dim)
	}
	if p.Kind != "card" || b.Look.Ink {
		w.dim.most = 0
	}
	view := notify.View{Box: w.pictureBox(p.Kind), Fit: picture.Cover, Smooth: b.SmoothScaling, Shown: p.Limit, Usual: time.Duration(p.Duration), Icons: iconSizes(b, p.Kind)}
	w.inbox, _ = b.Inboxes.Inbox(notify.Wall, notify.Card, view)
	w.shown = make([]notify.Shown, 0, notify.MaxShown)
	w.last = make([]notify.Shown, 0, notify.MaxShown)
	return w
}

// Update updates the notifications. If Update panics, all notifications are removed, and the wall continues to work.
func (w *overlay) Update(t render.Tick) {
	defer w.contain(t)
	w.now = t.Now()
	var next time.Time
	var waiting int
	w.shown, next, waiting = w.inbox.Shown(w.shown[:0], w.now, t.Shown())
	foot := w.below.high(t)
	if waiting != w.waiting || !sameShown(w.shown, w.last) || foot != w.foot && len(w.shown) > 0 {
		w.waiting, w.foot = waiting, foot
		w.arrange(t)
		w.last = append(w.last[:0], w.shown...)
	}
	if !next.IsZero() {
		t.Wake(next)
	}
	w.move(t)
}

// contain() recovers from a panic, because a notification that cannot be shown must not stop the wall. The methods of the overlay defer
// contain().
func (w *overlay) contain(t render.Tick) {
	if v := recover(); v != nil {
		w.b.Crashed("notifications", "", v)
		w.drop()
		t.DamageAll()
	}
}

// drop removes all notifications of this wall.
func (w *overlay) drop() {
	w.inbox.Clear()
	w.notices, w.last, w.dim.step, w.dim.to = nil, w.last[:0], 0, 0
}

func sameShown(a, b []notify.Shown) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Notification != b[i].Notification || a[i].Place != b[i].Place || !a[i].Until.Equal(b[i].Until) {
			return false
		}
	}
	return true
}

// arrange updates the list of notices. It creates a notice for each new notification, and makes a notice leave when its notification has
// ended.
func (w *overlay) arrange(t render.Tick) {
	kept := make([]*notice, 0, len(w.shown)+len(w.notices))
	for i := range w.shown {
		kept = append(kept, w.notice(t, &w.shown[i], i))
	}
	first := len(kept)
	w.stack(kept)
	for _, n := range w.notices {
		if !slices.Contains(kept[:first], n) {
			n.leave(w)
			kept = append(kept, n)
		}
	}
	w.notices = kept
	w.dim.aim(w.b, w.now, w.dims())
}

// notice() returns the notice for the notification in s. If a notice with the place s.Place already exists, it gets the new content.
// Otherwise, a new notice is created.
func (w *overlay) notice(t render.Tick, s *notify.Shown, at int) *notice {
	for _, n := range w.notices {
		if n.place == s.Place && !n.going {
			n.show(t, w, s, at)
			return n
		}
	}
	n := &notice{b: w.b, place: s.Place}
	n.show(t, w, s, at)
	return n
}

// dims() reports whether a notification requires a darkened wall.
func (w *overlay) dims() bool {
	for i := range w.shown {
		if w.dim.most > 0 && !quiet(w.shown[i].Notification) {
			return true
		}
	}
	return false
}

// quiet() reports whether a notification has the lowest priority. Such a notification is shown as a badge.
func quiet(n *notify.Notification) bool { return n.Priority == 1 }

// move updates the motion of the notices and of the dark layer.
func (w *overlay) move(t render.Tick) {
	for at := 0; at < len(w.notices); {
		n := w.notices[at]
		n.update(t)
		if n.going && !n.moving {
			t.Damage(n.reach())
			w.notices = append(w.notices[:at], w.notices[at+1:]...)
			continue
		}
		at++
	}
	if w.dim.update(t) {
		t.DamageAll()
	}
}

// Regions reports the rectangles of the notices and of the photos in them, from the lowest to the highest.
func (w *overlay) Regions(t render.Tick) {
	for _, n := range slices.Backward(w.notices) {
		at := n.rect.Min.Add(n.off)
		t.Flat(n.rect.Add(n.off))
		if n.film.Pic != nil {
			t.Photo(n.picture.Add(at))
		}
	}
}

// aim() starts a change of the dark layer. If `on` is true, the wall becomes darker. Otherwise, it becomes as bright as usual.
func (d *dimmer) aim(b *kit.Builder, now time.Time, on bool) {
	to := 0
	if on {
		to = dimSteps
	}
	if to == d.to {
		return
	}
	d.from, d.to, d.since = d.step, to, now
	if b.Reduced {
		d.since = now.Add(-moveTime)
	}
}

// update updates the darkness and reports whether it changed.
func (d *dimmer) update(t render.Tick) bool {
	if d.step == d.to {
		return false
	}
	x := min(1, max(0, float64(t.Now().Sub(d.since))/float64(moveTime)))
	step := d.from + int(math.Round(x*float64(d.to-d.from)))
	if step != d.to {
		t.Wake(t.Now().Add(moveTime / (2 * dimSteps)))
	}
	changed := step != d.step
	d.step = step
	return changed
}

// Paint draws the notifications above the wall.
func (w *overlay) Paint(c render.Canvas) {
	if len(w.notices) == 0 && w.dim.step == 0 {
		return
	}
	defer w.containPaint()
	if w.dim.step > 0 {
		col := dark
		col.A = uint8(math.Round(255 * w.dim.most * float64(w.dim.step) / dimSteps))
		c.Fill(image.Rectangle{Max: w.size}, render.Premultiply(col))
	}
	for i := len(w.notices) - 1; i >= 0; i-- {
		w.notices[i].paint(c)
	}
}

func (w *overlay) containPaint() {
	if v := recover(); v != nil {
		w.b.Crashed("notifications", "", v)
		w.drop()
		w.b.Wake()
	}
}
