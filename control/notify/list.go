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
	Waiting State = "waiting" // not visible
	Showing State = "shown"
	Held    State = "held" // visible until it is deleted, unless other notifications cover it
)

// An Entry describes a notification in an answer to a caller.
type Entry struct {
	ID       string    `json:"id,omitempty"`
	Widget   string    `json:"widget"`
	State    State     `json:"state"`
	Title    string    `json:"title,omitempty"`
	Text     string    `json:"text,omitempty"`
	Icon     string    `json:"icon,omitempty"`
	Priority int       `json:"priority"`
	Progress *float64  `json:"progress,omitempty"` // in percent
	Count    int       `json:"count"`
	Wake     bool      `json:"wake,omitempty"`
	Posted   time.Time `json:"posted"`
	Left     float64   `json:"seconds_left"`      // 0 if the notification is held
	Actions  []string  `json:"actions,omitempty"` // labels of its buttons
}

// List returns all notifications. The notifications of each widget are in order.
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

// masked() returns the name of an icon. For the address of a picture, it returns only the scheme and the host, because the rest may contain
// secrets.
func masked(icon string) string {
	if isAddress(icon) {
		return fetch.Redact(icon)
	}
	return icon
}

// Delete ends the notifications with the given ID in a widget. An empty ID stands for all notifications, and an empty widget for all
// widgets. Delete returns the number of ended notifications. For an unknown widget it returns ErrUnknown.
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
		i.removed()
		i.changed()
	}
	return was - len(i.items)
}

// Dismiss ends a notification. It returns false if the notification is not in the inbox.
func (i *Inbox) Dismiss(n *Notification) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	was := len(i.items)
	i.items = slices.DeleteFunc(i.items, func(t *item) bool { return t.n == n })
	if len(i.items) == was {
		return false
	}
	if n.Hold {
		i.removed()
	}
	i.changed()
	return true
}

// Clear ends all notifications in the inbox.
func (i *Inbox) Clear() { i.delete("") }

// removed() makes the Poster store the held notifications again, which the next call of changed() starts.
func (i *Inbox) removed() {
	if i.ended != nil {
		i.ended.Store(true)
	}
}
