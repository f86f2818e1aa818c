package fb

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"sync"
	"sync/atomic"

	"periph.io/x/conn/v3/display"
)

var (
	// ErrHalted is returned by a display after Halt.
	ErrHalted = errors.New("fb: halted")
	// ErrChanged reports that the device's geometry has changed since it was opened.
	ErrChanged = errors.New("fb: the geometry changed")
)

// A Display shows frames on an open Device. Its methods may be called from
// several goroutines. Draw and DrawFrame have finished with their source when
// they return, and allocate nothing once warm.
type Display struct {
	opts     Options // these four are not changed after New
	geometry Geometry
	place    placement
	vsync    *vsync // nil without

	told sync.Mutex // held for moments. To move the picture, mu is needed too

	// State reads these without mu, because a hanging driver never releases mu.
	flips  atomic.Bool // flip is in use
	hidden atomic.Bool // another console is in front
	halted atomic.Bool
	dark   atomic.Bool // the screen is switched off
	shown  atomic.Uint64

	mu      sync.Mutex // held while the device is used, and guards everything below
	dev     Device
	painter *painter
	scaled  *image.RGBA // the upright screen, when the frame is scaled
	copied  *image.RGBA // the frame, when it is needed after a draw
	keep    bool        // copied must always be up to date
	flip    *flipper    // nil without panning
	one     [1]image.Rectangle
	wanted  image.Point               // how far the picture is to be from its place
	strip   image.RGBA                // what continues it at an edge
	borders bool                      // the area outside of the frame must be blackened
	flushed [maxFlush]image.Rectangle // the rectangles of the last Flush, a field so that it is not allocated
}

var _ display.Drawer = (*Display)(nil)

// New returns a display on dev, which it closes on Halt. Path, Virtual and TTY
// of o are not used.
func New(dev Device, o Options) (*Display, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	g, err := dev.Geometry()
	if err != nil {
		return nil, err
	}
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("fb: %s: %w", g.Driver, err)
	}
	mem := dev.Pixels()
	if len(mem) < g.Size {
		return nil, fmt.Errorf("fb: %d bytes of memory instead of %d", len(mem), g.Size)
	}
	d := &Display{dev: dev, opts: o, geometry: g, borders: true}
	d.place = newPlacement(o.Frame, o.Rotate.size(g.Width, g.Height), o.Fullscreen, o.Shift)
	d.painter = newPainter(g, mem, o.Rotate, !o.NoDither)
	d.prepare()
	return d, nil
}

// prepare makes what only some options need.
func (d *Display) prepare() {
	if d.place.scaled {
		d.scaled = image.NewRGBA(image.Rectangle{Max: d.place.target})
		if d.opts.Scaler == nil {
			d.opts.Scaler = PlainScaler{}
		}
	}
	if d.place.edged {
		d.strip.Pix = make([]byte, 4*2*d.opts.Shift*max(d.place.screen.X, d.place.screen.Y))
	}
	if d.opts.Pan {
		d.flip = newFlipper(d.geometry)
		d.flips.Store(d.flip != nil)
	}
	if d.opts.VSync {
		d.vsync = newVSync(d.dev)
	}
	d.keep = d.place.scaled || d.flip != nil
	if d.keep {
		d.copied = newFrame(d.place.bounds())
	}
	// A screen that is switched off is no reason not to draw: some drivers
	// have no way to do it.
	_ = d.dev.Power(true)
}

// newFrame returns a black opaque picture.
func newFrame(r image.Rectangle) *image.RGBA {
	m := image.NewRGBA(r)
	draw.Draw(m, r, image.Black, image.Point{}, draw.Src)
	return m
}

// String implements conn.Resource.
func (d *Display) String() string { return "fb: " + d.geometry.String() }

// ColorModel implements display.Drawer: the colors of the device's format.
func (d *Display) ColorModel() color.Model { return d.geometry.Format.ColorModel() }

// Bounds implements display.Drawer: the size of the frame, from 0,0.
func (d *Display) Bounds() image.Rectangle { return d.place.bounds() }

// Check reads the geometry of the device. It returns ErrChanged if the display no longer fits it, and another error if
// the device is gone. In both cases halt the display and open it again.
func (d *Display) Check() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(); err != nil {
		return err
	}
	g, err := d.dev.Geometry()
	if err != nil {
		return err
	}
	want := d.geometry
	if d.flip != nil {
		want.YOffset = d.flip.shownRow()
	}
	if g != want {
		return fmt.Errorf("%w: %v, was %v", ErrChanged, g, want)
	}
	return nil
}

// hide stops painting because another console is in front. No paint is under
// way when it returns.
func (d *Display) hide() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hidden.Store(true)
	d.home()
}

// home shows the first page, which the console writes to. It must run before the console is asked to write, because the
// console remembers the page it finds. If it fails, the picture is no worse than before.
func (d *Display) home() {
	if d.flip != nil && d.flip.shown != 0 && d.dev.Pan(d.flip.rows[0]) == nil {
		d.flip.shown = 0
	}
}

// unhide starts painting again. Everything on the screen is lost.
func (d *Display) unhide() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hidden.Store(false)
	d.forget()
}

// forget notes that everything on the screen is lost.
func (d *Display) forget() {
	d.borders = true
	if d.flip != nil {
		d.flip.forget(d.place.bounds())
	}
}

// Power switches the screen on or off. While it is off draws are left out, and
// all of the frame is needed when it is on again.
func (d *Display) Power(on bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.dev.Power(on); err != nil {
		return err
	}
	if d.dark.Swap(!on) && on {
		d.forget()
	}
	return nil
}

// Halt implements conn.Resource: it shows the first page and closes the device.
func (d *Display) Halt() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.halted.Swap(true) {
		return nil
	}
	d.home()
	if d.vsync != nil {
		return d.vsync.closeAfter(d.dev)
	}
	return d.dev.Close()
}
