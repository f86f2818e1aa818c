package switches

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"dashboard/control/power"
	"dashboard/fb"
	"dashboard/fb/cec"
	"dashboard/fb/ddc"
	"dashboard/fb/drm"
)

// A wireTo is a simulated bus to a monitor. It records the commands.
type wireTo struct {
	values map[byte]int
	asked  byte
}

func (w *wireTo) Write(b []byte) error {
	w.asked = b[3]
	if b[2] == 3 {
		w.values[b[3]] = int(b[5])
	}
	return nil
}

func (w *wireTo) Read(b []byte) error {
	r := []byte{0x6e, 0x88, 2, 0, w.asked, 0, 0, 100, 0, byte(w.values[w.asked])}
	sum := byte(0x50)
	for _, v := range r {
		sum ^= v
	}
	copy(b, append(r, sum))
	return nil
}

func (*wireTo) Close() error { return nil }

// A search for a missing monitor is repeated. The search covers only the connector that shows the wall. A monitor receives a command only
// if something must change.
func TestMonitorOfConnector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		there := &wireTo{values: map[byte]int{ddc.Brightness: 70, ddc.PowerMode: 1}}
		var missing error = errors.New("ENXIO")
		h := Hardware{
			Ports: func() []drm.Port {
				return []drm.Port{{Card: "card0", Name: "HDMI-A-1"}, {Card: "card1", Name: "HDMI-A-2", Connected: true}}
			},
			Monitor: func(card, connector string) (*ddc.Monitor, error) {
				looks++
				if card != "card1" || connector != "HDMI-A-2" {
					t.Errorf("looked at %s %s", card, connector)
				}
				if missing != nil {
					return nil, missing
				}
				return ddc.New(there)
			},
			TV: func(string, string, bool) (*cec.Adapter, error) { return nil, missing },
		}
		var b beyond
		for range 3 {
			if b.backend(power.DDC, h, "", true, nil) != nil || b.backend(power.CEC, h, "", true, nil) != nil {
				t.Fatal("one that is not there")
			}
		}
		missing = nil
		if looks != 1 || b.backend(power.DDC, h, "HDMI-A-1", true, nil) != nil {
			t.Errorf("looked %d times", looks)
		}
		time.Sleep(seekAgain)
		m := b.backend(power.DDC, h, "HDMI-A-2", true, nil)
		if m == nil || m.Power(false) != nil || there.values[ddc.PowerMode] != 4 {
			t.Fatalf("off: %v, %v", m, there.values)
		}
		there.values[ddc.PowerMode] = 1 // the monitor is on again, as after a loss of its power
		b.forget()
		if m = b.backend(power.DDC, h, "HDMI-A-2", true, nil); m.Power(false) != nil || there.values[ddc.PowerMode] != 4 {
			t.Errorf("a screen that came is not switched off again: %v", there.values)
		}
		if d := m.(power.Dimmer); d.Dim(0.2) != nil || there.values[ddc.Brightness] != 20 {
			t.Errorf("dimmed: %v", there.values)
		}
		b.close()
		if there.values[ddc.PowerMode] != 1 || there.values[ddc.Brightness] != 70 {
			t.Errorf("left: %v", there.values)
		}
	})
}

