package fb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/fb/drm"
	"dashboard/fb/drm/drmtest"
)

// A rack is a machine with one graphics card, whose connector is in sysfs.
type rack struct {
	*drmtest.Kernel
	t     *testing.T
	cards *Cards
	log   bytes.Buffer
	opens int
}

const onlyPort = "card0-" + drmtest.ConnectorName

func newRack(t *testing.T) *rack {
	edid := make([]byte, 128)
	copy(edid, "\x00\xff\xff\xff\xff\xff\xff\x00")
	r := &rack{t: t, Kernel: &drmtest.Kernel{Modes: []image.Point{{64, 48}, {32, 16}}, Plugged: true, EDID: edid}}
	r.cards = NewCards()
	r.cards.sysfs = t.TempDir()
	r.cards.may = func(string) error { return nil }
	r.cards.who = func(string) []string { return []string{"Xorg (812)"} }
	r.cards.open = func(path string) (*drm.Card, error) { r.opens++; return drm.NewCard(path, r.Kernel), nil }
	r.status(onlyPort, "connected")
	return r
}

// status writes a connector's status where the kernel tells it.
func (r *rack) status(port, text string) {
	r.t.Helper()
	dir := filepath.Join(r.cards.sysfs, port)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "status"), []byte(text+"\n"), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// plug changes what hangs on the connector, and has the kernel tell.
func (r *rack) plug(k *Keeper, sizes ...image.Point) {
	r.Do(func(k *drmtest.Kernel) { k.Plugged, k.Modes = len(sizes) > 0, sizes })
	r.status(onlyPort, map[bool]string{true: "connected", false: "disconnected"}[len(sizes) > 0])
	s, _ := k.source.(*connectorSource)
	s.plugs.Add(1)
	s.events.Add(1)
	k.look()
}

func (r *rack) keeper(change func(*Options)) *Keeper {
	r.t.Helper()
	o := Options{TTY: NoTTY, Fullscreen: true, Connector: &Connector{Cards: r.cards}, Log: slog.New(slog.NewTextHandler(&r.log, nil))}
	if change != nil {
		change(&o)
	}
	k, err := NewKeeper(o)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = k.Halt() })
	return k
}

// sees compares the screen with a picture of its size.
func (r *rack) sees(want *image.RGBA) error {
	mem, pitch := r.Shown()
	if mem == nil {
		return errors.New("the screen is dark")
	}
	g := Geometry{Width: r.Mode().X, Height: r.Mode().Y, Stride: pitch, Format: XRGB8888}
	if got := g.DecodeRGBA(mem); got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		return fmt.Errorf("a screen of %v shows something else", got.Rect.Max)
	}
	return nil
}

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

// TestConnectorFlush: what changed is told in the device's pixels, also turned,
// and allocates nothing.
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

func union(rs []image.Rectangle) (all image.Rectangle) {
	for _, r := range rs {
		all = all.Union(r)
	}
	return all
}

func TestConnectorReplugged(t *testing.T) {
	r := newRack(t)
	repaints := 0
	k := r.keeper(func(o *Options) {
		o.OnRepaint = func() { repaints++ }
	})
	r.plug(k)
	if st := k.State(); st.Open || !strings.Contains(st.Err.Error(), "no screen on HDMI-A-1") {
		t.Errorf("unplugged: got %v", st.Err)
	}
	if !errors.Is(k.DrawFrame(noise(image.Rect(0, 0, 64, 48)), nil), ErrAbsent) {
		t.Error("drawn without a screen")
	}
	k.look()
	k.look()
	if n := strings.Count(r.log.String(), "no screen on HDMI-A-1"); n != 1 {
		t.Errorf("told %d times, want once:\n%s", n, r.log.String())
	}
	r.plug(k, image.Pt(100, 30))
	m := noise(k.Bounds())
	if err := k.DrawFrame(m, nil); err != nil {
		t.Fatal(err)
	}
	if err := r.sees(m); err != nil || m.Rect.Max != image.Pt(100, 30) {
		t.Errorf("another screen: %v, %v", m.Rect, err)
	}
	sets := r.Sets()
	r.plug(k, image.Pt(100, 30)) // the same again
	if r.Sets() == sets {
		t.Error("a screen that was plugged in again has no new signal")
	}
	if err := r.sees(m); err != nil {
		t.Errorf("the same screen again: %v", err)
	}
	r.plug(k, image.Pt(20, 20)) // without an absence in between
	if k.Bounds() != image.Rect(0, 0, 20, 20) {
		t.Errorf("got %v", k.Bounds())
	}
	if r.opens != 1 {
		t.Errorf("the card was opened %d times: the console showed in between", r.opens)
	}
	if size := k.ScreenSize(); size != image.Pt(20, 20) || repaints != 2 {
		t.Errorf("got size %v, %d repaints", size, repaints)
	}
}

