package fb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"dashboard/fb/drm"
	"dashboard/fb/drm/drmtest"
)

// A rack simulates a machine with one graphics card. The card's only connector is listed in a folder that simulates sysfs.
type rack struct {
	*drmtest.Kernel
	t     *testing.T
	cards *Cards
	log   bytes.Buffer
	opens int
	deaf  error // error of every attempt to open a listener, or nil
	ears  []*ear
}

const onlyPort = "card0-" + drmtest.ConnectorName

func newRack(t *testing.T) *rack {
	edid := make([]byte, 128)
	copy(edid, "\x00\xff\xff\xff\xff\xff\xff\x00")
	r := &rack{t: t, Kernel: &drmtest.Kernel{Modes: []image.Point{{64, 48}, {32, 16}}, Plugged: true, EDID: edid}}
	r.cards = NewCards()
	r.cards.sysfs = t.TempDir()
	r.cards.may = func(string) error { return nil }
	r.cards.who = func(string) []string { return []string{"Xorg (812)"} }
	r.cards.open = func(path string) (*drm.Card, error) { r.opens++; return drm.NewCard(path, r.Kernel), nil }
	r.cards.hear = r.hear
	r.status(onlyPort, "connected")
	return r
}

// An ear is a listener for the messages of a rack.
type ear struct {
	messages chan bool // true: only a property has changed
	broken   chan error
	closed   chan struct{}
	close    func()
}

func (r *rack) hear() (listener, error) {
	if r.deaf != nil {
		return nil, r.deaf
	}
	e := &ear{messages: make(chan bool, 9), broken: make(chan error, 1), closed: make(chan struct{})}
	e.close = sync.OnceFunc(func() { close(e.closed) })
	r.ears = append(r.ears, e)
	return e, nil
}

// Watch implements listener.
func (e *ear) Watch(ctx context.Context, changed func(property bool)) error {
	defer e.close()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-e.closed:
			return nil
		case err := <-e.broken:
			return err
		case property := <-e.messages:
			changed(property)
		}
	}
}

// Close implements listener.
func (e *ear) Close() error { e.close(); return nil }

// say sends a message to the listeners that exist now, as the kernel does.
func (r *rack) say(property bool) {
	for _, e := range r.ears {
		e.messages <- property
	}
}

// heard() returns the number of listeners that are open.
func (r *rack) heard() (open int) {
	for _, e := range r.ears {
		select {
		case <-e.closed:
		default:
			open++
		}
	}
	return open
}

// status() writes a connector's status into its file in sysfs.
func (r *rack) status(port, text string) {
	r.t.Helper()
	dir := filepath.Join(r.cards.sysfs, port)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "status"), []byte(text+"\n"), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// plug connects a screen with the given sizes, or removes the screen if there are no sizes. Then it counts an event, as after a message
// from the kernel, and makes the Keeper check the device.
func (r *rack) plug(k *Keeper, sizes ...image.Point) {
	r.Do(func(k *drmtest.Kernel) { k.Plugged, k.Modes = len(sizes) > 0, sizes })
	r.status(onlyPort, map[bool]string{true: "connected", false: "disconnected"}[len(sizes) > 0])
	s, _ := k.source.(*connectorSource)
	s.plugs.Add(1)
	s.events.Add(1)
	k.look()
}

func (r *rack) keeper(change func(*Options)) *Keeper {
	r.t.Helper()
	o := Options{TTY: NoTTY, Fullscreen: true, Connector: &Connector{Cards: r.cards}, Log: slog.New(slog.NewTextHandler(&r.log, nil))}
	if change != nil {
		change(&o)
	}
	k, err := NewKeeper(o)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = k.Halt() })
	return k
}

// sees() returns an error unless the screen shows the picture `want`, which must have the screen's size.
func (r *rack) sees(want *image.RGBA) error {
	mem, pitch := r.Shown()
	if mem == nil {
		return errors.New("the screen is dark")
	}
	g := Geometry{Width: r.Mode().X, Height: r.Mode().Y, Stride: pitch, Format: XRGB8888}
	if got := g.DecodeRGBA(mem); got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		return fmt.Errorf("a screen of %v shows something else", got.Rect.Max)
	}
	return nil
}

func union(rs []image.Rectangle) (all image.Rectangle) {
	for _, r := range rs {
		all = all.Union(r)
	}
	return all
}
