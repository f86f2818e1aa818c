package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// A missingError says what the rig cannot do without and cannot get by itself.
type missingError struct{ what string }

func (e *missingError) Error() string { return e.what }

// needs are the programs of the rig and the Debian packages they are in.
var needs = []struct{ program, packages string }{
	{"qemu-system-aarch64", "qemu-system-arm"},
	{userEmulator, "qemu-user-static"},
	{"fdtput", "device-tree-compiler"},
	{"xz", "xz-utils"},
	{crossCompiler, "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"},
}

// userEmulator runs one program for arm64 on a machine of another kind.
const userEmulator = "qemu-aarch64-static"

// crossCompiler builds the one program of the rig that is not pure Go: the second opinion.
const crossCompiler = "aarch64-linux-gnu-gcc"

// install makes sure that every program is there.
func install(ctx context.Context, say func(string, ...any)) error {
	packages := missing()
	if len(packages) == 0 {
		return nil
	}
	list := strings.Join(packages, " ")
	if os.Geteuid() != 0 || !has("apt-get") {
		return &missingError{"these Debian packages are missing: " + list}
	}
	say("installing %s", list)
	quiet := []string{"DEBIAN_FRONTEND=noninteractive"}
	if _, err := command(ctx, quiet, "apt-get", "update", "-q"); err != nil {
		return &missingError{fmt.Sprintf("%s cannot be installed: %v", list, err)}
	}
	args := append([]string{"install", "-qy", "--no-install-recommends"}, packages...)
	if _, err := command(ctx, quiet, "apt-get", args...); err != nil {
		return &missingError{fmt.Sprintf("%s cannot be installed: %v", list, err)}
	}
	if left := missing(); len(left) > 0 {
		return errors.New("installed, and still missing: " + strings.Join(left, " "))
	}
	return nil
}

// missing returns the packages of the programs that are not there.
func missing() (packages []string) {
	for _, n := range needs {
		if !has(n.program) {
			packages = append(packages, strings.Fields(n.packages)...)
		}
	}
	return packages
}

func has(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}
