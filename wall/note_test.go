package wall

import (
	"bytes"
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
	"dashboard/wall/address"
	"dashboard/wall/note"
	"dashboard/wall/outputs"
)

func words(c startscreen.Content) string {
	var b strings.Builder
	for _, l := range c.Lines {
		b.WriteString(l.Role + " " + l.Text + "\n")
	}
	return b.String()
}

// TestNoteOfAMachine checks the text of the note about an appliance.
func TestNoteOfAMachine(t *testing.T) {
	home := address.Interface{Name: "wlan0", Up: true, Addrs: []netip.Addr{netip.MustParseAddr("192.168.1.20")}}
	for _, tt := range []struct {
		name string
		m    note.Machine
		want string
		code bool
	}{
		{"all well", note.Machine{Facts: about.Facts{Name: "kitchen"}, Interfaces: []address.Interface{home}, TimeSet: true, Listen: "0.0.0.0:5000"},
			"good 192.168.1.20\n kitchen.local:5000\ngood The time is set\n", true},
		{"for itself alone", note.Machine{Facts: about.Facts{Name: "kitchen"}, Interfaces: []address.Interface{home}, TimeSet: true, Listen: "127.0.0.1:5000"},
			"good 192.168.1.20\ngood The time is set\n", false},
		{"no server", note.Machine{Interfaces: []address.Interface{home}, TimeSet: true}, "good 192.168.1.20\ngood The time is set\n", false},
		{"no Wi-Fi", note.Machine{Facts: about.Facts{Networks: []string{"home", "barn"}}, Interfaces: []address.Interface{{Name: "wlan0"}}, Listen: ":5000"},
			"warn Not in the network yet: looking for home, barn\nwarn The time is not set yet: no time server has answered\n", false},
		{"no DHCP", note.Machine{Interfaces: []address.Interface{{Name: "eth0", Up: true}}, TimeSet: true}, "warn No address yet: the network gives none\ngood The time is set\n", false},
		{"no cable", note.Machine{Interfaces: []address.Interface{{Name: "eth0"}}, TimeSet: true},
			"warn No network: no cable seen yet, and settings.txt names no wifi_name\ngood The time is set\n", false},
		{"no interface", note.Machine{TimeSet: true}, "warn No network: no cable and no radio seen yet\ngood The time is set\n", false},
		{"a driver is still to be loaded", note.Machine{Starting: true, TimeSet: true}, "warn No network yet: looking for a cable and a radio\ngood The time is set\n", false},
		{"a link is still to come", note.Machine{Starting: true, Interfaces: []address.Interface{{Name: "eth0"}}, TimeSet: true},
			"warn No network yet: looking for a cable and a radio\ngood The time is set\n", false},
		{"mistakes", note.Machine{Facts: about.Facts{Problems: []string{"settings.txt:2: x"}}, Wrong: []string{"update.img: damaged"}, Tolerated: []string{"providers.yaml:3:11: y"}, Interfaces: []address.Interface{home}, TimeSet: true},
			"good 192.168.1.20\ngood The time is set\nbad update.img: damaged\nwarn settings.txt:2: x\nwarn providers.yaml:3:11: y\n", false},
	} {
		c := note.Of(tt.m)
		if got := words(c); got != tt.want || (c.Code != nil) != tt.code {
			t.Errorf("%s: got %q, code %v; want %q, %v", tt.name, got, c.Code != nil, tt.want, tt.code)
		}
	}
	if note.Of(note.Machine{}).Top || !note.Of(note.Machine{Mistake: true}).Top {
		t.Error("the note leaves the lower edge to a mistake in the files, and only then")
	}
	short := note.Of(note.Machine{Interfaces: []address.Interface{home}, Listen: ":5000"}).Code.Side
	if long := note.Of(note.Machine{Interfaces: []address.Interface{home}, Listen: ":5000", Token: strings.Repeat("K", 26)}).Code.Side; long <= short {
		t.Errorf("got codes of %d and %d modules, want the token in the second", short, long)
	}
}

// The note reports a missing network only after the time that a slow board needs to find its network interfaces.
func TestNoteWaitsForDrivers(t *testing.T) {
	s := newService(parts{opts: Options{}, stderr: &bytes.Buffer{}, devices: outputs.ThisMachine()})
	s.builder.Machine = fstest.MapFS{}
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {networkTime - time.Second, true}, {networkTime, false}, {time.Hour, false}} {
		if m := s.machine(about.Facts{}, s.started.Add(c.after)); m.Starting != c.want {
			t.Errorf("after %v: got starting %v, want %v", c.after, m.Starting, c.want)
		}
	}
}

// An appliance creates a token and stores it. Another machine creates no token. Each wall keeps its own identity.
func TestOwnToken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	start := func(machine fstest.MapFS) *Service {
		s := newService(parts{opts: Options{}, stderr: &bytes.Buffer{}, devices: outputs.ThisMachine()})
		s.builder.Machine = machine
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
	if id := identity(first.store, "/a"); len(id) != identityLength || identity(second.store, "/a") != id || identity(nil, "/a") != "" {
		t.Errorf("got the identity %q, then %q, and %q without a folder", id, identity(second.store, "/a"), identity(nil, "/a"))
	} else if identity(second.store, "/b") == id {
		t.Errorf("two walls with one state folder have the identity %q", id)
	}
}

// The note names the line of a source that cannot be requested, after the start and after each reload, until the line is fixed.
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
	defer func() { s.main().Close(); s.builder.Providers.Close() }()
	read := func() []string {
		g, report := s.load()
		if g == nil {
			t.Fatal(report.Errors())
		}
		s.tolerate(report)
		return s.machine(about.Facts{}, s.started).Tolerated
	}
	got := read()
	if len(got) == 0 || !strings.HasPrefix(got[0], "providers.yaml:3:11: ") {
		t.Errorf("got %q, want the line of the mistake first", got)
	}
	if c := words(note.Of(s.machine(about.Facts{}, s.started))); !strings.Contains(c, "warn providers.yaml:3:11: ") {
		t.Errorf("the note does not tell of it: %s", c)
	}
	wall("rest").write(t, ".")
	if got := read(); len(got) > 0 {
		t.Errorf("mended: got %q", got)
	}
}
