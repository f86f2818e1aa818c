package rig

import (
	"os"
	"strings"
	"testing"

	"dashboard/tools/command"
)

// needs lists the programs that the rig needs.
var needs = []command.Need{
	{Program: "qemu-system-aarch64", Packages: "qemu-system-arm"},
	{Program: userEmulator, Packages: "qemu-user-static"},
	{Program: "fdtput", Packages: "device-tree-compiler"},
	{Program: "xz", Packages: "xz-utils"},
	{Program: crossCompiler, Packages: "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"},
}

// userEmulator runs a program for arm64 on a machine with another processor.
const userEmulator = "qemu-aarch64-static"

// crossCompiler compiles the tests of package fb that compare with gonutz/framebuffer. All other programs of the rig are pure Go.
const crossCompiler = "aarch64-linux-gnu-gcc"

// install installs missing programs. If the installation fails, the test is skipped. If DASHBOARD_CI is set, the test fails instead.
func install(t *testing.T) {
	t.Helper()
	packages := command.Missing(needs...)
	if len(packages) == 0 {
		return
	}
	t.Logf("installing %s", strings.Join(packages, " "))
	quiet := []string{"DEBIAN_FRONTEND=noninteractive"}
	_, err := command.Run(t.Context(), quiet, "apt-get", "update", "-q")
	if err == nil {
		_, err = command.Run(t.Context(), quiet, "apt-get", append([]string{"install", "-qy", "--no-install-recommends"}, packages...)...)
	}
	switch {
	case err == nil:
	case os.Getenv("DASHBOARD_CI") != "":
		t.Fatal(err)
	default:
		t.Skipf("these Debian packages are missing: %s: %v", strings.Join(packages, " "), err)
	}
}
