//go:build !linux

package panel

import "errors"

// OpenBoard returns an error, because the pins of a board need Linux.
func OpenBoard(*Model) (*Wires, error) { return nil, errors.New("panels at pins need Linux") }
