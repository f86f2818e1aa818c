// Package render turns a tree of widgets into frames, and reports which pixels of each frame changed.
//
// A widget has two methods. Update sets its state to a given time and reports the damage: the rectangles whose pixels may differ from the
// previous frame. Paint draws the state of the last Update on the part of the frame that the canvas allows. Only the render goroutine
// calls both methods, so a widget needs no locks. The methods must not block, log, or read clocks, files or networks. Values from outside
// reach a widget through atomic cells, which Update loads.
//
// Sizes are fixed when the tree is built. A widget is constructed for the cell that it fills, and allocates all its memory at
// construction. A frame in normal operation allocates nothing.
package render

import (
	"image"
	"slices"
	"time"

	"dashboard/render/damage"
	"dashboard/render/ink"
)

// Widget is a node of the tree.
type Widget interface {
	// Update sets the widget's state to the time t.Now(). It calls t.Damage with rectangles that contain every pixel that may change. It
	// calls t.Wake with the time of the widget's next change. For new values from outside, no Wake is needed.
	Update(t Tick)

	// Paint draws the widget with the state of the last Update. It must not touch pixels outside c.Clip. The pixels inside must not depend
	// on how the damage was split into clips.
	Paint(c Canvas)
}

// Tick is the argument of a widget's Update: it has the time, and receives the reports. Coordinates are in px relative to the widget.
// (0,0) is the top left corner of its cell. A Tick is valid until the end of the pass.
type Tick struct {
	pass *pass
	cell int // index of the widget's cell in pass.cells. Widgets pass ticks by value, so a Tick is small
}

// cell is the place of a widget during a pass.
type cell struct {
	org  image.Point     // origin of the widget, in frame coordinates
	clip image.Rectangle // visible part of the widget, in frame coordinates
	near image.Rectangle // part whose damage counts: the field clip, and hidden pixels that change pixels in clip. Without grow, it is clip
	grow int             // number of px by which all reports are enlarged, for effects beyond the widget's own pixels
	hid  bool            // true if the widget or an ancestor is not shown
}

// pass collects the reports of all widgets during one update of the tree.
type pass struct {
	now     time.Time
	next    time.Time
	due     time.Time
	damage  damage.List
	regions ink.Regions
	cells   []cell // cells of all ticks of this pass. The first one is the root's cell
}

// start returns the tick of a root that fills r.
func (p *pass) start(r image.Rectangle) Tick {
	p.cells = append(p.cells[:0], cell{clip: r, near: r})
	return Tick{pass: p}
}

// at returns the cell of t. It is valid until another tick is made.
func (t Tick) at() *cell { return &t.pass.cells[t.cell] }

// child returns a tick with a new cell, whose fields the caller must set, and the cell of t.
func (t Tick) child() (child Tick, c, parent *cell) {
	p, n := t.pass, len(t.pass.cells)
	p.cells = slices.Grow(p.cells, 1)[:n+1]
	return Tick{p, n}, &p.cells[n], &p.cells[t.cell]
}

// Now returns the time of the frame, which is the same for every widget.
func (t Tick) Now() time.Time { return t.pass.now }

// In returns the tick for a child that fills r.
func (t Tick) In(r image.Rectangle) Tick {
	child, c, parent := t.child()
	r = r.Add(parent.org)
	c.org, c.grow, c.hid = r.Min, parent.grow, parent.hid
	if c.clip = r; !r.In(parent.clip) {
		c.clip = parent.clip.Intersect(r)
	}
	if c.near = c.clip; c.grow > 0 {
		c.near = parent.near.Intersect(r)
	}
	return child
}

// Grow returns the tick for children that also change pixels outside their cell, for example with a blurred shadow. `px` is the greatest
// distance of such a pixel from the cell. Then damage of a hidden pixel also counts, if a visible pixel is within this distance.
func (t Tick) Grow(px int) Tick {
	child, c, parent := t.child()
	*c = *parent
	c.grow += px
	if !c.near.Empty() {
		c.near = c.near.Inset(-px)
	}
	return child
}

