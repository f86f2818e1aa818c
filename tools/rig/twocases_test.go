package rig

import (
	"fmt"
	"image"
	"strings"
	"syscall"
	"time"
)

// Files and addresses of the cases with two screens, and with a remote screen on a connector.
const (
	guestPair   = "/pair"   // a configuration with two views on two connectors
	guestSource = "/source" // a configuration that streams to the remote screen
	sourcePort  = 5001
	headFile    = "vnc-second"
	cardDevice  = "card" // the graphics card's name in QEMU
)

// head returns the screen at the card's second connector.
func (b *cardBench) head() *screen {
	return &screen{lens: b.screen.lens, take: func() (*image.RGBA, error) { return b.LookAt(cardDevice, 1) }}
}

// setHead plugs a screen of the given size into the second connector. The zero size unplugs the screen.
func (b *cardBench) setHead(size image.Point) error { return replug(&b.headPlug, b.dialHead, size) }

// writePair writes a configuration with a view on each of two connectors.
func (b *cardBench) writePair() error {
	conf, err := fillIn("pair", map[string]any{"Width": b.machine.size.X, "Height": b.machine.size.Y})
	if err != nil {
		return err
	}
	return b.writeWall(guestPair, conf, map[string]string{"widgets.yaml": first, "second.yaml": second})
}

// writeWall writes a configuration and its walls. The keys of `walls` are names of files, and the values are names of walls.
func (b *cardBench) writeWall(folder string, conf []byte, walls map[string]string) error {
	files := map[string][]byte{"conf.yaml": conf}
	for name, wall := range walls {
		text, err := widgetsOf(wall)
		if err != nil {
			return err
		}
		files[name] = text
	}
	gradient, err := rainbowFile()
	if err != nil {
		return err
	}
	files[gradientFile] = gradient
	for name, content := range files {
		if err := b.guest.write(folder+"/"+name, string(content)); err != nil {
			return err
		}
	}
	return nil
}

// twoScreens shows a view on each of two connectors. The second screen is plugged in with two sizes, and unplugged. The first screen does
// not change.
func (b *cardBench) twoScreens() error {
	if err := b.stopProgram(); err != nil {
		return err
	}
	if err := b.writePair(); err != nil {
		return err
	}
	if err := b.start(guestDashboard, "--config-dir", guestPair); err != nil {
		return err
	}
	if err := b.screen.await(b.shows(first)); err != nil {
		return fmt.Errorf("the first of two: %w", err)
	}
	head := b.head()
	for _, size := range []image.Point{smallScreen, b.machine.size} {
		began := time.Now()
		if err := b.setHead(size); err != nil {
			return err
		}
		if err := head.await(b.fills(second, size)); err != nil {
			return fmt.Errorf("the second of two, %v: %w", size, err)
		}
		b.note("a second screen of %dx%d: the whole picture after %d ms", size.X, size.Y, time.Since(began).Milliseconds())
		if err := b.screen.steady(b.shows(first)); err != nil {
			return fmt.Errorf("the first, while the second comes: %w", err)
		}
	}
	return b.oneOfTwo()
}

// pullHead unplugs the second screen, and waits until the program has noticed this. Otherwise QEMU's virtio-gpu can lose the next change.
// The guest's driver reads the state of one screen and then clears the event, so it misses a change of the other screen in the meantime.
func (b *cardBench) pullHead() error {
	before := b.logged("no screen on Virtual-2")
	if err := b.setHead(noScreen); err != nil {
		return err
	}
	return b.awaitLog("no screen on Virtual-2", before)
}

// oneOfTwo unplugs the second screen and plugs it in again. While the second screen shows its view, the first screen is replaced with a
// larger screen.
func (b *cardBench) oneOfTwo() error {
	if err := b.pullHead(); err != nil {
		return err
	}
	if err := b.screen.steady(b.shows(first)); err != nil {
		return fmt.Errorf("the first, while the second is away: %w", err)
	}
	if err := b.setHead(smallScreen); err != nil {
		return err
	}
	head := b.head()
	if err := head.await(b.fills(second, smallScreen)); err != nil {
		return err
	}
	if err := b.set(largeScreen); err != nil {
		return err
	}
	if err := b.screen.await(b.fills(first, largeScreen)); err != nil {
		return fmt.Errorf("the first replugged beside the second: %w", err)
	}
	if err := head.steady(b.fills(second, smallScreen)); err != nil {
		return fmt.Errorf("the second, while the first is replugged: %w", err)
	}
	if err := b.pullHead(); err != nil {
		return err
	}
	if err := b.set(b.machine.size); err != nil {
		return err
	}
	if err := b.screen.await(b.shows(first)); err != nil { // the kernel has taken over the screen of the first connector by then
		return err
	}
	return b.stopProgram()
}

