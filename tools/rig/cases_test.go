package rig

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
)

// A probe is one test case: a requirement that a machine must meet.
type probe struct {
	name string
	run  func() error
}

// probes() returns the cases for the machine in the order in which they run. Each case first sets up its own state.
func (b *bench) probes() []probe {
	picture := probe{"the screen shows what was painted", b.pictureShows}
	change := probe{"SIGUSR1 changes the picture without a blank", b.reloadChanges}
	away := probe{"another console comes to the front and goes", b.switchAway}
	stop := probe{"SIGTERM ends the program and gives the console back", b.stopRestores}
	switch {
	case b.machine.pages:
		return []probe{picture, change, {"frames are shown by flipping pages", b.pagesFlip}, away, stop}
	case b.machine.brief:
		return []probe{picture, change, stop}
	}
	all := []probe{
		{"text on the console shows while no dashboard runs", b.textShows},
		picture,
		{"text on the console does not show over it", b.textHidden},
		change,
		{"a broken file leaves the wall and shows a banner", b.brokenFile},
		away,
		stop,
		{"kill -9: the next start repaints and takes over", b.killed},
	}
	if len(b.late) > 0 {
		all = append([]probe{{"a screen that comes later is painted", b.screenLater}}, all...)
	}
	if b.machine.opinion {
		all = append(all, probe{"gonutz/framebuffer reads the same", b.secondOpinion})
	}
	return all
}

// screenLater starts the dashboard on a machine without a framebuffer, and then loads the driver.
func (b *bench) screenLater() error {
	if err := b.startDashboard(); err != nil {
		return err
	}
	if err := b.awaitLog("dashboard started", 0); err != nil {
		return err
	}
	if err := b.guest.load(b.late); err != nil {
		return err
	}
	if err := b.screen.await(b.shows(first)); err != nil {
		return err
	}
	return b.stopProgram()
}

// textShows checks that text on the console is detected. Otherwise the other tests of text could never fail.
func (b *bench) textShows() error { return b.consoleReturns() }

func (b *bench) pictureShows() error {
	if err := b.ready(); err != nil {
		return err
	}
	if err := b.screen.steady(b.shows(first)); err != nil {
		return err
	}
	return b.terminal(true, true)
}

func (b *bench) textHidden() error {
	if err := b.ready(); err != nil {
		return err
	}
	return b.textStaysAway(b.shows(first))
}

func (b *bench) reloadChanges() error {
	if err := b.ready(); err != nil {
		return err
	}
	if err := b.reload(second); err != nil {
		return err
	}
	between := b.screen.oneOf(b.walls[first], b.walls[second])
	return b.screen.awaitFrom(between, b.shows(second), 0, showTime)
}

// pagesFlip changes the picture until both pages of the framebuffer were used. The screen must be correct with each page.
func (b *bench) pagesFlip() error {
	seen := map[string]bool{}
	for i := range maxFlips {
		wall := [2]string{first, second}[i%2]
		if err := b.reload(wall); err != nil {
			return err
		}
		if err := b.screen.await(b.shows(wall)); err != nil {
			return err
		}
		at, err := b.guest.read("/sys/class/graphics/fb0/pan")
		if err != nil {
			return err
		}
		seen[strings.TrimSpace(at)] = true
		if seen["0,0"] && seen[fmt.Sprintf("0,%d", b.machine.size.Y)] {
			return nil
		}
	}
	return fmt.Errorf("after %d changes the screen showed only %v of the memory", maxFlips, slices.Collect(maps.Keys(seen)))
}

// maxFlips is the number of changes after which both pages must have been used. Each change causes at least one frame.
const maxFlips = 8

func (b *bench) brokenFile() error {
	if err := b.ready(); err != nil {
		return err
	}
	if err := b.reload(broken); err != nil {
		return err
	}
	banner := b.screen.showsBanner(b.walls[first])
	if err := b.screen.await(banner); err != nil {
		return err
	}
	if err := b.screen.steady(banner); err != nil {
		return err
	}
	if err := b.record("banner"); err != nil {
		return err
	}
	if err := b.reload(first); err != nil {
		return err
	}
	return b.screen.await(b.shows(first))
}

// switchAway switches to another console, reloads the configuration while the wall is hidden, and switches back.
func (b *bench) switchAway() error {
	if err := b.ready(); err != nil {
		return err
	}
	if err := b.guest.write(otherConsole, blockText()); err != nil {
		return err
	}
	if err := b.guest.activate(2); err != nil {
		return err
	}
	if err := b.screen.await(b.screen.showsText); err != nil {
		return err
	}
	const reloaded = "configuration reloaded"
	before := b.logged(reloaded)
	if err := b.reload(second); err != nil {
		return err
	}
	if err := b.awaitLog(reloaded, before); err != nil {
		return err
	}
	if err := b.screen.steady(b.screen.showsText); err != nil {
		return fmt.Errorf("painted over another console: %w", err)
	}
	if err := b.guest.activate(1); err != nil {
		return err
	}
	return b.screen.await(b.shows(second))
}

func (b *bench) stopRestores() error {
	if err := b.ready(); err != nil {
		return err
	}
	return b.consoleReturns()
}

func (b *bench) killed() error {
	if err := b.ready(); err != nil {
		return err
	}
	a, err := b.end(syscall.SIGKILL)
	if err != nil {
		return err
	}
	if a.Status != -int(syscall.SIGKILL) {
		return fmt.Errorf("the dashboard ended with %d, want %d", a.Status, -int(syscall.SIGKILL))
	}
	if err := b.terminal(true, true); err != nil {
		return fmt.Errorf("left behind: %w", err)
	}
	if err := b.guest.fill(0); err != nil {
		return err
	}
	if err := b.screen.await(b.screen.shows(blackScreen(b.machine.size))); err != nil {
		return err
	}
	if err := b.ready(); err != nil {
		return err
	}
	if err := b.terminal(true, true); err != nil {
		return err
	}
	return b.stopRestores()
}

// secondOpinion runs a test of package fb in which gonutz/framebuffer reads the device after fb has written to it.
func (b *bench) secondOpinion() error {
	if err := b.stopProgram(); err != nil {
		return err
	}
	const test = "TestSecondOpinion"
	pid, err := b.guest.start([]string{"DASHBOARD_FB_TEST_DEVICE=/dev/fb0"}, guestOpinion, "-test.v", "-test.run", "^"+test+"$")
	if err != nil {
		return err
	}
	a, err := b.guest.wait(pid, showTime)
	if err != nil {
		return err
	}
	if log := b.guest.log(pid); !a.Ended || a.Status != 0 || !strings.Contains(log, "--- PASS: "+test) {
		return fmt.Errorf("it ended: %v, with status %d: %s", a.Ended, a.Status, log)
	}
	return nil
}
