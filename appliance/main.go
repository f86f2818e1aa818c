//go:build linux

// Command appliance is the part of the image that is neither Debian's nor the dashboard's.
//
// As the kernel's first process it selects and mounts a root file system and starts systemd. Later it records the time and the
// state, writes a report onto the card and installs updates.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
)

// built is the time when the image was made, as Unix seconds. The builder sets it. The present time is never earlier.
var built = "0"

const usage = `usage: appliance keep       keep time, report, updates
       appliance update F   write an update into the other slot and try it at the next start
`

func main() {
	if os.Getpid() == 1 {
		boot()
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "appliance:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "guard":
		limit, err := time.ParseDuration(args[1])
		if err != nil {
			return err
		}
		return guard(limit)
	case len(args) == 3 && args[0] == "screen":
		limit, err := time.ParseDuration(args[2])
		if err != nil {
			return err
		}
		return paintScreen(args[1], limit)
	case len(args) == 4 && args[0] == "data":
		late, err := time.ParseDuration(args[3])
		if err != nil {
			return err
		}
		return data(args[1], args[2] == fresh, late)
	case len(args) == 1 && args[0] == "keep":
		return keep()
	case len(args) == 1 && args[0] == "await":
		return awaitData()
	case len(args) == 1 && args[0] == "apply":
		return apply(context.Background())
	case len(args) == 1 && args[0] == "framed":
		return writeFramed("/"+about.FramedFile, sinceStart())
	case len(args) == 1 && args[0] == "wall":
		return layWall(sinceStart, time.Sleep)
	case len(args) == 2 && args[0] == "update":
		return updateFrom(args[1])
	}
	fmt.Fprint(os.Stderr, usage)
	os.Exit(2)
	return nil
}

// sinceStart returns the time since the start of the kernel.
func sinceStart() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
