//go:build !linux

package evdev

import "errors"

const longBytes = 8

func openSource(string) (source, error) { return nil, errors.ErrUnsupported }

// Describe returns ErrUnsupported, because only Linux has these input devices.
func Describe(string) (Info, error) { return Info{}, errors.ErrUnsupported }
