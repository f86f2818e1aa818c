package fb

import (
	"bytes"
	"errors"
	"image"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestHidden: while another console is in front, nothing is drawn. When this console is in front
// again, the next draw paints everything, including the borders.
func TestHidden(t *testing.T) {
	g := paddedGeometry(RGB565, 16, 8, 0, image.Point{})
	mem := make([]byte, g.Size)
	repaints := 0
	k, err := NewKeeperOf(Options{
		Frame: image.Pt(8, 8), TTY: NoTTY, OnRepaint: func() { repaints++ },
	}, func() (Device, error) { return fakeDevice{g, mem}, nil })
	if err != nil {
		t.Fatal(err)
	}
	defer k.Halt()
	frame := noise(k.Bounds())
	draw := func() {
		t.Helper()
		if err := k.DrawFrame(frame, nil); err != nil {
			t.Fatal(err)
		}
	}
	draw()
	picture := bytes.Clone(mem)

	k.hide()
	text := bytes.Repeat([]byte{0x55}, g.Size)
	copy(mem, text)
	draw()
	if !bytes.Equal(mem, text) || !k.State().Hidden {
		t.Errorf("drawn while hidden (state %v)", k.State().Hidden)
	}
	k.unhideFor(k.leases)
	if repaints != 1 || k.State().Hidden {
		t.Errorf("got %d repaints and hidden %v, want 1 and false", repaints, k.State().Hidden)
	}
	draw()
	if !bytes.Equal(mem, picture) {
		t.Error("the screen is not as it was")
	}
}

// TestHiddenPanning: after another console was in front, both pages are painted completely again.
func TestHiddenPanning(t *testing.T) {
	g := paddedGeometry(RGB565, 16, 8, 0, image.Point{})
	g.VirtualHeight, g.Size = 16, 2*g.Size
	mem := make([]byte, g.Size)
	d, err := New(fakeDevice{g, mem}, Options{Pan: true})
	if err != nil {
		t.Fatal(err)
	}
	frame := noise(d.Bounds())
	draw := func() {
		t.Helper()
		if err := d.DrawFrame(frame, nil); err != nil {
			t.Fatal(err)
		}
	}
	draw()
	draw()
	d.hide()
	clear(mem)
	d.unhide()
	draw()
	if err := d.DrawFrame(frame, []image.Rectangle{image.Rect(0, 0, 1, 1)}); err != nil {
		t.Fatal(err)
	}
	if half := g.Size / 2; !bytes.Equal(mem[:half], mem[half:]) {
		t.Error("the pages differ")
	}
}

// TestBordersOnce: the area around the frame is painted only once.
func TestBordersOnce(t *testing.T) {
	g := paddedGeometry(RGB565, 16, 8, 0, image.Point{})
	mem := make([]byte, g.Size)
	d, err := New(fakeDevice{g, mem}, Options{Frame: image.Pt(8, 8)})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		mem[0] = 0x55
		if err := d.DrawFrame(noise(d.Bounds()), nil); err != nil {
			t.Fatal(err)
		}
	}
	if mem[0] != 0x55 {
		t.Error("the border was written again")
	}
}

