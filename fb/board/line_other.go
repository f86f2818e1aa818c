//go:build !linux

package board

import (
	"errors"

	"periph.io/x/conn/v3/gpio"
)

// Open returns an error, because this system has no lines.
func Open(int, gpio.Pull, string) (gpio.PinIn, error) { return nil, errors.ErrUnsupported }

// Lines returns nil.
func Lines() []string { return nil }
