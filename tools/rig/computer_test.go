package rig

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"dashboard/tools/rig/wire"
)

// A computer is a running machine, its screen, and the program under test.
type computer struct {
	*running
	machine *machine
	screen  *screen
	album   string   // folder for stored pictures
	late    []string // modules of the framebuffer, not loaded yet
	pid     int      // process ID of the program, or 0 if no program runs
	notes   []string // measurements that are not logged yet
}

// Terminals of the guest.
const (
	console      = "/dev/tty1"
	otherConsole = "/dev/tty2"
)

// stopLimit is the maximum time in which a program must end. It is longer than the promised 2 s, because the emulated processors may be
// busy.
const stopLimit = time.Minute

// newComputer packs the given files in addition to the usual files, and boots the machine.
func newComputer(ctx context.Context, l *lab, m *machine, files map[string][]byte, dir string) (*computer, error) {
	c := &computer{machine: m, album: l.album}
	var err error
	if c.late, err = writeInitrd(filepath.Join(dir, initrdFile), m, l, files); err != nil {
		return nil, err
	}
	if c.running, err = bootMachine(ctx, m, l.kernel, dir); err != nil {
		return nil, err
	}
	c.screen = newScreen(c.Machine, m.format, m.pad)
	return c, nil
}

func (c *computer) the() *computer { return c }

func (c *computer) close() { c.Stop() }

// start starts a program if no program is running.
func (c *computer) start(args ...string) (err error) {
	if c.pid != 0 {
		return nil
	}
	if c.machine.card {
		c.pid, err = c.guest.startAs(ordinary, console, args...)
	} else {
		c.pid, err = c.guest.start(nil, args...)
	}
	return err
}

// note stores a measurement for the log.
func (c *computer) note(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

// logged() returns the number of occurrences of a text in the program's log.
func (c *computer) logged(words string) int { return strings.Count(c.guest.log(c.pid), words) }

// awaitLog waits until the program's log contains a text more often than before.
func (c *computer) awaitLog(words string, before int) error {
	for end := time.Now().Add(showTime); ; time.Sleep(lookPause) {
		if c.logged(words) > before {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("not logged after %v: %q", showTime, words)
		}
	}
}

// end sends a signal and waits until the program has ended.
func (c *computer) end(s syscall.Signal) (wire.Response, error) {
	if err := c.guest.signal(c.pid, s); err != nil {
		return wire.Response{}, err
	}
	a, err := c.guest.wait(c.pid, showTime)
	if err != nil {
		return a, err
	}
	if !a.Ended {
		return a, fmt.Errorf("the program has not ended %v after %v", showTime, s)
	}
	c.pid = 0
	return a, nil
}

// stopProgram ends the program as a user would.
func (c *computer) stopProgram() error {
	if c.pid == 0 {
		return nil
	}
	a, err := c.end(syscall.SIGTERM)
	switch limit := int(stopLimit.Milliseconds()); {
	case err != nil:
		return err
	case a.Status != 0:
		return fmt.Errorf("SIGTERM: the exit status is %d, want 0", a.Status)
	case a.Millis > limit:
		return fmt.Errorf("SIGTERM: the program took %d ms to end, want at most %d", a.Millis, limit)
	}
	return nil
}

// terminal returns an error if the state of the program's console differs from the expected state.
func (c *computer) terminal(graphics, leased bool) error {
	t, err := c.guest.terminal(console)
	if err != nil {
		return err
	}
	if t.Graphics != graphics || t.Leased != leased {
		return fmt.Errorf("console: KD_GRAPHICS %v and VT_PROCESS %v, want %v and %v", t.Graphics, t.Leased, graphics, leased)
	}
	return nil
}

// textAppears writes a block of text to the console and waits until the screen shows the block.
func (c *computer) textAppears() error {
	if err := c.guest.write(console, blockText()); err != nil {
		return err
	}
	return c.screen.await(c.screen.showsText)
}

// textStaysAway writes text to the console and triggers a message of the kernel. For steadyTime after that, the screen must meet the
// condition `unchanged`: neither text appears.
func (c *computer) textStaysAway(unchanged condition) error {
	if err := c.guest.write(console, blockText()); err != nil {
		return err
	}
	// The level is emergency, so the message passes every log level.
	if err := c.guest.write("/dev/kmsg", "<0>rig: the kernel has something to say\n"); err != nil {
		return err
	}
	return c.screen.steady(unchanged)
}

// consoleReturns ends the program and checks that its console is restored.
func (c *computer) consoleReturns() error {
	if err := c.stopProgram(); err != nil {
		return err
	}
	if err := c.terminal(false, false); err != nil {
		return err
	}
	return c.textAppears()
}

// autopsy kills the program and returns its log.
func (c *computer) autopsy() string {
	if c.pid == 0 {
		return ""
	}
	log := strings.TrimSpace(c.guest.log(c.pid))
	if _, err := c.end(syscall.SIGKILL); err != nil {
		log += "\n" + err.Error()
	}
	c.pid = 0
	return log
}

// record stores the last screenshot under a name.
func (c *computer) record(name string) error {
	if c.screen.last == nil {
		return nil // there is no screenshot
	}
	return writePNG(filepath.Join(c.album, c.machine.name+"-"+name+".png"), c.screen.last)
}

// newFolder creates a folder for a machine's files.
func newFolder(elem ...string) (string, error) {
	dir := filepath.Join(elem...)
	return dir, os.MkdirAll(dir, 0o755)
}
