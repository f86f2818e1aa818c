package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"dashboard/server"
	"dashboard/wall"
	"dashboard/wall/daemon"
	"dashboard/wall/scene"
)

// printValues requests the values of all providers, or of the provider that the user names, and prints them.
func printValues(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	wake := make(chan struct{}, 1)
	awake := func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	b := scene.NewBuilder(scene.Parts{Version: version, Permits: wall.Permissions(o.StateDir), Wake: awake, Log: log})
	defer b.Providers.Close()
	g, report := b.Load(o.wall, scene.Alone(awake))
	if err := report.Pretty(stderr, daemon.IsTerminal(stderr)); err != nil {
		return err
	}
	if g == nil {
		return wall.ErrWrong
	}
	names := g.Sources.Names()
	if o.Name != "" && !slices.Contains(names, o.Name) {
		return fmt.Errorf("no provider is named '%s'; there are: %s", o.Name, cmp.Or(strings.Join(names, ", "), "none"))
	}
	b.Providers.Commit(g.Sources)
	b.Await(ctx, wake)
	list, _ := b.Values(g, o.Name)
	out := json.NewEncoder(stdout)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	if o.Name == "" {
		return out.Encode(slices.Concat([]server.Value{}, list))
	}
	if err := out.Encode(list[0]); err != nil || list[0].At.IsZero() {
		return cmp.Or(err, errors.New(o.Name+" gave no value"))
	}
	return nil
}
