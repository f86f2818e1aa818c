// Command dashboard draws a wall of widgets until it is stopped. YAML files describe the widgets and the providers, which supply the
// values. The program draws on screens and on the other outputs of the configuration.
//
// After SIGUSR1 the program reads the configuration again. SIGINT, SIGTERM and SIGHUP end it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"dashboard/cmd/shared/probe"
	"dashboard/wall"
	"dashboard/wall/daemon"
)

// version is the version of the program. The linker sets it.
var version = "dev"

func main() {
	daemon.CollectEarly(garbagePercent)
	daemon.Main(program())
}

// usualMemory is Go's memory limit in bytes if the control group has no limit. It is low enough that the process stays below 256 MiB, the
// limit in the systemd unit.
const usualMemory = 180 << 20

// garbagePercent is Go's garbage collection target; see [daemon.CollectEarly]. With Go's usual target of 100, the family sample with three
// streamed sizes takes 110 MB instead of 77 MB during its start.
const garbagePercent = 40

// run is the main function of the program. It runs the command until the command is done or ctx ends, and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, reload <-chan os.Signal) int {
	daemon.LimitMemory(usualMemory)
	o, err := parseArgs(args, stdout)
	switch {
	case err == daemon.ErrAnswered:
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "dashboard:", err)
		return 2
	}
	if done, err := runAlone(ctx, o, stdout); done {
		if err != nil {
			fmt.Fprintln(stderr, "dashboard:", err)
			return 1
		}
		return 0
	}
	if err := o.enter(); err != nil {
		fmt.Fprintln(stderr, "dashboard:", err)
		return 1
	}
	defer o.leave()
	switch o.Command {
	case "check":
		return check(ctx, o, stdout)
	case "render":
		err = renderOnce(ctx, o, stdout, stderr)
	case "connect":
		err = connect(ctx, o, os.Stdin, stdout)
	case "values":
		err = printValues(ctx, o, stdout, stderr)
	case "reload":
		err = o.askReload(ctx, stdout)
	case "health":
		err = o.askHealth(ctx, stdout)
	default:
		go daemon.ReturnMemory(ctx)
		err = wall.Serve(ctx, o.service(), stderr, reload)
	}
	if err != nil {
		complain(stderr, o, err)
		return 1
	}
	return 0
}

// complain prints the reason why the program ends. Only errors of the configuration can contain a path relative to the wall's folder.
func complain(stderr io.Writer, o *options, err error) {
	given := ""
	if errors.Is(err, wall.ErrWrong) {
		given = o.configDir
		err = fmt.Errorf("%w; '%s' lists every error", err, o.suggest("check"))
	}
	daemon.Complain(stderr, "dashboard", err, given, o.wall.Home)
}

// runAlone runs a command that needs no configuration. If the command needs a configuration, `done` is false.
func runAlone(ctx context.Context, o *options, stdout io.Writer) (done bool, err error) {
	switch o.Command {
	case "init":
		if o.List {
			return true, listSamples(stdout)
		}
		return true, initialize(o.configDir, o.Sample, stdout)
	case "display":
		probe.Screens(stdout)
		probe.Inputs(stdout)
		return true, nil
	case "icons":
		return true, listIcons(o, stdout)
	case "themes":
		return true, listThemes(o, stdout)
	case "recipe":
		return true, runRecipe(ctx, o, stdout)
	case "pull":
		return true, pullWall(ctx, o)
	case "relay":
		return true, relayRelease(ctx, o, os.Stdin, stdout)
	}
	return false, nil
}
