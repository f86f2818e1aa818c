//go:build linux && appliance

package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"dashboard/appliance/setup"
)

// setUp runs the set-up of an appliance if it is requested. It is only part of this program on a card. Both share most of their
// code, so this takes a tenth of the size of a separate program.
func setUp(ctx context.Context, args []string, stderr io.Writer) (status int, asked bool) {
	if len(args) != 1 || args[0] != "setup" {
		return 0, false
	}
	if err := setup.Run(ctx, slog.New(slog.NewTextHandler(stderr, nil))); err != nil {
		fmt.Fprintf(stderr, "setup: %v\n", err)
		return 1, true
	}
	return 0, true
}
