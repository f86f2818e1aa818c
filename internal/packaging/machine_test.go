package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// machineRoot tells this program, started again in namespaces of its own, which root to begin as a machine.
const machineRoot = "PACKAGING_MACHINE_ROOT"

func TestMain(m *testing.M) {
	if root := os.Getenv(machineRoot); root != "" {
		runtime.LockOSThread()
		fmt.Fprintln(os.Stderr, "machine:", becomeMachine(root))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// becomeMachine puts this process, the first of its PID namespace, into a root and begins its systemd. Only cgroup v2 is shown
// to it, and /sys so that nothing can be written there: it has no business with the machine outside.
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

// mountPoint makes what is mounted over: a file for a device, a folder for all else.
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
	if err := unix.PivotRoot(".", "."); err != nil { // the old root lies over the new one, and is taken off it
		return fmt.Errorf("pivot_root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("old root: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SHARED, ""); err != nil { // as systemd has it outside of containers
		return fmt.Errorf("shared mounts: %w", err)
	}
	if err := unix.Sethostname([]byte("wall")); err != nil {
		return err
	}
	return unix.Exec("/usr/lib/systemd/systemd", []string{"systemd", "--log-target=journal-or-kmsg", "--show-status=0"},
		[]string{"container=dashboard-test", "PATH=/usr/sbin:/usr/bin"})
}

// A machine is a running systemd in namespaces of its own, with a network that is only its own loopback.
type machine struct {
	t    *testing.T
	root string
	init *exec.Cmd
}

// boot begins a machine in a root, which ends with the test.
func boot(t *testing.T, root string) *machine {
	t.Helper()
	group := cgroup(t)
	m := &machine{t: t, root: root, init: exec.Command("/proc/self/exe")}
	m.init.Env = []string{machineRoot + "=" + root, "CONSOLE=" + terminal(t), "TTY1=" + terminal(t)}
	m.init.Stderr = os.Stderr
	m.init.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWNET,
		UseCgroupFD: true, CgroupFD: int(group.Fd()), Pdeathsig: syscall.SIGKILL, Setsid: true,
	}
	runtime.LockOSThread() // the machine ends with the thread that began it
	if err := m.init.Start(); err != nil {
		t.Fatalf("namespaces: %v", err)
	}
	t.Cleanup(func() {
		_ = m.init.Process.Kill() // with it ends all of its PID namespace
		_ = m.init.Wait()
		runtime.UnlockOSThread()
	})
	m.eventually("systemd is up", func() bool {
		out, _ := m.try("systemctl", "is-system-running")
		return strings.HasPrefix(out, "running") || strings.HasPrefix(out, "degraded")
	})
	return m
}

// cgroup makes the cgroup of a machine, which is removed after it.
func cgroup(t *testing.T) *os.File {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("cgroup2", dir, "cgroup2", 0, ""); err != nil {
		t.Fatalf("cgroup v2: %v", err)
	}
	path := filepath.Join(dir, "dashboard-test-"+strconv.Itoa(os.Getpid()))
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		f.Close()
		removeTree(path)
		_ = unix.Unmount(dir, unix.MNT_DETACH)
	})
	return f
}

// removeTree removes a cgroup with those in it: only folders can be removed there.
func removeTree(path string) {
	entries, _ := os.ReadDir(path) // what is gone already need not be removed
	for _, e := range entries {
		if e.IsDir() {
			removeTree(filepath.Join(path, e.Name()))
		}
	}
	_ = os.Remove(path)
}

// terminal makes a terminal for the machine, whose other end is read and forgotten, and returns its path.
func terminal(t *testing.T) string {
	t.Helper()
	f, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/dev/pts/%d", n)
	held, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0) // so that reading goes on when the machine hangs up
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { held.Close() })
	go func() { _, _ = io.Copy(io.Discard, f) }()
	return path
}

// try runs a command in the machine and returns what it prints.
func (m *machine) try(command ...string) (string, error) {
	args := append([]string{"--target", strconv.Itoa(m.init.Process.Pid), "--all", "--root", "--wd", "--"}, command...)
	cmd := exec.Command("nsenter", args...)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive", "SYSTEMD_PAGER=", "TERM=dumb"}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// run is try for a command that must succeed.
func (m *machine) run(command ...string) string {
	m.t.Helper()
	out, err := m.try(command...)
	if err != nil {
		m.t.Fatalf("%s: %v\n%s\n%s", strings.Join(command, " "), err, out, m.journal())
	}
	return out
}

// journal is the end of what the machine logged.
func (m *machine) journal() string {
	out, _ := m.try("journalctl", "--no-pager", "-n", "40")
	return out
}

// show returns a property of a unit.
func (m *machine) show(unit, property string) string {
	m.t.Helper()
	return strings.TrimSpace(m.run("systemctl", "show", "--value", "-p", property, unit))
}

// patience bounds the wait for anything in the machine.
const patience = 60 * time.Second

// eventually waits until something is so.
func (m *machine) eventually(what string, is func() bool) {
	m.t.Helper()
	end := time.After(patience)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-end:
			m.t.Fatalf("after %v not yet so: %s\n%s", patience, what, m.journal())
		case <-tick.C:
		}
	}
}

// get asks the machine's own network for an address.
func (m *machine) get(url, token string) (status int, body []byte, err error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	req.Close = true
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	client := http.Client{Transport: &http.Transport{DialContext: m.dial}, Timeout: 10 * time.Second}
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return resp.StatusCode, body, err
}

// dial connects inside the machine's network: a socket belongs to the namespace of the thread that makes it.
func (m *machine) dial(ctx context.Context, network, address string) (conn net.Conn, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		var ns *os.File
		if ns, err = os.Open(fmt.Sprintf("/proc/%d/ns/net", m.init.Process.Pid)); err != nil {
			return
		}
		defer ns.Close()
		if err = unix.Setns(int(ns.Fd()), unix.CLONE_NEWNET); err == nil {
			conn, err = (&net.Dialer{}).DialContext(ctx, network, address)
		}
	}()
	<-done
	if err == nil && conn == nil {
		err = errors.New("no connection")
	}
	return conn, err
}
