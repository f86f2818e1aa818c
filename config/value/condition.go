package value

import (
	"errors"
	"strconv"

	"dashboard/config"
)

// A Condition is true or false at a time. At most one of Program, Any and Rule is set. If none of
// them is set, the condition has the value of Always.
type Condition struct {
	Always  bool         // value of the condition if Program, Any and Rule are not set
	Program *config.Node // a jq program
	Any     []Condition  // if set, the condition is true if at least one of these is true
	Rule    *Rule        // if set, the condition is true if all parts of the rule are true
	text    string
}

// Text returns a description of the condition on one line, without secrets. For nil it returns "".
func (v *Condition) Text() string {
	if v == nil {
		return ""
	}
	return v.text
}

// A Rule is a condition with several parts. It is true if all parts are true. Parts that are nil or empty have no effect.
type Rule struct {
	Days  *Days   `yaml:"days"`
	Times Windows `yaml:"time"`
	Dates Spans   `yaml:"dates"`

	Value  *config.Live[Plain] `yaml:"value"` // the following fields apply to this value, or to the state of Entity
	Entity *Entity             `yaml:"entity"`
	Is     Words               `yaml:"is"`
	Not    Words               `yaml:"not"`
	Above  *float64            `yaml:"above"`
	Below  *float64            `yaml:"below"`

	Event    string   `yaml:"event"` // title of a calendar event; * matches any text
	Calendar string   `yaml:"calendar"`
	Provider string   `yaml:"provider"`
	Lead     Duration `yaml:"lead"`
}

// TypeName implements config.TypeNamer.
func (*Condition) TypeName() string { return "condition" }

// JSONSchema implements config.Describer. In the schema, a program is a text.
func (*Condition) JSONSchema() map[string]any {
	text := map[string]any{"type": []any{"string", "number", "boolean"}}
	many := func(s map[string]any) map[string]any {
		return anyOf(s, map[string]any{"type": "array", "items": s, "minItems": 1})
	}
	number := map[string]any{"type": "number"}
	rule := map[string]any{"type": "object", "minProperties": 1, "additionalProperties": false, "properties": map[string]any{
		"days": (*Days)(nil).JSONSchema(), "time": many((*Window)(nil).JSONSchema()), "dates": many((*Span)(nil).JSONSchema()),
		"value": map[string]any{}, "entity": text, "is": many(text), "not": many(text), "above": number, "below": number,
		"event": text, "calendar": text, "provider": text, "lead": (*Duration)(nil).JSONSchema(),
	}}
	program := map[string]any{"type": []any{"string", "boolean"}}
	return anyOf(program, rule, map[string]any{"type": "array", "minItems": 1, "items": anyOf(program, rule)})
}

// TakesProgram implements config.ProgramTaker.
func (*Condition) TakesProgram() {}

// SetNode implements config.NodeSetter.
func (v *Condition) SetNode(n *config.Node, c *config.Context) error {
	switch n.Kind() {
	case config.Program:
		*v = Condition{Program: n}
	case config.Bool:
		*v = Condition{Always: n.Value() == true}
	case config.List:
		if err := v.any(n, c); err != nil {
			return err
		}
	case config.Map:
		if err := v.rule(n, c); err != nil {
			return err
		}
	default:
		return mustBe("a condition: !data and a program, keys such as {days: mon-fri, time: \"06:00-22:00\"}, or a list of these", n)
	}
	v.text = n.Flow(maxText)
	return nil
}

// maxText is the maximum length of a description for users, in characters.
const maxText = 300

func (v *Condition) any(n *config.Node, c *config.Context) error {
	if n.Len() == 0 {
		return errors.New("needs at least one condition: an empty list never holds")
	}
	all := make([]Condition, n.Len())
	for i, item := range n.Items() {
		if item.Kind() == config.List {
			c.Errorf(item, "must be a condition, not a list in a list")
			continue
		}
		c.Decode(item, &all[i])
	}
	*v = Condition{Any: all}
	return nil
}

func (v *Condition) rule(n *config.Node, c *config.Context) error {
	if n.Len() == 0 {
		return errors.New("needs at least one key, such as time or value")
	}
	rule := &Rule{}
	if !c.Decode(n, rule) {
		return nil
	}
	if err := rule.check(n); err != nil {
		return err
	}
	*v = Condition{Rule: rule}
	return nil
}

