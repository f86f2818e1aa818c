package main

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
	"dashboard/wall/outputs"
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
	if noteOf(machine{}).Top || !noteOf(machine{mistake: true}).Top {
		t.Error("the note leaves the lower edge to a mistake in the files, and only then")
	}
	short := noteOf(machine{interfaces: []address.Interface{home}, listen: ":5000"}).Code.Side
	if long := noteOf(machine{interfaces: []address.Interface{home}, listen: ":5000", token: strings.Repeat("K", 26)}).Code.Side; long <= short {
		t.Errorf("got codes of %d and %d modules, want the token in the second", short, long)
	}
}

// That a board has no network is said when it has had the time to find one.
func TestNoteWaitsForDrivers(t *testing.T) {
	s := newService(serviceParts{opts: serviceOptions{}, stderr: &bytes.Buffer{}, devices: outputs.ThisMachine()})
	s.builder.Machine = fstest.MapFS{}
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
		s := newService(serviceParts{opts: serviceOptions{}, stderr: &bytes.Buffer{}, devices: outputs.ThisMachine()})
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
}

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
	defer func() { s.main().Close(); s.builder.Providers.Close() }()
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
