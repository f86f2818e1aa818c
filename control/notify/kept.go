package notify

import (
	"bytes"
	"encoding/json"
	"image/color"
	"sync"
	"time"
)

// A Keeper keeps data for the next start. Its methods may be called from any goroutine.
type Keeper interface {
	Load(kind, key string) ([]byte, bool)
	Save(kind, key string, data []byte) error
}

// keptKind is the kind of the file of held notifications.
const keptKind = "notifications"

// maxKept limits the kept notifications, in bytes: MaxHeld with the longest texts.
const maxKept = 3 << 19

// keeping is the place of held notifications.
type keeping struct {
	mu   sync.Mutex // held during writing
	in   Keeper     // nil keeps nothing
	key  string
	last []byte // data written last
}

// keptItem is a notification in the file.
type keptItem struct {
	Posted time.Time       `json:"posted"`
	Count  int             `json:"count,omitempty"`
	Body   json.RawMessage `json:"body"` // body of a request
}

// Keep stores held notifications under a key from now on, and restores the ones stored there. It logs and ignores broken ones.
func (p *Poster) Keep(in Keeper, key string, parseColor func(any) (color.NRGBA, error)) {
	data, _ := in.Load(keptKind, key)
	var all []keptItem
	if len(data) > 0 && (len(data) > maxKept || json.Unmarshal(data, &all) != nil) {
		p.log.Warn("cannot read the kept notifications")
	}
	for _, k := range all {
		r, err := p.board.Parse(k.Body, parseColor)
		if err == nil {
			r.Posted = k.Posted
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

// keep writes the held notifications if they changed.
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

// held returns the held notifications, oldest last, up to maxKept.
func (p *Poster) held() []byte {
	all, size := []keptItem{}, 0
	for _, in := range p.board.inboxes() {
		in.mu.Lock()
		for at := len(in.items) - 1; at >= 0; at-- {
			t := in.items[at]
			if !t.n.Hold {
				continue
			}
			k := keptItem{t.n.Posted, t.n.Count, bodyOf(in, t)}
			if size += len(k.Body) + 100; size > maxKept {
				break
			}
			all = append(all, k)
		}
		in.mu.Unlock()
	}
	data, _ := json.Marshal(all) // texts and numbers always marshal
	return data
}

// kept returns actions in the form of a request.
func kept(all []Choice) (list []map[string]json.RawMessage) {
	for _, c := range all {
		one := map[string]json.RawMessage{}
		_ = json.Unmarshal(c.Do, &one) // written by this package
		one["label"], _ = json.Marshal(c.Label)
		one["clear"], _ = json.Marshal(!c.Stays)
		list = append(list, one)
	}
	return list
}

// bodyOf returns a request that restores a notification.
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
