package main

import (
	"context"
	"io"
	"time"

	"dashboard/config"
	"dashboard/wall"
	"dashboard/wall/daemon"
	"dashboard/wall/scene"
)

// check prints all errors of a configuration. It returns the exit status: 1 if there is an error, otherwise 0.
func check(ctx context.Context, o *options, stdout io.Writer) int {
	wake := make(chan struct{}, 1)
	b := scene.NewBuilder(scene.Parts{Version: version, Permits: wall.Permissions(o.StateDir), Log: discardLog(), Wake: func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}})
	defer b.Providers.Close()
	g, report := b.Load(o.wall, scene.Alone(func() {}))
	if o.Fetch && g != nil {
		b.Providers.Commit(g.Sources)
		b.Await(ctx, wake)
		g.TellSources(o.wall.Open(), report, b.Providers.Status(time.Now()))
	}
	if !o.Demo {
		o.warnPlaceholders(report)
	}
	return daemon.Check(stdout, report, o.JSON)
}

// warnPlaceholders warns about values of a sample file that the user must still replace.
func (o *options) warnPlaceholders(r *config.Report) {
	secret := daemon.Secrets(o.wall.Open())
	for _, name := range []string{config.ConfName, config.ProvidersName, o.Widgets} {
		config.WarnPlaceholders(config.Load(o.wall.Open(), name, &config.Report{}, secret), r)
	}
}
