// Package render turns a tree of widgets into frames and reports which pixels of each frame changed.
//
// A widget answers two calls. Update sets its state to a moment in time and reports the damage, which are the rectangles whose
// pixels may differ from the previous frame. Paint draws the state of the last Update on the part of the frame that the canvas
// allows. Only the render goroutine calls both, so a widget needs no locks. It never blocks, logs, reads clocks, files or networks.
// Values from outside reach it through atomic cells that its Update loads.
//
// Sizes are fixed when the tree is built. A widget is constructed for the cell that it fills, and allocates all its memory at
// construction. A steady frame allocates nothing.
package render

import (
	"image"
	"time"

	"dashboard/render/damage"
	"dashboard/render/ink"
)

// Widget is one node of the tree.
type Widget interface {
	// Update sets the widget's state to t.Now(). It reports every pixel that may change with t.Damage. With t.Wake it reports the
	// time of its next change if nothing arrives from outside.
	Update(t Tick)

	// Paint draws the widget with the state of the last Update. Pixels outside c.Clip must not be touched. The result inside it
	// must not depend on how the damage was split into clips.
	Paint(c Canvas)
}

// Tick is the argument of an Update of one widget: the time, and the destination of its reports. It is a value in the widget's own
// coordinates, in px, with (0,0) at the top left of its cell.
type Tick struct {
	pass *pass
	org  image.Point     // origin of the widget, in frame coordinates
	clip image.Rectangle // visible part of the widget, in frame coordinates
	near image.Rectangle // clip, and the hidden part whose effects reach into it
	grow int             // px by which reports are enlarged, for effects beyond their own pixels
	hid  bool            // an ancestor is not shown
}

// pass collects the reports of one walk through the tree.
type pass struct {
	now     time.Time
	next    time.Time
	due     time.Time
	damage  damage.List
	regions ink.Regions
}

// Now returns the time of the frame, which is the same for every widget.
func (t Tick) Now() time.Time { return t.pass.now }

// In returns the tick for a child that fills r.
func (t Tick) In(r image.Rectangle) Tick {
	r = r.Add(t.org)
	t.org, t.clip, t.near = r.Min, t.clip.Intersect(r), t.near.Intersect(r)
	return t
}

// Grow returns the tick for children whose damage reaches px further than their own pixels, for example because of a blurred
// shadow. This includes the damage of pixels that are not visible.
func (t Tick) Grow(px int) Tick {
	t.grow += px
	if !t.near.Empty() {
		t.near = t.near.Inset(-px)
	}
	return t
}

// Hidden returns a tick whose reports are ignored, for children that keep time but are not shown.
func (t Tick) Hidden() Tick {
	t.clip, t.near, t.grow, t.hid = image.Rectangle{}, image.Rectangle{}, 0, true
	return t
}

// Shown reports whether any part of the widget is visible.
func (t Tick) Shown() bool { return !t.clip.Empty() }

// Present reports whether the widget is shown, even if it has no room yet. A widget with the size of its content has no room before
// the content arrives.
func (t Tick) Present() bool { return !t.hid }

// Damage reports that the pixels of r, in the widget's coordinates, may have changed.
func (t Tick) Damage(r image.Rectangle) {
	r = r.Add(t.org).Intersect(t.near)
	if !r.Empty() {
		t.pass.damage.Add(r.Inset(-t.grow))
	}
}

// Photo reports that r, in the widget's coordinates, shows a photo. Widgets report photos in every Update. Displays with few inks
// dither only these rectangles.
func (t Tick) Photo(r image.Rectangle) { t.region(r, true) }

// Flat reports that r is covered by content that is not a photo, such as a card with its own background.
func (t Tick) Flat(r image.Rectangle) { t.region(r, false) }

func (t Tick) region(r image.Rectangle, photo bool) {
	t.pass.regions.Add(ink.Region{Rect: r.Add(t.org).Intersect(t.clip), Photo: photo})
}

// DamageAll reports the whole cell.
func (t Tick) DamageAll() {
	if !t.near.Empty() {
		t.pass.damage.Add(t.near.Inset(-t.grow))
	}
}

// Damaged reports whether any pixel of r was reported earlier in this pass. A widget calls it before its own report to find changes
// behind it.
func (t Tick) Damaged(r image.Rectangle) bool {
	r = r.Add(t.org).Intersect(t.clip)
	for _, d := range t.pass.damage.Rects() {
		if d.Overlaps(r) {
			return true
		}
	}
	return false
}

// Wake requests another pass at the given time. The earliest request counts. A past time means the next frame. Requests of a hidden
// widget are ignored, because it is updated when it becomes visible.
func (t Tick) Wake(at time.Time) {
	if t.clip.Empty() {
		return
	}
	if t.pass.next.IsZero() || at.Before(t.pass.next) {
		t.pass.next = at
	}
}

// Due reports the time of the widget's next foreseeable change: a time window opens, an event begins. The earliest time counts.
// Clocks and rotating pages do not report their changes. Displays that rarely request a picture use this time. Reports of hidden
// widgets are ignored.
func (t Tick) Due(at time.Time) {
	if !t.clip.Empty() && at.After(t.pass.now) && (t.pass.due.IsZero() || at.Before(t.pass.due)) {
		t.pass.due = at
	}
}

// NewTick starts a pass without a Renderer, for tests of single widgets. The widget fills size.
func NewTick(now time.Time, size image.Point) Tick {
	return Tick{pass: &pass{now: now}, clip: image.Rectangle{Max: size}, near: image.Rectangle{Max: size}}
}

// Reported returns the reports so far on a tick made by NewTick: damaged rectangles, and the earliest requested time
// (zero if there is no such time).
func (t Tick) Reported() ([]image.Rectangle, time.Time) {
	return t.pass.damage.Rects(), t.pass.next
}

// Regions returns the photos that were reported on a tick made by NewTick, and the content over them.
func (t Tick) Regions() []ink.Region { return t.pass.regions.List() }
