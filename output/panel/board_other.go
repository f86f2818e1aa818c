//go:build !linux

package panel

import "errors"

// OpenBoard takes the lines of a board's pins that lead to a panel: on Linux alone.
func OpenBoard(*Model) (*Wires, error) { return nil, errors.New("panels at pins need Linux") }
