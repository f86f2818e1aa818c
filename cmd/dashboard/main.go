// Command dashboard draws a tree of widgets, described in YAML and fed by providers, on the framebuffer
// and on every other output of its configuration, until it is told to stop.
//
// SIGUSR1 reads the configuration again. SIGINT and SIGTERM end it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// version is set by the linker.
var version = "dev"

func main() {
	// Reloads are asked for from the first moment: SIGUSR1 ends a program that has not said it wants it.
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGUSR1)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr, reload))
}

// run is the program: arguments in, exit status out. It returns when ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, reload <-chan os.Signal) int {
	o, err := parseArgs(args, stdout)
	switch {
	case err == errAnswered:
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "dashboard:", err)
		return 2
	}
	if err := o.enter(); err != nil {
		fmt.Fprintln(stderr, "dashboard:", err)
		return 1
	}
	defer o.leave()
	switch o.command {
	case "check":
		return check(o, stdout)
	case "render":
		err = renderOnce(ctx, o, stderr)
	default:
		err = serve(ctx, o, stderr, reload)
	}
	if err != nil {
		fmt.Fprintln(stderr, "dashboard:", err)
		if o.configDir != "" {
			dir, _ := os.Getwd()
			fmt.Fprintln(stderr, "dashboard: config paths are relative to", dir)
		}
		return 1
	}
	return 0
}
