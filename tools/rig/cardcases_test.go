package rig

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"time"

	"dashboard/fb"
)

// probes() returns the cases for a connector in the order in which they run.
func (b *cardBench) probes() []probe {
	return []probe{
		{"an ordinary user's wall is on the connector", b.cardShows},
		{"text and writes to /dev/fb0 do not show over it", b.cardAlone},
		{"SIGUSR1 changes the picture without a blank", b.reloadChanges},
		{"another console comes to the front and goes", b.switchAway},
		{"kill -9: the console is back, the next start repaints", b.cardKilled},
		{"the cable is pulled: no screen, and nothing to do", b.cablePulled},
		{"screens of other sizes have the whole picture", b.otherScreens},
		{"twenty plugs leave nothing behind", b.manyPlugs},
		{"a connector that is switched off without a word", b.forcedOff},
		{"the driver goes, and comes back", b.driverRebound},
		{"another program has the card", b.cardTaken},
		{"resolution: screen lays the wall out anew", b.laidOutAnew},
		{"two views on two connectors, one of which comes and goes", b.twoScreens},
		{"a remote screen on the connector, plugged, off with its wall", b.remoteOnCard},
		{"SIGTERM ends the program and gives the console back", b.stopRestores},
		{"without a card's device the framebuffer is used", b.withoutCard},
	}
}

// cardShows checks that the screen shows the wall, that the dashboard writes to the card and not to the framebuffer, and that the console
// stays in text mode.
func (b *cardBench) cardShows() error {
	if err := b.ready(); err != nil {
		return err
	}
	if err := b.screen.steady(b.fills(first, b.machine.size)); err != nil {
		return err
	}
	maps, err := b.guest.read(fmt.Sprintf("/proc/%d/maps", b.pid))
	if err != nil {
		return err
	}
	if !strings.Contains(maps, "/dev/dri/card0") || strings.Contains(maps, "/dev/fb0") {
		return fmt.Errorf("the dashboard writes elsewhere:\n%s", maps)
	}
	return b.terminal(false, true)
}

func (b *cardBench) cardAlone() error {
	if err := b.ready(); err != nil {
		return err
	}
	if err := b.guest.fill(0xff); err != nil {
		return err
	}
	return b.textStaysAway(b.shows(first))
}

// cardKilled kills the dashboard while text waits on the console. Only the kernel can show this text on the screen.
func (b *cardBench) cardKilled() error {
	if err := b.ready(); err != nil {
		return err
	}
	if err := b.guest.write(console, blockText()); err != nil {
		return err
	}
	began := time.Now()
	if _, err := b.end(syscall.SIGKILL); err != nil {
		return err
	}
	if err := b.screen.await(b.screen.showsText); err != nil {
		return err
	}
	if err := b.inTime("killed: the console's text", began); err != nil {
		return err
	}
	return b.ready()
}

// idleTicks is the maximum processor time, in hundredths of a second, that a dashboard without a screen may use in idleTime. The
// dashboard searches for a screen each second, and the machine is emulated. Time that a busy host takes from the machine also counts, so
// idles() repeats until one period is within the limit.
const (
	idleTime  = 3 * time.Second
	idleTicks = 15
)

func (b *cardBench) cablePulled() error {
	if err := b.ready(); err != nil {
		return err
	}
	if err := b.unplug(); err != nil {
		return err
	}
	health, err := b.guest.fetch("http://127.0.0.1:5000/healthz")
	if err != nil {
		return err
	}
	if !strings.Contains(health, "no screen on Virtual-1") {
		return fmt.Errorf("/healthz: %s", health)
	}
	if err := b.idles(); err != nil {
		return err
	}
	return b.replug(b.machine.size)
}

// idles() waits for a period of idleTime in which the dashboard uses little processor time and logs nothing.
func (b *cardBench) idles() error {
	for end := time.Now().Add(showTime); ; {
		told := b.logged("\n")
		before, err := b.ticks()
		if err != nil {
			return err
		}
		time.Sleep(idleTime)
		after, err := b.ticks()
		if err != nil {
			return err
		}
		used, lines := 10*(after-before), b.logged("\n")-told
		switch {
		case after-before <= idleTicks && lines == 0:
			b.note("without a screen: %d ms of a processor in %v", used, idleTime)
			return nil
		case time.Now().After(end):
			return fmt.Errorf("%d ms of a processor and %d lines of log in %v", used, lines, idleTime)
		}
	}
}

