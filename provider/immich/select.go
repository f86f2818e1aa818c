package immich

import (
	"errors"
	"fmt"

	"dashboard/config"
)

// Select chooses the photos. If no field is set, the server chooses random photos. At most one field is set.
type Select struct {
	Memories      bool
	Album, Person string // name or ID
}

// TypeName implements config.TypeNamer.
func (*Select) TypeName() string { return "selection" }

// JSONSchema implements config.Describer.
func (*Select) JSONSchema() map[string]any {
	one := func(key string) map[string]any {
		return map[string]any{"type": "object", "required": []any{key}, "additionalProperties": false, "properties": map[string]any{key: map[string]any{"type": "string"}}}
	}
	return map[string]any{"anyOf": []any{map[string]any{"enum": []any{"random", "memories"}}, one("album"), one("person")}}
}

const words = "takes random, memories, {album: NAME} or {person: NAME}"

// SetNode implements config.NodeSetter.
func (s *Select) SetNode(n *config.Node, _ *config.Context) error {
	*s = Select{}
	switch v := n.Value().(type) {
	case string:
		if s.Memories = v == "memories"; s.Memories || v == "random" {
			return nil
		}
		return fmt.Errorf("%s, got '%.40s'", words, v)
	case map[string]any:
		s.Album, _ = v["album"].(string)
		s.Person, _ = v["person"].(string)
		if len(v) == 1 && (s.Album != "") != (s.Person != "") {
			return nil
		}
	}
	return errors.New(words)
}
