package notify

import (
	"slices"
	"time"
)

// Shown is a notification on the wall.
type Shown struct {
	*Notification
	Place uint64        // the same during a showing; a replacement keeps it
	Began time.Time     // begin of the showing
	Until time.Time     // end; zero if held
	Whole time.Duration // total time
}

// advance updates the inbox: it removes ended and late items, and begins due ones if the widget is visible. mu is held. It does not
// allocate.
func (i *Inbox) advance(now time.Time, inView bool) {
	was := len(i.items)
	for at := len(i.items) - 1; at >= 0; at-- {
		if t := i.items[at]; t.over(now) || t.late(now) {
			i.items = slices.Delete(i.items, at, at+1)
		}
	}
	changed := len(i.items) != was
	if inView {
		free := i.view.slots()
		for _, t := range i.items {
			may := free > 0 && (t.ready || i.Kind == Card)
			if may {
				free--
			}
			switch {
			case may && !t.showing:
				i.begin(t, now)
				changed = true
			case !may && t.showing:
				t.pause(now)
				changed = true
			}
		}
	}
	if changed {
		i.changed()
	}
}

// begin shows an item.
func (i *Inbox) begin(t *item, now time.Time) {
	t.showing, t.began, t.since = true, true, now
	t.until = now.Add(t.left)
	if t.n.Wake && i.wakes != nil {
		i.wakes(t.until)
	}
}

// pause makes an item wait with its remaining time.
func (t *item) pause(now time.Time) {
	t.showing = false
	if !t.n.Hold {
		t.left = max(t.until.Sub(now), 1)
	}
}

// over reports whether the item's time is over. After a change of the clock it ends early rather than late.
func (t *item) over(now time.Time) bool {
	return t.showing && !t.n.Hold && (!now.Before(t.until) || t.until.Sub(now) > t.whole)
}

// late reports whether an item that was never shown has expired.
func (t *item) late(now time.Time) bool {
	return !t.began && t.n.TTL > 0 && now.Sub(t.n.Posted) > t.n.TTL
}

// Current returns the notification to show, or nil. until is its end, or zero if it is held. The time starts when
// Current first returns it. No time starts while the widget is invisible. After a change of the clock a notification ends early
// rather than late. Only the painting goroutine may call it. It does not allocate.
func (i *Inbox) Current(now time.Time, inView bool) (n *Notification, until time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.advance(now, inView)
	for _, t := range i.items {
		switch {
		case t.showing && t.n.Hold:
			return t.n, time.Time{}
		case t.showing:
			return t.n, t.until
		}
	}
	return nil, time.Time{}
}

// Shown appends the visible notifications to dst, in order. It returns the earliest end, zero for never, and the number of waiting
// ones. Otherwise it is like Current.
func (i *Inbox) Shown(dst []Shown, now time.Time, inView bool) (all []Shown, next time.Time, waiting int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.advance(now, inView)
	for _, t := range i.items {
		if !t.showing {
			waiting++
			continue
		}
		s := Shown{Notification: t.n, Place: t.place, Began: t.since, Whole: t.whole}
		if !t.n.Hold {
			s.Until = t.until
			if next.IsZero() || t.until.Before(next) {
				next = t.until
			}
		}
		dst = append(dst, s)
	}
	return dst, next, waiting
}

// Version changes whenever the result of Shown does, except when a notification expires.
func (i *Inbox) Version() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.version
}
