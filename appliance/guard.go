//go:build linux

package main

import (
	"bytes"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
	"dashboard/appliance/state"
)

const (
	// trialTime is how long a slot on trial has to paint its first frame, from when its kernel started. The
	// slowest board takes half a minute.
	trialTime = time.Minute
	// darkTime is how long any other slot has, where there is one to fall back to.
	darkTime   = 5 * time.Minute
	guardPause = time.Second
	guardStore = 3 // the descriptor of the state
)

// startGuard starts the process that ends a start without a frame. It stays in the initramfs, so that no
// fault of the new root file system can keep it from its work.
func startGuard(store *os.File, limit time.Duration) {
	_, err := os.StartProcess("/init", []string{"appliance", "guard", limit.String()}, &os.ProcAttr{
		Dir: root, Env: os.Environ(), Files: []*os.File{os.Stdin, os.Stdout, os.Stderr, store},
	})
	if err != nil {
		say("guard: %v", err)
	}
}

// hasOther reports whether the other slot was ever written: without it there is nothing to fall back to.
func hasOther(r state.Record) bool { return r.Update != state.Record{}.Update }

// tellsPainted reports whether a root file system says when the wall was seen. Earlier ones do not, and must not be ended for it.
func tellsPainted(root string) bool {
	unit, err := os.ReadFile(root + "/etc/systemd/system/appliance-keep.service")
	return err == nil && bytes.Contains(unit, []byte("\nRuntimeDirectory=appliance\n"))
}

// guard waits until the wall was seen, and a trial is confirmed. When the limit has passed since the kernel started it gives the
// slot up and restarts the machine into the other one. More than one try is for power cuts and kernels that panic.
func guard(limit time.Duration) error {
	store := os.NewFile(guardStore, "state")
	r, err := state.Load(store)
	if err == nil && r.Trial == state.None {
		if watchPainted(about.PaintedFile, limit, sinceStart, time.Sleep) {
			return nil
		}
		say("no picture after %v: the other slot is started", limit)
		err = change(store, state.Record.Leave)
	} else {
		if watch(store, limit, sinceStart, time.Sleep) {
			return nil
		}
		say("no picture after %v: the trial is given up", limit)
		err = change(store, endTrial)
	}
	if err != nil {
		say("guard: %v", err) // the tries run out all the same
	}
	unix.Sync()
	return unix.Reboot(unix.LINUX_REBOOT_CMD_RESTART)
}

// watchPainted reports whether the wall was seen before the limit: whether there is a file, seen from the working folder, which is
// the new root.
func watchPainted(file string, limit time.Duration, now func() time.Duration, sleep func(time.Duration)) bool {
	for now() < limit {
		sleep(guardPause)
		if _, err := os.Stat(file); err == nil {
			return true
		}
	}
	return false
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
