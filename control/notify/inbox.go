package notify

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/internal/stable"
	"dashboard/render/picture"
)

// An Inbox holds the visible and waiting notifications of one widget, in order.
//
// Notifications with a higher priority come first. Among equal priorities, held notifications come last. Otherwise they are in order of
// arrival, except that in mode [Stack] the newest is first. The widget shows the first notifications. If a new notification displaces a
// visible notification, the displaced notification continues later with its remaining time.
type Inbox struct {
	Name string
	Kind Kind

	moved func()       // called after each change, because another picture may have to be fetched; nil if the inbox receives nothing
	ended *atomic.Bool // see Board; nil if the inbox receives nothing

	mu          sync.Mutex // guards the fields below
	items       []*item    // sorted by the function before()
	view        View
	first, last int64  // smallest and largest sort key in use
	places      uint64 // number of values that were assigned to the field place of items
	version     uint64 // increases with each visible change
}

// An item is a notification in an inbox, with its state.
type item struct {
	n       *Notification
	from    *Request // request from which picture and icon are fetched; nil if there is nothing to fetch
	key     int64    // order among items of equal priority
	place   uint64   // identity on the wall; an item takes over the identity of the item that it replaces
	ready   bool     // whether the picture was fetched or is not needed
	busy    bool     // true while the picture is being fetched
	began   bool     // whether the item was shown at least once
	showing bool
	since   time.Time     // time when the current showing began
	left    time.Duration // remaining time; valid while the item is not visible
	whole   time.Duration // total time
	until   time.Time     // end of the present showing, or of the last one
}

// View returns how the widget shows notifications.
func (i *Inbox) View() View {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.view
}

// put adds a notification and the request from which its picture is fetched. It returns ErrFull or ErrHeld if there is no room.
func (i *Inbox) put(n *Notification, from *Request) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	at, err := i.place(n)
	if err == nil {
		i.add(n, from, at)
	}
	return err
}

// A placing describes how a new notification is added to an inbox.
type placing struct {
	update   *item // item with the same ID, which gets the content of the new notification
	same     *item // item with the same content, which counts the repetition
	replaced *item // item that is replaced, because the mode is Replace
	dropped  *item // item that is removed, because the inbox is full
}

// place decides how a notification is added. It changes nothing. It returns ErrFull or ErrHeld if there is no room. mu must be held.
func (i *Inbox) place(n *Notification) (at placing, err error) {
	find := func(is func(*item) bool) *item {
		if k := slices.IndexFunc(i.items, is); k >= 0 {
			return i.items[k]
		}
		return nil
	}
	old := find(func(t *item) bool { return n.ID != "" && t.n.ID == n.ID })
	if at.update = old; old != nil && old.n.Hold == n.Hold {
		return at, nil
	}
	if old == nil {
		if at.same = find(func(t *item) bool { return t.n.sameAs(n) }); at.same != nil {
			return at, nil
		}
		if n.Mode == Replace {
			at.replaced = find(func(t *item) bool { return t.n.priority() <= n.priority() })
		}
		old = at.replaced
	}
	at.dropped, err = i.room(n, old)
	return at, err
}

// add adds a notification as place() has decided. mu must be held.
func (i *Inbox) add(n *Notification, from *Request, at placing) {
	i.drop(at.dropped)
	switch {
	case at.update != nil:
		i.renew(at.update, n, from)
		return
	case at.same != nil:
		again := *at.same.n
		again.Count, again.Posted = min(max(1, again.Count)+1, MaxCount), n.Posted
		at.same.n = &again
		i.changed()
		return
	}
	t := &item{n: n, from: from, ready: from == nil, left: n.Duration, whole: n.Duration}
	i.places++
	t.place = i.places
	switch {
	case at.replaced != nil:
		t.key, t.place = at.replaced.key, at.replaced.place
		i.drop(at.replaced)
	case n.Mode == Queue:
		i.last++
		t.key = i.last
	default:
		i.first--
		t.key = i.first
	}
	i.items = append(i.items, t)
	i.sort()
}

// drop removes an item. It does nothing if the item is nil. mu must be held.
func (i *Inbox) drop(gone *item) {
	if gone != nil {
		i.items = slices.DeleteFunc(i.items, func(t *item) bool { return t == gone })
	}
}

// renew gives an item the content of n, which has the same ID. The item keeps its remaining time, unless n.Restart is set, or the item
// was held and n is not held. mu must be held.
func (i *Inbox) renew(t *item, n *Notification, from *Request) {
	same := from != nil && t.from != nil && t.from.samePictures(from, i.Kind) && t.ready && !n.Restart
	if same {
		n.Picture, n.Box, n.Icons = t.n.Picture, t.n.Box, t.n.Icons
	}
	n.Fetching = n.Fetching && !same
	if n.Restart || t.n.Hold && !n.Hold {
		t.left, t.whole, t.showing, t.began = n.Duration, n.Duration, false, false
	}
	t.n, t.from, t.ready, t.busy = n, from, from == nil || same, false
	i.sort()
}

// sameAs reports whether o repeats n. Both must have Again set, and have the same ID, title, text and priority. In addition, o must be
// posted within AgainWithin after n.
func (n *Notification) sameAs(o *Notification) bool {
	since := o.Posted.Sub(n.Posted)
	return n.Again && o.Again && n.ID == o.ID && n.Title == o.Title && n.Text == o.Text && n.Priority == o.Priority &&
		since >= 0 && since <= AgainWithin
}

