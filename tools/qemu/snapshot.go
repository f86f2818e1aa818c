package qemu

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	savePause = 50 * time.Millisecond
	saveTime  = 10 * time.Minute // bound of the time for writing half a gigabyte, for a busy machine
)

// Save flushes the machine's disks, stops the machine, and writes its memory and devices to a file. The machine does not continue.
func (m *Machine) Save(ctx context.Context, path string) error {
	if err := m.Do("stop", nil); err != nil {
		return err
	}
	if err := m.Do("migrate", map[string]any{"uri": "exec:cat >" + path}); err != nil {
		return err
	}
	return m.awaitStatus(ctx, "query-migrate", "completed")
}

// Saved returns additional arguments for a machine that starts from a saved file. The machine waits until Resume is called.
func Saved(path string) []string { return []string{"-incoming", "exec:cat " + path} }

// Resume makes a machine continue. The machine must have been started with the arguments that Saved returns.
func (m *Machine) Resume(ctx context.Context) error {
	if err := m.awaitStatus(ctx, "query-status", "paused"); err != nil {
		return err
	}
	return m.Do("cont", nil)
}

// awaitStatus repeats a command until it returns the wanted status.
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
