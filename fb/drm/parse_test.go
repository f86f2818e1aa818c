package drm

import (
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func mode(w, h, rate int, kinds ...string) Mode {
	m := Mode{Width: w, Height: h, Rate: rate}
	m.Preferred, m.Interlaced = slices.Contains(kinds, "preferred"), slices.Contains(kinds, "interlaced")
	return m
}

func TestChoose(t *testing.T) {
	tv := []Mode{mode(1920, 1080, 60, "interlaced"), mode(3840, 2160, 30), mode(3840, 2160, 60, "preferred"), mode(1920, 1080, 50), mode(1920, 1080, 60), mode(1280, 720, 60)}
	plain := []Mode{mode(640, 480, 75), mode(1024, 768, 70), mode(800, 600, 60), mode(1024, 768, 60)}
	for _, c := range []struct {
		name  string
		modes []Mode
		wish  string
		max   image.Point
		want  string
	}{
		{"preferred", tv, "", image.Point{}, "3840x2160@60"},
		{"wished for", tv, "1280x720", image.Point{}, "1280x720@60"},
		{"the steady one of a size", tv, "1920x1080", image.Point{}, "1920x1080@60"},
		{"by its rate", tv, "1920x1080@50", image.Point{}, "1920x1080@50"},
		{"above the bound, but wished for", tv, "3840x2160@30", image.Pt(1920, 1080), "3840x2160@30"},
		{"not listed", tv, "1366x768", image.Point{}, "3840x2160@60"},
		{"bound", tv, "", image.Pt(1920, 1200), "1920x1080@60"},
		{"nothing within the bound", tv, "", image.Pt(320, 240), "3840x2160@60"},
		{"none preferred: the largest at 60", plain, "", image.Point{}, "1024x768@60"},
		{"only odd rates", plain[:2], "", image.Point{}, "640x480@75"},
	} {
		w, err := ParseWish(c.wish)
		if err != nil {
			t.Fatal(err)
		}
		w.MaxSize = c.max
		if got, ok := Choose(c.modes, w); !ok || got.String() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, got, c.want)
		}
	}
	if _, ok := Choose(nil, Wish{}); ok {
		t.Error("a mode was chosen of none")
	}
	for _, wrong := range []string{"1080p", "1920x", "1920x1080@", "1920*1080", "1920x1080@60Hz", "-1x1"} {
		if _, err := ParseWish(wrong); err == nil {
			t.Errorf("%q was read as a mode", wrong)
		}
	}
}

// If a screen has a maximum pixel clock, Choose ignores faster modes. The screen's preferred mode and a requested mode are exceptions.
func TestChooseByClock(t *testing.T) {
	limited := make([]byte, edidBlock)
	copy(limited, edidHeader)
	copy(limited[edidDescriptors+18:], "\x00\x00\x00\xfd\x00\x38\x4b\x1e\x51\x0f")
	e, err := ParseEDID(limited)
	if err != nil || e.MaxClock != 150_000 {
		t.Fatalf("got %+v, %v, want 150 MHz", e, err)
	}
	at := func(m Mode, kHz uint32) Mode { m.raw.clock = kHz; return m }
	modes := []Mode{at(mode(3840, 2160, 60), 594_000), at(mode(1920, 1080, 60), 148_500), at(mode(800, 600, 60), 40_000)}
	for want, w := range map[string]Wish{"3840x2160@60": {}, "1920x1080@60": {MaxClock: e.MaxClock}, "800x600@60": {MaxClock: 50_000}} {
		if got, ok := Choose(modes, w); !ok || got.String() != want {
			t.Errorf("%+v: got %v, want %s", w, got, want)
		}
	}
	if got, _ := Choose(modes, Wish{Width: 3840, Height: 2160, MaxClock: e.MaxClock}); got.Width != 3840 {
		t.Errorf("wished for: got %v", got)
	}
	modes[0] = at(mode(3840, 2160, 60, "preferred"), 594_000)
	if got, _ := Choose(modes, Wish{MaxClock: e.MaxClock}); got.Width != 3840 {
		t.Errorf("preferred: got %v", got)
	}
}

