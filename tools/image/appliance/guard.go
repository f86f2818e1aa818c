//go:build linux

package main

import (
	"os"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/tools/image/state"
)

const (
	// trialTime is how long a slot on trial has to paint its first frame, from when its kernel started. The
	// slowest board takes half a minute.
	trialTime  = time.Minute
	guardPause = time.Second
	guardStore = 3 // the descriptor of the state
)

// startGuard starts the process that ends a trial without a frame. It stays in the initramfs, so that no
// fault of the new root file system can keep it from its work.
func startGuard(store *os.File) {
	_, err := os.StartProcess("/init", []string{"appliance", "guard", trialLimit().String()}, &os.ProcAttr{
		Env:   os.Environ(),
		Files: []*os.File{nil, nil, nil, store},
	})
	if err != nil {
		say("guard: %v", err)
	}
}

// guard waits until the trial is confirmed. When the limit has passed since the kernel started it gives the trial up
// and restarts the machine into the other slot. More than one try is for power cuts and kernels that panic.
func guard(limit time.Duration) error {
	store := os.NewFile(guardStore, "state")
	if watch(store, limit, sinceStart, time.Sleep) {
		return nil
	}
	if err := change(store, endTrial); err != nil {
		say("guard: %v", err) // the tries run out all the same
	}
	unix.Sync()
	return unix.Reboot(unix.LINUX_REBOOT_CMD_RESTART)
}

// watch reports whether the trial ended before the limit: with a picture.
func watch(store *os.File, limit time.Duration, now func() time.Duration, sleep func(time.Duration)) bool {
	for now() < limit {
		sleep(guardPause)
		if r, err := state.Load(store); err == nil && r.Trial == state.None {
			return true
		}
	}
	return false
}

// endTrial gives a trial up, unless it was confirmed at the last moment.
func endTrial(r state.Record) state.Record {
	if r.Trial == state.None {
		return r
	}
	return r.GiveUp()
}

// trialLimit is trialTime, or what the kernel's command line says. It is read before the root changes: the
// guard itself has no /proc.
func trialLimit() time.Duration { return parameter("appliance.trial", trialTime) }
