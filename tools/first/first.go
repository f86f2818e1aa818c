//go:build linux

// Package first has the first steps of the first program of an emulated machine: it mounts the usual file systems and loads kernel
// modules.
package first

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Mount mounts the file systems that the kernel provides.
func Mount() error {
	for _, m := range []struct{ kind, at string }{
		{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}, {"tmpfs", "/tmp"},
	} {
		if err := os.MkdirAll(m.at, 0o755); err != nil {
			return err
		}
		if err := unix.Mount(m.kind, m.at, m.kind, 0, ""); err != nil {
			return fmt.Errorf("mount %s: %w", m.at, err)
		}
	}
	return nil
}

// Load loads kernel modules. Their parameters come from the kernel's command line.
func Load(paths []string) error {
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		module, _, _ := strings.Cut(filepath.Base(path), ".")
		parameters, err := Parameters(module + ".")
		if err == nil {
			err = unix.FinitModule(int(f.Fd()), strings.Join(parameters, " "), 0)
		}
		f.Close()
		if err != nil && err != unix.EEXIST {
			return fmt.Errorf("load %s: %w", path, err)
		}
	}
	return nil
}

// Parameters looks for words of the kernel's command line that begin with a prefix, and returns the rest of each.
func Parameters(prefix string) (rest []string, err error) {
	line, err := os.ReadFile("/proc/cmdline")
	for _, w := range strings.Fields(string(line)) {
		if r, ok := strings.CutPrefix(w, prefix); ok {
			rest = append(rest, r)
		}
	}
	return rest, err
}