// If the settings have no order, all backends are used, including the monitor and the television. The search for these two begins only
// when the screen is first switched off or dimmed. A device without permission is logged once and skipped.
func TestUsualBackends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		there := &wireTo{values: map[byte]int{ddc.Brightness: 70, ddc.PowerMode: 1}}
		var looks []string
		h := Hardware{
			Lights: t.TempDir(),
			Ports:  func() []drm.Port { return []drm.Port{{Card: "card0", Name: "HDMI-A-1", Connected: true}} },
			Monitor: func(string, string) (*ddc.Monitor, error) {
				looks = append(looks, power.DDC)
				return ddc.New(there)
			},
			TV: func(string, string, bool) (*cec.Adapter, error) {
				looks = append(looks, power.CEC)
				return nil, &fs.PathError{Op: "open", Path: "/dev/cec0", Err: syscall.EPERM}
			},
		}
		k, err := fb.NewKeeper(fb.Options{Path: filepath.Join(t.TempDir(), "none"), TTY: fb.NoTTY})
		if err != nil {
			t.Fatal(err)
		}
		defer k.Halt()
		var log bytes.Buffer
		w := New(k, h, false, true)
		w.Log = slog.New(slog.NewTextHandler(&log, nil))
		all := w.Backends(nil, true)
		var kinds []string
		for _, b := range all {
			kinds = append(kinds, b.Kind())
			if b.Kind() == power.DDC || b.Kind() == power.CEC {
				if err := b.Power(true); !errors.Is(err, power.ErrAbsent) {
					t.Errorf("%s: got %v", b.Kind(), err)
				}
				if d, ok := b.(power.Dimmer); !ok || !errors.Is(d.Dim(-1), power.ErrAbsent) {
					t.Errorf("%s is asked for the brightness that it has", b.Kind())
				}
			}
		}
		// The list has no backlight, because the folder h.Lights is empty. The list has no FB, because the window uses a connector.
		if want := []string{power.DDC, power.CEC, power.DRM}; !slices.Equal(kinds, want) || len(looks) > 0 {
			t.Fatalf("got %v, looked for %v, want %v", kinds, looks, want)
		}
		for range 2 {
			if err := all[1].Power(false); !errors.Is(err, power.ErrAbsent) {
				t.Errorf("a television that may not be used: got %v", err)
			}
			time.Sleep(seekAgain)
		}
		if got := log.String(); strings.Count(got, "is skipped") != 1 || !strings.Contains(got, "backend=cec") || !strings.Contains(got, "/dev/cec0") {
			t.Errorf("told %q", got)
		}
		if err := all[0].Power(false); err != nil || there.values[ddc.PowerMode] != 4 {
			t.Errorf("off: got %v, %v", err, there.values)
		}
		if err := w.Backends(nil, true)[0].Power(true); err != nil || there.values[ddc.PowerMode] != 1 {
			t.Errorf("on: got %v, %v", err, there.values)
		}
		w.Close()
	})
}

