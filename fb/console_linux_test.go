package fb

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// fakeTerminal records its requests.
type fakeTerminal struct {
	mu      sync.Mutex
	log     []string
	front   int              // number of the active terminal
	old     vtMode           // switching mode before the lease
	kd      int              // text or graphics mode before the lease
	fail    map[string]error // the error that a step returns, by the step's name
	replied chan struct{}    // receives a value after each reply
}

func newFakeTerminal() *fakeTerminal {
	return &fakeTerminal{front: 1, fail: map[string]error{}, replied: make(chan struct{}, 8)}
}

func (f *fakeTerminal) do(step, args string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail[step] != nil {
		return f.fail[step]
	}
	f.log = append(f.log, strings.TrimSpace(step+" "+args))
	return nil
}

func (f *fakeTerminal) steps() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.log
	f.log = nil
	return s
}

func (f *fakeTerminal) number() int                { return 1 }
func (f *fakeTerminal) mode() (int, error)         { return f.kd, f.fail["mode"] }
func (f *fakeTerminal) setMode(m int) error        { return f.do("kd", fmt.Sprint(m)) }
func (f *fakeTerminal) switching() (vtMode, error) { return f.old, f.fail["switching"] }
func (f *fakeTerminal) setSwitching(m vtMode) error {
	return f.do("vt", fmt.Sprint(m.mode, " ", m.relSig, " ", m.acqSig))
}
func (f *fakeTerminal) active() (int, error) { return f.front, nil }
func (f *fakeTerminal) activate() error      { return f.do("activate", "") }
func (f *fakeTerminal) reply(arg int) error {
	defer func() { f.replied <- struct{}{} }()
	return f.do("reply", fmt.Sprint(arg))
}
func (f *fakeTerminal) write(s string) error { return f.do("write", fmt.Sprintf("%q", s)) }
func (f *fakeTerminal) close() error         { return f.do("close", "") }

func wantSteps(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

const (
	leaseWrite   = `write "\x1b[?25l\x1b[9;0]"`
	restoreWrite = `write "\x1b[?25h\x1b[9;10]"`
)

func TestConsoleLease(t *testing.T) {
	f := newFakeTerminal()
	events := make(chan string, 4)
	c := lease(f, 10, func() { events <- "release" }, func() { events <- "acquire" })
	wantSteps(t, "lease", f.steps(), leaseWrite, "kd 1", "vt 1 40 41")
	if c.Problem() != nil || c.behind {
		t.Errorf("got problem %v, behind %v", c.Problem(), c.behind)
	}

	// Send real signals to this process, as the kernel does.
	kill(t, releaseSignal)
	<-f.replied
	wantSteps(t, "release", append(f.steps(), <-events), "reply 1", "release")
	kill(t, acquireSignal)
	<-f.replied
	if got := <-events; got != "acquire" {
		t.Errorf("got %s, want acquire", got)
	}
	wantSteps(t, "acquire", f.steps(), "reply 2", "kd 1")

	c.Restore()
	c.Restore()
	<-c.done
	got := f.steps()
	wantSteps(t, "restore", got[:3], "vt 0 0 0", "kd 0", restoreWrite)
	kill(t, releaseSignal) // a signal after Restore must not end the process
}

func kill(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := unix.Kill(unix.Getpid(), s); err != nil {
		t.Fatal(err)
	}
}

// TestConsoleReleaseWaits: the kernel gets its reply only after drawing has stopped.
func TestConsoleReleaseWaits(t *testing.T) {
	f := newFakeTerminal()
	c := lease(f, 0, func() { _ = f.do("drawing has stopped", "") }, func() {})
	defer c.Restore()
	f.steps()
	kill(t, releaseSignal)
	<-f.replied
	wantSteps(t, "release", f.steps(), "drawing has stopped", "reply 1")
}

func TestConsoleWithoutPermission(t *testing.T) {
	for _, test := range []struct {
		step, want string
		left       []string
	}{
		{"kd", "KDSETMODE: operation not permitted", []string{leaseWrite, "vt 1 40 41"}},
		{"mode", "KDGETMODE: operation not permitted", []string{leaseWrite, "vt 1 40 41"}},
		{"vt", "VT_SETMODE: operation not permitted", []string{leaseWrite, "kd 1"}},
		{"switching", "VT_GETMODE: operation not permitted", []string{leaseWrite, "kd 1"}},
		{"write", "operation not permitted", []string{"kd 1", "vt 1 40 41"}},
	} {
		t.Run(test.step, func(t *testing.T) {
			f := newFakeTerminal()
			f.fail[test.step] = unix.EPERM
			c := lease(f, 0, func() {}, func() {})
			defer c.Restore()
			if err := c.Problem(); !errors.Is(err, unix.EPERM) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			wantSteps(t, "lease", f.steps(), test.left...)
		})
	}
}

func TestConsoleBehindAnother(t *testing.T) {
	f := newFakeTerminal()
	f.front = 2
	c := lease(f, 0, func() {}, func() {})
	defer c.Restore()
	if !c.behind {
		t.Error("got in front, want behind")
	}
	wantSteps(t, "lease", f.steps(), leaseWrite, "kd 1", "vt 1 40 41", "activate")

	f = newFakeTerminal()
	f.front = 2
	f.fail["activate"] = unix.EPERM
	c = lease(f, 0, func() {}, func() {})
	defer c.Restore()
	if c.behind || c.Problem() == nil {
		t.Errorf("cannot come to the front: got behind %v, problem %v; want to draw and a problem", c.behind, c.Problem())
	}
}

// TestConsoleLeftBehind: a killed process has left graphics mode and its switching mode behind.
// Restore sets text mode and automatic switching.
func TestConsoleLeftBehind(t *testing.T) {
	f := newFakeTerminal()
	f.kd, f.old = kdGraphics, vtMode{mode: vtProcess, relSig: 10, acqSig: 12}
	c := lease(f, 0, func() {}, func() {})
	f.steps()
	c.Restore()
	wantSteps(t, "restore", f.steps()[:3], "vt 0 0 0", "kd 0", `write "\x1b[?25h"`)
}

func TestNoConsole(t *testing.T) {
	var c *Console
	c.Restore()
	if c.Problem() != nil {
		t.Errorf("nil: got %v", c.Problem())
	}
	for _, tty := range []string{"/dev/null", "no-such-tty", t.TempDir()} {
		c := OpenConsole(tty, func() {}, func() {})
		if c.Problem() == nil {
			t.Errorf("%s: got no problem", tty)
		}
		c.Restore()
	}
}

func TestBlankMinutes(t *testing.T) {
	for in, want := range map[string]int{"0\n": 0, "600\n": 10, "61": 2, "": 0, "-1": 0, "x": 0} {
		if got := blankMinutes(in); got != want {
			t.Errorf("%q: got %d, want %d", in, got, want)
		}
	}
}