func TestRate(t *testing.T) {
	ntsc := modeInfo{clock: 74176, hDisplay: 1280, hTotal: 1650, vDisplay: 720, vTotal: 750, vRefresh: 60}
	if m := newMode(ntsc); m.Rate != 60 {
		t.Errorf("59.94 frames a second: got %d, want 60", m.Rate)
	}
	if m := newMode(modeInfo{clock: 74250, hTotal: 2200, vTotal: 1125, flags: flagInterlace}); m.Rate != 60 || !m.Interlaced {
		t.Errorf("interlaced: got %v, want 60 fields", m)
	}
	if m := newMode(modeInfo{vRefresh: 50}); m.Rate != 50 {
		t.Errorf("without a clock: got %d, want 50", m.Rate)
	}
}

func TestParseEvent(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want event
		ok   bool
	}{
		"plug":     {"change@/devices/x/drm/card0|ACTION=change|SUBSYSTEM=drm|HOTPLUG=1|DEVNAME=dri/card0|", event{card: "card0"}, true},
		"one":      {"change@/x|SUBSYSTEM=drm|CONNECTOR=33|PROPERTY=7|", event{connector: 33, property: 7}, true},
		"fb":       {"add@/devices/x/graphics/fb0|SUBSYSTEM=graphics|", event{}, true},
		"a disk":   {"add@/devices/x|SUBSYSTEM=block|", event{}, false},
		"udev's":   {"libudev|SUBSYSTEM=drm|", event{}, false},
		"nothing":  {"", event{}, false},
		"too long": {"change@/x|SUBSYSTEM=drm|CONNECTOR=99999999999999|", event{}, true},
	} {
		if got, ok := parseEvent([]byte(strings.ReplaceAll(c.text, "|", "\x00"))); ok != c.ok || ok && got != c.want {
			t.Errorf("%s: got %+v, %v, want %+v, %v", name, got, ok, c.want, c.ok)
		}
	}
}

// fixture writes files and links below a folder.
func fixture(t *testing.T, files, links map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range links {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPorts(t *testing.T) {
	dir := fixture(t, map[string]string{
		"card10-DSI-1/status": "unknown\n", "card1-HDMI-A-2/status": "disconnected\n", "card1-HDMI-A-1/status": "connected\n",
		"card1-Writeback-1/status": "unknown\n", "card0/dev": "226:0", "renderD128/dev": "226:128", "version": "drm",
	}, map[string]string{"card1/device/driver": "../../bus/platform/drivers/vc4-drm"})
	want := []Port{
		{Card: "card1", Name: "HDMI-A-1", Connected: true, Driver: "vc4-drm"},
		{Card: "card1", Name: "HDMI-A-2", Driver: "vc4-drm"},
		{Card: "card10", Name: "DSI-1", Connected: true},
	}
	if got := Ports(dir); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := Ports(dir + "/none"); got != nil {
		t.Errorf("no folder: got %v", got)
	}
	if got := want[0].Node(); got != "/dev/dri/card1" {
		t.Errorf("got %s", got)
	}
}

func TestHolders(t *testing.T) {
	dir := fixture(t, map[string]string{"812/comm": "Xorg\n", "813/comm": "bash\n", "self/comm": "x"},
		map[string]string{"812/fd/9": "/dev/dri/card0", "813/fd/0": "/dev/tty1", "self/fd/1": "/dev/dri/card0"})
	if got := Holders(dir, "/dev/dri/card0"); !slices.Equal(got, []string{"Xorg (812)"}) {
		t.Errorf("got %v, want Xorg (812)", got)
	}
}

func FuzzEDID(f *testing.F) {
	f.Add([]byte("\x00\xff\xff\xff\xff\xff\xff\x00"))
	f.Add(append([]byte("\x00\xff\xff\xff\xff\xff\xff\x00"), make([]byte, 120)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := ParseEDID(b)
		if err != nil {
			return
		}
		for _, s := range []string{e.Maker, e.Name, e.Serial} {
			if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) || len(s) > 13 {
				t.Errorf("%q is not printable, or too long", s)
			}
		}
	})
}

func FuzzEvent(f *testing.F) {
	f.Add([]byte("change@/devices/x\x00SUBSYSTEM=drm\x00CONNECTOR=1\x00"))
	f.Fuzz(func(_ *testing.T, b []byte) { parseEvent(b) })
}
