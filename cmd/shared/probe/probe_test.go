package probe

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/fb/drm"
	"dashboard/fb/drm/drmtest"
)

func TestProbe(t *testing.T) {
	edid := make([]byte, 128)
	copy(edid, "\x00\xff\xff\xff\xff\xff\xff\x00\x1e\x6d")
	copy(edid[72:], "\x00\x00\x00\xfc\x00LG TV\n")
	kernel := &drmtest.Kernel{Modes: []image.Point{{1920, 1080}, {1280, 720}}, Plugged: true, EDID: edid}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"sys/card0-HDMI-A-1/status": "connected\n", "dev/cec0": "", "light/10-0045/max_brightness": "31\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../../i2c-2", filepath.Join(dir, "sys/card0-HDMI-A-1/ddc")); err != nil {
		t.Fatal(err)
	}
	told := func(open func(string) (*drm.Card, error)) string {
		var b strings.Builder
		p := prober{w: &b, sysfs: filepath.Join(dir, "sys"), backlights: filepath.Join(dir, "light"), devices: filepath.Join(dir, "dev"), open: open}
		p.cards()
		p.framebuffers()
		p.lights()
		return b.String()
	}
	card := func(path string) (*drm.Card, error) { return drm.NewCard(path, kernel), nil }
	want := `Graphics card card0, driver unknown:
  connector: HDMI-A-1, GSM LG TV
    mode: 1920x1080@60 by itself; there are 1920x1080@60, 1280x720@60
    rgb_range: auto, full, limited
    power: drm: the signal can be switched off, and is on; ddc: perhaps, by i2c-2; cec: perhaps, by ` + filepath.Join(dir, "dev/cec0") + `
There is no framebuffer.
Backlight 10-0045: brightness from 0 to 31
`
	if got := told(card); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var b strings.Builder
	p := prober{w: &b, sysfs: filepath.Join(dir, "sys"), devices: filepath.Join(dir, "dev")}
	p.wires()
	p.inputs()
	for _, want := range []string{"Monitor on HDMI-A-1, ddc by /dev/i2c-2: ", "Television at " + filepath.Join(dir, "dev/cec0") + ": "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got\n%s\nwant %q", b.String(), want)
		}
	}
	if kernel.IsMaster() {
		t.Error("asking took the card")
	}
	kernel.Do(func(k *drmtest.Kernel) { k.Taken, k.Plugged = true, false })
	if got := told(card); !strings.Contains(got, "another program shows something") || !strings.Contains(got, "HDMI-A-1, no screen") {
		t.Errorf("taken, unplugged: got\n%s", got)
	}
	if got := told(func(string) (*drm.Card, error) { return nil, errors.New("no permission") }); !strings.Contains(got, "no permission") || !strings.Contains(got, "HDMI-A-1, with a screen") {
		t.Errorf("not permitted: got\n%s", got)
	}
}

// On a machine without a screen, the other devices are still listed.
func TestProbeWithoutScreen(t *testing.T) {
	var b strings.Builder
	none := t.TempDir()
	p := prober{w: &b, sysfs: none, backlights: none, devices: none}
	p.cards()
	p.framebuffers()
	p.lights()
	p.wires()
	want := `No graphics card has a connector: driver: auto uses a framebuffer, where there is one.
There is no framebuffer.
No screen was found. If a screen is connected, a container needs the device /dev/dri or /dev/fb0.
For other screens and browsers, write in conf.yaml: outputs: [{type: stream}] and server: {host: 0.0.0.0}
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