// check reports keys that have no effect because another key is missing.
func (r *Rule) check(n *config.Node) error {
	compares := ""
	for _, key := range []string{"is", "not", "above", "below"} {
		if n.Has(key) {
			compares = key
		}
	}
	valued := n.Has("value") || n.Has("entity")
	switch {
	case n.Has("value") && n.Has("entity"):
		return errors.New("has 'value' and 'entity': write one of them")
	case compares != "" && !valued:
		return errors.New("has '" + compares + "' and nothing to compare: write 'value' or 'entity' beside it")
	case n.Has("event"):
		return nil
	}
	for _, key := range []string{"calendar", "lead"} {
		if n.Has(key) {
			return errors.New("has '" + key + "' without 'event': write \"*\" for any event")
		}
	}
	if n.Has("provider") && !n.Has("entity") {
		return errors.New("has 'provider' without 'event' or 'entity'")
	}
	return nil
}

// A Plain is any scalar. It contains the original text and the YAML value.
type Plain struct {
	Text  string
	Value any
}

// TypeName implements config.TypeNamer.
func (*Plain) TypeName() string { return "any" }

// TakesText implements config.Texter.
func (*Plain) TakesText() {}

// SetNode implements config.NodeSetter.
func (p *Plain) SetNode(n *config.Node, _ *config.Context) error {
	text, ok := scalar(n)
	if !ok {
		return mustBe("text or a number", n)
	}
	*p = Plain{text, n.Value()}
	return nil
}

// Words are one or more texts in their original form. For example, YAML reads on and no as booleans, but here they are texts.
type Words []string

// TypeName implements config.TypeNamer.
func (*Words) TypeName() string { return "text or list of text" }

// JSONSchema implements config.Describer.
func (*Words) JSONSchema() map[string]any {
	text := map[string]any{"type": []any{"string", "number", "boolean"}}
	return anyOf(text, map[string]any{"type": "array", "items": text})
}

// SetNode implements config.NodeSetter.
func (w *Words) SetNode(n *config.Node, _ *config.Context) error {
	var words Words
	for _, part := range oneOrMore(n) {
		text, ok := scalar(part)
		if !ok {
			return mustBe("text or a list of texts", n)
		}
		words = append(words, text)
	}
	*w = words
	return nil
}

// Windows are one or more windows.
type Windows []Window

// TypeName implements config.TypeNamer.
func (*Windows) TypeName() string { return "window or list of window" }

// JSONSchema implements config.Describer.
func (*Windows) JSONSchema() map[string]any {
	one := (*Window)(nil).JSONSchema()
	return anyOf(one, map[string]any{"type": "array", "items": one, "minItems": 1})
}

// SetNode implements config.NodeSetter.
func (w *Windows) SetNode(n *config.Node, c *config.Context) error {
	return each((*[]Window)(w), n, c)
}

// Spans are one or more spans.
type Spans []Span

// TypeName implements config.TypeNamer.
func (*Spans) TypeName() string { return "span or list of span" }

// JSONSchema implements config.Describer.
func (*Spans) JSONSchema() map[string]any {
	one := (*Span)(nil).JSONSchema()
	return anyOf(one, map[string]any{"type": "array", "items": one, "minItems": 1})
}

// SetNode implements config.NodeSetter.
func (s *Spans) SetNode(n *config.Node, c *config.Context) error {
	return each((*[]Span)(s), n, c)
}

// each() decodes each entry of a list. If n is not a list, it decodes n as the only entry.
func each[T any](into *[]T, n *config.Node, c *config.Context) error {
	parts := oneOrMore(n)
	if len(parts) == 0 {
		return errors.New("must have at least one")
	}
	all := make([]T, len(parts))
	for i, part := range parts {
		if part.Kind() == config.Null {
			return errors.New("must have a value at place " + strconv.Itoa(i+1))
		}
		c.Decode(part, &all[i])
	}
	*into = all
	return nil
}

func oneOrMore(n *config.Node) []*config.Node {
	if n.Kind() == config.List {
		return n.Items()
	}
	return []*config.Node{n}
}
