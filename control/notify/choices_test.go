package notify

import (
	"errors"
	"strings"
	"testing"

	"dashboard/internal/budget"
)

// TestActionsOfRequests: Parse accepts all actions of a request, or rejects the request with a reason.
func TestActionsOfRequests(t *testing.T) {
	r, err := Parse([]byte(`{"widget": "w", "title": "Door", "actions": [{"label": "Open", "action": "lock.open", "entity": "lock.door", "data": {"code": 7}},
		{"label": " Light\n on ", "mqtt": "hall/light/set", "payload": "ON", "clear": false}, {"label": "Later", "url": "http://nas.lan/later", "body": "5"}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Actions) != 3 || r.ID == "" {
		t.Fatalf("got %+v", r)
	}
	if got := string(r.Actions[0].Do); got != `{"action":"lock.open","data":{"code":7},"entity":"lock.door"}` || r.Actions[0].Stays {
		t.Errorf("got %s", got)
	}
	if c := r.Actions[1]; c.Label != "Light on" || !c.Stays || string(c.Do) != `{"mqtt":"hall/light/set","payload":"ON"}` {
		t.Errorf("got %+v", c)
	}
	for _, tt := range []struct{ actions, want string }{
		{`7`, "must be a list of at most 3"},
		{`[1]`, "must be a list of at most 3"},
		{`[{"label":"a","page":"x"},{"label":"a","page":"x"},{"label":"a","page":"x"},{"label":"a","page":"x"}]`, "at most 3"},
		{`[{"page":"x"}]`, "'label' is required"},
		{`[{"label":7,"page":"x"}]`, "'label' must be a text"},
		{`[{"label":"` + strings.Repeat("x", 41) + `","page":"x"}]`, "at most 40"},
		{`[{"label":"a"}]`, "does nothing: it needs one of action, brightness"},
		{`[{"label":"a","open":"x"}]`, "does nothing"},
		{`[{"label":"a","page":"x","theme":"day"}]`, "'page' and 'theme', which do not go together"},
		{`[{"label":"a","page":"x","payload":"y"}]`, "do not go together"},
		{`[{"label":"a","page":7}]`, "'page' is no text"},
		{`[{"label":"a","page":""}]`, "'page' is no text"},
		{`[{"label":"a","page":"` + strings.Repeat("x", 256) + `"}]`, "'page' is no text of at most 255"},
		{`[{"label":"a","url":"file:///etc/passwd"}]`, "no http or https"},
		{`[{"label":"a","mqtt":"a/#"}]`, "no topic"},
		{`[{"label":"a","notify":"x"}]`, "'notify' is no object"},
		{`[{"label":"a","action":"a.b","data":{"x":"` + strings.Repeat("x", 4100) + `"}}]`, "'data' is no object of at most 4096"},
		{`[{"label":"a","page":"x","clear":"yes"}]`, "'clear' must be true or false"},
	} {
		_, err := Parse([]byte(`{"widget": "w", "text": "x", "actions": `+tt.actions+`}`), nil)
		var key *KeyError
		if !errors.As(err, &key) || key.Key != "actions" || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60s: got %v, want %s", tt.actions, err, tt.want)
		}
	}
}

// TestChoices: an action is found by the ID of the notification and the number of the action. Held notifications still have their actions
// after a restart.
func TestChoices(t *testing.T) {
	b := NewBoard(func() {})
	set := b.Begin()
	set.Inbox(Wall, Card, View{})
	b.Commit(set)
	p := NewPoster(b, nil, budget.New(), nil)
	defer p.Close()
	r, err := b.Parse([]byte(`{"id": "bell", "title": "Door", "hold": true, "actions": [{"label": "Open", "page": "door", "clear": false}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Post(r); err != nil {
		t.Fatal(err)
	}
	if got := b.List(); len(got) != 1 || len(got[0].Actions) != 1 || got[0].Actions[0] != "Open" {
		t.Errorf("got %+v", got)
	}
	c, err := b.Choice("bell", 0)
	if err != nil || c.Label != "Open" || !c.Stays || string(c.Do) != `{"page":"door"}` {
		t.Errorf("got %+v, %v", c, err)
	}
	for id, want := range map[string]error{"bell": ErrNoAction, "gone": ErrGone, "": ErrGone} {
		if _, err := b.Choice(id, 1); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", id, err, want)
		}
	}
	again, err := b.Parse(p.heldBody(t), nil)
	if err != nil || len(again.Actions) != 1 || again.Actions[0].Label != "Open" || !again.Actions[0].Stays || string(again.Actions[0].Do) != `{"page":"door"}` {
		t.Errorf("kept: got %+v, %v", again, err)
	}
}

// heldBody returns the body that would create the first held notification again.
func (p *Poster) heldBody(t *testing.T) []byte {
	t.Helper()
	for _, in := range p.board.inboxes() {
		for _, i := range in.items {
			return bodyOf(in, i)
		}
	}
	t.Fatal("nothing is held")
	return nil
}
