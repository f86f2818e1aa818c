//go:build !linux

package ddc

import "errors"

// OpenBus returns an error, because this system has no buses.
func OpenBus(string) (Bus, error) { return nil, errors.ErrUnsupported }

// BusOf returns "".
func BusOf(_, _, _ string) string { return "" }
