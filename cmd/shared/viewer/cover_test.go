package viewer

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/draw"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"dashboard/appliance/about"
	"dashboard/client"
	"dashboard/control/power"
	"dashboard/fb/evdev"
	"dashboard/render/text"
)

// A shownDisplay keeps the changed parts of the frames, as a screen does.
type shownDisplay struct {
	pic   *image.RGBA
	whole bool // true if everything in the last frame has changed
	err   error
}

func (d *shownDisplay) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	d.whole = damage == nil || slices.ContainsFunc(damage, src.Rect.In)
	for _, r := range damage {
		if d.err == nil {
			draw.Draw(d.pic, r, src, r.Min, draw.Src)
		}
	}
	return d.err
}

const guideText = `{"title": "settings.txt, line 14 is not understood.", "codes": [{"content": "WIFI:T:WPA;S:wall-7k3f;P:maple-otter-42;;"}]}`

// A remote screen on an appliance shows the guide of the set-up instead of the wall, and the wall again afterwards. A badge covers only a
// corner. The frame itself does not change.
func TestCover(t *testing.T) {
	size := image.Rect(0, 0, 640, 360)
	wall := image.NewRGBA(size)
	draw.Draw(wall, size, image.NewUniform(red), image.Point{}, draw.Src)
	before := bytes.Clone(wall.Pix)
	d := &shownDisplay{pic: image.NewRGBA(size)}
	c := &cover{screen: d, fonts: text.NewCache(1 << 20)}
	part := []image.Rectangle{image.Rect(0, 0, 1, 1)}
	draws := func(what string, whole bool, reds func(n int) bool) {
		t.Helper()
		if err := c.DrawFrame(wall, part); !errors.Is(err, d.err) || d.whole != whole {
			t.Errorf("%s: got %v, whole %v, want whole %v", what, err, d.whole, whole)
		}
		if n := bytes.Count(d.pic.Pix, []byte{255, 0, 0, 255}); d.err == nil && !reds(n) {
			t.Errorf("%s: got %d red pixels of %d", what, n, size.Dx()*size.Dy())
		}
		if !bytes.Equal(wall.Pix, before) {
			t.Fatalf("%s: the frame has changed", what)
		}
	}
	all := size.Dx() * size.Dy()
	isAll, none := func(n int) bool { return n == all }, func(n int) bool { return n == 0 }
	copy(d.pic.Pix, wall.Pix)
	draws("the wall", false, isAll)
	machine := fstest.MapFS{about.GuideFile: {Data: []byte(guideText)}}
	c.follow(machine)
	d.err = errors.New("no screen")
	draws("a screen that fails", true, none)
	d.err = nil
	draws("the guide", true, none)
	draws("the guide again", false, none)
	c.follow(fstest.MapFS{})
	draws("the wall again", true, isAll)
	c.warn("client.yaml:1:1: unknown key serverr")
	draws("a badge", false, func(n int) bool { return n < all && n > all*3/4 })
	c.follow(fstest.MapFS{about.GuideFile: {Data: []byte(`{"picture": "/usr/share/x.png"}`)}})
	draws("no picture of a gallery", false, func(n int) bool { return n < all && n > all*3/4 })
	c.warn("")
	draws("after the repair", false, isAll)
}

// A badge is in the corner that client.yaml sets.
func TestCoverCorner(t *testing.T) {
	wall := image.NewRGBA(image.Rect(0, 0, 640, 360))
	for corner, in := range map[client.Corner]image.Point{
		client.TopLeft: {12, 12}, client.TopRight: {627, 12}, client.BottomLeft: {12, 347}, client.BottomRight: {627, 347},
	} {
		c := &cover{screen: &shownDisplay{pic: image.NewRGBA(wall.Rect)}, fonts: text.NewCache(1 << 20), corner: corner}
		c.warn("client.yaml:1:1: unknown key serverr")
		if err := c.DrawFrame(wall, nil); err != nil || !in.In(c.over.At) || c.over.At.Dx() > 400 {
			t.Errorf("corner %v: got a badge at %v, want it over %v", corner, c.over.At, in)
		}
	}
}

// While the badge of the access point is shown, a touch or Enter asks the appliance's keeper for the codes. Further touches are ignored
// for a moment.
func TestCoverTouched(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "ask")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := &cover{socket: socket}
	w := &waker{owner: power.NewOwner(), above: c}
	w.Packet(&evdev.Packet{Down: 1})
	w.Packet(&evdev.Packet{})
	c.follow(fstest.MapFS{about.GuideFile: {Data: []byte(`{"badge": true}`)}})
	w.Packet(&evdev.Packet{Keys: []uint16{evdev.KeyUp}})
	if at := c.asked.Load(); at != 0 {
		t.Errorf("a touch without a badge, or another key: got a request at %v", at)
	}
	w.Packet(&evdev.Packet{Keys: []uint16{evdev.KeyEnter}})
	first := c.asked.Load()
	w.Packet(&evdev.Packet{Down: 1})
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var got about.Ask
	if err := json.NewDecoder(conn).Decode(&got); err != nil || got.Do != about.DoCodes {
		t.Errorf("got %+v, %v", got, err)
	}
	if at := c.asked.Load(); first == 0 || at != first {
		t.Errorf("got requests at %v and %v", first, at)
	}
}

// Drawing frames below a badge allocates no memory.
func TestCoverAllocations(t *testing.T) {
	wall := image.NewRGBA(image.Rect(0, 0, 640, 360))
	c := &cover{screen: &shownDisplay{pic: image.NewRGBA(wall.Rect)}, fonts: text.NewCache(1 << 20)}
	c.warn("client.yaml:1:1: unknown key serverr")
	part := []image.Rectangle{image.Rect(600, 300, 640, 360)}
	draws := func() {
		if err := c.DrawFrame(wall, part); err != nil {
			t.Fatal(err)
		}
	}
	draws()
	if n := testing.AllocsPerRun(20, draws); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}
