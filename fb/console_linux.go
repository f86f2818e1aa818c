package fb

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// When the console is switched, the kernel sends releaseSignal to request the screen. It sends acquireSignal to return the screen. The
// two signals are SIGRTMIN+6 and SIGRTMIN+7 in the numbering of glibc. Programs that show frames may already use SIGUSR1, SIGUSR2 and
// SIGHUP. The C libraries and the Go runtime do not use these two real-time signals.
const (
	releaseSignal = unix.Signal(40)
	acquireSignal = unix.Signal(41)
)

// Control sequences of console_codes(4).
const (
	hideCursor  = "\x1b[?25l"
	showCursor  = "\x1b[?25h"
	neverBlank  = "\x1b[9;0]"
	blankFormat = "\x1b[9;%d]" // minutes
)

// A Console is a lease of a virtual terminal. During the lease, the kernel draws no text (KD_GRAPHICS), does not blank the screen, and
// asks before it brings another terminal to the front (VT_PROCESS). A nil Console does nothing.
//
// If the process is killed, the terminal shows no text until it is reset. systemd resets it with TTYReset=yes.
type Console struct {
	term     terminal
	mode     int    // mode to restore
	switches vtMode // switching mode to restore
	blank    int    // blanking interval to restore, in minutes
	release  func()
	acquire  func()
	keepText bool // true: leave the kernel's text on, because it does not reach the screen
	behind   bool // true if another terminal is in front. acquire will be called when this terminal is in front again
	signals  chan os.Signal
	stop     chan struct{}
	done     chan struct{}
	once     sync.Once
	problem  error
}

// OpenConsole leases the terminal with the name `tty`. If `tty` is empty, the rule of Options.TTY applies. The Console calls `release`
// before another terminal comes to the front. `release` must not return before drawing has stopped. When this terminal is in front again,
// the Console calls `acquire`, and everything must be redrawn. It calls both functions from its own goroutine.
//
// OpenConsole always returns a Console. Without a terminal or the permissions for it, the Console does as much as it can, and Problem
// returns the reason.
func OpenConsole(tty string, release, acquire func()) *Console {
	term, err := openVT(tty)
	if err != nil {
		return &Console{problem: err}
	}
	seconds, err := os.ReadFile("/sys/module/kernel/parameters/consoleblank")
	if err != nil {
		seconds = nil // the interval is unknown, so Restore leaves blanking off
	}
	return lease(term, blankMinutes(string(seconds)), release, acquire)
}

// OpenSwitching works like OpenConsole, but it does not hide the kernel's text. It is for a screen on which the kernel writes no text
// while this program uses the screen.
func OpenSwitching(tty string, release, acquire func()) *Console {
	term, err := openVT(tty)
	if err != nil {
		return &Console{problem: err}
	}
	return leaseSwitching(term, release, acquire)
}

// blankMinutes converts the kernel parameter consoleblank from seconds to minutes. 0 means that the screen never blanks.
func blankMinutes(seconds string) int {
	n, err := strconv.Atoi(strings.TrimSpace(seconds))
	if err != nil || n <= 0 {
		return 0
	}
	return (n + 59) / 60
}

// lease takes over the terminal in several steps. If one step fails, the other steps are still done.
func lease(term terminal, blank int, release, acquire func()) *Console {
	c := newConsole(term, release, acquire)
	c.blank = blank
	err := term.write(hideCursor + neverBlank)
	return c.begin(errors.Join(err, c.takeMode(), c.takeSwitching()))
}

// leaseSwitching works like lease(), but it leaves out the steps that hide text.
func leaseSwitching(term terminal, release, acquire func()) *Console {
	c := newConsole(term, release, acquire)
	c.keepText = true
	return c.begin(c.takeSwitching())
}

func newConsole(term terminal, release, acquire func()) *Console {
	return &Console{
		term: term, release: release, acquire: acquire,
		signals: make(chan os.Signal, 4), // space for two releases and two acquires
		stop:    make(chan struct{}), done: make(chan struct{}),
	}
}

