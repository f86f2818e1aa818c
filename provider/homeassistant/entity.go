package homeassistant

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// The type entity holds the last known state of an entity in Home Assistant. It is immutable.
type entity struct {
	state      string
	attributes map[string]any
	changed    float64 // time of the last change, in Unix seconds
	large      bool    // whether the entity exceeds maxEntity, so that its state and attributes are not stored
}

// maxEntity is the maximum size of an entity, in bytes. The size is the length of its texts plus entryBytes for each value. Home
// Assistant itself stores only 16 KiB of attributes.
const (
	maxEntity  = 512 << 10
	entryBytes = 64
)

var errLarge = fmt.Errorf("more than %d KiB of one entity", maxEntity>>10)

// bounded() returns e if e is small enough. Otherwise it returns an empty entity that is marked as large.
func (e *entity) bounded() *entity {
	if len(e.state)+size(e.attributes) <= maxEntity {
		return e
	}
	return &entity{attributes: map[string]any{}, changed: e.changed, large: true}
}

// size returns the estimated memory of a value, in bytes.
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

// gone() reports whether the entity has no value, because it is unavailable, unknown or too large.
func (e *entity) gone() bool { return e.large || e.state == "unavailable" || e.state == "unknown" }

// value returns the entity in the form for jq programs.
func (e *entity) value() map[string]any {
	return map[string]any{"state": stateOf(e.state), "attributes": e.attributes, "last_changed": e.changed}
}

// stateOf returns a state as a number if it is a JSON number, otherwise as text.
func stateOf(s string) any {
	const most = 40 // in characters; no entity has a longer number
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

// entities are the known entities by ID.
type entities map[string]*entity

// apply applies an event of subscribe_entities and returns the IDs of all changed entities. The event's key "a" has new entities, "c" has
// changes, and "r" has removed entities. apply ignores entities that were not requested. It also ignores invalid parts, because the other
// parts can be valid.
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

// changedBy returns a copy of the entity after a change. In m, the key "+" has new values, and "-" has the names of removed attributes.
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

// with() returns a copy of the entity with the new state (s), attributes (a) and time of change (lc) that m contains.
func (e *entity) with(m map[string]any) *entity {
	if e.large { // changes are ignored until Home Assistant sends the complete entity
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

// maxID is the maximum length of an entity's ID, in bytes. Home Assistant has the limit 255.
const maxID = 255

// valid() reports whether a text has the form of an entity's ID: a domain, a dot and a name.
func valid(id string) bool {
	domain, name, ok := strings.Cut(id, ".")
	return ok && domain != "" && name != "" && len(id) <= maxID && !strings.ContainsAny(id, " \t\r\n\"'")
}
