//go:build !linux

package cec

import "errors"

// Open returns an error, because this system has no adapters.
func Open(string) (Node, error) { return nil, errors.ErrUnsupported }

// Paths returns nil.
func Paths(string) []string { return nil }
