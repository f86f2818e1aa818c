//go:build linux

// Package first contains the first steps of a program that an emulated machine starts first: mounting the usual file systems and loading
// kernel modules.
package first

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Mount mounts the file systems that the kernel itself provides.
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

// Load loads kernel modules. It takes their parameters from the kernel's command line.
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

// Parameters returns the words of the kernel's command line that begin with `prefix`, without the prefix.
func Parameters(prefix string) (rest []string, err error) {
	line, err := os.ReadFile("/proc/cmdline")
	for _, w := range strings.Fields(string(line)) {
		if r, ok := strings.CutPrefix(w, prefix); ok {
			rest = append(rest, r)
		}
	}
	return rest, err
}
