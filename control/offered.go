package control

import (
	"encoding/json"

	"dashboard/control/notify"
)

// offers() returns an error if the notification in `body` offers an action of a system that is not configured. It leaves other errors to
// notify.Parse.
func (w *Walls) offers(body []byte) error {
	var n struct{ Actions []map[string]json.RawMessage }
	if w.Ready == nil || json.Unmarshal(body, &n) != nil {
		return nil
	}
	for _, one := range n.Actions {
		delete(one, "label")
		delete(one, "clear")
		do, _ := json.Marshal(one) // one comes from valid JSON
		if a, err := pressed(do); err == nil {
			if err := w.Ready(a); err != nil {
				return &notify.KeyError{Key: "actions", Problem: "has one with '" + a.Verb + "', but " + err.Error()}
			}
		}
	}
	return nil
}
