//go:build linux && appliance

package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"dashboard/appliance"
	"dashboard/appliance/setup"
	"dashboard/cmd/shared/viewer"
	"dashboard/wall/daemon"
)

// program returns the main function that belongs to the name of the started file. On an appliance, one executable contains the wall, the
// remote screen, the set-up, and the keeper, which manages the appliance while the wall runs. These programs have most of their code in
// common.
func program() daemon.Run {
	name := filepath.Base(os.Args[0])
	switch {
	case name == appliance.Name:
		os.Exit(appliance.Main(os.Args[1:], appliance.Late)) // the keeper does not handle signals, so each signal has its usual effect
	case name == viewer.Name:
		return viewer.Run(version)
	case len(os.Args) == 2 && os.Args[1] == "setup":
		return setUp
	}
	return run
}

// setUp runs the set-up of an appliance, in which a person uses a phone.
func setUp(ctx context.Context, _ []string, _, stderr io.Writer, _ <-chan os.Signal) int {
	if err := setup.Run(ctx, slog.New(slog.NewTextHandler(stderr, nil))); err != nil {
		fmt.Fprintf(stderr, "setup: %v\n", err)
		return 1
	}
	return 0
}
