package homeassistant

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// An entity is what is known of one thing in the house. It is immutable.
type entity struct {
	state      string
	attributes map[string]any
	changed    float64 // Unix seconds
	large      bool    // more than maxEntity: nothing of it is kept
}

// maxEntity bounds what is kept of one entity, bytes of its texts and entryBytes for each value: Home Assistant's recorder keeps 16 KiB.
const (
	maxEntity  = 512 << 10
	entryBytes = 64
)

var errLarge = fmt.Errorf("more than %d KiB of one entity", maxEntity>>10)

// bounded is the entity, or what is left of one that is too large.
func (e *entity) bounded() *entity {
	if len(e.state)+size(e.attributes) <= maxEntity {
		return e
	}
	return &entity{attributes: map[string]any{}, changed: e.changed, large: true}
}

// size is about how many bytes a value takes.
func size(v any) int {
	n := entryBytes
	switch v := v.(type) {
	case string:
		n += len(v)
	case []any:
		for _, e := range v {
			n += size(e)
		}
	case map[string]any:
		for k, e := range v {
			n += len(k) + size(e)
		}
	}
	return n
}

// gone reports whether there is no value: the state says so, or it is too large.
func (e *entity) gone() bool { return e.large || e.state == "unavailable" || e.state == "unknown" }

// value is the entity as programs see it.
func (e *entity) value() map[string]any {
	return map[string]any{"state": stateOf(e.state), "attributes": e.attributes, "last_changed": e.changed}
}

// stateOf is a state as a number where it is written as one, in the way of JSON.
func stateOf(s string) any {
	const most = 40 // signs: no number of a house is longer
	if s == "" || len(s) > most || !json.Valid([]byte(s)) {
		return s
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return f
	}
	return s
}

// entities are those that a connection was told of, by their ids.
type entities map[string]*entity

// apply takes over an event of subscribe_entities: a has entities that are new, c what changed of others, r those that are gone.
// It returns the ids of all that are others now. What nobody asked for, and what is not as it should be, is left out: the rest of
// a message is still true.
func (all entities) apply(event map[string]any, asked func(id string) bool) (touched []string) {
	added, _ := event["a"].(map[string]any)
	for id, v := range added {
		if m, ok := v.(map[string]any); ok && asked(id) {
			all[id] = (&entity{attributes: map[string]any{}}).with(m)
			touched = append(touched, id)
		}
	}
	changed, _ := event["c"].(map[string]any)
	for id, v := range changed {
		m, ok := v.(map[string]any)
		if old := all[id]; ok && old != nil {
			all[id] = old.changedBy(m)
			touched = append(touched, id)
		}
	}
	removed, _ := event["r"].([]any)
	for _, v := range removed {
		if id, ok := v.(string); ok && all[id] != nil {
			delete(all, id)
			touched = append(touched, id)
		}
	}
	return touched
}

// changedBy is the entity after a change: what "+" has is new, what "-" names is gone.
func (e *entity) changedBy(m map[string]any) *entity {
	next := e
	if plus, ok := m["+"].(map[string]any); ok {
		next = next.with(plus)
	}
	minus, _ := m["-"].(map[string]any)
	names, _ := minus["a"].([]any)
	if len(names) == 0 {
		return next
	}
	next = &entity{next.state, maps.Clone(next.attributes), next.changed, next.large}
	for _, v := range names {
		if name, ok := v.(string); ok {
			delete(next.attributes, name)
		}
	}
	return next
}

// with is the entity with a state (s), attributes (a) and a time (lc) laid over it.
func (e *entity) with(m map[string]any) *entity {
	if e.large { // until it is told of as a whole again
		return e
	}
	next := &entity{e.state, e.attributes, e.changed, false}
	if s, ok := m["s"].(string); ok {
		next.state = s
	}
	if a, ok := m["a"].(map[string]any); ok {
		next.attributes = maps.Clone(e.attributes)
		maps.Copy(next.attributes, a)
	}
	if at, ok := number(m["lc"]); ok {
		next.changed = at
	}
	return next.bounded()
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// maxID bounds the name of an entity, bytes; Home Assistant's own bound is 255.
const maxID = 255

// valid reports whether a text can be the id of an entity: a domain and a name with a dot between.
func valid(id string) bool {
	domain, name, ok := strings.Cut(id, ".")
	return ok && domain != "" && name != "" && len(id) <= maxID && !strings.ContainsAny(id, " \t\r\n\"'")
}