// When the driver of a backlight is removed, the backlight is no longer used. A backlight that
// appears later is used, even if it has another name.
func TestBacklightComesAgain(t *testing.T) {
	h := Hardware{Lights: t.TempDir(), Ports: func() []drm.Port { return nil }}
	put := func(name string) string {
		dir := filepath.Join(h.Lights, name)
		for file, text := range map[string]string{"max_brightness": "31", "brightness": "20", "bl_power": "0", "scale": "linear"} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	dir := put("10-0045")
	k, err := fb.NewKeeper(fb.Options{Path: filepath.Join(t.TempDir(), "screen.raw"), Virtual: &fb.Virtual{Width: 8, Height: 8, Format: fb.XRGB8888}, TTY: fb.NoTTY})
	if err != nil {
		t.Fatal(err)
	}
	defer k.Halt()
	w := New(k, h, false, false)
	light := func() *power.Panel {
		p, _ := w.Backends([]string{power.Backlight, power.FB}, true)[0].(*power.Panel)
		return p
	}
	if p := light(); p == nil || p.Name() != "10-0045" || p.Power(false) != nil {
		t.Fatalf("got %v", p)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if p := light(); p != nil {
		t.Errorf("one that is gone: got %s", p.Name())
	}
	put("11-0045")
	if p := light(); p == nil || p.Name() != "11-0045" || p.Power(false) != nil {
		t.Errorf("one that came: got %v", p)
	}
}

// A file that is not a CEC adapter has no effect.
func TestNoTelevision(t *testing.T) {
	dev := t.TempDir()
	if err := os.WriteFile(filepath.Join(dev, "cec0"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if a, err := findTelevision(t.TempDir(), dev, "card1", "HDMI-A-1", true); a != nil || err == nil {
		t.Errorf("got %v, %v, want an error", a, err)
	}
}

// If a window moves to another connector, its monitor there is switched. The monitor at the first connector is restored.
func TestMonitorOfAnotherConnector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitors := map[string]*wireTo{}
		for _, name := range []string{"HDMI-A-1", "HDMI-A-2"} {
			monitors[name] = &wireTo{values: map[byte]int{ddc.Brightness: 70, ddc.PowerMode: 1}}
		}
		h := Hardware{
			Ports: func() []drm.Port {
				return []drm.Port{{Card: "card0", Name: "HDMI-A-1", Connected: true}, {Card: "card0", Name: "HDMI-A-2", Connected: true}}
			},
			Monitor: func(_, connector string) (*ddc.Monitor, error) { return ddc.New(monitors[connector]) },
		}
		var b beyond
		for off, on := range map[string]string{"HDMI-A-1": "HDMI-A-2", "HDMI-A-2": "HDMI-A-1"} {
			if m := b.backend(power.DDC, h, off, true, nil); m == nil || m.Power(false) != nil {
				t.Fatalf("%s: got %v", off, m)
			}
			if monitors[off].values[ddc.PowerMode] != 4 || monitors[on].values[ddc.PowerMode] != 1 {
				t.Errorf("%s is switched off: got %v", off, monitors)
			}
			if m := b.backend(power.DDC, h, "", true, nil); m == nil || m.Power(false) != nil || monitors[off].values[ddc.PowerMode] != 4 {
				t.Errorf("without a screen: got %v, %v", m, monitors)
			}
		}
	})
}

// The window of a framebuffer switches the monitor that is connected now. If no monitor or several monitors are connected, it keeps its
// monitor.
func TestMonitorOfFramebuffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		monitors, ports := map[string]*wireTo{}, []drm.Port{{Card: "card0", Name: "HDMI-A-1"}, {Card: "card0", Name: "HDMI-A-2"}}
		for i := range ports {
			monitors[ports[i].Name] = &wireTo{values: map[byte]int{ddc.Brightness: 70, ddc.PowerMode: 1}}
		}
		h := Hardware{
			Lights: t.TempDir(), Ports: func() []drm.Port { return ports },
			Monitor: func(_, connector string) (*ddc.Monitor, error) { return ddc.New(monitors[connector]) },
		}
		for _, connects := range []bool{false, true} { // true: the window uses a framebuffer because it has found no connector
			o := fb.Options{Path: filepath.Join(t.TempDir(), "fb"), TTY: fb.NoTTY}
			if connects {
				o.Virtual = &fb.Virtual{Width: 8, Height: 8, Format: fb.RGB565}
			}
			k, err := fb.NewKeeper(o)
			if err != nil {
				t.Fatal(err)
			}
			defer k.Halt()
			w := New(k, h, false, connects)
			for _, step := range []struct {
				first, second bool // whether a monitor is connected to each of the two connectors
				want          string
			}{{true, false, "HDMI-A-1"}, {false, false, "HDMI-A-1"}, {true, true, "HDMI-A-1"}, {false, true, "HDMI-A-2"}} {
				ports[0].Connected, ports[1].Connected = step.first, step.second
				for _, on := range []bool{true, false} {
					if err := w.Backends([]string{power.DDC}, true)[0].Power(on); err != nil {
						t.Errorf("%v, %+v: got %v", connects, step, err)
					}
				}
				for name, m := range monitors {
					if off := m.values[ddc.PowerMode] == 4; off != (name == step.want) {
						t.Errorf("%v, %+v: %s is off: %v", connects, step, name, off)
					}
				}
			}
			w.Close()
		}
	})
}

// A stick is a CEC adapter that can be unplugged, such as a USB stick. It simulates the kernel's answers.
type stick struct{ gone atomic.Bool }

func (s *stick) Ioctl(request uint32, arg unsafe.Pointer) error {
	const getCaps, receive, bits, canTransmit = 0xc04c6100, 0xc0386106, 68, 1 << 2 // include/uapi/linux/cec.h
	switch {
	case s.gone.Load():
		return syscall.ENODEV
	case request == getCaps:
		*(*uint32)(unsafe.Add(arg, bits)) = canTransmit
	case request == receive:
		return syscall.ETIMEDOUT
	}
	return nil
}

func (*stick) Close() error { return nil }

// An adapter that was unplugged is opened again when it is there again. A change of yield opens the adapter again at once.
func TestTelevisionAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sticks []*stick
		h := Hardware{
			Ports: func() []drm.Port { return []drm.Port{{Card: "card0", Name: "HDMI-A-1", Connected: true}} },
			TV: func(string, string, bool) (*cec.Adapter, error) {
				sticks = append(sticks, &stick{})
				return cec.New(sticks[len(sticks)-1], "wall", false)
			},
		}
		var b beyond
		defer b.close()
		look := func(yield bool, opened int) {
			t.Helper()
			if b.backend(power.CEC, h, "HDMI-A-1", yield, nil) == nil || len(sticks) != opened {
				t.Fatalf("opened %d times, want %d", len(sticks), opened)
			}
		}
		look(true, 1)
		look(true, 1)
		look(false, 2)
		sticks[1].gone.Store(true)
		time.Sleep(seekAgain / 2) // less than the time between two searches
		look(false, 3)
		look(false, 3)
	})
}
