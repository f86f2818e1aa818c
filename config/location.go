package config

import (
	"errors"
	"fmt"
	"strings"
)

// A Location is a place. The file sets its coordinates, or a name for which the program searches the coordinates.
type Location struct {
	Name                string
	Latitude, Longitude float64 // degrees north and east
	Known               bool    // true if the coordinates are known
}

// coordinates are the keys of a location.
type coordinates struct {
	Latitude  float64 `yaml:"latitude" required:"true" min:"-90" max:"90" numeric:"string" unit:"degrees north"`
	Longitude float64 `yaml:"longitude" required:"true" min:"-180" max:"180" numeric:"string" unit:"degrees east"`
	Name      string  `yaml:"name"`
}

// TypeName implements TypeNamer.
func (*Location) TypeName() string { return "location" }

// JSONSchema implements Describer.
func (*Location) JSONSchema() map[string]any {
	degrees := func(most int) map[string]any {
		text := map[string]any{"type": "string", "pattern": `^[-+]?[0-9.]+$`, "patternErrorMessage": "Degrees, such as 51.48."}
		return map[string]any{"anyOf": []any{map[string]any{"type": "number", "minimum": -most, "maximum": most}, text}}
	}
	return map[string]any{"anyOf": []any{
		map[string]any{"type": "string", "minLength": 1},
		map[string]any{"type": "object", "required": []any{"latitude", "longitude"}, "additionalProperties": false, "properties": map[string]any{
			"latitude": degrees(90), "longitude": degrees(180), "name": map[string]any{"type": []any{"string", "number", "boolean", "null"}},
		}},
	}}
}

// The type meant is an error with a suggestion: the value that the user probably meant.
type meant struct{ text, near string }

func (e meant) Error() string { return e.text }

// Near returns the suggested value.
func (e meant) Near() string { return e.near }

// maxPlaceName is the maximum length of a place's name, in bytes. No common name is longer.
const maxPlaceName = 200

// SetNode implements NodeSetter.
func (l *Location) SetNode(n *Node, c *Context) error {
	const what = "must be the name of a place, or {latitude: 51.48, longitude: 0.0}"
	switch n.Kind() {
	case String:
		name := strings.TrimSpace(n.Text())
		if name == "" || len(name) > maxPlaceName {
			return errors.New(what)
		}
		*l = Location{Name: name}
		return nil
	case List:
		if n.Len() == 2 {
			return meant{what + ", not a list; a number takes a dot", fmt.Sprintf("{latitude: %s, longitude: %s}", n.Items()[0].Text(), n.Items()[1].Text())}
		}
	case Map:
		var at coordinates
		if c.Decode(n, &at) {
			*l = Location{at.Name, at.Latitude, at.Longitude, true}
		}
		return nil
	}
	return errors.New(what + ", not " + n.Shown())
}
