package qemu

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	savePause = 50 * time.Millisecond
	saveTime  = 10 * time.Minute // time to write half a gigabyte on a busy machine
)

// Save stops a machine after its disks are flushed, and writes its memory and devices to a file. The machine does not continue.
func (m *Machine) Save(ctx context.Context, path string) error {
	if err := m.Do("stop", nil); err != nil {
		return err
	}
	if err := m.Do("migrate", map[string]any{"uri": "exec:cat >" + path}); err != nil {
		return err
	}
	return m.awaitStatus(ctx, "query-migrate", "completed")
}

// Saved returns the additional arguments for a machine that continues from a file. It waits for Resume.
func Saved(path string) []string { return []string{"-incoming", "exec:cat " + path} }

// Resume lets a machine continue that was started with Saved.
func (m *Machine) Resume(ctx context.Context) error {
	if err := m.awaitStatus(ctx, "query-status", "paused"); err != nil {
		return err
	}
	return m.Do("cont", nil)
}

// awaitStatus waits until a command returns a status.
func (m *Machine) awaitStatus(ctx context.Context, command, want string) error {
	for end := time.Now().Add(saveTime); time.Now().Before(end); {
		got, err := m.status(command)
		switch {
		case err != nil:
			return err
		case got == want:
			return nil
		case got == "failed":
			return fmt.Errorf("qemu: %s: failed", command)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.Dead:
			return errors.New("qemu ended")
		case <-time.After(savePause):
		}
	}
	return fmt.Errorf("qemu: %s: not %s after %v", command, want, saveTime)
}
