// Package viewer contains the program of a remote screen. The program shows the frames of a dashboard that runs on another machine. It
// draws the frames on a screen of this machine until it is stopped.
//
// After SIGUSR1 the program reads client.yaml again. SIGINT, SIGTERM and SIGHUP end it.
package viewer

import (
	"context"
	"fmt"
	"io"
	"os"

	"dashboard/cmd/shared/probe"
	"dashboard/wall/daemon"
)

// Name is the name of the program in its messages.
const Name = "dashboard-client"

// usualMemory is Go's memory limit in bytes if the control group has no limit. The systemd unit allows 128 MiB for the process.
const usualMemory = 100 << 20

// Run returns the main function of the program. `version` is its version.
func Run(version string) daemon.Run {
	return func(ctx context.Context, args []string, stdout, stderr io.Writer, reload <-chan os.Signal) int {
		return run(ctx, version, args, stdout, stderr, reload)
	}
}

// run is the main function of the program. It runs the command until the command is done or ctx ends, and returns the exit status.
func run(ctx context.Context, version string, args []string, stdout, stderr io.Writer, reload <-chan os.Signal) int {
	daemon.LimitMemory(usualMemory)
	o, err := parseArgs(version, args, stdout)
	switch {
	case err == daemon.ErrAnswered:
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "%s: %v\n", Name, err)
		return 2
	}
	if o.Command == "display" {
		probe.Screens(stdout)
		return 0
	}
	if err := o.enter(); err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", Name, err)
		return 1
	}
	if o.Command == "check" {
		_, report := load(o)
		return daemon.Check(stdout, report, o.JSON)
	}
	if err := show(ctx, o, stderr, reload); err != nil {
		daemon.Complain(stderr, Name, err, o.configDir, o.home)
		return 1
	}
	return 0
}
