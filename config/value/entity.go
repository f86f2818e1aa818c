package value

import (
	"errors"
	"strings"

	"dashboard/config"
)

// Entity is the id of an entity in Home Assistant: a domain and a name, such as light.hall. The zero value means no
// entity.
type Entity struct {
	ID string

	at *config.Node
}

// maxEntity bounds an id, bytes: Home Assistant's own bound.
const maxEntity = 255

// TypeName implements config.TypeNamer.
func (*Entity) TypeName() string { return "entity" }

// JSONSchema implements config.Describer.
func (*Entity) JSONSchema() map[string]any {
	return map[string]any{"type": "string", "pattern": `^[^ .\"]+\.[^ \"]+$`, "maxLength": maxEntity}
}

// SetNode implements config.NodeSetter.
func (e *Entity) SetNode(n *config.Node, _ *config.Context) error {
	id := n.Text()
	domain, name, ok := strings.Cut(id, ".")
	if n.Kind() != config.String || !ok || domain == "" || name == "" || len(id) > maxEntity || strings.ContainsAny(id, " \t\r\n\"'\\") {
		return errors.New("must be an entity of Home Assistant such as light.hall, not " + n.Shown())
	}
	e.ID, e.at = id, n
	return nil
}

// Domain is what kind of thing it is: light, sensor.
func (e *Entity) Domain() string {
	domain, _, _ := strings.Cut(e.ID, ".")
	return domain
}

// Program is a program in the place of the entity.
func (e *Entity) Program(code string) *config.Node { return e.at.WithText(code) }

// Pos is where it is written.
func (e *Entity) Pos() string { return e.at.Pos() }

// String is the id.
func (e Entity) String() string { return e.ID }
