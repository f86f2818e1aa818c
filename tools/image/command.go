package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// command runs a program to its end and returns what it printed.
func command(ctx context.Context, name string, args ...string) (string, error) {
	return commandWith(ctx, nil, name, args...)
}

// commandWith adds to the environment. What the program printed is returned after an error too.
func commandWith(ctx context.Context, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(append(os.Environ(), "LC_ALL=C"), env...)
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(problem.String()))
	}
	return out.String(), nil
}

// needs are programs and the Debian packages they are in.
var needs = []struct{ program, packages string }{
	{"mmdebstrap", "mmdebstrap"},
	{"mksquashfs", "squashfs-tools"},
	{"mkfs.vfat", "dosfstools"},
	{"mcopy", "mtools"},
	{"depmod", "kmod"},
	{"xz", "xz-utils"},
	{"zstd", "zstd"},
}

// testNeeds are those of the test besides.
var testNeeds = []struct{ program, packages string }{
	{"qemu-system-aarch64", "qemu-system-arm"},
	{"fdtput", "device-tree-compiler"},
}

// check says which packages are missing.
func check(lists ...[]struct{ program, packages string }) error {
	var missing []string
	for _, list := range lists {
		for _, n := range list {
			if _, err := exec.LookPath(n.program); err != nil {
				missing = append(missing, n.packages)
			}
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("these Debian packages are missing: apt-get install --no-install-recommends %s", strings.Join(missing, " "))
	}
	return nil
}

// errRoot says that files cannot get their owners.
var errRoot = errors.New("only root can make files that belong to others: run it as root, perhaps in a container")
