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

// A machine is a running systemd in new namespaces. Its network is only its own loopback.
type machine struct {
	t    *testing.T
	root string
	init *exec.Cmd
}

// boot starts a machine with the given root. The machine ends with the test.
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
	runtime.LockOSThread() // the machine ends with the thread that started it
	if err := m.init.Start(); err != nil {
		t.Fatalf("namespaces: %v", err)
	}
	t.Cleanup(func() {
		_ = m.init.Process.Kill() // this also ends all other processes of the machine's PID namespace
		_ = m.init.Wait()
		runtime.UnlockOSThread()
	})
	m.eventually("systemd is up", func() bool {
		out, _ := m.try("systemctl", "is-system-running")
		return strings.HasPrefix(out, "running") || strings.HasPrefix(out, "degraded")
	})
	return m
}

// cgroup creates the cgroup of a machine. The cgroup is removed after the machine has ended.
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

// removeTree removes a cgroup and its descendants. In a cgroup file system, only folders can be removed.
func removeTree(path string) {
	entries, _ := os.ReadDir(path) // missing files do not matter
	for _, e := range entries {
		if e.IsDir() {
			removeTree(filepath.Join(path, e.Name()))
		}
	}
	_ = os.Remove(path)
}

// terminal creates a terminal for the machine and returns its path. The output at the other end is read and ignored.
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
	held, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0) // keeps the terminal open, so that reading continues if the machine hangs up
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { held.Close() })
	go func() { _, _ = io.Copy(io.Discard, f) }()
	return path
}

// try() runs a command in the machine and returns its output.
func (m *machine) try(command ...string) (string, error) {
	args := append([]string{"--target", strconv.Itoa(m.init.Process.Pid), "--all", "--root", "--wd", "--"}, command...)
	cmd := exec.Command("nsenter", args...)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive", "SYSTEMD_PAGER=", "TERM=dumb"}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// run() does the same as try(), but the command must succeed.
func (m *machine) run(command ...string) string {
	m.t.Helper()
	out, err := m.try(command...)
	if err != nil {
		m.t.Fatalf("%s: %v\n%s\n%s", strings.Join(command, " "), err, out, m.journal())
	}
	return out
}

// journal returns the end of the machine's log.
func (m *machine) journal() string {
	out, _ := m.try("journalctl", "--no-pager", "-n", "40")
	return out
}

// show() returns a property of a unit.
func (m *machine) show(unit, property string) string {
	m.t.Helper()
	return strings.TrimSpace(m.run("systemctl", "show", "--value", "-p", property, unit))
}

// patience is the maximum time to wait for an event in the machine.
const patience = 5 * time.Minute

// eventually waits until a condition is true.
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

// get sends a request in the machine's own network.
func (m *machine) get(url, token string) (status int, body []byte, err error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	req.Close = true
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	client := http.Client{Transport: &http.Transport{DialContext: m.dial}, Timeout: time.Minute}
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return resp.StatusCode, body, err
}

// dial connects inside the machine's network. A thread in the machine's network namespace creates the socket, because a socket belongs to
// the namespace of the thread that creates it.
func (m *machine) dial(ctx context.Context, network, address string) (conn net.Conn, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked, so the thread ends with the goroutine
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
