package viewer

import (
	"image"
	"log/slog"
	"path/filepath"
	"testing"

	"dashboard/client"
	"dashboard/config"
	"dashboard/fb/evdev"
	"dashboard/internal/testing/programtest"
	"dashboard/output/window"
)

// touchable() opens a virtual screen whose key `touch` is set.
func touchable(t *testing.T, touch string) *screen {
	t.Helper()
	out := config.WindowOutput{Driver: config.DriverVirtual, Device: filepath.Join(t.TempDir(), "screen.raw"), Touch: touch}
	o, err := window.Options(&out, image.Pt(64, 48))
	if err != nil {
		t.Fatal(err)
	}
	s := &settings{output: out, window: o, client: client.Options{Size: image.Pt(64, 48)}, power: config.ClientDisplay{Follow: true}}
	sc, err := openScreen(s, &cover{}, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sc.close)
	return sc
}

// TestTouchWakesScreen checks a remote screen that is off because the wall's screens are off. A finger or a key switches the remote
// screen on, even after the wall has sent a brightness.
func TestTouchWakesScreen(t *testing.T) {
	for name, sign := range map[string]evdev.Packet{"finger": {Down: 1}, "key": {Keys: []uint16{evdev.KeySpace}}} {
		t.Run(name, func(t *testing.T) {
			sc := touchable(t, "glass")
			l := sc.listen(evdev.Info{Name: "A Great Glass", Touch: true})
			if l == nil {
				t.Fatal("nobody listens")
			}
			is := func(off bool) {
				t.Helper()
				programtest.Eventually(t, map[bool]string{true: "off", false: "on"}[off], func() bool { return sc.State().Off == off })
			}
			is(false)
			sc.lit(client.Light{Dimmed: true, Level: 0.5})
			sc.follow(false)
			is(true)
			l.Packet(&sign)
			if late := l.Late(); !late.IsZero() {
				t.Errorf("it wants to be called again at %v", late)
			}
			is(false)
			if d := sc.owner.State(); d.Why != "touch" {
				t.Errorf("on by %s", d.Why)
			}
			l.Packet(&evdev.Packet{})
			l.Gone()
			is(false)
		})
	}
}

// TestTouchscreenOfScreen checks the key `touch`. If it names a touchscreen, the screen uses only this touchscreen. If it is `none`, the
// screen uses no touchscreen. Otherwise a virtual screen uses no touchscreen, and any other screen uses every touchscreen.
func TestTouchscreenOfScreen(t *testing.T) {
	for _, tt := range []struct {
		driver, touch string
		want          bool
	}{
		{config.DriverAuto, "", true}, {config.DriverAuto, "auto", true}, {config.DriverAuto, "great", true}, {config.DriverAuto, "other", false}, {config.DriverAuto, "none", false},
		{config.DriverVirtual, "", false}, {config.DriverVirtual, "auto", false}, {config.DriverVirtual, "GLASS", true},
	} {
		sc := &screen{output: config.WindowOutput{Driver: tt.driver, Touch: tt.touch}}
		if got := sc.listen(evdev.Info{Name: "A Great Glass", Touch: true}) != nil; got != tt.want {
			t.Errorf("%s, touch %q: got %v, want %v", tt.driver, tt.touch, got, tt.want)
		}
	}
}