// begin starts to answer the kernel's requests. `err` contains the errors of all failed steps of the lease, or is nil.
func (c *Console) begin(err error) *Console {
	if err != nil {
		c.problem = fmt.Errorf("fb: console tty%d: %w", c.term.number(), err)
	}
	go c.serve()
	return c
}

// takeMode makes the kernel stop drawing text.
func (c *Console) takeMode() error {
	mode, err := c.term.mode()
	if err != nil {
		return fmt.Errorf("KDGETMODE: %w", err)
	}
	if err := c.term.setMode(kdGraphics); err != nil {
		return fmt.Errorf("KDSETMODE: %w", err)
	}
	c.mode = mode
	if mode == kdGraphics {
		// A killed process has left graphics mode behind. So Restore will set text mode, which is the normal state.
		c.mode = kdText
	}
	return nil
}

// takeSwitching makes the kernel ask before it switches terminals, and brings this terminal to the front.
func (c *Console) takeSwitching() error {
	old, err := c.term.switching()
	if err != nil {
		return fmt.Errorf("VT_GETMODE: %w", err)
	}
	signal.Notify(c.signals, releaseSignal, acquireSignal)
	ours := vtMode{mode: vtProcess, relSig: int16(releaseSignal), acqSig: int16(acquireSignal)}
	if err := c.term.setSwitching(ours); err != nil {
		return fmt.Errorf("VT_SETMODE: %w", err)
	}
	c.switches = old
	if old.mode == vtProcess {
		c.switches = vtMode{mode: vtAuto} // a killed process has left vtProcess behind. So Restore will set automatic switching
	}
	return c.comeToFront()
}

// comeToFront asks the kernel to bring the terminal to the front. Until the kernel confirms this, another terminal uses the screen.
func (c *Console) comeToFront() error {
	active, err := c.term.active()
	if err != nil {
		return fmt.Errorf("VT_GETSTATE: %w", err)
	}
	if active == c.term.number() {
		return nil
	}
	if err := c.term.activate(); err != nil {
		return fmt.Errorf("VT_ACTIVATE: %w", err)
	}
	c.behind = true
	return nil
}

// serve answers the kernel's requests until Restore is called.
func (c *Console) serve() {
	defer close(c.done)
	for {
		select {
		case s := <-c.signals:
			c.answer(s)
		case <-c.stop:
			return
		}
	}
}

// answer releases the screen or takes it back, as the signal requests, and replies to the kernel. It ignores an error of the reply,
// because the kernel then no longer waits for the reply.
func (c *Console) answer(s os.Signal) {
	if s == releaseSignal {
		c.release()
		_ = c.term.reply(vtRelease)
		return
	}
	_ = c.term.reply(vtAckAcq)
	if !c.keepText {
		_ = c.term.setMode(kdGraphics)
	}
	c.acquire()
}

// Problem returns the errors of the failed steps of the lease, or nil.
func (c *Console) Problem() error {
	if c == nil {
		return nil
	}
	return c.problem
}

// Restore returns the terminal to its original state, in text mode. It may be called more than once, also in deferred functions. It does
// not wait.
func (c *Console) Restore() {
	if c == nil || c.term == nil {
		return
	}
	c.once.Do(c.restore)
}

// restoreText makes the kernel show its text again.
func (c *Console) restoreText() {
	_ = c.term.setMode(c.mode)
	text := showCursor
	if c.blank > 0 {
		text += fmt.Sprintf(blankFormat, c.blank)
	}
	_ = c.term.write(text)
}

func (c *Console) restore() {
	// Restore the switching mode first, because the kernel then sends no more signals. Every step is tried, even if an earlier step has
	// failed.
	_ = c.term.setSwitching(c.switches)
	if !c.keepText {
		c.restoreText()
	}
	close(c.stop)
	// Ignore a signal that is still on its way, because its default action would end the process.
	signal.Ignore(releaseSignal, acquireSignal)
	go func() {
		// Do not block, because serve() may be in release(), which waits for a draw that hangs.
		<-c.done
		_ = c.term.close()
	}()
}
