package notify

import (
	"bytes"
	"encoding/json"
	"image/color"
	"slices"
	"sync"
	"time"
)

// A Keeper stores data for the next start. Any goroutine may call its methods.
type Keeper interface {
	Load(kind, key string) ([]byte, bool)
	Save(kind, key string, data []byte) error
}

// keptKind is the kind of file that stores held notifications.
const keptKind = "notifications"

// maxKept is the maximum size of the stored notifications, in bytes. MaxHeld notifications with the longest texts fit into it.
const maxKept = 3 << 19

// The type keeping stores the held notifications of a Poster.
type keeping struct {
	mu   sync.Mutex // held while the file is written
	in   Keeper     // if it is nil, nothing is stored
	key  string
	last []byte // data that was written last
}

// A keptItem is a notification in the stored file.
type keptItem struct {
	Posted time.Time       `json:"posted"`
	Count  int             `json:"count,omitempty"`
	Body   json.RawMessage `json:"body"` // body of a request that creates the notification again

	// See Request.
	Local     bool `json:"local,omitempty"`
	LocalIcon bool `json:"local_icon,omitempty"`
}

// Keep restores the notifications that are stored under a key, and stores held notifications under this key from now on. It logs and
// ignores invalid notifications.
func (p *Poster) Keep(in Keeper, key string, parseColor func(any) (color.NRGBA, error)) {
	data, _ := in.Load(keptKind, key)
	var all []keptItem
	if len(data) > 0 && (len(data) > maxKept || json.Unmarshal(data, &all) != nil) {
		p.log.Warn("cannot read the kept notifications")
	}
	for _, k := range all {
		r, err := p.board.Parse(k.Body, parseColor)
		if err == nil {
			r.Posted, r.Count, r.Local, r.LocalIcon = k.Posted, min(k.Count, MaxCount), k.Local, k.LocalIcon
			err = p.post(r)
		}
		if err != nil {
			p.log.Warn("cannot show a kept notification", "reason", err)
		}
	}
	p.kept.mu.Lock()
	p.kept.in, p.kept.key, p.kept.last = in, key, data
	p.kept.mu.Unlock()
	p.board.wake()
}

// keep() stores the held notifications if they have changed.
func (p *Poster) keep() {
	k := &p.kept
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.in == nil {
		return
	}
	data := p.held()
	if bytes.Equal(data, k.last) || len(data) == 0 && len(k.last) == 0 {
		return
	}
	if err := k.in.Save(keptKind, k.key, data); err != nil {
		p.log.Warn("cannot keep notifications for the next start", "error", err)
		return
	}
	k.last = data
}

// held() encodes the held notifications of each inbox, in the order in which the next start must post them. It stops before the result
// exceeds maxKept.
func (p *Poster) held() []byte {
	all, size := []keptItem{}, 0
	for _, in := range p.board.inboxes() {
		in.mu.Lock()
		for _, t := range in.postOrder() {
			if !t.n.Hold {
				continue
			}
			k := keptItem{Posted: t.n.Posted, Count: t.n.Count, Body: bodyOf(in, t)}
			if t.from != nil {
				k.Local, k.LocalIcon = t.from.Local, t.from.LocalIcon
			}
			if size += len(k.Body) + 100; size > maxKept {
				break
			}
			all = append(all, k)
		}
		in.mu.Unlock()
	}
	data, _ := json.Marshal(all) // texts and numbers can always be encoded
	return data
}

// postOrder returns the items in an order that gives the same list if they are posted to an empty inbox. In the mode Queue, an item
// follows the items that were posted before it. In the other modes, it precedes them. mu must be held.
func (i *Inbox) postOrder() []*item {
	var queue, stack []*item
	for _, t := range i.items {
		if t.n.Mode == Queue {
			queue = append(queue, t)
		} else {
			stack = append(stack, t)
		}
	}
	slices.Reverse(stack)
	return append(queue, stack...)
}

// kept() returns the actions in the form that requests use.
func kept(all []Choice) (list []map[string]json.RawMessage) {
	for _, c := range all {
		one := map[string]json.RawMessage{}
		_ = json.Unmarshal(c.Do, &one) // valid, because this package has encoded it
		one["label"], _ = json.Marshal(c.Label)
		one["clear"], _ = json.Marshal(!c.Stays)
		list = append(list, one)
	}
	return list
}

// bodyOf returns a request body that creates the notification again.
func bodyOf(in *Inbox, t *item) []byte {
	n := t.n
	body := map[string]any{"widget": in.Name, "hold": true, "priority": n.priority(), "duration": n.Duration.Seconds(), "mode": n.Mode.String(), "wake": n.Wake}
	for key, s := range map[string]string{"id": n.ID, "title": n.Title, "icon": n.Icon, "color": n.Role} {
		if s != "" {
			body[key] = s
		}
	}
	switch {
	case n.Marked:
		body["message"] = n.Text
	case n.Text != "" || in.Kind == Text:
		body["text"] = n.Text
	}
	if n.Mode == Replace {
		body["mode"] = Stack.String()
	}
	if n.Progress != nil {
		body["progress"] = *n.Progress * 100
	}
	if len(n.Actions) > 0 {
		body["actions"] = kept(n.Actions)
	}
	if t.from != nil && t.from.URL != "" {
		body["url"] = t.from.URL
	}
	for key, c := range map[string]*color.NRGBA{"color": n.Color, "background_color": n.Background} {
		if c != nil {
			body[key] = []int{int(c.R), int(c.G), int(c.B), int(c.A)}
		}
	}
	data, _ := json.Marshal(body)
	return data
}
