//go:build !linux || !appliance

package main

import (
	"context"
	"io"
)

// setUp is a part of the program on a card only.
func setUp(context.Context, []string, io.Writer) (status int, asked bool) { return 0, false }