// room returns the item that must be removed to make room for n, or nil if there is enough room. `old` is an item that is removed anyway.
// It may be nil. room returns ErrFull or ErrHeld if n cannot be added. mu must be held.
func (i *Inbox) room(n *Notification, old *item) (dropped *item, err error) {
	held := 0
	waiting := make([]*item, 0, MaxWaiting)
	for _, t := range i.items {
		switch {
		case t == old:
		case t.n.Hold:
			held++
		case !t.showing:
			waiting = append(waiting, t)
		}
	}
	switch {
	case n.Hold && held >= MaxHeld:
		return nil, ErrHeld
	case n.Hold || len(waiting) < MaxWaiting:
		return nil, nil
	}
	if dropped = yields(waiting, n); dropped == nil {
		return nil, ErrFull
	}
	return dropped, nil
}

// yields() returns the waiting item that is removed to make room for n, or nil if n gets no room. If the last waiting item has a lower
// priority than n, it is removed. If the priorities are equal, the sender with the most items of this priority loses its last item,
// provided that n's sender has at least two items fewer.
func yields(waiting []*item, n *Notification) *item {
	last := waiting[len(waiting)-1]
	if last.n.priority() != n.priority() {
		if last.n.priority() < n.priority() {
			return last
		}
		return nil
	}
	count := map[string]int{}
	for _, t := range waiting {
		if t.n.priority() == n.priority() {
			count[t.n.From]++
			if count[t.n.From] >= count[last.n.From] {
				last = t
			}
		}
	}
	if count[last.n.From] < count[n.From]+2 {
		return nil
	}
	return last
}

// sort sorts the items and drops pictures that are not needed soon. mu must be held.
func (i *Inbox) sort() {
	stable.Sort(i.items, before)
	keeps := i.ahead()
	for at, t := range i.items {
		if at >= keeps && (t.n.Picture != nil || t.n.Icons != Icons{}) && t.from != nil && !t.showing { // the pictures are fetched again later
			less := *t.n
			less.Picture, less.Icons, less.Fetching = nil, Icons{}, t.from.URL != ""
			t.n, t.ready = &less, false
		}
	}
	i.changed()
}

// before() compares two items. The result is negative if a is first.
func before(a, b *item) int {
	switch p, q := a.n.priority(), b.n.priority(); {
	case p != q:
		return q - p
	case a.n.Hold != b.n.Hold && b.n.Hold:
		return -1
	case a.n.Hold != b.n.Hold:
		return 1
	case a.key < b.key:
		return -1
	case a.key > b.key:
		return 1
	}
	return 0
}

// ahead() returns how many items at the front keep their pictures. These are the visible items. If the widget shows only pictures, the next
// item keeps its picture too. mu must be held.
func (i *Inbox) ahead() int {
	if i.Kind != Image {
		return i.view.slots()
	}
	for _, t := range i.items {
		if t.showing {
			return 2
		}
	}
	return 1
}

// changed() increases the version and signals the change. mu must be held.
func (i *Inbox) changed() {
	i.version++
	if i.moved != nil {
		i.moved()
	}
}

// wanted() returns an item whose picture must be fetched now, and the request from which the picture is fetched. It returns nil if no
// picture is due.
func (i *Inbox) wanted() (*item, *Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for at, t := range i.items {
		if at >= i.ahead() {
			break
		}
		if !t.ready && !t.busy {
			t.busy = true
			return t, t.from
		}
		if t.busy && i.Kind == Image {
			break // picture widgets fetch one picture at a time
		}
	}
	return nil, nil
}

// fetching returns the number of pictures that are not fetched yet.
func (i *Inbox) fetching() (n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, t := range i.items {
		if !t.ready {
			n++
		}
	}
	return n
}

// fill gives an item its pictures, unless the item was removed or updated in the meantime. The pictures are nil if they could not be
// fetched. If the widget shows only pictures, an item without a picture is removed.
func (i *Inbox) fill(t *item, from *Request, pic *picture.Picture, icons Icons, view View) {
	i.mu.Lock()
	defer i.mu.Unlock()
	at := slices.Index(i.items, t)
	if at < 0 || t.from != from {
		return
	}
	t.ready, t.busy = true, false
	if pic == nil && i.Kind == Image {
		i.items = slices.Delete(i.items, at, at+1)
	} else {
		n := *t.n
		n.Picture, n.Box, n.Icons, n.Fetching = pic, view.Box, icons, false
		t.n = &n
	}
	i.changed()
}

// Waiting returns the number of notifications that are not visible. It includes notifications whose picture is being fetched.
func (i *Inbox) Waiting() (n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, t := range i.items {
		if !t.showing {
			n++
		}
	}
	return n
}

// calls() reports whether a notification that switches the screen on is still waiting for its first showing.
func (i *Inbox) calls() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.items, func(t *item) bool { return t.n.Wake && !t.began })
}

// awake returns the time until which a notification that was shown keeps the screen on, or the zero time.
func (i *Inbox) awake() (until time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, t := range i.items {
		if t.n.Wake && t.began && t.until.After(until) {
			until = t.until
		}
	}
	return until
}

// runs() reports whether the inbox has a notification with a limited time. The notification may be visible or waiting.
func (i *Inbox) runs() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.items, func(t *item) bool { return !t.n.Hold })
}
