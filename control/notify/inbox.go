package notify

import (
	"sync"
	"time"
)

// Inbox holds the notifications of one widget, first in, first out.
type Inbox struct {
	Name string
	Kind Kind

	moved func() // is called when another ticket is first; nil for an inbox that nothing reaches

	mu      sync.Mutex // guards what follows, up to showing
	waiting [MaxWaiting]*ticket
	n       int // tickets in waiting
	view    View

	// Owned by the goroutine that calls Current:
	showing *Notification
	until   time.Time
}

// A ticket is a place in the queue. Its notification is nil until it has been fetched.
type ticket struct{ n *Notification }

// View is how the widget on the wall shows pictures.
func (i *Inbox) View() View {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.view
}

// reserve takes the last place in the queue, for n or for what will be there when n is nil, or returns ErrFull.
func (i *Inbox) reserve(n *Notification) (*ticket, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.n == MaxWaiting {
		return nil, ErrFull
	}
	t := &ticket{n}
	i.waiting[i.n] = t
	i.n++
	return t, nil
}

// fill puts a notification into its place.
func (i *Inbox) fill(t *ticket, n *Notification) {
	i.mu.Lock()
	defer i.mu.Unlock()
	t.n = n
}

// first reports whether a ticket is next in line.
func (i *Inbox) first(t *ticket) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.n > 0 && i.waiting[0] == t
}

// drop gives a place up.
func (i *Inbox) drop(t *ticket) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for at, other := range i.waiting[:i.n] {
		if other == t {
			i.remove(at)
			return
		}
	}
}

// remove takes a ticket out of the queue; mu is held.
func (i *Inbox) remove(at int) {
	copy(i.waiting[at:i.n], i.waiting[at+1:i.n])
	i.n--
	i.waiting[i.n] = nil
	if at == 0 && i.moved != nil {
		i.moved()
	}
}

// take returns the first notification, nil if there is none or it is still being fetched.
func (i *Inbox) take() *Notification {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.n == 0 || i.waiting[0].n == nil {
		return nil
	}
	n := i.waiting[0].n
	i.remove(0)
	return n
}

// Waiting is how many notifications wait for their turn, those whose picture is being fetched among them.
func (i *Inbox) Waiting() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.n
}

// Current is the notification to show now, nil for none, and when it ends. Its time starts when it is first returned, and
// none starts while its widget is not in view; the next in the queue follows at once. A clock that is set ends it early
// rather than late. One goroutine alone, that which paints, may call it. It allocates nothing.
func (i *Inbox) Current(now time.Time, inView bool) (n *Notification, until time.Time) {
	if i.showing != nil && now.Before(i.until) && i.until.Sub(now) <= i.showing.Duration {
		return i.showing, i.until
	}
	i.showing = nil
	if inView {
		i.showing = i.take()
	}
	if i.showing != nil {
		i.until = now.Add(i.showing.Duration)
	}
	return i.showing, i.until
}
