package kit

import (
	"fmt"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/spelling"
)

// Action is what a tap, a hold or a swipe does. One of Toggle and the others is set.
type Action struct {
	Toggle     bool         // the widget's own entity
	Page       string       // the name of a page, next, previous or auto
	Theme      string       // day, night, auto or toggle
	Dismiss    string       // all, or the id of a notification
	Timer      string       // the name of a timer
	Notify     *config.Node // a mapping as POST /notify takes it
	Power      string       // on, off or toggle
	Brightness *value.Share
	Service    string        // of Home Assistant, such as light.turn_on
	Entity     *value.Entity // for Service; nil for none
	Data       *config.Node  // for Service: what else it is told, a mapping; nil for none
}

// actionKeys are the keys of which an action has exactly one. All further keys belong to action alone.
var actionKeys = [...]string{"page", "theme", "dismiss", "timer", "notify", "power", "brightness", "action"}

// maxActionText bounds the texts of an action, bytes.
const maxActionText = 255

// actionFields are the fields of a written action.
type actionFields struct {
	Page       string        `yaml:"page"`
	Theme      string        `yaml:"theme" enum:"day,night,auto,toggle"`
	Dismiss    string        `yaml:"dismiss"`
	Timer      string        `yaml:"timer"`
	Notify     *config.Node  `yaml:"notify"`
	Power      string        `yaml:"power" enum:"on,off,toggle"`
	Brightness *value.Share  `yaml:"brightness"`
	Action     string        `yaml:"action"`
	Entity     *value.Entity `yaml:"entity"`
	Data       *config.Node  `yaml:"data"`
}

// TypeName is the name of this type in the reference.
func (*Action) TypeName() string { return "action" }

// JSONSchema implements config.Describer.
func (*Action) JSONSchema() map[string]any {
	text, mapping := map[string]any{"type": []any{"string", "number", "boolean"}}, map[string]any{"type": "object", "minProperties": 1}
	one := make([]any, len(actionKeys))
	for i, key := range actionKeys {
		one[i] = map[string]any{"required": []any{key}}
	}
	return map[string]any{"anyOf": []any{
		map[string]any{"const": "toggle"},
		map[string]any{"type": "object", "additionalProperties": false, "oneOf": one, "properties": map[string]any{
			"page": text, "theme": map[string]any{"enum": []any{"day", "night", "auto", "toggle"}}, "dismiss": text, "timer": text, "notify": mapping,
			"power": map[string]any{"enum": []any{"on", "off", "toggle", true, false}}, "brightness": (*value.Share)(nil).JSONSchema(),
			"action": map[string]any{"type": "string", "pattern": `^[a-z0-9_]+\.[a-z0-9_]+$`}, "entity": (*value.Entity)(nil).JSONSchema(), "data": mapping,
		}},
	}}
}

// SetNode implements config.NodeSetter.
func (a *Action) SetNode(n *config.Node, c *config.Context) error {
	if n.Kind() != config.Map {
		if n.Text() == "toggle" && n.Kind() == config.String {
			*a = Action{Toggle: true}
			return nil
		}
		return fmt.Errorf("must be toggle, or a mapping such as {page: next}, not %s", n.Shown())
	}
	var f actionFields
	if !c.Decode(n, &f) {
		return nil
	}
	if err := f.check(n); err != nil {
		return err
	}
	*a = Action{
		Page: f.Page, Theme: f.Theme, Dismiss: f.Dismiss, Timer: f.Timer, Notify: f.Notify, Power: f.Power,
		Brightness: f.Brightness, Service: f.Action, Entity: f.Entity, Data: f.Data,
	}
	return nil
}

