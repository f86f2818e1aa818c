package main

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"io"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
	"dashboard/internal/state"
	"dashboard/render/text"
	"dashboard/wall/address"
)

func words(c startscreen.Content) string {
	var b strings.Builder
	for _, l := range c.Lines {
		b.WriteString(l.Role + " " + l.Text + "\n")
	}
	return b.String()
}

// What the note says of a machine.
func TestNoteOfAMachine(t *testing.T) {
	home := address.Interface{Name: "wlan0", Up: true, Addrs: []netip.Addr{netip.MustParseAddr("192.168.1.20")}}
	for _, tt := range []struct {
		name string
		m    machine
		want string
		code bool
	}{
		{"all well", machine{facts: about.Facts{Name: "kitchen"}, interfaces: []address.Interface{home}, timeSet: true, listen: "0.0.0.0:5000"},
			"good 192.168.1.20\n kitchen.local:5000\ngood The time is set\n", true},
		{"for itself alone", machine{facts: about.Facts{Name: "kitchen"}, interfaces: []address.Interface{home}, timeSet: true, listen: "127.0.0.1:5000"},
			"good 192.168.1.20\ngood The time is set\n", false},
		{"no server", machine{interfaces: []address.Interface{home}, timeSet: true}, "good 192.168.1.20\ngood The time is set\n", false},
		{"no Wi-Fi", machine{facts: about.Facts{Networks: []string{"home", "barn"}}, interfaces: []address.Interface{{Name: "wlan0"}}, listen: ":5000"},
			"warn Not in the network yet: looking for home, barn\nwarn The time is not set yet: no time server has answered\n", false},
		{"no DHCP", machine{interfaces: []address.Interface{{Name: "eth0", Up: true}}, timeSet: true}, "warn No address yet: the network gives none\ngood The time is set\n", false},
		{"no cable", machine{interfaces: []address.Interface{{Name: "eth0"}}, timeSet: true},
			"warn No network: no cable seen yet, and settings.txt names no wifi_name\ngood The time is set\n", false},
		{"no interface", machine{timeSet: true}, "warn No network: no cable and no radio seen yet\ngood The time is set\n", false},
		{"a driver is still to be loaded", machine{starting: true, timeSet: true}, "warn No network yet: looking for a cable and a radio\ngood The time is set\n", false},
		{"a link is still to come", machine{starting: true, interfaces: []address.Interface{{Name: "eth0"}}, timeSet: true},
			"warn No network yet: looking for a cable and a radio\ngood The time is set\n", false},
		{"mistakes", machine{facts: about.Facts{Problems: []string{"settings.txt:2: x"}}, wrong: []string{"update.img: damaged"}, tolerated: []string{"providers.yaml:3:11: y"}, interfaces: []address.Interface{home}, timeSet: true},
			"good 192.168.1.20\ngood The time is set\nbad update.img: damaged\nwarn settings.txt:2: x\nwarn providers.yaml:3:11: y\n", false},
	} {
		c := noteOf(tt.m)
		if got := words(c); got != tt.want || (c.Code != nil) != tt.code {
			t.Errorf("%s: got %q, code %v; want %q, %v", tt.name, got, c.Code != nil, tt.want, tt.code)
		}
	}
	short := noteOf(machine{interfaces: []address.Interface{home}, listen: ":5000"}).Code.Side
	if long := noteOf(machine{interfaces: []address.Interface{home}, listen: ":5000", token: strings.Repeat("K", 26)}).Code.Side; long <= short {
		t.Errorf("got codes of %d and %d modules, want the token in the second", short, long)
	}
}

// That a board has no network is said when it has had the time to find one.
func TestNoteWaitsForDrivers(t *testing.T) {
	s := newService(&options{}, &bytes.Buffer{})
	s.builder.machine = fstest.MapFS{}
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {networkTime - time.Second, true}, {networkTime, false}, {time.Hour, false}} {
		if m := s.machine(about.Facts{}, s.started.Add(c.after)); m.starting != c.want {
			t.Errorf("after %v: got starting %v, want %v", c.after, m.starting, c.want)
		}
	}
}

// An appliance makes itself a token and keeps it; another machine makes none.
func TestOwnToken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	start := func(machine fstest.MapFS) *service {
		s := newService(&options{}, &bytes.Buffer{})
		s.builder.machine = machine
		var err error
		if s.store, err = state.Open(dir); err != nil {
			t.Fatal(err)
		}
		if err := s.makeToken(); err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := start(fstest.MapFS{}); s.ownToken != nil {
		t.Error("a machine that is no appliance has a token")
	}
	card := fstest.MapFS{about.FactsFile: {Data: about.Facts{Name: "kitchen"}.Encode()}}
	first, second := start(card), start(card)
	if first.ownToken == nil || len(*first.ownToken) < 20 || *second.ownToken != *first.ownToken {
		t.Errorf("got %v, then %v, want the same token", first.ownToken, second.ownToken)
	}
	none, err := ownToken(nil)
	if other, _ := ownToken(nil); err != nil || none == other || none == "" {
		t.Errorf("nothing is kept: got %q and %q, %v", none, other, err)
	}
}

