package fb

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/fb/drm/drmtest"
)

func TestConnectorShows(t *testing.T) {
	for _, pan := range []bool{false, true} {
		r := newRack(t)
		r.Pad = 32
		k := r.keeper(func(o *Options) { o.Pan = pan })
		if got := k.Bounds(); got != image.Rect(0, 0, 64, 48) {
			t.Fatalf("got %v, want the preferred mode", got)
		}
		for range 3 {
			m := noise(k.Bounds())
			if err := k.DrawFrame(m, nil); err != nil {
				t.Fatal(err)
			}
			if err := r.sees(m); err != nil {
				t.Errorf("pan %v: %v", pan, err)
			}
		}
		if g := k.State().Geometry; g.Connector != "HDMI-A-1" || g.Mode != "64x48@60" || g.Format != XRGB8888 {
			t.Errorf("got %+v", g)
		}
		if err := k.Halt(); err != nil || r.Left() != 0 || r.IsMaster() {
			t.Errorf("got %v, %d things left, master %v", err, r.Left(), r.IsMaster())
		}
	}
}

// TestConnectorWaits: if the screen already has the right mode, its old content stays visible until
// the first picture. If the options request another mode, this mode is set at once.
func TestConnectorWaits(t *testing.T) {
	for _, pan := range []bool{false, true} {
		r := newRack(t)
		r.Before = bytes.Repeat([]byte{1, 2, 3, 0}, 64*48)
		k := r.keeper(func(o *Options) { o.Pan = pan })
		k.source.(*connectorSource).events.Add(1) // count an event, because udev also reports devices that already exist
		k.look()
		if mem, _ := r.Shown(); r.Sets() != 0 || !bytes.Equal(mem, r.Before) {
			t.Errorf("pan %v: the mode was set %d times before there was a picture", pan, r.Sets())
		}
		m := noise(k.Bounds())
		if err := k.DrawFrame(m, nil); err != nil {
			t.Fatal(err)
		}
		if err := r.sees(m); err != nil || r.Sets() != 1 || r.Darks() != 0 {
			t.Errorf("pan %v: %v, the mode was set %d times, %d times dark", pan, err, r.Sets(), r.Darks())
		}
	}
	r := newRack(t)
	r.Before = make([]byte, 4*64*48)
	r.keeper(func(o *Options) { o.Connector.Mode = "32x16" })
	if r.Sets() != 1 || r.Mode() != image.Pt(32, 16) {
		t.Errorf("another mode: set %d times, %v", r.Sets(), r.Mode())
	}
}

// TestConnectorWaitsInVain: after a card has refused the first picture, the mode is set when the screen is opened. A failed opening is
// retried slowly. Failed draws would be repeated at full speed.
func TestConnectorWaitsInVain(t *testing.T) {
	r := newRack(t)
	r.Before = make([]byte, 4*64*48)
	k := r.keeper(nil)
	m := noise(k.Bounds())
	r.Do(func(k *drmtest.Kernel) { k.Taken = true })
	if err := k.DrawFrame(m, nil); err == nil {
		t.Fatal("another program has the card, and nobody says so")
	}
	r.Do(func(k *drmtest.Kernel) { k.Taken = false })
	k.look()
	if r.Sets() != 1 {
		t.Errorf("the mode was set %d times, want when the screen was opened", r.Sets())
	}
	if err := k.DrawFrame(m, nil); err != nil {
		t.Fatal(err)
	}
	if err := r.sees(m); err != nil {
		t.Error(err)
	}
}

// TestConnectorFlush: DrawFrame reports damage in pixels of the device, also if the picture is rotated, and allocates nothing.
func TestConnectorFlush(t *testing.T) {
	r := newRack(t)
	k := r.keeper(func(o *Options) { o.Rotate = 90 })
	m := noise(k.Bounds())
	if m.Rect.Max != image.Pt(48, 64) {
		t.Fatalf("got %v", m.Rect)
	}
	if err := k.DrawFrame(m, nil); err != nil {
		t.Fatal(err)
	}
	damage := []image.Rectangle{image.Rect(0, 0, 10, 5), image.Rect(40, 60, 99, 99), {}}
	draw := func() {
		if err := k.DrawFrame(m, damage); err != nil {
			t.Error(err)
		}
	}
	draw()
	if got := fmt.Sprint(r.Clips()); got != "[(59,0)-(64,10) (0,40)-(4,48)]" {
		t.Errorf("got clips %s", got)
	}
	if n := testing.AllocsPerRun(100, draw); n > 0 {
		t.Errorf("a frame allocates %v times", n)
	}
	var many []image.Rectangle
	for i := range 20 {
		many = append(many, image.Rect(2*i, 3*i, 2*i+1, 3*i+1))
	}
	damage = many
	draw()
	if clips := r.Clips(); len(clips) > maxFlush {
		t.Errorf("got %d clips, want at most %d", len(clips), maxFlush)
	} else if all := union(clips); !image.Rect(6, 0, 64, 39).In(all) {
		t.Errorf("got clips %v, which leave out something", clips)
	}
}

func TestConnectorTaken(t *testing.T) {
	r := newRack(t)
	r.Taken = true
	k := r.keeper(func(o *Options) { o.Connector.Else, o.Path = true, filepath.Join(t.TempDir(), "fb0") })
	for range 3 {
		k.look()
	}
	if n := strings.Count(r.log.String(), "Xorg (812)"); n != 1 {
		t.Errorf("named %d times, want once:\n%s", n, r.log.String())
	}
	r.Do(func(k *drmtest.Kernel) { k.Taken = false })
	k.look()
	if !k.State().Open {
		t.Fatalf("after it was let go: got %v", k.State().Err)
	}
	r.Do(func(k *drmtest.Kernel) { k.Taken = true }) // another program takes the card
	if err := k.DrawFrame(noise(k.Bounds()), nil); !errors.Is(err, errFlush) {
		t.Errorf("got %v", err)
	}
	if k.State().Open {
		t.Error("a screen that somebody else has is still open")
	}
}

