package notify

import (
	"slices"
	"time"
)

// A Shown is a notification that is visible on the wall.
type Shown struct {
	*Notification
	Place uint64        // identity on the wall; a notification takes over the identity of the notification that it replaces
	Began time.Time     // time when the showing began
	Until time.Time     // time when the showing ends; zero if the notification is held
	Whole time.Duration // total time
}

// advance removes the items that over() or late() reports. If the widget is visible, it also shows the items that are due and pauses the
// items that are displaced. It does not allocate. mu must be held.
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

// begin makes an item visible.
func (i *Inbox) begin(t *item, now time.Time) {
	t.showing, t.began, t.since = true, true, now
	t.until = now.Add(t.left)
}

// pause makes an item wait. The item keeps its remaining time.
func (t *item) pause(now time.Time) {
	t.showing = false
	if !t.n.Hold {
		t.left = max(t.until.Sub(now), 1)
	}
}

// over() reports whether the item's time is over. If the clock was changed, the item ends too early rather than too late.
func (t *item) over(now time.Time) bool {
	return t.showing && !t.n.Hold && (!now.Before(t.until) || t.until.Sub(now) > t.whole)
}

// late() reports whether the item was never shown and its TTL has passed.
func (t *item) late(now time.Time) bool {
	return !t.began && t.n.TTL > 0 && now.Sub(t.n.Posted) > t.n.TTL
}

// Current returns the visible notification, or nil. `until` is its end, or zero if the notification is held. The time of a notification
// starts when Current first returns it. While the widget is invisible, no time starts. If the clock was changed, a notification ends too
// early rather than too late. Only the painting goroutine may call Current. It does not allocate.
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

// Shown appends the visible notifications to dst in order. `next` is the earliest end of a visible notification, or zero if none of them
// ends. `waiting` is the number of other notifications. The rules of Current apply.
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

// Version returns a number that changes with every change of the inbox. When a notification expires, the number changes at the next call of
// Current or Shown.
func (i *Inbox) Version() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.version
}
