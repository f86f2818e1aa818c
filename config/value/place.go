package value

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"dashboard/config"
)

// An Icon is the name of one of the Material Design Icons, or a picture file. Exactly one field is set.
type Icon struct {
	Name string // name without the prefix mdi:
	File string // .svg or .png
}

const iconExample = "an icon such as mdi:sofa-outline, or an SVG or PNG file"

var iconName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ParseIcon parses an icon.
func ParseIcon(s string) (Icon, error) {
	if name, ok := strings.CutPrefix(s, "mdi:"); ok {
		if !iconName.MatchString(name) {
			return Icon{}, fmt.Errorf("%q is no name of an icon: it has small letters, digits and single dashes", name)
		}
		return Icon{Name: name}, nil
	}
	if lower := strings.ToLower(s); strings.HasSuffix(lower, ".svg") || strings.HasSuffix(lower, ".png") {
		return Icon{File: s}, nil
	}
	near := ""
	if bare, _ := strings.CutPrefix(s, "mdi-"); iconName.MatchString(bare) {
		near = "mdi:" + bare
	}
	return Icon{}, wordError{fmt.Sprintf("must be %s, not %q", iconExample, s), near}
}

// TypeName implements config.TypeNamer.
func (*Icon) TypeName() string { return "icon" }

// JSONSchema implements config.Describer.
func (*Icon) JSONSchema() map[string]any {
	return textSchema(`^(mdi:[a-z0-9-]+|.+\.([sS][vV][gG]|[pP][nN][gG]))$`, "An icon is mdi:NAME, or an SVG or PNG file.")
}

// SetNode implements config.NodeSetter.
func (i *Icon) SetNode(n *config.Node, _ *config.Context) error {
	text, ok := scalar(n)
	if !ok {
		return mustBe(iconExample, n)
	}
	v, err := ParseIcon(text)
	if err == nil {
		*i = v
	}
	return err
}

// A Location is a place. It has coordinates, or a name for which the program searches the coordinates.
type Location = config.Location

// The kinds of transitions, and their directions.
var (
	transitionKinds = []string{"none", "fade", "slide", "push"}
	transitionSides = []string{"left", "right", "up", "down"}
)

// A Transition is the animation from one page to the next.
type Transition struct {
	Kind     string   // none, fade, slide or push
	From     string   // side from which the next page enters: left, right, up or down; "": usual side of the widget
	Duration Duration // 0: usual duration of the widget
	Ease     float64  // exponent of the curve at its beginning and end; 1: linear; 0: usual value of the widget
}

// transitionKeys contains the keys of a transition that is written as a mapping.
type transitionKeys struct {
	Kind     string   `yaml:"kind" required:"true" enum:"none,fade,slide,push"`
	From     string   `yaml:"from" enum:"left,right,up,down"`
	Duration Duration `yaml:"duration" max:"60" unit:"s"`
	Ease     float64  `yaml:"ease" min:"1" max:"10"`
}

// TypeName implements config.TypeNamer.
func (*Transition) TypeName() string { return "transition" }

// JSONSchema implements config.Describer.
func (*Transition) JSONSchema() map[string]any {
	words := func(words []string) map[string]any {
		all := make([]any, len(words))
		for i, w := range words {
			all[i] = w
		}
		return map[string]any{"type": "string", "enum": all}
	}
	return anyOf(words(transitionKinds), map[string]any{
		"type": "object", "required": []any{"kind"}, "additionalProperties": false, "properties": map[string]any{
			"kind": words(transitionKinds), "from": words(transitionSides), "duration": (*Duration)(nil).JSONSchema(),
			"ease": map[string]any{"type": "number", "minimum": 1, "maximum": 10},
		},
	})
}

// SetNode implements config.NodeSetter.
func (t *Transition) SetNode(n *config.Node, c *config.Context) error {
	if n.Kind() == config.Map {
		var keys transitionKeys
		if c.Decode(n, &keys) {
			*t = Transition(keys)
		}
		return nil
	}
	text, ok := scalar(n)
	if !ok {
		return mustBe("one of "+strings.Join(transitionKinds, ", ")+", or {kind: slide, from: right}", n)
	}
	if !slices.Contains(transitionKinds, text) {
		return unknown(text, transitionKinds, "must be one of %s, not %s", strings.Join(transitionKinds, ", "), n.Shown())
	}
	*t = Transition{Kind: text}
	return nil
}