// Hidden returns the tick for children that are not shown but still need the current time. Their reports are ignored.
func (t Tick) Hidden() Tick {
	child, c, parent := t.child()
	*c = cell{org: parent.org, hid: true}
	return child
}

// Shown reports whether any part of the widget is visible.
func (t Tick) Shown() bool { return !t.at().clip.Empty() }

// Present reports whether the widget is shown. Unlike Shown, it is also true if the visible part is empty. A widget whose size depends on
// its content is empty before the content arrives.
func (t Tick) Present() bool { return !t.at().hid }

// Damage reports that the pixels of r, in the widget's coordinates, may have changed.
func (t Tick) Damage(r image.Rectangle) {
	c := t.at()
	r = r.Add(c.org).Intersect(c.near)
	if !r.Empty() {
		t.pass.damage.Add(r.Inset(-c.grow))
	}
}

// Photo reports that r, in the widget's coordinates, shows a photo. Widgets report their photos in every Update. Displays with few inks
// dither only photos.
func (t Tick) Photo(r image.Rectangle) { t.region(r, true) }

// Flat reports that r is covered by content other than a photo, such as a card with its own background.
func (t Tick) Flat(r image.Rectangle) {
	if !t.pass.regions.None() { // otherwise r covers no photo
		t.region(r, false)
	}
}

func (t Tick) region(r image.Rectangle, photo bool) {
	c := t.at()
	t.pass.regions.Add(ink.Region{Rect: r.Add(c.org).Intersect(c.clip), Photo: photo})
}

// DamageAll reports the whole cell of the widget as damage.
func (t Tick) DamageAll() {
	if c := t.at(); !c.near.Empty() {
		t.pass.damage.Add(c.near.Inset(-c.grow))
	}
}

// Damaged reports whether a pixel of r was reported as damage earlier in this pass. A widget that shows its background calls Damaged
// before its own reports, to find changes behind the widget.
func (t Tick) Damaged(r image.Rectangle) bool {
	c := t.at()
	r = r.Add(c.org).Intersect(c.clip)
	for _, d := range t.pass.damage.Rects() {
		if d.Overlaps(r) {
			return true
		}
	}
	return false
}

// Wake requests another pass at the given time. The earliest request counts. A time in the past means the next frame. Requests of hidden
// widgets are ignored, because a widget is updated when it becomes visible.
func (t Tick) Wake(at time.Time) {
	if !t.Shown() {
		return
	}
	if t.pass.next.IsZero() || at.Before(t.pass.next) {
		t.pass.next = at
	}
}

// Passed reports whether the time of the frame is after `at`. If it is not, Passed requests another pass at the first time after `at`. The
// parameter is a pointer, because 32-bit ARM takes many instructions to copy a time.
func (t Tick) Passed(at *time.Time) bool {
	if t.pass.now.After(*at) {
		return true
	}
	if t.pass.next.IsZero() || at.Before(t.pass.next) {
		t.Wake(at.Add(time.Nanosecond))
	}
	return false
}

// Due reports the time of the next change of content that is known in advance, such as the start of an event. The earliest time counts.
// Clocks and rotating pages do not report their changes. Displays that fetch a picture only every few minutes use this time to decide
// when to fetch. Reports of hidden widgets and times in the past are ignored.
func (t Tick) Due(at time.Time) {
	if t.Shown() && at.After(t.pass.now) && (t.pass.due.IsZero() || at.Before(t.pass.due)) {
		t.pass.due = at
	}
}

// NewTick starts a pass without a Renderer, for tests of single widgets. The widget fills a cell of the given size.
func NewTick(now time.Time, size image.Point) Tick {
	return (&pass{now: now}).start(image.Rectangle{Max: size})
}

// Reported returns the reports so far on a tick made by NewTick: the damage, and the earliest time passed to Wake (or the zero time).
func (t Tick) Reported() ([]image.Rectangle, time.Time) {
	return t.pass.damage.Rects(), t.pass.next
}

// Regions returns the photos that were reported on a tick made by NewTick, and the content that covers parts of them.
func (t Tick) Regions() []ink.Region { return t.pass.regions.List() }
