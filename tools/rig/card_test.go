package rig

import (
	"context"
	"fmt"
	"image"
	"net"
	"path/filepath"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/fb"
	"dashboard/fb/fbtest"
	"dashboard/output/window"
	"dashboard/tools/qemu"
)

// A cardBench is a computer with a graphics card. A wall is shown on a screen at one of the card's connectors, and tests can unplug and
// plug the screen. The dashboard runs as an ordinary user of the group video.
type cardBench struct {
	*bench
	dial func() (net.Conn, error) // connects to the machine's VNC server
	plug *plug                    // latest VNC client
	// dialHead connects to the VNC server of the card's second connector. headPlug is the latest client of this server.
	dialHead func() (net.Conn, error)
	headPlug *plug
	scaled   map[shown]*image.RGBA
	small    *image.RGBA // the first wall in its layout for the small screen
}

// shown identifies a wall on a screen with a certain size.
type shown struct {
	wall string
	size image.Point
}

// Sizes of the screens that are plugged in.
var (
	noScreen    = image.Point{}
	largeScreen = image.Pt(1920, 1080)
	smallScreen = image.Pt(800, 480)
)

// ordinary is the ID of the user that runs the dashboard. The guest has no list of users.
const (
	ordinary   = 1000
	vncFile    = "vnc"
	compositor = "/compositor" // a program in the guest that sets modes, like a compositor
)

func newCardBench(ctx context.Context, l *lab, m *machine, dir string) (trial, error) {
	on, err := newBench(ctx, l, m, dir)
	if err != nil {
		return nil, err
	}
	b, _ := on.(*bench)
	c := &cardBench{bench: b, scaled: map[shown]*image.RGBA{}}
	if err := c.prepare(ctx, l, dir); err != nil {
		b.close()
		return nil, err
	}
	return c, nil
}

// prepare() paints the pictures for the other screens, and sets the functions that connect to the VNC servers of the connectors.
func (b *cardBench) prepare(ctx context.Context, l *lab, dir string) error {
	if err := b.paintSmall(ctx, l, dir); err != nil {
		return err
	}
	for wall, m := range b.walls {
		for _, size := range []image.Point{b.machine.size, largeScreen, smallScreen} {
			var err error
			if b.scaled[shown{wall, size}], err = filling(m, size); err != nil {
				return err
			}
		}
	}
	b.dial = func() (net.Conn, error) { return qemu.Dial(ctx, filepath.Join(dir, vncFile), b.Dead) }
	b.dialHead = func() (net.Conn, error) { return qemu.Dial(ctx, filepath.Join(dir, headFile), b.Dead) }
	// QEMU removes the original screen only if another screen was announced before.
	if err := b.set(b.machine.size); err != nil {
		return err
	}
	return b.permit("/dev/dri/card0", console)
}

// paintSmall paints the first wall in its layout for the small screen.
func (b *cardBench) paintSmall(ctx context.Context, l *lab, dir string) error {
	files, err := wallFolder(first, b.machine)
	if err != nil {
		return err
	}
	if files["conf.yaml"], err = confOf(b.machine, true); err != nil {
		return err
	}
	folder, err := newFolder(dir, "small")
	if err != nil {
		return err
	}
	if err := writeFiles(folder, files); err != nil {
		return err
	}
	b.small, err = l.paintTwice(ctx, folder, smallScreen)
	return err
}

// filling() returns the picture that a screen shows if it is filled with m. Package fb, compiled for this machine, scales m.
func filling(m *image.RGBA, size image.Point) (*image.RGBA, error) {
	opts, err := window.Options(&config.WindowOutput{Fullscreen: true, Driver: config.DriverDRM}, m.Rect.Size())
	if err != nil {
		return nil, err
	}
	mem := fbtest.NewMemory(fb.Geometry{Width: size.X, Height: size.Y, Format: fb.XRGB8888})
	d, err := fb.New(mem, opts)
	if err != nil {
		return nil, err
	}
	defer d.Halt()
	if err := d.DrawFrame(m, nil); err != nil {
		return nil, err
	}
	return mem.Shown(), nil
}

