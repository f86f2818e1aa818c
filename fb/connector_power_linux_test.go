package fb

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"dashboard/fb/drm/drmtest"
)

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

// TestSwitchingAlone: leaseSwitching does not write to the console and does not set its mode (KDSETMODE), because the kernel would not
// undo this after a crash.
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

// TestConnectorFollows: after the screen was switched on or off, the program reads the state from the driver. If the state has not changed,
// the request is repeated once. If the state has not changed even then, Power returns an error.
func TestConnectorFollows(t *testing.T) {
	for unmoved, want := range map[int]string{0: "", 1: "", 2: "did not change it"} {
		r := newRack(t)
		k := r.keeper(nil)
		for _, on := range []bool{false, true} {
			r.Do(func(k *drmtest.Kernel) { k.Unmoved = unmoved })
			err := k.Power(on)
			if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
				t.Errorf("%d left out, on=%v: got %v, want %q", unmoved, on, err, want)
			}
			if mem, _ := r.Shown(); (mem != nil) != on && want == "" {
				t.Errorf("%d left out: it is on=%v", unmoved, mem != nil)
			}
			if want != "" {
				break // the screen was never switched off
			}
		}
	}
}

// TestConnectorLink: if the kernel reports a failed link, the mode is set again once, even without a plug.
func TestConnectorLink(t *testing.T) {
	r := newRack(t)
	k := r.keeper(func(o *Options) { o.Connector.Log = o.Log })
	d, _ := k.known.display.dev.(*connectorDevice)
	d.src.blind.Store(true)
	look := func() int {
		d.probed = d.probed.Add(-LookInterval)
		before := r.Sets()
		if _, err := d.Geometry(); err != nil {
			t.Fatal(err)
		}
		return r.Sets() - before
	}
	if n := look(); n != 0 {
		t.Errorf("a sound link: the mode was set %d times", n)
	}
	r.Do(func(k *drmtest.Kernel) { k.LinkBad = true })
	if n := look(); n != 1 || !strings.Contains(r.log.String(), "link to the screen has failed") {
		t.Errorf("a failed link: the mode was set %d times: %s", n, r.log.String())
	}
	if n := look(); n != 0 {
		t.Errorf("mended: the mode was set %d times", n)
	}
}

// TestConnectorLeftOn: if a wall ends while its screen is off, it switches the screen on first.
func TestConnectorLeftOn(t *testing.T) {
	r := newRack(t)
	k := r.keeper(nil)
	off := func() (v uint64) {
		r.Do(func(k *drmtest.Kernel) {
			for _, property := range k.Properties {
				v += property
			}
		})
		return v
	}
	if err := k.Power(false); err != nil || off() == 0 {
		t.Fatalf("off: %v", err)
	}
	if err := k.Halt(); err != nil || off() != 0 {
		t.Errorf("left: %v, DPMS %d", err, off())
	}
}

// TestConnectorRange: the requested range of color levels is set, also on a screen that is connected later.
func TestConnectorRange(t *testing.T) {
	for word, want := range map[string]uint64{"": 0, "auto": 0, "full": 1, "limited": 2} {
		r := newRack(t)
		k := r.keeper(func(o *Options) { o.Connector.Range = word })
		for range 2 {
			r.Do(func(k *drmtest.Kernel) {
				var got uint64
				for property, v := range k.Properties {
					got += v
					k.Properties[property] = 0
				}
				if got != want {
					t.Errorf("%q: got %d, want %d", word, got, want)
				}
			})
			r.plug(k, image.Pt(80, 40))
		}
	}
}

// TestConnectorWakes: a screen that sends no EDID gets its last mode. As soon as it sends an EDID, it gets its preferred mode.
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
