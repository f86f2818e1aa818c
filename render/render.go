// Package render turns a tree of widgets into frames and reports which pixels of each frame changed.
//
// A widget answers two calls. Update brings it to a moment in time and reports the damage, the rectangles whose pixels
// may differ from the frame before. Paint draws it, as of the last Update, on the part of the frame the canvas lets it
// touch. Only the render goroutine calls both, so a widget needs no locks. It never blocks, logs, reads clocks, files
// or networks. Values from outside reach it through atomic cells that its Update loads.
//
// Sizes are fixed when the tree is built. A widget is constructed for the cell it fills, and allocates all its memory
// there. A steady frame allocates nothing.
package render

import (
	"image"
	"time"

	"dashboard/render/damage"
	"dashboard/render/ink"
)

// Widget is one node of the tree.
type Widget interface {
	// Update brings the widget to t.Now(). It reports with t.Damage every pixel that may change, and
	// with t.Wake when it will next change if nothing comes in from outside.
	Update(t Tick)

	// Paint draws the widget as of the last Update. Pixels outside c.Clip must not be touched, and the
	// result inside it must not depend on how the damage was cut into clips.
	Paint(c Canvas)
}

// Tick is one call to Update as the widget sees it: the time, and where its reports go. It is a value
// in the widget's own coordinates, px, with (0,0) at the top left of its cell.
type Tick struct {
	pass *pass
	org  image.Point     // of the widget, in frame coordinates
	clip image.Rectangle // of the widget, in frame coordinates
	near image.Rectangle // clip, and the part out of view that bleeds into it
	grow int             // px by which reports are widened, for effects that bleed
	hid  bool            // an ancestor is not shown
}

// pass collects what one walk of the tree reports.
type pass struct {
	now     time.Time
	next    time.Time
	due     time.Time
	damage  damage.List
	regions ink.Regions
}

// Now is the moment this pass of the tree shows, the same for every widget of a frame.
func (t Tick) Now() time.Time { return t.pass.now }

// In returns the tick for a child that fills r.
func (t Tick) In(r image.Rectangle) Tick {
	r = r.Add(t.org)
	t.org, t.clip, t.near = r.Min, t.clip.Intersect(r), t.near.Intersect(r)
	return t
}

// Grow returns the tick for children whose damage reaches px further than their own pixels, as under a blurred shadow.
// This includes the damage of pixels out of view.
func (t Tick) Grow(px int) Tick {
	t.grow += px
	if !t.near.Empty() {
		t.near = t.near.Inset(-px)
	}
	return t
}

// Hidden returns a tick whose reports go nowhere: for children that keep time but are not shown.
func (t Tick) Hidden() Tick {
	t.clip, t.near, t.grow, t.hid = image.Rectangle{}, image.Rectangle{}, 0, true
	return t
}

// Shown reports whether any part of the widget is in view.
func (t Tick) Shown() bool { return !t.clip.Empty() }

// Present reports whether the widget is shown, even before it has room. A widget as large as its content has no room
// before the content is there.
func (t Tick) Present() bool { return !t.hid }

// Damage reports that the pixels of r, in the widget's coordinates, may have changed.
func (t Tick) Damage(r image.Rectangle) {
	r = r.Add(t.org).Intersect(t.near)
	if !r.Empty() {
		t.pass.damage.Add(r.Inset(-t.grow))
	}
}

// Photo reports that r, in the widget's coordinates, shows a photo. Widgets report it with every Update. Displays with
// few inks dither only reported rectangles.
func (t Tick) Photo(r image.Rectangle) { t.region(r, true) }

// Flat reports that r is painted over with content that is not a photo: a card with its own ground.
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

// Damaged reports whether any pixel of r has been reported in this pass: before a widget reports its own, by what lies behind it.
func (t Tick) Damaged(r image.Rectangle) bool {
	r = r.Add(t.org).Intersect(t.clip)
	for _, d := range t.pass.damage.Rects() {
		if d.Overlaps(r) {
			return true
		}
	}
	return false
}

// Wake requests another pass at the given time. The earliest request counts. A past time means the next frame. A hidden
// widget wakes nothing: it is updated when it comes into view.
func (t Tick) Wake(at time.Time) {
	if t.clip.Empty() {
		return
	}
	if t.pass.next.IsZero() || at.Before(t.pass.next) {
		t.pass.next = at
	}
}

// Due reports the time, known long before, when the widget will show something else: a window of the day opens, an
// event begins. The earliest counts. Clocks and pages that take turns do not report it. Displays that rarely request a
// picture use it. Hidden widgets report nothing.
func (t Tick) Due(at time.Time) {
	if !t.clip.Empty() && at.After(t.pass.now) && (t.pass.due.IsZero() || at.Before(t.pass.due)) {
		t.pass.due = at
	}
}

// NewTick starts a pass outside a Renderer, for tests of single widgets: the widget fills size.
func NewTick(now time.Time, size image.Point) Tick {
	return Tick{pass: &pass{now: now}, clip: image.Rectangle{Max: size}, near: image.Rectangle{Max: size}}
}

// Reported returns the reports so far on a tick made by NewTick: damaged rectangles, and the earliest requested time
// (zero if there is no such time).
func (t Tick) Reported() ([]image.Rectangle, time.Time) {
	return t.pass.damage.Rects(), t.pass.next
}

// Regions returns the photos that have been reported on a tick made by NewTick, and what lies over them.
func (t Tick) Regions() []ink.Region { return t.pass.regions.List() }