// check wants one of the keys, with something in it.
func (f *actionFields) check(n *config.Node) error {
	var has []string
	for _, key := range actionKeys {
		if n.Has(key) {
			has = append(has, key)
		}
	}
	if len(has) != 1 {
		return fmt.Errorf("needs one of the keys %s, not %d of them", strings.Join(actionKeys[:], ", "), len(has))
	}
	if f.Action == "" && (n.Has("entity") || n.Has("data")) {
		return fmt.Errorf("has 'entity' or 'data' without 'action': write what is done with it, such as light.turn_on")
	}
	at := n.Get(has[0])
	switch domain, name, ok := strings.Cut(f.Action, "."); {
	case at.Kind() == config.Null || at.Len() == 0 && at.Text() == "":
		return fmt.Errorf("has nothing in '%s'", has[0])
	case len(at.Text()) > maxActionText:
		return fmt.Errorf("has more than %d bytes in '%s'", maxActionText, has[0])
	case f.Notify != nil && f.Notify.Kind() != config.Map:
		return fmt.Errorf("'notify' must be a mapping such as {text: Dinner}, not %s", f.Notify.Shown())
	case f.Data != nil && f.Data.Kind() != config.Map && f.Data.Kind() != config.Null:
		return fmt.Errorf("'data' must be a mapping such as {brightness: 40}, not %s", f.Data.Shown())
	case has[0] == "action" && (!ok || domain == "" || name == "" || strings.ContainsAny(name, ". /")):
		return fmt.Errorf("'action' must be one of Home Assistant's such as light.turn_on, not %s", at.Shown())
	}
	return nil
}

// Swipes are what swipes do, by the direction of the finger.
type Swipes struct {
	// Action of a swipe to the left.
	Left *Action `yaml:"left"`
	// Action of a swipe to the right.
	Right *Action `yaml:"right"`
	// Action of a swipe upward.
	Up *Action `yaml:"up"`
	// Action of a swipe downward.
	Down *Action `yaml:"down"`
}

// checkActions checks the targets of a widget's actions: an entity of its own, and a page that exists.
func (b *Builder) checkActions(s *Spec, c *Common) {
	b.CheckAction(s, "on_tap", c.OnTap)
	b.CheckAction(s, "on_double_tap", c.OnDoubleTap)
	b.CheckAction(s, "on_hold", c.OnHold)
	if w := c.OnSwipe; w != nil {
		for _, a := range []*Action{w.Left, w.Right, w.Up, w.Down} {
			b.CheckAction(s, "on_swipe", a)
		}
	}
}

// CheckAction reports an action that cannot work: a toggle without an entity, or a page that does not exist.
func (b *Builder) CheckAction(s *Spec, key string, a *Action) {
	if a == nil {
		return
	}
	if a.Toggle && !ownEntity(s) {
		s.Complain(key, "toggle is about the widget's own entity, and it has none: write 'entity' beside it, or {action: light.toggle, entity: light.hall}")
	}
	if a.Page == "" || slices.Contains([]string{"next", "previous", "auto"}, a.Page) {
		return
	}
	names := pageNames(s.root())
	if slices.Contains(names, a.Page) {
		return
	}
	meant := ""
	if near := spelling.Nearest(a.Page, names); near != "" {
		meant = "; is '" + near + "' meant?"
	}
	s.Complain(key, "there is no page named '%s'%s", a.Page, meant)
}

// ownEntity reports whether a widget is about an entity of Home Assistant.
func ownEntity(s *Spec) bool {
	var own struct {
		Entity *value.Entity `yaml:"entity"`
	}
	return s.DecodeCommon != nil && s.DecodeCommon(&own) && own.Entity != nil
}

// root is the outermost widget above s.
func (s *Spec) root() *Spec {
	for s.Parent != nil {
		s = s.Parent
	}
	return s
}

// pageNames are the names of all pages below a widget.
func pageNames(s *Spec) (all []string) {
	for i, k := range s.Children {
		if s.Kind == "pages" {
			name := k.Name
			if name == "" {
				name = fmt.Sprint(i + 1)
			}
			all = append(all, name)
		}
		all = append(all, pageNames(k)...)
	}
	return all
}
