//go:build !linux

package cec

import "errors"

// Open fails: there are no adapters.
func Open(string) (Node, error) { return nil, errors.ErrUnsupported }

// Paths lists none.
func Paths(string) []string { return nil }