func (b *cardBench) otherScreens() error {
	if err := b.ready(); err != nil {
		return err
	}
	if err := b.unplug(); err != nil {
		return err
	}
	if err := b.replug(largeScreen); err != nil {
		return err
	}
	if err := b.record("large"); err != nil {
		return err
	}
	if err := b.replug(smallScreen); err != nil { // replace the screen without unplugging the old screen first
		return err
	}
	if err := b.record("small"); err != nil {
		return err
	}
	return b.replug(b.machine.size)
}

const (
	manyPlugs = 20
	plugPause = 400 * time.Millisecond // longer than the program waits for further events, so most plugs have an effect
)

func (b *cardBench) manyPlugs() error {
	if err := b.ready(); err != nil {
		return err
	}
	files, mappings, err := b.kept()
	if err != nil {
		return err
	}
	if files == 0 || mappings != 1 {
		return fmt.Errorf("%d files and %d mappings before", files, mappings)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range manyPlugs {
		size := [...]struct{ x, y int }{{0, 0}, {1920, 1080}, {800, 480}, {1024, 768}, {640, 480}}[random.IntN(5)]
		to := noScreen
		to.X, to.Y = size.x, size.y
		if err := b.set(to); err != nil {
			return err
		}
		time.Sleep(plugPause)
	}
	if err := b.replug(b.machine.size); err != nil {
		return err
	}
	return b.keeps(files, mappings)
}

// keeps() waits until the dashboard has no more open files and no more mappings of cards than before the test. It waits because the
// dashboard opens some files only for a moment.
func (b *cardBench) keeps(files, mappings int) error {
	for end := time.Now().Add(showTime); ; time.Sleep(lookPause) {
		nowFiles, nowMappings, err := b.kept()
		switch {
		case err != nil:
			return err
		case nowFiles <= files && nowMappings <= mappings:
			b.note("before: %d files, %d mappings of cards; after: %d, %d", files, mappings, nowFiles, nowMappings)
			return nil
		case time.Now().After(end):
			return fmt.Errorf("%d files and %d mappings, before %d and %d", nowFiles, nowMappings, files, mappings)
		}
	}
}

// connectorStatus is the file to which a new state of the connector is written.
const connectorStatus = "/sys/class/drm/card0-Virtual-1/status"

// forcedOff changes the connector without an event. The dashboard notices this at the next drawing, or within half a minute.
func (b *cardBench) forcedOff() error {
	if err := b.ready(); err != nil {
		return err
	}
	before := b.logged("no screen on")
	if err := b.guest.write(connectorStatus, "off"); err != nil {
		return err
	}
	time.Sleep(fb.RetryInterval) // after this time, the next drawing checks the connector again
	if err := b.reload(second); err != nil {
		return err
	}
	if err := b.awaitLog("no screen on", before); err != nil {
		return err
	}
	if err := b.guest.write(connectorStatus, "detect"); err != nil {
		return err
	}
	return b.screen.await(b.shows(second))
}

const driverFolder = "/sys/bus/virtio/drivers/virtio_gpu"

// driverRebound unbinds the card's driver and binds it again. The new device may have any number. The device belongs to root until the
// rig changes the device's permissions as udev does.
func (b *cardBench) driverRebound() error {
	if err := b.ready(); err != nil {
		return err
	}
	names, err := b.guest.list(driverFolder)
	if err != nil {
		return err
	}
	device := ""
	for _, n := range names {
		if strings.HasPrefix(n, "virtio") {
			device = n
		}
	}
	const gone = "no card has a connector" // after this message the program has closed the card, so a new card can get the old name
	before := b.logged(gone)
	if err := b.guest.write(driverFolder+"/unbind", device); err != nil {
		return err
	}
	if err := b.awaitLog(gone, before); err != nil {
		return err
	}
	if err := b.guest.write(driverFolder+"/bind", device); err != nil {
		return err
	}
	cards, err := b.guest.list("/dev/dri")
	if err != nil {
		return err
	}
	for _, c := range cards {
		if strings.HasPrefix(c, "card") {
			b.note("the card is %s now", c)
			if err := b.permit("/dev/dri/" + c); err != nil {
				return err
			}
		}
	}
	began := time.Now()
	if err := b.screen.await(b.shows(first)); err != nil {
		return err
	}
	return b.inTime("a card that came back: the picture", began)
}

// cardTaken lets another program become the card's master without showing anything. The screen keeps its content.
func (b *cardBench) cardTaken() error {
	if err := b.stopProgram(); err != nil {
		return err
	}
	if err := b.put(first); err != nil {
		return err
	}
	cards, err := b.guest.list("/dev/dri")
	if err != nil {
		return err
	}
	card := ""
	for _, c := range cards {
		if strings.HasPrefix(c, "card") {
			card = "/dev/dri/" + c
		}
	}
	pid, err := b.guest.startAs(ordinary, "", compositor, "hold", card)
	if err != nil {
		return err
	}
	for end := time.Now().Add(showTime); !strings.Contains(b.guest.log(pid), "holding"); time.Sleep(lookPause) {
		if time.Now().After(end) {
			return fmt.Errorf("nobody holds the card: %s", b.guest.log(pid))
		}
	}
	if err := b.startDashboard(); err != nil {
		return err
	}
	name := fmt.Sprintf("%s (%d)", compositor[1:], pid)
	if err := b.awaitLog(name, 0); err != nil {
		return err
	}
	m, err := b.screen.look()
	if err != nil {
		return err
	}
	if err := b.screen.steady(b.screen.shows(m)); err != nil {
		return fmt.Errorf("another program's screen: %w", err)
	}
	if n := b.logged(name); n != 1 {
		return fmt.Errorf("%s is named %d times, want once", name, n)
	}
	began := time.Now()
	if err := b.guest.signal(pid, syscall.SIGKILL); err != nil {
		return err
	}
	if err := b.screen.await(b.shows(first)); err != nil {
		return err
	}
	return b.inTime("the other program's end: the picture", began)
}

// laidOutAnew checks that the size of the wall follows the size of the screen.
func (b *cardBench) laidOutAnew() error {
	if err := b.ready(); err != nil {
		return err
	}
	conf, err := confOf(b.machine, true)
	if err != nil {
		return err
	}
	if err := b.guest.write(guestWall+"/conf.yaml", string(conf)); err != nil {
		return err
	}
	const reloaded = "configuration reloaded"
	before := b.logged(reloaded)
	if err := b.guest.signal(b.pid, syscall.SIGUSR1); err != nil {
		return err
	}
	if err := b.awaitLog(reloaded, before); err != nil {
		return err
	}
	began := time.Now()
	if err := b.set(smallScreen); err != nil {
		return err
	}
	if err := b.screen.await(b.screen.shows(b.small)); err != nil {
		return err
	}
	if err := b.record("anew"); err != nil {
		return err
	}
	b.note("resolution: screen, a screen of %dx%d: laid out after %d ms", smallScreen.X, smallScreen.Y, time.Since(began).Milliseconds())
	if err := b.set(b.machine.size); err != nil {
		return err
	}
	return b.screen.await(b.shows(first))
}

// withoutCard removes the device nodes of the card. It gives the user access to the framebuffer, as udev does on a usual system.
func (b *cardBench) withoutCard() error {
	if err := b.stopProgram(); err != nil {
		return err
	}
	if err := b.guest.remove("/dev/dri"); err != nil {
		return err
	}
	if err := b.permit("/dev/fb0"); err != nil {
		return err
	}
	if err := b.ready(); err != nil {
		return err
	}
	const sentence = "the framebuffer is used"
	if n := b.logged(sentence); n != 1 {
		return fmt.Errorf("%q is told %d times, want once", sentence, n)
	}
	return b.terminal(true, true)
}
