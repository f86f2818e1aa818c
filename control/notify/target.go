package notify

import (
	"errors"
	"slices"
	"strings"
	"time"

	"dashboard/internal/stable"
)

// targets() returns the inboxes for a request. If there are no inboxes, it returns ErrNone. If a name is unknown, it returns ErrUnknown. If
// the target is all, and no widget can show the request, it returns a *KeyError.
func (b *Board) targets(r *Request) ([]*Inbox, error) {
	names := r.Targets
	switch {
	case r.Widget != "" || len(names) == 0 && !r.overWall(b):
		names = []string{r.Widget}
	case len(names) == 0:
		names = []string{Wall}
	case len(names) == 1 && names[0] == All:
		return b.suited(r)
	}
	all := make([]*Inbox, 0, len(names))
	for _, name := range names {
		in, err := b.Lookup(name)
		if err != nil {
			return nil, err
		}
		all = append(all, in)
	}
	return all, nil
}

// overWall reports whether the board has the widget that shows notifications over the wall. Requests that name no widget use this widget.
func (r *Request) overWall(b *Board) bool {
	_, err := b.Lookup(Wall)
	return err == nil
}

// suited() returns all inboxes whose widget can show the request.
func (b *Board) suited(r *Request) (all []*Inbox, err error) {
	for _, name := range b.Names() {
		if in, err := b.Lookup(name); err == nil && r.suits(in.Kind) == nil {
			all = append(all, in)
		}
	}
	switch {
	case len(all) > 0:
		return all, nil
	case !b.Any():
		return nil, ErrNone
	}
	return nil, &KeyError{"target", "has no widget that can show this"}
}

// suits() returns an error if the request lacks the keys that this kind of widget needs. For a card, an unknown key is an error too.
func (r *Request) suits(k Kind) error {
	switch {
	case k == Image && r.URL == "":
		return &KeyError{"url", "is required: this widget shows pictures" + r.hint()}
	case k == Text && r.words() == nil:
		return &KeyError{"text", "is required: this widget shows texts" + r.hint()}
	case k == Card && r.unknown != "":
		return errors.New(r.unknown)
	case k == Card && r.blank() && r.URL == "" && r.Progress == nil:
		return &KeyError{"", "needs a title, a message or text, an image or a progress"}
	}
	return nil
}

// blank() reports whether the request has no title, no message, and no text with a visible character.
func (r *Request) blank() bool {
	words := r.words()
	return r.Title == "" && r.Message == "" && (words == nil || strings.TrimSpace(*words) == "")
}

// hint returns a text about the first unknown key, for an error about a missing key. It returns "" if all keys are known.
func (r *Request) hint() string {
	if r.unknown == "" {
		return ""
	}
	return "; " + r.unknown
}

// words() returns the text for widgets that show only one text, or nil. It joins title and message if the request has no text.
func (r *Request) words() *string {
	if r.Text != nil {
		return r.Text
	}
	var parts []string
	for _, s := range []string{r.Title, Plain(r.Message)} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	s := strings.Join(parts, "\n")
	return &s
}

// wantsPicture reports whether a kind of widget shows the request's picture.
func (r *Request) wantsPicture(k Kind) bool { return k != Text && r.URL != "" }

// wantsIcon reports whether a kind of widget shows an icon that must be fetched.
func (r *Request) wantsIcon(k Kind) bool { return k == Card && isAddress(r.Icon) }

// samePictures reports whether a kind of widget needs the same pictures for both requests.
func (r *Request) samePictures(o *Request, k Kind) bool {
	return r.URL == o.URL && r.wantsIcon(k) == o.wantsIcon(k) && (r.Icon == o.Icon || !r.wantsIcon(k))
}

// notification returns the notification for an inbox, and the request from which its picture and its icon are fetched. If there is
// nothing to fetch, this request is nil.
func (r *Request) notification(in *Inbox, now time.Time) (n *Notification, from *Request) {
	n = &Notification{
		Color: r.Color, Background: r.Background, Duration: r.Duration,
		ID: r.ID, Title: r.Title, Icon: r.Icon, Role: r.Role, Progress: r.Progress, Priority: r.Priority,
		Hold: r.Hold, TTL: r.TTL, Wake: r.Wake, Restart: r.Restart, Posted: r.Posted, Count: r.Count, Actions: r.Actions, From: r.From,
	}
	if n.Posted.IsZero() {
		n.Posted = now
	}
	if in.Kind == Card {
		n.Mode, n.Again = Stack, r.ID == ""
		if usual := in.View().Usual; r.Untimed && usual > 0 {
			n.Duration = usual
		}
	}
	if r.Mode != nil {
		n.Mode = *r.Mode
	}
	if r.Again != nil {
		n.Again = *r.Again
	}
	if n.Duration <= 0 {
		n.Duration = DefaultDuration
	}
	r.setText(n, in.Kind)
	if r.wantsPicture(in.Kind) {
		n.Fetching, from = true, r
	}
	if r.wantsIcon(in.Kind) {
		from = r
	}
	return n, from
}

// deliver adds a request to all inboxes. If one of them returns ErrFull or ErrHeld, it adds the request to none. It returns the
// notifications that were removed to make room. It locks the inboxes in the order of their names, so that two calls cannot block each
// other.
func (r *Request) deliver(all []*Inbox, now time.Time) (dropped []*Notification, err error) {
	stable.Sort(all, func(a, b *Inbox) int { return strings.Compare(a.Name, b.Name) })
	all = slices.Compact(all)
	notices, from, places := make([]*Notification, len(all)), make([]*Request, len(all)), make([]placing, len(all))
	for k, in := range all {
		notices[k], from[k] = r.notification(in, now)
	}
	for k, in := range all {
		in.mu.Lock()
		defer in.mu.Unlock()
		if places[k], err = in.place(notices[k]); err != nil {
			return nil, err
		}
	}
	for k, in := range all {
		in.add(notices[k], from[k], places[k])
		if gone := places[k].dropped; gone != nil {
			dropped = append(dropped, gone.n)
		}
	}
	return dropped, nil
}

// setText sets the title and the text of n for widgets of the kind k.
func (r *Request) setText(n *Notification, k Kind) {
	switch {
	case k == Text:
		n.Text, n.Title = *r.words(), ""
	case r.Text != nil:
		n.Text = *r.Text
	default:
		n.Text, n.Marked = r.Message, r.Message != ""
	}
}
