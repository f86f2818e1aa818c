// Command dashboard-client shows the frames of a dashboard on another machine on the framebuffer of this one, until it
// is stopped.
//
// SIGUSR1 reads client.yaml again. SIGINT and SIGTERM end it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"dashboard/cmd/shared/probe"
	"dashboard/wall/daemon"
)

// name is how the program calls itself.
const name = "dashboard-client"

// version is set by the linker.
var version = "dev"

func main() { daemon.Main(run) }

// usualMemory is Go's default memory limit in bytes. The unit allows 128 MiB.
const usualMemory = 100 << 20

// run is the program: arguments in, exit status out. It returns when ctx ends.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, reload <-chan os.Signal) int {
	if status, asked := setUp(ctx, args, stderr); asked {
		return status
	}
	daemon.LimitMemory(usualMemory)
	o, err := parseArgs(args, stdout)
	switch {
	case err == daemon.ErrAnswered:
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
		return 2
	}
	if o.Command == "display" {
		probe.Screens(stdout)
		return 0
	}
	if err := o.enter(); err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
		return 1
	}
	if o.Command == "check" {
		_, report := load(o)
		return daemon.Check(stdout, report, o.JSON)
	}
	if err := show(ctx, o, stderr, reload); err != nil {
		daemon.Complain(stderr, name, err, o.configDir, o.home)
		return 1
	}
	return 0
}
