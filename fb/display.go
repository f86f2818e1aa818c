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

// A Display shows frames on an open Device. Its methods may be called from several goroutines. Draw and DrawFrame do not use the source
// after they have returned. The first draws may allocate buffers. Later draws allocate nothing.
type Display struct {
	opts     Options // of these four fields, only `place` changes after New: see the field `told`
	geometry Geometry
	place    placement
	vsync    *vsync // nil if vsync is off

	told sync.Mutex // guards the field `place`, and is held only for moments. To change `place`, hold mu too

	// State reads the following fields without mu, because a draw may hold mu forever if the driver hangs.
	flips  atomic.Bool // true if panning is in use
	hidden atomic.Bool // true if another console is in front
	halted atomic.Bool
	dark   atomic.Bool // true if the screen is switched off
	shown  atomic.Uint64

	mu      sync.Mutex // held while the device is used. It guards the following fields
	dev     Device
	painter *painter
	scaled  *image.RGBA // the upright screen, if frames are scaled
	copied  *image.RGBA // a copy of the frame, if it is needed after a draw
	keep    bool        // true: every draw must update the field `copied`
	flip    *flipper    // nil if panning is not in use
	one     [1]image.Rectangle
	wanted  image.Point               // the requested shift of the picture
	strip   image.RGBA                // pixels for the edges when the picture is shifted
	borders bool                      // true if the area around the frame must be painted black
	flushed [maxFlush]image.Rectangle // rectangles of the last Flush. They are stored here so that a draw does not allocate
}

var _ display.Drawer = (*Display)(nil)

// New returns a display on `dev`. Halt closes `dev`. New ignores the fields Path, Virtual and TTY of o.
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

// prepare allocates the buffers that the options need.
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
	// Draw even if this fails, because some drivers cannot switch the screen.
	_ = d.dev.Power(true)
}

// newFrame returns a picture filled with opaque black.
func newFrame(r image.Rectangle) *image.RGBA {
	m := image.NewRGBA(r)
	draw.Draw(m, r, image.Black, image.Point{}, draw.Src)
	return m
}

// String implements conn.Resource.
func (d *Display) String() string { return "fb: " + d.geometry.String() }

// ColorModel implements display.Drawer. It returns the colors of the device's format.
func (d *Display) ColorModel() color.Model { return d.geometry.Format.ColorModel() }

// Bounds implements display.Drawer. It returns the frame's size, as a rectangle that begins at (0,0).
func (d *Display) Bounds() image.Rectangle { return d.place.bounds() }

// Check reads the device's geometry. It returns ErrChanged if the geometry has changed, and another error if the device is gone. In both
// cases, halt the display and open a new display.
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

// hide stops painting, because another console comes to the front. When it returns, no paint is running.
func (d *Display) hide() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hidden.Store(true)
	d.home()
}

// home shows the first page. It must run before the console is released, because the console writes on the first page but does not make
// this page visible. If home fails, the picture does not change.
func (d *Display) home() {
	if d.flip != nil && d.flip.shown != 0 && d.dev.Pan(d.flip.rows[0]) == nil {
		d.flip.shown = 0
	}
}

// unhide starts painting again. The screen has lost all its content.
func (d *Display) unhide() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hidden.Store(false)
	d.forget()
}

// forget records that the screen has lost all its content.
func (d *Display) forget() {
	d.borders = true
	if d.flip != nil {
		d.flip.forget(d.place.bounds())
	}
}

// Power switches the screen on or off. While it is off, draws do nothing. After it is switched on, the next draw must show the whole
// frame.
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

// Halt implements conn.Resource. It shows the first page again and closes the device.
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
