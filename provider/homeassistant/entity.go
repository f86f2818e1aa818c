package homeassistant

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// An entity is the known state of one entity. It is immutable.
type entity struct {
	state      string
	attributes map[string]any
	changed    float64 // Unix seconds
	large      bool    // larger than maxEntity, so nothing is stored
}

// maxEntity bounds one entity: the bytes of its texts, and entryBytes for each value. Home Assistant's recorder keeps 16 KiB.
const (
	maxEntity  = 512 << 10
	entryBytes = 64
)

var errLarge = fmt.Errorf("more than %d KiB of one entity", maxEntity>>10)

// bounded returns the entity, or an empty one marked as large.
func (e *entity) bounded() *entity {
	if len(e.state)+size(e.attributes) <= maxEntity {
		return e
	}
	return &entity{attributes: map[string]any{}, changed: e.changed, large: true}
}

// size estimates the memory of a value in bytes.
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

// gone reports whether there is no value: by its state, or because it is too large.
func (e *entity) gone() bool { return e.large || e.state == "unavailable" || e.state == "unknown" }

// value returns the entity in the form for expressions.
func (e *entity) value() map[string]any {
	return map[string]any{"state": stateOf(e.state), "attributes": e.attributes, "last_changed": e.changed}
}

// stateOf converts a state to a number if it is a JSON number.
func stateOf(s string) any {
	const most = 40 // characters. No state of a house has a longer number
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

// entities holds the known entities by id.
type entities map[string]*entity

// apply applies an event of subscribe_entities: a has new entities, c has changes, r has removed ones. It returns the ids of all
// changed entities. It ignores unwanted and invalid parts, because the rest of the message is valid.
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

// changedBy returns the entity after a change. "+" contains new parts, and "-" names removed parts.
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

// with returns the entity with another state (s), other attributes (a) and another time (lc).
func (e *entity) with(m map[string]any) *entity {
	if e.large { // ignore changes until Home Assistant sends the complete entity
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

// maxID bounds the name of an entity in bytes. Home Assistant's bound is 255.
const maxID = 255

// valid reports whether a text can be the id of an entity: a domain, a dot and a name.
func valid(id string) bool {
	domain, name, ok := strings.Cut(id, ".")
	return ok && domain != "" && name != "" && len(id) <= maxID && !strings.ContainsAny(id, " \t\r\n\"'")
}