func (b *cardBench) close() {
	if b.plug != nil {
		b.plug.conn.Close()
	}
	if b.headPlug != nil {
		b.headPlug.conn.Close()
	}
	b.bench.close()
}

// set plugs in a screen of the given size. The zero size pulls the cable. QEMU ignores a client that has pulled the cable, so each call
// connects a new client.
func (b *cardBench) set(size image.Point) error { return replug(&b.plug, b.dial, size) }

// replug replaces the client in p with a new client, which requests a screen of the given size.
func replug(p **plug, dial func() (net.Conn, error), size image.Point) error {
	conn, err := dial()
	if err != nil {
		return err
	}
	fresh, err := newPlug(conn)
	if err != nil {
		conn.Close()
		return err
	}
	if *p != nil {
		(*p).conn.Close()
	}
	*p = fresh
	return fresh.ask(size)
}

// permit gives devices to the group video, as udev does on a usual system.
func (b *cardBench) permit(paths ...string) error {
	for _, path := range paths {
		if err := b.guest.permit(path); err != nil {
			return err
		}
	}
	return nil
}

// fills() returns the condition that a wall fills a screen of the given size.
func (b *cardBench) fills(wall string, size image.Point) condition {
	return b.screen.shows(b.scaled[shown{wall, size}])
}

// replug plugs in a screen and waits until the screen shows the picture. It records how long this took.
func (b *cardBench) replug(size image.Point) error {
	began := time.Now()
	if err := b.set(size); err != nil {
		return err
	}
	if err := b.screen.awaitFrom(nothing, b.fills(b.on, size), 0, showTime); err != nil {
		return fmt.Errorf("a screen of %v: %w%s", size, err, b.condition())
	}
	return b.inTime(fmt.Sprintf("a screen of %dx%d: the whole picture", size.X, size.Y), began)
}

// plugLimit is the maximum time for actions that a real board must finish within 2 s. It is longer, because the emulated processors may be
// busy.
const plugLimit = 2 * time.Minute

// inTime records how long an action took. It returns an error if this was longer than plugLimit.
func (b *cardBench) inTime(what string, began time.Time) error {
	spent := time.Since(began)
	b.note("%s after %d ms", what, spent.Milliseconds())
	if spent > plugLimit {
		return fmt.Errorf("%s after %v, want at most %v", what, spent, plugLimit)
	}
	return nil
}

// condition() describes the state of the screen according to the kernel and the dashboard. The text is for an error message.
func (b *cardBench) condition() string {
	status, err := b.guest.read("/sys/class/drm/card0-Virtual-1/status")
	health, problem := b.guest.fetch("http://127.0.0.1:5000/healthz")
	return fmt.Sprintf("; the kernel says %q %v, the dashboard %s %v", status, err, health, problem)
}

func nothing(*image.RGBA) error { return nil }

// unplug pulls the cable and waits until the dashboard reports it.
func (b *cardBench) unplug() error {
	before := b.logged("no screen on")
	if err := b.set(noScreen); err != nil {
		return err
	}
	return b.awaitLog("no screen on", before)
}

// kept() returns how many open files the dashboard has, and how many memory mappings of graphics cards.
func (b *cardBench) kept() (files, mappings int, err error) {
	names, err := b.guest.list(fmt.Sprintf("/proc/%d/fd", b.pid))
	if err != nil {
		return 0, 0, err
	}
	maps, err := b.guest.read(fmt.Sprintf("/proc/%d/maps", b.pid))
	return len(names), strings.Count(maps, "/dev/dri/"), err
}

// ticks() returns the processor time that the dashboard has used, in hundredths of a second.
func (b *cardBench) ticks() (int, error) {
	text, err := b.guest.read(fmt.Sprintf("/proc/%d/stat", b.pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(text, ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0, fmt.Errorf("stat: %q", text)
	}
	var user, system int
	_, err = fmt.Sscan(f[11]+" "+f[12], &user, &system)
	return user + system, err
}
