package notify

import (
	"slices"
	"sync"
	"time"

	"dashboard/render/picture"
)

// Inbox holds the notifications of one widget: those that it shows, and those that wait, in their order.
//
// The order is: more important ones first; of those, ones with an end before ones that are held, so that these stop nobody;
// then as they came, the newest first where its mode is [Stack]. The first of them are shown, as many as the widget shows at
// once. Whoever is pushed out goes on later with the time that was left.
type Inbox struct {
	Name string
	Kind Kind

	moved func()            // is called when there may be another picture to fetch; nil for an inbox that nothing reaches
	wakes func(t time.Time) // is called when one begins that wants the screen on

	mu          sync.Mutex // guards what follows
	items       []*item    // in their order
	view        View
	first, last int64  // keys in use: those before the others and those behind them
	places      uint64 // given out so far
	version     uint64 // grows with every change of what is shown
}

// An item is a notification and its place in the queue.
type item struct {
	n       *Notification
	from    *Request // of its picture; nil if it has none
	key     int64    // place among its like
	place   uint64   // of what is shown: whoever replaces another takes its place over
	ready   bool     // its picture is here, or it has none
	busy    bool     // the picture is being fetched
	began   bool     // it was shown already
	showing bool
	since   time.Time     // when it came into view
	left    time.Duration // still to be shown, when it is not showing
	until   time.Time     // its end, when it is showing and not held
}

// View is how the widget on the wall shows notifications.
func (i *Inbox) View() View {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.view
}

// put takes a notification in; from is where its picture is fetched. It returns ErrFull or ErrHeld.
func (i *Inbox) put(n *Notification, from *Request) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if known, err := i.renew(n, from); known || err != nil || i.count(n) {
		return err
	}
	t := &item{n: n, from: from, ready: from == nil, left: n.Duration}
	old := i.replaced(n)
	if err := i.room(n, old); err != nil {
		return err
	}
	i.places++
	t.place = i.places
	switch {
	case old >= 0:
		t.key, t.place = i.items[old].key, i.items[old].place
		i.items = slices.Delete(i.items, old, old+1)
	case n.Mode == Queue:
		i.last++
		t.key = i.last
	default:
		i.first--
		t.key = i.first
	}
	i.items = append(i.items, t)
	i.sort()
	return nil
}

// renew puts a notification in the place of that with its id, if there is one. It keeps its time unless it says otherwise. It returns
// ErrFull or ErrHeld where there is no room for one that is held now, or no more.
func (i *Inbox) renew(n *Notification, from *Request) (known bool, err error) {
	at := slices.IndexFunc(i.items, func(t *item) bool { return n.ID != "" && t.n.ID == n.ID })
	if at < 0 {
		return false, nil
	}
	t := i.items[at]
	if n.Hold != t.n.Hold {
		if err := i.room(n, at); err != nil {
			return true, err
		}
	}
	same := from != nil && t.from != nil && t.from.samePictures(from, i.Kind) && t.ready && !n.Restart
	if same {
		n.Picture, n.Box, n.Icons = t.n.Picture, t.n.Box, t.n.Icons
	}
	n.Fetching = n.Fetching && !same
	if n.Restart || t.n.Hold && !n.Hold {
		t.left, t.showing, t.began = n.Duration, false, false
	}
	t.n, t.from, t.ready, t.busy = n, from, from == nil || same, false
	i.sort()
	return true, nil
}

// count counts a notification that came just now.
func (i *Inbox) count(n *Notification) bool {
	for _, t := range i.items {
		o := t.n
		since := n.Posted.Sub(o.Posted)
		if !n.Again || !o.Again || o.ID != n.ID || o.Title != n.Title || o.Text != n.Text || o.Priority != n.Priority || since < 0 || since > AgainWithin {
			continue
		}
		again := *o
		again.Count, again.Posted = min(max(1, o.Count)+1, MaxCount), n.Posted
		t.n = &again
		i.changed()
		return true
	}
	return false
}

// replaced is the index of the item that a notification replaces, or -1.
func (i *Inbox) replaced(n *Notification) int {
	if n.Mode != Replace {
		return -1
	}
	return slices.IndexFunc(i.items, func(t *item) bool { return t.n.priority() <= n.priority() })
}

// room reports whether there is none for another notification; old is the index of what goes for it, or -1.
func (i *Inbox) room(n *Notification, old int) error {
	waiting, held := 0, 0
	for at, t := range i.items {
		if at == old {
			continue
		}
		switch {
		case t.n.Hold:
			held++
		case !t.showing:
			waiting++
		}
	}
	switch {
	case n.Hold && held >= MaxHeld:
		return ErrHeld
	case !n.Hold && waiting >= MaxWaiting:
		return ErrFull
	}
	return nil
}

// sort brings the items into their order; mu is held.
func (i *Inbox) sort() {
	slices.SortStableFunc(i.items, before)
	keeps := i.ahead()
	for at, t := range i.items {
		if at >= keeps && (t.n.Picture != nil || t.n.Icons != Icons{}) && t.from != nil && !t.showing { // it is fetched again when its turn comes
			less := *t.n
			less.Picture, less.Icons, less.Fetching = nil, Icons{}, t.from.URL != ""
			t.n, t.ready = &less, false
		}
	}
	i.changed()
}

// before compares two items: less than 0 if a is first.
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

// ahead is of how many items, from the first, the pictures are kept: of those that are shown and, where nothing else is
// shown than the picture, of the next.
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

// changed tells that what is shown may be another; mu is held.
func (i *Inbox) changed() {
	i.version++
	if i.moved != nil {
		i.moved()
	}
}

// wanted returns an item whose picture is to be fetched next, and from where; nil for none.
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
			break // one after the other
		}
	}
	return nil, nil
}

// fetching is how many pictures are not there yet.
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

// fill gives an item its pictures, nil for none: then it shows without one, or not at all where it is nothing else.
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

// Waiting is how many notifications wait for their turn, those whose picture is being fetched among them.
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

// calls reports whether a notification that wants the screen on has not been shown yet.
func (i *Inbox) calls() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.items, func(t *item) bool { return t.n.Wake && !t.began })
}

// runs reports whether a notification shows, or waits to be shown, that ends by itself.
func (i *Inbox) runs() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.items, func(t *item) bool { return !t.n.Hold })
}
