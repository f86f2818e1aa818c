package value

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"dashboard/config"
)

// An Icon is one of Material Design Icons by name, or a picture file. One of the two is set.
type Icon struct {
	Name string // without mdi:
	File string // .svg or .png
}

const iconExample = "an icon such as mdi:sofa-outline, or an SVG or PNG file"

var iconName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ParseIcon reads an icon.
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

// A Location is a place by its name, to be looked up, or by its coordinates.
type Location struct {
	Name                string
	Latitude, Longitude float64 // degrees north and east
	Known               bool    // the coordinates are given
}

// coordinates are the keys of a location.
type coordinates struct {
	Latitude  float64 `yaml:"latitude" required:"true" min:"-90" max:"90" numeric:"string" unit:"degrees north"`
	Longitude float64 `yaml:"longitude" required:"true" min:"-180" max:"180" numeric:"string" unit:"degrees east"`
	Name      string  `yaml:"name"`
}

// TypeName implements config.TypeNamer.
func (*Location) TypeName() string { return "location" }

// JSONSchema implements config.Describer.
func (*Location) JSONSchema() map[string]any {
	degrees := func(most int) map[string]any {
		return anyOf(map[string]any{"type": "number", "minimum": -most, "maximum": most}, textSchema(`^[-+]?[0-9.]+$`, "Degrees, such as 51.48."))
	}
	return anyOf(
		map[string]any{"type": "string", "minLength": 1},
		map[string]any{"type": "object", "required": []any{"latitude", "longitude"}, "additionalProperties": false, "properties": map[string]any{
			"latitude": degrees(90), "longitude": degrees(180), "name": map[string]any{"type": []any{"string", "number", "boolean", "null"}},
		}},
	)
}

// SetNode implements config.NodeSetter.
func (l *Location) SetNode(n *config.Node, c *config.Context) error {
	const what = "the name of a place, or {latitude: 51.48, longitude: 0.0}"
	switch n.Kind() {
	case config.String:
		if strings.TrimSpace(n.Text()) == "" {
			return errors.New("must be " + what)
		}
		*l = Location{Name: strings.TrimSpace(n.Text())}
		return nil
	case config.List:
		if n.Len() == 2 {
			return wordError{"must be " + what + ", not a list", fmt.Sprintf("{latitude: %s, longitude: %s}", n.Items()[0].Text(), n.Items()[1].Text())}
		}
	case config.Map:
		var at coordinates
		if c.Decode(n, &at) {
			*l = Location{at.Name, at.Latitude, at.Longitude, true}
		}
		return nil
	}
	return mustBe(what, n)
}

// The kinds of transitions, and the sides they come from.
var (
	transitionKinds = []string{"none", "fade", "slide", "push"}
	transitionSides = []string{"left", "right", "up", "down"}
)

// A Transition is how one page gives way to the next.
type Transition struct {
	Kind     string   // none, fade, slide, push
	From     string   // where the next one comes from: left, right, up, down; "" leaves it to the widget
	Duration Duration // 0 leaves it to the widget
	Ease     float64  // power of the curve's beginning and end; 1 is even, 0 leaves it to the widget
}

// transitionKeys are those of a transition written out.
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
