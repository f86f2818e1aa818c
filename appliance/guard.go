//go:build linux

package appliance

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
	"dashboard/appliance/state"
)

const (
	// trialTime is the time from the kernel's start within which a slot on trial must show its first frame. The slowest board needs half a
	// minute.
	trialTime = time.Minute
	// darkTime is the time limit for the first frame of a slot that is not on trial. The limit applies only if the other slot can be
	// started instead.
	darkTime = 5 * time.Minute
	// lateTime is the additional time for the keeper to see a frame that the wall has reported.
	lateTime   = 5 * time.Minute
	guardPause = time.Second
	guardStore = 3 // file descriptor of the state
)

// startGuard starts the guard, a process that gives up a slot if the slot shows no frame before the limit. The guard stays in the
// initramfs, so that no error of the new root file system can stop it.
func startGuard(store *os.File, limit time.Duration) {
	_, err := os.StartProcess("/init", []string{"appliance", "guard", limit.String()}, &os.ProcAttr{
		Dir: root, Env: os.Environ(), Files: []*os.File{os.Stdin, os.Stdout, os.Stderr, store},
	})
	if err != nil {
		say("guard: %v", err)
	}
}

// hasOther reports whether the other slot has painted before. A slot that has never painted may be empty or incomplete.
func hasOther(r state.Record) bool { return r.Release.Kept }

// tellsPainted reports whether the programs of a root file system write PaintedFile. Older releases do not write this file, so the guard
// must not run for these releases.
func tellsPainted(root string) bool {
	unit, err := os.ReadFile(root + "/etc/systemd/system/appliance-keep.service")
	return err == nil && bytes.Contains(unit, []byte("\nRuntimeDirectory=appliance\n"))
}

// guard waits until the keeper has seen the wall. During a trial, it waits until the keeper has confirmed the trial. The limit counts
// from the kernel's start. If the limit passes first, guard gives up the slot and restarts the machine into the other slot. A trial has
// several tries, because a power cut or a kernel panic can end a try.
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
		if watch(store, about.FramedFile, limit, sinceStart, time.Sleep) {
			return nil
		}
		say("no picture after %v: the trial is given up", limit)
		err = change(store, endTrial)
	}
	if err != nil {
		say("guard: %v", err) // continue, because the number of tries limits the trial too
	}
	unix.Sync()
	return unix.Reboot(unix.LINUX_REBOOT_CMD_RESTART)
}

// watchPainted reports whether `file` appears before the limit. The keeper creates the file when it has seen the wall. The path is
// relative to the working folder, which is the new root.
func watchPainted(file string, limit time.Duration, now func() time.Duration, sleep func(time.Duration)) bool {
	for now() < limit {
		sleep(guardPause)
		if _, err := os.Stat(file); err == nil {
			return true
		}
	}
	return false
}

// watch reports whether the keeper confirms the trial before the limit. If the wall reports a frame before the limit, watch waits up to
// lateTime longer, because the keeper has a low priority.
func watch(store *os.File, framedFile string, limit time.Duration, now func() time.Duration, sleep func(time.Duration)) bool {
	for now() < limit || now() < limit+lateTime && framedBefore(framedFile, limit) {
		sleep(guardPause)
		if r, err := state.Load(store); err == nil && r.Trial == state.None {
			return true
		}
	}
	return false
}

// framedBefore reports whether the wall had its first frame before the limit.
func framedBefore(file string, limit time.Duration) bool {
	at, ok := readFramed(file)
	return ok && at <= limit
}

// writeFramed stores the time of the wall's first frame. If the wall starts again, writeFramed does not change the stored time.
func writeFramed(file string, at time.Duration) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(at.String())
	return errors.Join(err, f.Close())
}

// readFramed returns the time of the wall's first frame, and false if there was no frame yet.
func readFramed(file string) (time.Duration, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	at, err := time.ParseDuration(string(text))
	return at, err == nil
}

// endTrial gives up the trial, unless the keeper has confirmed it in the meantime.
func endTrial(r state.Record) state.Record {
	if r.Trial == state.None {
		return r
	}
	return r.GiveUp(state.NoPicture)
}

// trialLimit returns trialTime, or the time on the kernel's command line. The caller must be the first process, because the guard itself
// has no /proc.
func trialLimit() time.Duration { return parameter("appliance.trial", trialTime) }
