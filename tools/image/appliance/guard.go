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
	trialTime  = 5 * time.Minute
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

// guard waits until the trial is confirmed, or restarts the machine when the limit has passed since its
// kernel started. The state counts the tries.
func guard(limit time.Duration) error {
	store := os.NewFile(guardStore, "state")
	for sinceStart() < limit {
		time.Sleep(guardPause)
		if r, err := state.Load(store); err == nil && r.Trial == state.None {
			return nil
		}
	}
	unix.Sync()
	return unix.Reboot(unix.LINUX_REBOOT_CMD_RESTART)
}

// trialLimit is trialTime, or what the kernel's command line says. It is read before the root changes: the
// guard itself has no /proc.
func trialLimit() time.Duration { return parameter("appliance.trial", trialTime) }