// TestConnectorSlowPoll: a connector that is switched off without a word is found
// by what the kernel lists.
func TestConnectorSlowPoll(t *testing.T) {
	r := newRack(t)
	k := r.keeper(nil)
	r.status(onlyPort, "disconnected")
	k.look()
	if k.State().Open {
		t.Error("a screen that is gone is drawn on")
	}
	r.status(onlyPort, "connected")
	k.look()
	if !k.State().Open {
		t.Errorf("got %v", k.State().Err)
	}
}

// TestConnectorStale: a driver that tells of a plug, and does not find out itself
// what it was, is asked.
func TestConnectorStale(t *testing.T) {
	r := newRack(t)
	k := r.keeper(nil)
	r.plug(k)
	r.OnProbe = func(plugged bool) {
		r.status(onlyPort, map[bool]string{true: "connected", false: "disconnected"}[plugged])
	}
	r.Do(func(k *drmtest.Kernel) { k.Plugged, k.Modes = true, []image.Point{{90, 60}} })
	k.look()
	if k.State().Open {
		t.Error("the cable is looked at every second")
	}
	s, _ := k.source.(*connectorSource)
	s.events.Add(1)
	k.look()
	if !k.State().Open || r.Mode() != image.Pt(90, 60) {
		t.Errorf("got %v, mode %v", k.State().Err, r.Mode())
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
	r.Do(func(k *drmtest.Kernel) { k.Taken = true }) // and taken away
	if err := k.DrawFrame(noise(k.Bounds()), nil); !errors.Is(err, errFlush) {
		t.Errorf("got %v", err)
	}
	if k.State().Open {
		t.Error("a screen that somebody else has is still open")
	}
}

func TestConnectorConsole(t *testing.T) {
	r := newRack(t)
	k := r.keeper(nil)
	k.leaseFrom(newFakeTerminal())
	c := k.console.Load()
	c.answer(releaseSignal)
	if r.IsMaster() {
		t.Error("another console is in front, and we set modes")
	}
	sets := r.Sets()
	r.plug(k, image.Pt(32, 32))
	if k.State().Open || r.Sets() != sets {
		t.Error("a screen that came was taken from another console")
	}
	c.answer(acquireSignal)
	k.look()
	m := noise(k.Bounds())
	if err := k.DrawFrame(m, nil); err != nil {
		t.Fatal(err)
	}
	if err := r.sees(m); err != nil || !r.IsMaster() {
		t.Errorf("back in front: %v", err)
	}
	c.answer(releaseSignal)
	c.answer(acquireSignal)
	sets = r.Sets()
	k.look()
	if r.Sets() == sets {
		t.Error("the mode was not set again after another console had the screen")
	}
}

// TestSwitchingAlone: the lease of a mode setter leaves the console's text and
// mode alone: the kernel would not give them back after a sudden end.
func TestSwitchingAlone(t *testing.T) {
	term := newFakeTerminal()
	c := leaseSwitching(term, func() {}, func() {})
	c.answer(releaseSignal)
	c.answer(acquireSignal)
	c.Restore()
	for _, step := range term.steps() {
		if strings.HasPrefix(step, "kd ") || strings.HasPrefix(step, "write") {
			t.Errorf("got step %q", step)
		}
	}
}

func TestConnectorPower(t *testing.T) {
	r := newRack(t)
	repaints := 0
	k := r.keeper(func(o *Options) { o.OnRepaint = func() { repaints++ } })
	m := noise(k.Bounds())
	if err := k.Power(false); err != nil {
		t.Fatal(err)
	}
	if err := k.DrawFrame(m, nil); err != nil || !k.State().Off {
		t.Errorf("got %v, %+v", err, k.State())
	}
	r.plug(k, image.Pt(64, 48))
	if mem, _ := r.Shown(); mem != nil {
		t.Error("a plug switched the screen on")
	}
	r.plug(k, image.Pt(80, 40))
	if mem, _ := r.Shown(); mem != nil {
		t.Error("another screen is on")
	}
	if err := k.Power(true); err != nil {
		t.Fatal(err)
	}
	m = noise(k.Bounds())
	if err := k.DrawFrame(m, nil); err != nil {
		t.Fatal(err)
	}
	if err := r.sees(m); err != nil || repaints == 0 {
		t.Errorf("on again: %v, %d repaints", err, repaints)
	}
}

// TestConnectorWakes: a screen that says nothing of itself gets the mode that it
// had, and the one it asks for once it does.
func TestConnectorWakes(t *testing.T) {
	r := newRack(t)
	k := r.keeper(nil)
	r.plug(k)
	edid := r.EDID
	r.Do(func(k *drmtest.Kernel) { k.EDID = nil })
	r.plug(k, image.Pt(1024, 768))
	if got := r.Mode(); got != image.Pt(64, 48) {
		t.Errorf("got %v, want the mode that it had", got)
	}
	r.Do(func(k *drmtest.Kernel) { k.EDID, k.Modes = edid, []image.Point{{50, 50}} })
	s, _ := k.source.(*connectorSource)
	s.events.Add(1)
	k.look()
	if got := r.Mode(); got != image.Pt(50, 50) {
		t.Errorf("got %v, want what it asks for", got)
	}
}

// keptModes is a ModeKeeper in memory.
type keptModes map[string][]byte

func (k keptModes) LoadMode(connector string) ([]byte, bool) { m, ok := k[connector]; return m, ok }
func (k keptModes) SaveMode(connector string, mode []byte)   { k[connector] = mode }

// TestConnectorRemembers: a screen that says nothing of itself at a start gets the mode that an earlier run drove it with, unless
// that does not fit it.
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

func TestConnectorGone(t *testing.T) {
	r := newRack(t)
	k := r.keeper(nil)
	r.Do(func(k *drmtest.Kernel) { k.Gone = true })
	if err := os.RemoveAll(filepath.Join(r.cards.sysfs, onlyPort)); err != nil {
		t.Fatal(err)
	}
	k.look()
	if st := k.State(); st.Open || !strings.Contains(st.Err.Error(), "no card has a connector") {
		t.Errorf("got %v", st.Err)
	}
	r.Do(func(k *drmtest.Kernel) { k.Gone = false })
	r.status("card1-"+drmtest.ConnectorName, "connected")
	k.look()
	if !k.State().Open || r.opens != 2 {
		t.Errorf("with another number: got %v, opened %d times", k.State().Err, r.opens)
	}
}

// TestConnectorTwice: two outputs never have the same connector.
func TestConnectorTwice(t *testing.T) {
	r := newRack(t)
	first, second := r.keeper(nil), r.keeper(nil)
	if !first.State().Open || second.State().Open {
		t.Errorf("got %v and %v open, want the first alone", first.State().Open, second.State().Open)
	}
	named := r.keeper(func(o *Options) { o.Connector.Name = "DP-1" })
	if err := named.State().Err; err == nil || !strings.Contains(err.Error(), "there are: HDMI-A-1") {
		t.Errorf("got %v", err)
	}
	release := r.cards.Keep()
	_ = first.Halt()
	second.look()
	release()
	if !second.State().Open || r.opens != 1 || !r.IsMaster() {
		t.Errorf("got %v, opened %d times", second.State().Err, r.opens)
	}
}

// TestConnectorElse: without a card the framebuffer is used, which is told once,
// and left for a card that comes.
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

// TestConnectorAfterText: a console whose text was kept away for a framebuffer, and is let in because a connector has come, is
// put over the connector's picture by the kernel: the mode is set again at once.
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

// TestConnectorSize: the size is known without a display, and nothing stays open.
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

// TestConnectorWatch: watching ends with its context, whether or not the kernel
// tells of plugs here.
func TestConnectorWatch(t *testing.T) {
	r := newRack(t)
	k := r.keeper(nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- k.Run(ctx) }()
	cancel()
	if err := <-done; err != nil || r.Left() != 0 {
		t.Errorf("got %v, %d things left", err, r.Left())
	}
}

// TestConnectorPlugOnce: for a plug at another size the screen is asked once, and what else is told of the same plug does not end
// the signal that has just begun.
func TestConnectorPlugOnce(t *testing.T) {
	r := newRack(t)
	k := r.keeper(nil)
	probes := 0
	r.Do(func(k *drmtest.Kernel) { k.OnProbe = func(bool) { probes++ } })
	r.plug(k, image.Pt(100, 30))
	if probes != 1 || r.Mode() != image.Pt(100, 30) {
		t.Errorf("asked %d times, mode %v", probes, r.Mode())
	}
	r.plug(k, image.Pt(100, 30))
	if n := r.Darks(); n != 0 {
		t.Errorf("the signal ended %d times by the second message of a plug", n)
	}
	d, _ := k.known.display.dev.(*connectorDevice)
	d.began = d.began.Add(-samePlug)
	r.plug(k, image.Pt(100, 30))
	if n := r.Darks(); n != 1 {
		t.Errorf("the signal ended %d times by a plug, want once", n)
	}
}
