package drm_test

import (
	"errors"
	"image"
	"slices"
	"syscall"
	"testing"

	"dashboard/fb/drm"
	"dashboard/fb/drm/drmtest"
)

// edid is an EDID that contains only a name.
func edid(name string) []byte {
	b := make([]byte, 128)
	copy(b, "\x00\xff\xff\xff\xff\xff\xff\x00")
	b[8], b[9] = 0x1e, 0x6d // the maker GSM
	copy(b[54+18:], "\x00\x00\x00\xfc\x00"+name+"\n")
	return b
}

func newKernel() *drmtest.Kernel {
	return &drmtest.Kernel{Modes: []image.Point{{1920, 1080}, {1280, 720}, {800, 480}}, Plugged: true, EDID: edid("LG TV")}
}

func only(t *testing.T, c *drm.Card) *drm.Connector {
	t.Helper()
	k, err := c.Connector(drmtest.ConnectorName, true)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestConnector(t *testing.T) {
	kernel := newKernel()
	c := drm.NewCard("/dev/dri/card0", kernel)
	all, err := c.Connectors(false)
	if err != nil || len(all) != 1 || all[0].Name != "HDMI-A-1" {
		t.Fatalf("got %v, %v, want HDMI-A-1", all, err)
	}
	k := only(t, c)
	if !k.Connected || len(k.Modes) != 3 || k.Modes[0].String() != "1920x1080@60" || !k.Modes[0].Preferred || k.Modes[1].Preferred {
		t.Errorf("got %+v, want three modes, the first preferred", k)
	}
	if e, err := drm.ParseEDID(k.EDID); err != nil || e.String() != "GSM LG TV" {
		t.Errorf("got %q, %v, want GSM LG TV", e, err)
	}
	if got := k.Ranges(); !slices.Equal(got, []string{"auto", "full", "limited"}) || !k.CanPower() || !k.IsOn() {
		t.Errorf("got ranges %v, can power %v, is on %v", got, k.CanPower(), k.IsOn())
	}
	if _, err := c.Connector("DSI-1", false); err == nil {
		t.Error("a connector that is not there was found")
	}
	kernel.Do(func(k *drmtest.Kernel) { k.Plugged = false })
	if k := only(t, c); k.Connected || len(k.Modes) != 0 || k.EDID != nil {
		t.Errorf("unplugged: got %+v", k)
	}
}

func TestScreen(t *testing.T) {
	kernel := newKernel()
	kernel.Pad = 64
	c := drm.NewCard("/dev/dri/card0", kernel)
	if err := c.Take(); err != nil {
		t.Fatal(err)
	}
	k := only(t, c)
	s, err := c.NewScreen(k, k.Modes[1], nil, false)
	if err != nil {
		t.Fatal(err)
	}
	if s.Bits != 32 || s.Stride != 1280*4+64 || len(s.Pixels) != s.Stride*720 {
		t.Errorf("got %d bits, stride %d, %d bytes", s.Bits, s.Stride, len(s.Pixels))
	}
	if err := s.Show(0); err != nil || kernel.Mode() != image.Pt(1280, 720) {
		t.Errorf("got %v, mode %v", err, kernel.Mode())
	}
	s.Pixels[s.Stride+4] = 7
	if mem, pitch := kernel.Shown(); mem[pitch+4] != 7 {
		t.Error("what was written is not on the screen")
	}
	want := []image.Rectangle{image.Rect(1, 2, 30, 40), image.Rect(1270, 700, 1280, 720)}
	if err := s.Flush([]image.Rectangle{want[0], {}, image.Rect(1270, 700, 1300, 800)}); err != nil || !slices.Equal(kernel.Clips(), want) {
		t.Errorf("got clips %v, %v, want %v: cut to the screen, none empty", kernel.Clips(), err, want)
	}
	if n := testing.AllocsPerRun(100, func() { _ = s.Flush(want) }); n > 0 {
		t.Errorf("a flush allocates %v times", n)
	}
	if err := s.Power(false); err != nil {
		t.Error(err)
	}
	if mem, _ := kernel.Shown(); mem != nil {
		t.Error("the screen was not switched off")
	}
	if err := s.Close(); err != nil || kernel.Left() != 0 {
		t.Errorf("got %v, %d things left", err, kernel.Left())
	}
}

func TestScreenPages(t *testing.T) {
	for _, maxHeight := range []int{0, 1000} { // a Raspberry Pi 3 has no memory for two pages of 1080 rows
		kernel := newKernel()
		kernel.MaxHeight = maxHeight
		c := drm.NewCard("/dev/dri/card0", kernel)
		_ = c.Take()
		k := only(t, c)
		s, err := c.NewScreen(k, k.Modes[1], nil, true)
		want := 1440
		if maxHeight > 0 {
			want = 720
		}
		if err != nil || s.Rows != want {
			t.Fatalf("at most %d rows: got %d, %v, want %d", maxHeight, s.Rows, err, want)
		}
		if err := s.Show(s.Rows - 720); err != nil || kernel.Row() != s.Rows-720 {
			t.Errorf("got %v, row %d", err, kernel.Row())
		}
		if err := s.Close(); err != nil || kernel.Left() != 0 {
			t.Errorf("got %v, %d things left: the first try must be given back", err, kernel.Left())
		}
	}
}

func TestTaken(t *testing.T) {
	kernel := newKernel()
	c := drm.NewCard("/dev/dri/card0", kernel)
	_ = c.Take()
	k := only(t, c)
	s, err := c.NewScreen(k, k.Modes[0], nil, false)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Do(func(k *drmtest.Kernel) { k.Taken = true })
	for name, err := range map[string]error{
		"take": c.Take(), "show": s.Show(0), "flush": s.Flush([]image.Rectangle{{Max: image.Pt(1, 1)}}),
	} {
		if !errors.Is(err, drm.ErrTaken) {
			t.Errorf("%s: got %v, want %v", name, err, drm.ErrTaken)
		}
	}
	if _, err := c.NewScreen(k, k.Modes[0], []uint32{s.CRTC()}, false); err == nil {
		t.Error("a CRTC drives two connectors")
	}
	kernel.Do(func(k *drmtest.Kernel) { k.Taken, k.Gone = false, true })
	if err := s.Show(0); !errors.Is(err, syscall.ENODEV) || c.Alive() == nil {
		t.Errorf("a card that is gone: got %v, alive %v", err, c.Alive())
	}
}

func TestFlushNotNeeded(t *testing.T) {
	kernel := newKernel()
	kernel.NoFlush = true
	c := drm.NewCard("/dev/dri/card0", kernel)
	_ = c.Take()
	k := only(t, c)
	s, err := c.NewScreen(k, k.Modes[0], nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Flush([]image.Rectangle{{Max: image.Pt(9, 9)}}); err != nil {
			t.Errorf("got %v, want nil: this driver needs none", err)
		}
	}
}
