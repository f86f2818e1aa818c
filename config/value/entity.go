package value

import (
	"errors"
	"strings"

	"dashboard/config"
)

// Entity is the ID of an entity in Home Assistant. It consists of a domain and a name, as in light.hall. The zero value is no entity.
type Entity struct {
	ID string

	at *config.Node
}

// maxEntity is the maximum length of an ID, in bytes. Home Assistant has the same limit.
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

// Domain returns the domain of the entity, such as light or sensor.
func (e *Entity) Domain() string {
	domain, _, _ := strings.Cut(e.ID, ".")
	return domain
}

// Program returns a node that contains the program code. It has the position of the entity in the file.
func (e *Entity) Program(code string) *config.Node { return e.at.WithText(code) }

// Pos returns the position of the entity in the file.
func (e *Entity) Pos() string { return e.at.Pos() }

// String returns the ID.
func (e Entity) String() string { return e.ID }
