package notify

import (
	"slices"
	"time"

	"dashboard/internal/fetch"
)

// State is the state of a notification.
type State string

// States of notifications.
const (
	Waiting State = "waiting" // not shown yet
	Showing State = "shown"
	Held    State = "held" // shown until it is deleted, but other notifications may cover it
)

// Entry is a notification in an answer to callers.
type Entry struct {
	ID       string    `json:"id,omitempty"`
	Widget   string    `json:"widget"`
	State    State     `json:"state"`
	Title    string    `json:"title,omitempty"`
	Text     string    `json:"text,omitempty"`
	Icon     string    `json:"icon,omitempty"`
	Priority int       `json:"priority"`
	Progress *float64  `json:"progress,omitempty"` // percent
	Count    int       `json:"count"`
	Wake     bool      `json:"wake,omitempty"`
	Posted   time.Time `json:"posted"`
	Left     float64   `json:"seconds_left"`      // 0 if held
	Actions  []string  `json:"actions,omitempty"` // labels
}

// List returns all notifications, the ones of each widget in order.
func (b *Board) List() []Entry {
	all := []Entry{}
	now := b.now()
	for _, in := range b.inboxes() {
		all = in.list(all, now)
	}
	return all
}

func (i *Inbox) list(all []Entry, now time.Time) []Entry {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, t := range i.items {
		if t.over(now) || t.late(now) {
			continue
		}
		all = append(all, t.entry(i.Name, now))
	}
	return all
}

func (t *item) entry(widget string, now time.Time) Entry {
	n := t.n
	e := Entry{
		ID: n.ID, Widget: widget, State: Waiting, Title: n.Title, Text: n.Text, Icon: masked(n.Icon), Priority: n.priority(),
		Count: max(1, n.Count), Wake: n.Wake, Posted: n.Posted, Left: t.left.Seconds(),
	}
	for _, c := range n.Actions {
		e.Actions = append(e.Actions, c.Label)
	}
	if n.Progress != nil {
		percent := *n.Progress * 100
		e.Progress = &percent
	}
	switch {
	case n.Hold:
		e.State, e.Left = Held, 0
	case t.showing:
		e.State, e.Left = Showing, t.until.Sub(now).Seconds()
	}
	return e
}

// masked returns an icon without secrets of its address.
func masked(icon string) string {
	if isAddress(icon) {
		return fetch.Redact(icon)
	}
	return icon
}

// Delete ends the notifications with the given id in a widget. An empty id means all notifications, and an empty widget means all
// widgets. It returns their number, or ErrUnknown.
func (b *Board) Delete(id, widget string) (n int, err error) {
	if widget != "" {
		in, err := b.Lookup(widget)
		if err != nil {
			return 0, err
		}
		n = in.delete(id)
	} else {
		for _, in := range b.inboxes() {
			n += in.delete(id)
		}
	}
	if n > 0 {
		b.wake()
	}
	return n, nil
}

func (i *Inbox) delete(id string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	was := len(i.items)
	i.items = slices.DeleteFunc(i.items, func(t *item) bool { return id == "" || t.n.ID == id })
	if len(i.items) != was {
		i.changed()
	}
	return was - len(i.items)
}

// Dismiss ends a notification. It returns false if the inbox does not contain it.
func (i *Inbox) Dismiss(n *Notification) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	was := len(i.items)
	i.items = slices.DeleteFunc(i.items, func(t *item) bool { return t.n == n })
	if len(i.items) == was {
		return false
	}
	i.changed()
	return true
}

// Clear ends all notifications of the inbox.
func (i *Inbox) Clear() { i.delete("") }
