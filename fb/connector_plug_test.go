package fb

import (
	"context"
	"errors"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/fb/drm/drmtest"
)

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
	r.plug(k, image.Pt(100, 30)) // connect the same screen again
	if r.Sets() == sets {
		t.Error("a screen that was plugged in again has no new signal")
	}
	if err := r.sees(m); err != nil {
		t.Errorf("the same screen again: %v", err)
	}
	r.plug(k, image.Pt(20, 20)) // connect another screen without removing the first screen
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

// TestConnectorSlowPoll: the scheduled check finds a removed screen in sysfs, even without a message from the kernel.
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

// TestConnectorStale: some drivers report a new screen before they have probed the connector. The program then requests a probe.
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
	if n := len(r.cards.list); n != 0 {
		t.Errorf("got %d open cards after the card was removed, want none", n)
	}
	r.Do(func(k *drmtest.Kernel) { k.Gone = false })
	r.status("card1-"+drmtest.ConnectorName, "connected")
	k.look()
	if !k.State().Open || r.opens != 2 {
		t.Errorf("with another number: got %v, opened %d times", k.State().Err, r.opens)
	}
}

// TestConnectorTwice: two outputs never use the same connector.
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

// TestConnectorWatch: Run ends with its context, whether or not the kernel sends messages about plugs.
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

// TestConnectorPlugOnce: if a screen of another size is connected, it is probed once. Further
// messages about the same plug do not interrupt the new signal.
func TestConnectorPlugOnce(t *testing.T) {
	r := newRack(t)
	k := r.keeper(nil)
	probes := 0
	r.Do(func(k *drmtest.Kernel) { k.OnProbe = func(bool) { probes++ } })
	r.plug(k, image.Pt(100, 30))
	if probes != 1 || r.Mode() != image.Pt(100, 30) {
		t.Errorf("asked %d times, mode %v", probes, r.Mode())
	}
	d, _ := k.known.display.dev.(*connectorDevice)
	d.began = time.Now().Add(time.Hour) // this time lies in the future, so the second message belongs to the same plug on any machine
	r.plug(k, image.Pt(100, 30))
	if n := r.Darks(); n != 0 {
		t.Errorf("the signal ended %d times by the second message of a plug", n)
	}
	d.began = time.Now().Add(-samePlug)
	r.plug(k, image.Pt(100, 30))
	if n := r.Darks(); n != 1 {
		t.Errorf("the signal ended %d times by a plug, want once", n)
	}
}

// A screen is connected and removed hundreds of times, each time with a broken EDID and unsupported color levels. Whenever it is
// connected, frames are drawn on it. The card is opened only once, and the number of log lines stays small.
func TestConnectorFlaps(t *testing.T) {
	r := newRack(t)
	k := r.keeper(nil)
	s, _ := k.source.(*connectorSource)
	s.want.Range, s.want.Log = "wide", k.opts.Log
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 300 {
		edid := make([]byte, []int{0, 1, 127, 128, 256, 4000}[i%6])
		for j := range edid {
			edid[j] = byte(random.Uint32())
		}
		if i%2 == 0 {
			copy(edid, "\x00\xff\xff\xff\xff\xff\xff\x00")
		}
		r.Do(func(k *drmtest.Kernel) { k.EDID = edid })
		r.plug(k, image.Pt(40, 30))
		m := noise(k.Bounds())
		if err := k.DrawFrame(m, nil); err != nil {
			t.Fatalf("plug %d: %v", i, err)
		}
		if err := r.sees(m); err != nil {
			t.Fatalf("plug %d: %v", i, err)
		}
		r.plug(k)
	}
	levels, lines := strings.Count(r.log.String(), "range of color levels"), strings.Count(r.log.String(), "\n")
	if levels != 1 || lines > 2*(tellMost+1)+levels || r.opens != 1 { // twice the limit, because tellTime may pass once during the test
		t.Errorf("%d lines, %d of them about levels; the card was opened %d times:\n%.3000s", lines, levels, r.opens, r.log.String())
	}
}
