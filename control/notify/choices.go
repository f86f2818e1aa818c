package notify

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"dashboard/control/verb"
	"dashboard/internal/fetch"
)

const (
	// MaxActions is the maximum number of actions of a notification. More buttons would be hard to distinguish across a room.
	MaxActions = 3
	// MaxLabel is the maximum length of a button's label, in characters.
	MaxLabel = 40
)

// ErrNoAction is returned if the notification does not have the action.
var ErrNoAction = errors.New("the notification has no such action")

// A Choice is an action that a notification offers with a button.
type Choice struct {
	Label string          `json:"label"`
	Stays bool            `json:"stays,omitempty"` // whether the notification stays after the choice
	Do    json.RawMessage `json:"do"`              // action: a checked object in which one key is the name of a verb
}

// choices() reads the actions of a request.
func (p *parser) choices(key string) (all []Choice) {
	raw, given := p.keys[key]
	if !given || string(raw) == "null" {
		return nil
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) > MaxActions {
		p.fail(key, fmt.Sprintf("must be a list of at most %d actions such as {\"label\": \"Open\", \"url\": \"http://…\"}", MaxActions))
		return nil
	}
	for _, one := range list {
		c, problem := choice(one)
		if problem != "" {
			p.fail(key, problem)
			return nil
		}
		all = append(all, c)
	}
	return all
}

// choice reads one action of a request. `problem` is "" if the action is valid.
func choice(one map[string]json.RawMessage) (c Choice, problem string) {
	q := &parser{keys: one}
	c.Label = q.short("label", MaxLabel)
	clear := true
	if _, given := one["clear"]; given {
		clear = q.yes("clear")
	}
	c.Stays = !clear
	if q.err == nil && c.Label == "" {
		q.fail("label", "is required: what is written on the button")
	}
	if q.err != nil {
		return c, "has one whose " + q.err.Error()
	}
	do := map[string]json.RawMessage{}
	v := verbOf(one)
	if v == nil {
		names := verb.Shorts(true)
		slices.Sort(names)
		return c, "has one that does nothing: it needs one of " + strings.Join(names, ", ")
	}
	for _, k := range sortedKeys(one) {
		switch {
		case k == "label" || k == "clear":
		case k != v.Name && !slices.Contains(v.Short.With, k):
			return c, fmt.Sprintf("has one with '%s' and '%.40s', which do not go together", v.Name, k)
		default:
			if problem := sound(v, k, one[k]); problem != "" {
				return c, problem
			}
			do[k] = one[k]
		}
	}
	c.Do, _ = json.Marshal(do) // do comes from valid JSON, so Marshal cannot fail
	return c, ""
}

// verbOf returns the verb whose name is a key of an action, or nil. If there are several, it returns the first by name.
func verbOf(one map[string]json.RawMessage) *verb.Verb {
	shorts := verb.Shorts(true)
	for _, k := range sortedKeys(one) {
		if slices.Contains(shorts, k) {
			return verb.Find(k)
		}
	}
	return nil
}

// sound() returns the problem with the value of an action's key, or "" if the value is valid.
func sound(v *verb.Verb, key string, raw json.RawMessage) string {
	p := v.Param(key)
	if key == v.Name {
		p = v.Param(v.Short.Main)
	}
	switch p.Kind {
	case verb.Body, verb.Object:
		var m map[string]any
		if json.Unmarshal(raw, &m) != nil || m == nil || len(raw) > verb.MaxData {
			return fmt.Sprintf("has one whose '%s' is no object of at most %d bytes", key, verb.MaxData)
		}
		return ""
	case verb.Text:
	default:
		return "" // the verb checks numbers and words
	}
	var s string
	switch {
	case json.Unmarshal(raw, &s) != nil || s == "" && p.Long != verb.MaxData || len(s) > p.Limit():
		return fmt.Sprintf("has one whose '%s' is no text of at most %d bytes", key, p.Limit())
	case v.Name == "url" && key == "url" && fetch.CheckURL(s) != nil:
		return "has one whose 'url' is no http or https URL"
	case key == "mqtt" && strings.ContainsAny(s, "+#\x00"):
		return "has one whose 'mqtt' is no topic"
	}
	return ""
}

func sortedKeys[T any](m map[string]T) []string {
	all := make([]string, 0, len(m))
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// newID returns a random ID.
func newID() string { return fmt.Sprintf("n-%08x", rand.Uint32()) }

// Choice returns the action with the number n of a notification. Numbers start at 0. It returns ErrGone for an unknown ID and ErrNoAction
// for an unknown action.
func (b *Board) Choice(id string, n int) (Choice, error) {
	for _, in := range b.inboxes() {
		if c, found, err := in.choice(id, n); found {
			return c, err
		}
	}
	return Choice{}, ErrGone
}

func (i *Inbox) choice(id string, n int) (c Choice, found bool, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, t := range i.items {
		switch {
		case id == "" || t.n.ID != id:
		case n < 0 || n >= len(t.n.Actions):
			return c, true, ErrNoAction
		default:
			return t.n.Actions[n], true, nil
		}
	}
	return c, false, nil
}

// Message returns a payload as the body of a request. An object is returned unchanged. Any other payload becomes the text of a new
// object.
func Message(payload []byte) []byte {
	var m map[string]json.RawMessage
	if json.Unmarshal(payload, &m) == nil && m != nil {
		return payload
	}
	body, err := json.Marshal(map[string]string{"text": strings.ToValidUTF8(string(payload), "\uFFFD")})
	if err != nil {
		return nil // texts can always be encoded
	}
	return body
}
