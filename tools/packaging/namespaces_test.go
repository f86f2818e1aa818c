package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// machineRoot is an environment variable with the path of the root that a machine boots. The test binary starts itself again in new
// namespaces with this variable.
const machineRoot = "PACKAGING_MACHINE_ROOT"

func TestMain(m *testing.M) {
	if root := os.Getenv(machineRoot); root != "" {
		runtime.LockOSThread()
		fmt.Fprintln(os.Stderr, "machine:", becomeMachine(root))
		os.Exit(1)
	}
	if root := os.Getenv(containerRoot); root != "" {
		runtime.LockOSThread()
		fmt.Fprintln(os.Stderr, "container:", becomeContainer(root))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// becomeMachine moves this process, which is the first of its PID namespace, into a root. Then it starts the systemd in this root. The
// machine sees only cgroup v2, and /sys is read-only, so that it cannot change the host.
func becomeMachine(root string) error {
	console, screen := os.Getenv("CONSOLE"), os.Getenv("TTY1")
	if err := unix.Unshare(unix.CLONE_NEWCGROUP); err != nil {
		return fmt.Errorf("cgroup namespace: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("private mounts: %w", err)
	}
	for _, m := range []struct {
		source, target, kind string
		flags                uintptr
		data                 string
	}{
		{root, "", "", unix.MS_BIND, ""},
		{"proc", "proc", "proc", 0, ""},
		{"sysfs", "sys", "sysfs", unix.MS_RDONLY, ""},
		{"cgroup2", "sys/fs/cgroup", "cgroup2", 0, ""},
		{"tmpfs", "run", "tmpfs", 0, "mode=755"},
		{"tmpfs", "tmp", "tmpfs", 0, "mode=1777"},
		{"tmpfs", "dev", "tmpfs", 0, "mode=755"},
		{"devpts", "dev/pts", "devpts", 0, "newinstance,ptmxmode=0666,mode=620,gid=5"},
		{"tmpfs", "dev/shm", "tmpfs", 0, "mode=1777"},
		{console, "dev/console", "", unix.MS_BIND, ""},
		{screen, "dev/tty1", "", unix.MS_BIND, ""},
		{"/dev/null", "dev/null", "", unix.MS_BIND, ""},
		{"/dev/zero", "dev/zero", "", unix.MS_BIND, ""},
		{"/dev/full", "dev/full", "", unix.MS_BIND, ""},
		{"/dev/random", "dev/random", "", unix.MS_BIND, ""},
		{"/dev/urandom", "dev/urandom", "", unix.MS_BIND, ""},
		{"/dev/tty", "dev/tty", "", unix.MS_BIND, ""},
	} {
		target := filepath.Join(root, m.target)
		if err := mountPoint(m.source, target); err != nil {
			return err
		}
		if err := unix.Mount(m.source, target, m.kind, m.flags, m.data); err != nil {
			return fmt.Errorf("mount %s: %w", target, err)
		}
	}
	return beginSystemd(root)
}

// mountPoint creates a mount point: a file for a device, a folder for everything else.
func mountPoint(source, target string) error {
	if strings.HasPrefix(source, "/dev/") {
		return os.WriteFile(target, nil, 0o644)
	}
	return os.MkdirAll(target, 0o755)
}

func beginSystemd(root string) error {
	for from, to := range map[string]string{"dev/ptmx": "pts/ptmx", "dev/fd": "/proc/self/fd"} {
		if err := os.Symlink(to, filepath.Join(root, from)); err != nil {
			return err
		}
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil { // afterwards the old root is mounted over the new root, until it is unmounted below
		return fmt.Errorf("pivot_root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("old root: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SHARED, ""); err != nil { // as systemd does on a host
		return fmt.Errorf("shared mounts: %w", err)
	}
	if err := unix.Sethostname([]byte("wall")); err != nil {
		return err
	}
	return unix.Exec("/usr/lib/systemd/systemd", []string{"systemd", "--log-target=journal-or-kmsg", "--show-status=0"},
		[]string{"container=dashboard-test", "PATH=/usr/sbin:/usr/bin"})
}
