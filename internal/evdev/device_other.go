//go:build !linux

package evdev

import "errors"

const longBytes = 8

func openSource(string) (source, error) { return nil, errors.ErrUnsupported }
