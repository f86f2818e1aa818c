package control

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/control/verb"
)

// Toggle is the action that switches a widget's own entity. Files contain it as toggle; it is not a verb. The widget replaces it by an
// action of Home Assistant for its entity.
const Toggle = "toggle"

// ToggleAction is the name of Home Assistant's action that switches an entity.
const ToggleAction = "homeassistant.toggle"

// Done is the action that completes or reopens the task in a row of a list. Files contain it as done; it is not a verb. The list replaces
// it by the verb todo for the task.
const Done = "done"

// Toggled returns the action that switches an entity. `provider` is the name of the Home Assistant provider; "" means the default.
func Toggled(entity, provider string) Action {
	args := verb.Args{"action": ToggleAction, "entity": entity}
	if provider != "" {
		args["provider"] = provider
	}
	return Action{Verb: "action", Args: args}
}

// Ticked returns the action that completes a task, or reopens it if `done` is true.
func Ticked(task string, done bool) Action {
	action := "done"
	if done {
		action = "open"
	}
	return Action{Verb: "todo", Args: verb.Args{"item": task, "action": action}}
}

// TypeName returns the name of this type in the reference.
func (*Action) TypeName() string { return "action" }

// JSONSchema implements config.Describer.
func (*Action) JSONSchema() map[string]any {
	keys := map[string]any{}
	var one []any
	for _, name := range verb.Shorts(false) {
		v := verb.Find(name)
		one = append(one, map[string]any{"required": []any{name}})
		keys[name] = keySchema(v.Param(v.Short.Main))
		for _, with := range v.Short.With {
			keys[with] = keySchema(v.Param(with))
		}
	}
	return map[string]any{"anyOf": []any{
		map[string]any{"enum": []any{Toggle, Done}},
		map[string]any{"type": "object", "additionalProperties": false, "oneOf": one, "properties": keys},
	}}
}

// keySchema returns the schema for the value of a parameter in a file.
func keySchema(p *verb.Param) any {
	switch {
	case p.Name == "entity":
		return (*value.Entity)(nil).JSONSchema()
	case p.Name == "action":
		return map[string]any{"type": "string", "pattern": `^[a-z0-9_]+\.[a-z0-9_]+$`}
	case p.Kind == verb.Share:
		return (*value.Share)(nil).JSONSchema()
	case p.Kind == verb.Object || p.Kind == verb.Body:
		return map[string]any{"type": "object", "minProperties": 1}
	case p.Words == nil:
		return map[string]any{"type": []any{"string", "number", "boolean"}}
	}
	words := []any{}
	for _, w := range p.Words {
		words = append(words, w)
		if w == "on" || w == "off" { // YAML 1.1 reads these words as booleans
			words = append(words, w == "on")
		}
	}
	return map[string]any{"enum": words}
}

// A writtenKey is a key that an action in a file may have.
type writtenKey struct {
	name string
	verb *verb.Verb
	p    *verb.Param
}

// writtenKeys returns all keys that an action in a file may have. It also returns a struct type with a field for each key, with which
// package config decodes an action.
var writtenKeys = sync.OnceValues(func() (all []writtenKey, fields reflect.Type) {
	for _, name := range verb.Shorts(false) {
		v := verb.Find(name)
		all = append(all, writtenKey{name, v, v.Param(v.Short.Main)})
		for _, with := range v.Short.With {
			all = append(all, writtenKey{with, v, v.Param(with)})
		}
	}
	list := make([]reflect.StructField, len(all))
	for i, k := range all {
		list[i] = reflect.StructField{Name: fmt.Sprint("Key", i), Type: k.goType(), Tag: k.tag()}
	}
	return all, reflect.StructOf(list)
})

// goType returns the type of the struct field for a key.
func (k writtenKey) goType() reflect.Type {
	switch {
	case k.name == "entity":
		return reflect.TypeFor[*value.Entity]()
	case k.p.Kind == verb.Share:
		return reflect.TypeFor[*value.Share]()
	case k.p.Kind == verb.Text:
		return reflect.TypeFor[string]()
	}
	return reflect.TypeFor[*config.Node]()
}

func (k writtenKey) tag() reflect.StructTag {
	if k.p.Words == nil {
		return reflect.StructTag(fmt.Sprintf(`yaml:"%s"`, k.name))
	}
	return reflect.StructTag(fmt.Sprintf(`yaml:"%s" enum:"%s"`, k.name, strings.Join(k.p.Words, ",")))
}

