//go:build linux

// Package appliance contains the programs that turn Debian and the dashboard into an appliance.
//
// The first process, which the kernel starts, selects and mounts a root file system and becomes systemd. Later processes record the time
// and the state, write a report to the card and install updates.
package appliance

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
)

// Name is the file name of the program "appliance". All programs of a card are in one executable file. This executable calls Main if it
// is started under the name Name.
const Name = "appliance"

// built is the time when the image was made, as Unix seconds. The linker sets it. The clock is never set to an earlier time.
var built = "0"

const usage = `usage: appliance keep       keep time, report, updates
       appliance update F   write an update into the other slot and try it at the next start
`

// Commands is a function that runs the command with the name args[0]. `known` is false if there is no such command.
type Commands func(args []string) (known bool, err error)

// Main runs a command from the first set that contains this command. It returns the exit status of the program.
func Main(args []string, sets ...Commands) int {
	for _, run := range sets {
		known, err := run(args)
		if err != nil {
			fmt.Fprintln(os.Stderr, "appliance:", err)
			return 1
		}
		if known {
			return 0
		}
	}
	fmt.Fprint(os.Stderr, usage)
	return 2
}

// Early is the set of commands for the processes that the first process starts. These processes stay in the initramfs.
func Early(args []string) (known bool, err error) {
	if len(args) < 2 {
		return false, nil
	}
	limit, err := time.ParseDuration(args[len(args)-1])
	switch {
	case len(args) == 2 && args[0] == "guard":
		return true, orElse(err, func() error { return guard(limit) })
	case len(args) == 3 && args[0] == "screen":
		return true, orElse(err, func() error { return paintScreen(args[1], limit) })
	case len(args) == 4 && args[0] == "data":
		return true, orElse(err, func() error { return data(args[1], args[2] == fresh, limit) })
	}
	return false, nil
}

// orElse returns err. If err is nil, it calls `run` and returns the error of `run`.
func orElse(err error, run func() error) error {
	if err != nil {
		return err
	}
	return run()
}

// Late is the set of commands for which the root file system has systemd units.
func Late(args []string) (known bool, err error) {
	switch {
	case len(args) == 1 && args[0] == "keep":
		return true, keep()
	case len(args) == 1 && args[0] == "await":
		return true, awaitData()
	case len(args) == 1 && args[0] == "apply":
		return true, apply(context.Background())
	case len(args) == 1 && args[0] == "framed":
		return true, writeFramed("/"+about.FramedFile, sinceStart())
	case len(args) == 1 && args[0] == "wall":
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		return true, layWall(ctx, wallLaid, wallLaidSum, sinceStart, time.Sleep)
	case len(args) == 2 && args[0] == "update":
		return true, updateFrom(args[1])
	}
	return false, nil
}

// sinceStart returns the time since the start of the kernel.
func sinceStart() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
