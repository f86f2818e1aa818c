//go:build !linux

package ddc

import "errors"

// OpenBus fails: there is no bus.
func OpenBus(string) (Bus, error) { return nil, errors.ErrUnsupported }

// BusOf names none.
func BusOf(_, _, _ string) string { return "" }
