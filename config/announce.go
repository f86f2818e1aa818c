package config

import (
	"errors"
	"strings"
)

// An Announcement sets whether the wall is announced in the local network, and under which name.
type Announcement struct {
	Off  bool
	Name string // name of the wall in the network; "": made from the machine's name
}

// maxAnnounced is the maximum length of a service's name in bytes, from RFC 6763, section 4.1.1.
const maxAnnounced = 63

// SetValue implements Setter.
func (a *Announcement) SetValue(v any) error {
	switch v := v.(type) {
	case bool:
		*a = Announcement{Off: !v}
		return nil
	case string:
		if name := strings.TrimSpace(v); name != "" && len(name) <= maxAnnounced && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			*a = Announcement{Name: name}
			return nil
		}
	}
	return errors.New("must be true, false, or the name by which the wall is found, at most 63 bytes")
}

// TypeName implements TypeNamer.
func (*Announcement) TypeName() string { return "true, false or a name" }

// JSONSchema implements Describer.
func (*Announcement) JSONSchema() map[string]any {
	return map[string]any{"anyOf": []any{map[string]any{"type": "boolean"}, map[string]any{"type": "string", "minLength": 1, "maxLength": maxAnnounced}}}
}