// json encodes a value of the key as JSON. Package config has decoded the value from a file.
func (k writtenKey) json(read any) (json.RawMessage, error) {
	switch read := read.(type) {
	case *value.Entity:
		return json.Marshal(read.ID)
	case *config.Node:
		return json.Marshal(read.Value())
	}
	return json.Marshal(read)
}

// SetNode implements config.NodeSetter.
func (a *Action) SetNode(n *config.Node, c *config.Context) error {
	if n.Kind() != config.Map {
		if word := n.Text(); (word == Toggle || word == Done) && n.Kind() == config.String {
			*a = Action{Verb: word}
			return nil
		}
		return fmt.Errorf("must be toggle, done, or a mapping such as {page: next}, not %s", n.Shown())
	}
	all, fields := writtenKeys()
	read := reflect.New(fields)
	if !c.Decode(n, read.Interface()) {
		return nil
	}
	v, err := written(n)
	if err != nil {
		return err
	}
	keys := map[string]json.RawMessage{}
	for i, k := range all {
		if k.verb != v || !n.Has(k.name) || n.Get(k.name).Kind() == config.Null {
			continue
		}
		if err := k.check(n.Get(k.name)); err != nil {
			return err
		}
		if keys[k.name], err = k.json(read.Elem().Field(i).Interface()); err != nil {
			return err
		}
	}
	args, err := v.Brief(keys)
	*a = Action{Verb: v.Name, Args: args}
	return err
}

// written() returns the verb of an action in a file. Exactly one key must be the name of a verb. The other keys must belong to this verb.
func written(n *config.Node) (*verb.Verb, error) {
	shorts := verb.Shorts(false)
	var has []string
	for _, name := range shorts {
		if n.Has(name) {
			has = append(has, name)
		}
	}
	if len(has) != 1 {
		return nil, fmt.Errorf("needs one of the keys %s, not %d of them", strings.Join(shorts, ", "), len(has))
	}
	v, at := verb.Find(has[0]), n.Get(has[0])
	if at.Kind() == config.Null || at.Len() == 0 && at.Text() == "" {
		return nil, fmt.Errorf("has nothing in '%s'", v.Name)
	}
	if v.Name != "action" && (n.Has("entity") || n.Has("data")) {
		return nil, fmt.Errorf("has 'entity' or 'data' without 'action': write what is done with it, such as light.turn_on")
	}
	for _, key := range n.Keys() {
		if key != v.Name && !slices.Contains(v.Short.With, key) {
			return nil, fmt.Errorf("has '%s', which is no key of '%s'", key, v.Name)
		}
	}
	return v, nil
}

// check returns an error if the value of the key is invalid.
func (k writtenKey) check(n *config.Node) error {
	switch {
	case len(n.Text()) > verb.MaxText:
		return fmt.Errorf("has more than %d bytes in '%s'", verb.MaxText, k.name)
	case k.p.Kind == verb.Body && n.Kind() != config.Map:
		return fmt.Errorf("'%s' must be a mapping such as {text: Dinner}, not %s", k.name, n.Shown())
	case k.p.Kind == verb.Object && n.Kind() != config.Map:
		return fmt.Errorf("'%s' must be a mapping such as {brightness: 40}, not %s", k.name, n.Shown())
	case k.p.Kind == verb.Object && changing(n) != nil:
		return fmt.Errorf("'%s' must have plain values, not %s", k.name, changing(n).Shown())
	case k.name == "action" && !isService(n.Text()):
		return fmt.Errorf("'action' must be one of Home Assistant's such as light.turn_on, not %s", n.Shown())
	}
	return nil
}

// changing returns the first program (!data) or token ({NAME}) inside a value, or nil. The data of an action must not contain programs
// and tokens, because the data is the same at each touch.
func changing(n *config.Node) *config.Node {
	if n.Kind() == config.Token || n.Kind() == config.Program {
		return n
	}
	for _, p := range n.Pairs() {
		if at := changing(p.Value); at != nil {
			return at
		}
	}
	for _, item := range n.Items() {
		if at := changing(item); at != nil {
			return at
		}
	}
	return nil
}

// isService reports whether a text is the name of an action in Home Assistant, such as light.turn_on.
func isService(s string) bool {
	domain, name, ok := strings.Cut(s, ".")
	return ok && domain != "" && name != "" && !strings.ContainsAny(name, ". /")
}
