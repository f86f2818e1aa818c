//go:build linux

// Package appliance is the part of the image that is neither Debian's nor the dashboard's.
//
// As the kernel's first process it selects and mounts a root file system and starts systemd. Later it records the time and the
// state, writes a report onto the card and installs updates.
package appliance

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
)

// Name is the name of the program. A card's program for everything else has a link with this name.
const Name = "appliance"

// built is the time when the image was made, as Unix seconds. The linker sets it. The present time is never earlier.
var built = "0"

const usage = `usage: appliance keep       keep time, report, updates
       appliance update F   write an update into the other slot and try it at the next start
`

// Commands runs the command that args name. known is false if there is no such command.
type Commands func(args []string) (known bool, err error)

// Main runs a command of one of the sets and returns the exit status of the program.
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

// Early has the commands of the processes that the first process starts. They stay in the initramfs.
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

// orElse returns err, or the error of run if err is nil.
func orElse(err error, run func() error) error {
	if err != nil {
		return err
	}
	return run()
}

// Late has the commands of the units of the root file system.
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
		return true, layWall(sinceStart, time.Sleep)
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
