//go:build !linux

package evdev

import "errors"

const longBytes = 8

func openSource(string) (source, error) { return nil, errors.ErrUnsupported }

// Describe fails: there are no devices.
func Describe(string) (Info, error) { return Info{}, errors.ErrUnsupported }