// A shownWindow is a window that remembers what it was given last.
type shownWindow struct {
	got    *image.RGBA
	damage []image.Rectangle
	fail   error
}

func (w *shownWindow) String() string { return "window" }
func (w *shownWindow) Halt() error    { return nil }
func (w *shownWindow) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	w.got = image.NewRGBA(src.Rect)
	copy(w.got.Pix, src.Pix)
	w.damage = append([]image.Rectangle{}, damage...)
	return w.fail
}

// The note is over what the window shows, and nothing of it is left in the frame, nor on the window when it is taken away.
func TestNoteOverAWindow(t *testing.T) {
	for _, turned := range []bool{false, true} {
		frame := image.NewRGBA(image.Rect(0, 0, 800, 480))
		draw.Draw(frame, frame.Rect, image.NewUniform(color.RGBA{0, 90, 0, 255}), image.Point{}, draw.Src)
		want := append([]uint8{}, frame.Pix...)
		w := &shownWindow{fail: errors.New("it is gone")} // also then the frame is given back
		n := &noted{FrameDrawer: w, notes: &notes{cache: text.NewCache(1 << 20), night: func() bool { return true }}, turned: turned}
		small := []image.Rectangle{image.Rect(0, 0, 10, 10)}
		_ = n.DrawFrame(frame, small)
		if !bytes.Equal(w.got.Pix, want) || len(w.damage) != 1 {
			t.Fatal("without a note the frame is another one")
		}
		c := noteOf(machine{facts: about.Facts{Name: "kitchen"}, timeSet: true})
		n.notes.now.Store(&c)
		_ = n.DrawFrame(frame, small)
		at := n.at
		inside := at.Min.Add(at.Size().Div(2))
		corner := image.Pt(790, 470)
		if turned {
			corner = image.Pt(10, 10)
		}
		if w.got.RGBAAt(inside.X, inside.Y) == (color.RGBA{0, 90, 0, 255}) || !touched(w.damage, at) || corner.In(at) {
			t.Errorf("turned %v: the note is not shown at %v, damage %v", turned, at, w.damage)
		}
		if far := corner.Sub(inside); far.X*far.X > 400*400 {
			t.Errorf("turned %v: the note is at %v", turned, at)
		}
		if !bytes.Equal(frame.Pix, want) {
			t.Errorf("turned %v: the frame is not as it was", turned)
		}
		n.notes.now.Store(nil)
		_ = n.DrawFrame(frame, small)
		if !bytes.Equal(w.got.Pix, want) || !touched(w.damage, at) {
			t.Errorf("turned %v: the note was not taken away, damage %v", turned, w.damage)
		}
	}
}

// A frame with a note allocates nothing.
func TestNoteAllocatesNothing(t *testing.T) {
	frame := image.NewRGBA(image.Rect(0, 0, 800, 480))
	n := &noted{FrameDrawer: dropped{}, notes: &notes{cache: text.NewCache(1 << 20), night: func() bool { return true }}}
	c := noteOf(machine{timeSet: true})
	n.notes.now.Store(&c)
	all := []image.Rectangle{frame.Rect}
	_ = n.DrawFrame(frame, all)
	if got := testing.AllocsPerRun(50, func() { _ = n.DrawFrame(frame, all) }); got > 0 {
		t.Errorf("got %v allocations a frame", got)
	}
}

type dropped struct{}

func (dropped) String() string                                 { return "dropped" }
func (dropped) Halt() error                                    { return nil }
func (dropped) DrawFrame(*image.RGBA, []image.Rectangle) error { return nil }

// A source that cannot be asked leaves a dash on the wall: the note tells of the line, after the start and after each reload, until
// it is mended.
func TestNoteTellsOfToleratedMistakes(t *testing.T) {
	wall := func(kind string) files {
		return files{
			"conf.yaml":      "graphics: {resolution: [160, 96]}\noutputs: [{type: stream}]\n",
			"widgets.yaml":   "widgets:\n  - {widget: text, text: !data .house.a}\n",
			"providers.yaml": "providers:\n  house:\n    type: " + kind + "\n    url: http://127.0.0.1:9/\n",
		}
	}
	t.Chdir(t.TempDir())
	s, _ := quiet(t, wall("rets"), io.Discard)
	defer func() { s.main().close(); s.builder.providers.Close() }()
	read := func() []string {
		g, report := s.load()
		if g == nil {
			t.Fatal(report.Errors())
		}
		s.tolerate(report)
		return s.machine(about.Facts{}, s.started).tolerated
	}
	got := read()
	if len(got) == 0 || !strings.HasPrefix(got[0], "providers.yaml:3:11: ") {
		t.Errorf("got %q, want the line of the mistake first", got)
	}
	if c := words(noteOf(s.machine(about.Facts{}, s.started))); !strings.Contains(c, "warn providers.yaml:3:11: ") {
		t.Errorf("the note does not tell of it: %s", c)
	}
	wall("rest").write(t, ".")
	if got := read(); len(got) > 0 {
		t.Errorf("mended: got %q", got)
	}
}