// remoteOnCard tests a remote screen on a connector of the card. It checks the wall, a change of the screen's size, and switching the
// screen off and on.
func (b *cardBench) remoteOnCard() error {
	if err := b.stopProgram(); err != nil {
		return err
	}
	values := map[string]any{"Width": b.machine.size.X, "Height": b.machine.size.Y, "Port": sourcePort}
	conf, err := fillIn("source", values)
	if err != nil {
		return err
	}
	if err := b.writeWall(guestSource, conf, map[string]string{"widgets.yaml": first}); err != nil {
		return err
	}
	client, err := fillIn("viewer", values)
	if err != nil {
		return err
	}
	if err := b.guest.write(guestScreen+"/client.yaml", string(client)); err != nil {
		return err
	}
	source, err := b.guest.startAs(ordinary, "", guestDashboard, "--config-dir", guestSource)
	if err != nil {
		return err
	}
	defer func() { _ = b.guest.signal(source, syscall.SIGKILL) }() // an error does not matter: the machine also runs without the source
	if _, err := b.guest.fetch(fmt.Sprintf("http://127.0.0.1:%d/healthz", sourcePort)); err != nil {
		b.note("the service answers later: %v", err) // the service does not listen yet, but the client tries again
	}
	if err := b.start(guestClient, "--config-dir", guestScreen); err != nil {
		return err
	}
	if err := b.screen.await(b.shows(first)); err != nil {
		return fmt.Errorf("%w\nthe service: %s", err, b.guest.log(source))
	}
	return b.remoteReplugged(source)
}

func (b *cardBench) remoteReplugged(source int) error {
	for _, size := range []image.Point{noScreen, largeScreen, smallScreen, b.machine.size} {
		began := time.Now()
		if err := b.set(size); err != nil {
			return err
		}
		if size == noScreen {
			if err := b.awaitLog("no screen on", 0); err != nil {
				return err
			}
			continue
		}
		if err := b.screen.await(b.fills(first, size)); err != nil {
			return fmt.Errorf("a remote screen of %v: %w", size, err)
		}
		b.note("a remote screen of %dx%d: the whole picture after %d ms", size.X, size.Y, time.Since(began).Milliseconds())
	}
	if err := b.remoteDark(source); err != nil {
		return err
	}
	return b.stopProgram()
}

// isDark is the condition that a screen is off. QEMU then shows a few words on black.
func isDark(m *image.RGBA) error {
	lit := 0
	for i := 0; i < len(m.Pix); i += 4 {
		if m.Pix[i]|m.Pix[i+1]|m.Pix[i+2] != 0 {
			lit++
		}
	}
	if most := len(m.Pix) / 4 / 100; lit > most {
		return fmt.Errorf("%d pixels are lit, want at most %d", lit, most)
	}
	return nil
}

// remoteDark switches the wall's screens off and on again. The remote screen must also go off and on, even if it is replugged while it is
// off.
func (b *cardBench) remoteDark(source int) error {
	conf := guestSource + "/conf.yaml"
	text, err := b.guest.read(conf)
	if err != nil {
		return err
	}
	for _, dark := range []bool{true, false} {
		to, met := text, b.shows(first)
		if dark {
			to, met = strings.Replace(text, "when: true", "when: false", 1), isDark
		}
		if err := b.guest.write(conf, to); err != nil {
			return err
		}
		if err := b.guest.signal(source, syscall.SIGUSR1); err != nil {
			return err
		}
		if err := b.screen.await(met); err != nil {
			return fmt.Errorf("the wall's screen off %v: %w", dark, err)
		}
		if !dark {
			break
		}
		if err := b.replugDark(); err != nil {
			return err
		}
	}
	return nil
}

// replugDark unplugs a screen that is off, and plugs in another screen. The new screen stays off.
func (b *cardBench) replugDark() error {
	gone, came := b.logged("msg=\"no screen\""), b.logged("msg=screen ")
	if err := b.set(noScreen); err != nil {
		return err
	}
	if err := b.awaitLog("msg=\"no screen\"", gone); err != nil {
		return err
	}
	if err := b.set(b.machine.size); err != nil {
		return err
	}
	if err := b.awaitLog("msg=screen ", came); err != nil {
		return err
	}
	if err := b.screen.await(isDark); err != nil {
		return fmt.Errorf("plugged in while the wall's screen is off: %w", err)
	}
	return b.screen.steady(isDark)
}
