package fb

import (
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