// keptModes is a ModeKeeper in memory.
type keptModes map[string][]byte

func (k keptModes) LoadMode(connector string) ([]byte, bool) { m, ok := k[connector]; return m, ok }
func (k keptModes) SaveMode(connector string, mode []byte)   { k[connector] = mode }

// TestConnectorRemembers: a screen without an EDID at a start gets the stored mode of an earlier run, if this mode is valid.
func TestConnectorRemembers(t *testing.T) {
	r, kept := newRack(t), keptModes{}
	r.cards.KeepModes(kept)
	_ = r.keeper(nil).Halt()
	if len(kept) != 1 {
		t.Fatalf("kept %d modes, want that of the screen", len(kept))
	}
	silent := func(k *drmtest.Kernel) { k.EDID, k.Modes = nil, []image.Point{{10, 8}} }
	for name, tc := range map[string]struct {
		kept keptModes
		want image.Point
	}{
		"kept":      {kept, image.Pt(64, 48)},
		"nothing":   {keptModes{}, image.Pt(10, 8)},
		"nonsense":  {keptModes{drmtest.ConnectorName: []byte("?")}, image.Pt(10, 8)},
		"all zeros": {keptModes{drmtest.ConnectorName: make([]byte, 68)}, image.Pt(10, 8)},
	} {
		r := newRack(t)
		r.Do(silent)
		r.cards.KeepModes(tc.kept)
		r.keeper(nil)
		if got := r.Mode(); got != tc.want {
			t.Errorf("%s: got %v, want %v", name, got, tc.want)
		}
		if name == "nothing" && len(tc.kept) > 0 {
			t.Errorf("the mode of a screen that said nothing was kept")
		}
	}
}

// TestConnectorElse: if the program is not allowed to open a card, it tries the framebuffer. If this fails too, the error contains both
// reasons. A framebuffer in use is replaced when the program may open a card with a screen.
func TestConnectorElse(t *testing.T) {
	r := newRack(t)
	r.status(onlyPort, "connected")
	denied := errors.New("permission denied")
	r.cards.may = func(string) error { return denied }
	k := r.keeper(func(o *Options) {
		o.Connector.Else, o.Connector.Log, o.Path = true, o.Log, "/dev/none"
	})
	if err := k.State().Err; err == nil || !strings.Contains(err.Error(), "/dev/none") || !errors.Is(err, denied) {
		t.Errorf("got %v, want both reasons", err)
	}
	r.cards.may = func(string) error { return nil }
	sub := &substitute{Device: fakeDevice{paddedGeometry(RGB565, 16, 8, 0, image.Point{}), nil}, cards: r.cards}
	if _, err := sub.Geometry(); err == nil {
		t.Error("the framebuffer stays though a card has a screen")
	}
	r.status(onlyPort, "disconnected")
	if _, err := sub.Geometry(); err != nil {
		t.Errorf("got %v", err)
	}
	k.look()
	if err := k.State().Err; err == nil || !errors.Is(err, errNoScreen) {
		t.Errorf("got %v: a connector is waited for", err)
	}
}

// TestConnectorAfterText: when a connector replaces a framebuffer, the keeper allows the console's text again. The kernel may then show
// the console instead of the connector's picture, so the keeper sets the mode again at once.
func TestConnectorAfterText(t *testing.T) {
	r := newRack(t)
	k := r.keeper(func(*Options) {})
	k.opts.TTY = "/dev/none"
	before := r.Sets()
	k.leaseConsole(true)
	k.look()
	if n := r.Sets(); n != before {
		t.Errorf("the mode was set %d times more, want it to stay", n-before)
	}
	k.leaseConsole(false)
	select {
	case <-k.wake:
	default:
		t.Error("nothing looks")
	}
	k.look()
	if n := r.Sets(); n != before+1 {
		t.Errorf("the mode was set %d times more, want once", n-before)
	}
}

// TestConnectorSize: ScreenSize returns the size without a display, and leaves nothing open.
func TestConnectorSize(t *testing.T) {
	r := newRack(t)
	for _, c := range []struct {
		o    Options
		want image.Point
	}{
		{Options{Connector: &Connector{Cards: r.cards}}, image.Pt(64, 48)},
		{Options{Connector: &Connector{Cards: r.cards, Mode: "32x16"}, Rotate: 90}, image.Pt(16, 32)},
	} {
		if got, err := ScreenSize(c.o); err != nil || got != c.want || r.Left() != 0 {
			t.Errorf("got %v, %v, want %v", got, err, c.want)
		}
	}
	r.status(onlyPort, "disconnected")
	if _, err := ScreenSize(Options{Connector: &Connector{Cards: r.cards}}); !errors.Is(err, errNoScreen) {
		t.Errorf("got %v", err)
	}
}

func TestConnectorOptions(t *testing.T) {
	for _, c := range []Connector{{Mode: "1080p"}, {Range: "wide"}} {
		if err := (Options{Connector: &c}).Validate(); err == nil {
			t.Errorf("%+v is valid", c)
		}
	}
	r := newRack(t)
	r.keeper(func(o *Options) { o.Connector.Mode, o.Connector.Range = "32x16", "full" })
	if r.Mode() != image.Pt(32, 16) || r.Properties[73] != 1 {
		t.Errorf("got %v, range %d", r.Mode(), r.Properties[73])
	}
}
