package notify

import (
	"slices"
	"time"
)

// Shown is a notification on the wall.
type Shown struct {
	*Notification
	Place uint64        // the same one as long as it is shown, and that of whoever replaces it
	Began time.Time     // when it came into view
	Until time.Time     // its end; zero if it is held
	Whole time.Duration // of which Until is the end
}

// advance brings the inbox to now: it ends what is over, drops what came too late, and begins those whose turn it is if the
// widget is in view; mu is held. It allocates nothing.
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

// pause has an item wait again, with the time that is left.
func (t *item) pause(now time.Time) {
	t.showing = false
	if !t.n.Hold {
		t.left = max(t.until.Sub(now), 1)
	}
}

// over reports whether an item has been shown for its time. A clock that is set ends it early rather than late.
func (t *item) over(now time.Time) bool {
	return t.showing && !t.n.Hold && (!now.Before(t.until) || t.until.Sub(now) > t.whole)
}

// late reports whether an item that was not shown is of no use any more.
func (t *item) late(now time.Time) bool {
	return !t.began && t.n.TTL > 0 && now.Sub(t.n.Posted) > t.n.TTL
}

// Current is the notification to show now, nil for none, and when it ends; the zero time if it is held. Its time starts when
// it is first returned, and none starts while its widget is not in view; the next in the queue follows at once. A clock that
// is set ends it early rather than late. One goroutine alone, that which paints, may call it. It allocates nothing.
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

// Shown appends to dst the notifications to show now, the first of them first, and returns when the first of them ends, the
// zero time for never, and how many wait beside them. Otherwise it is like Current.
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

// Version changes whenever what Shown returns does, but for what ends by itself.
func (i *Inbox) Version() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.version
}