// TestKeeperCountsAcrossDevices: the counts of a Keeper include the counts of earlier devices.
func TestKeeperCountsAcrossDevices(t *testing.T) {
	g := paddedGeometry(RGB565, 16, 8, 0, image.Point{})
	k, err := NewKeeperOf(Options{TTY: NoTTY}, func() (Device, error) {
		return fakeDevice{g, make([]byte, g.Size)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := k.DrawFrame(noise(k.Bounds()), nil); err != nil {
			t.Fatal(err)
		}
		k.mu.Lock()
		k.drop(ErrChanged)
		k.mu.Unlock()
		k.look()
	}
	if got := k.State().Shown; got != 3 {
		t.Errorf("got %d frames, want 3", got)
	}
}

// TestOtherPanicsGoOn: a panic in a Scaler is not treated as a lost device.
func TestOtherPanicsGoOn(t *testing.T) {
	g := paddedGeometry(RGB565, 16, 8, 0, image.Point{})
	o := Options{Frame: image.Pt(4, 4), Fullscreen: true, Scaler: brokenScaler{}}
	d, err := New(fakeDevice{g, make([]byte, g.Size)}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("the panic was swallowed")
		}
		if err := d.Halt(); err != nil { // Halt must not block on a mutex that the panic left locked
			t.Error(err)
		}
	}()
	_ = d.DrawFrame(noise(d.Bounds()), nil)
}

type brokenScaler struct{}

func (brokenScaler) Scale(*image.RGBA, image.Rectangle, *image.RGBA) {
	var none []byte
	none[0] = 1
}

// TestLastPixelAgain: the last two writes of paint are the pixel above the last pixel of the part, and then the last pixel.
func TestLastPixelAgain(t *testing.T) {
	g := paddedGeometry(XRGB8888, 16, 8, 0, image.Point{})
	for _, c := range []struct {
		name string
		r    image.Rectangle
		want []image.Rectangle // the last writes, as rectangles of one row
	}{
		{"a part", image.Rect(2, 1, 9, 5), []image.Rectangle{image.Rect(2, 4, 9, 5), image.Rect(8, 3, 9, 4), image.Rect(8, 4, 9, 5)}},
		{"one row", image.Rect(2, 1, 9, 2), []image.Rectangle{image.Rect(2, 1, 9, 2), image.Rect(8, 1, 9, 2)}},
		{"nothing", image.Rectangle{}, nil},
	} {
		p := newPainter(g, make([]byte, g.Size), 0, false)
		var rows []image.Rectangle
		convert := p.convert
		p.convert = func(to, pixels []byte, x, y int) {
			rows = append(rows, image.Rect(x, y, x+len(pixels)/4, y+1))
			convert(to, pixels, x, y)
		}
		p.paint(noise(image.Rect(0, 0, 16, 8)), image.Point{}, c.r)
		if got := rows[max(0, len(rows)-len(c.want)):]; !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v last, want %v", c.name, got, c.want)
		}
	}
}

// TestConverterPanics: a panic of a converter is not treated as a lost device, even while the converter writes into the device's memory.
func TestConverterPanics(t *testing.T) {
	g := paddedGeometry(XRGB8888, 16, 8, 0, image.Point{})
	d, err := New(fakeDevice{g, make([]byte, g.Size)}, Options{TTY: NoTTY})
	if err != nil {
		t.Fatal(err)
	}
	d.painter.convert = func(_, pixels []byte, _, _ int) { pixels[len(pixels)]++ }
	defer func() {
		if e := recover(); e == nil {
			t.Error("the panic is taken for an error of the device")
		}
	}()
	err = d.Draw(d.Bounds(), noise(d.Bounds()), image.Point{})
	t.Errorf("got %v", err)
}

// A screen appears and disappears a thousand times, and frames are drawn on it whenever it is present. There are few log lines, and the
// last line reports that no further lines follow for now. After tellTime, events are logged again.
func TestFlappingScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := paddedGeometry(XRGB8888, 16, 8, 0, image.Point{})
		mem := make([]byte, g.Size)
		var log bytes.Buffer
		var there, closed bool
		k, err := NewKeeperOf(Options{TTY: NoTTY, Log: slog.New(slog.NewTextHandler(&log, nil))}, func() (Device, error) {
			if !there {
				return nil, errors.New("no plug")
			}
			return flapping{fakeDevice{g, mem}, &there, &closed}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		defer k.Halt()
		frame := noise(image.Rect(0, 0, 16, 8))
		for range 1000 {
			there = true
			k.look()
			if err := k.DrawFrame(frame, nil); err != nil {
				t.Fatal(err)
			}
			there, closed = false, false
			k.look()
			if err := k.DrawFrame(frame, nil); !errors.Is(err, ErrAbsent) || !closed {
				t.Fatalf("unplugged: got %v, closed %v", err, closed)
			}
		}
		if n := strings.Count(log.String(), "\n"); n != tellMost+1 || !strings.Contains(log.String(), "connects too often") {
			t.Errorf("got %d lines:\n%.2000s", n, log.String())
		}
		time.Sleep(tellTime)
		log.Reset()
		k.look()
		k.look()
		if n := strings.Count(log.String(), "no plug"); n != 1 {
			t.Errorf("later: got %d lines:\n%s", n, log.String())
		}
	})
}

// flapping is a device whose presence the test controls.
type flapping struct {
	fakeDevice
	there, closed *bool
}

func (d flapping) Geometry() (Geometry, error) {
	if !*d.there {
		return Geometry{}, errors.New("unplugged")
	}
	return d.g, nil
}

func (d flapping) Close() error { *d.closed = true; return nil }
