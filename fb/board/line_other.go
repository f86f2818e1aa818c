//go:build !linux

package board

import (
	"errors"

	"periph.io/x/conn/v3/gpio"
)

// Open fails: there are no lines.
func Open(int, gpio.Pull, string) (gpio.PinIn, error) { return nil, errors.ErrUnsupported }

// Lines returns nothing.
func Lines() []string { return nil }
