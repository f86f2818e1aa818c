//go:build !linux

package panel

import "errors"

// OpenBoard returns an error, because only Linux gives access to the pins of a board.
func OpenBoard(*Model) (*Wires, error) { return nil, errors.New("panels at pins need Linux") }
