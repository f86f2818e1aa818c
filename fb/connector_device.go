package fb

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"time"

	"dashboard/fb/drm"
)

const (
	// darkInterval is the least time between two ends of the signal. Otherwise a screen whose driver reports a plug
	// after each end would flicker without end.
	darkInterval = 10 * time.Second
	// samePlug is the time after setting a mode in which messages about a plug belong to the plug that the mode was set
	// for. One plug makes several messages.
	samePlug = time.Second
)

// wakePauses are the times after which a screen without an EDID is asked again, because a waking screen takes seconds.
// After them it is asked every LookInterval.
var wakePauses = [...]time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second}

// A connectorDevice is a Device on a connector.
type connectorDevice struct {
	src       *connectorSource
	card      *card
	port      drm.Port
	connector string
	screen    *drm.Screen
	geometry  Geometry
	clips     [maxFlush]image.Rectangle

	on            bool
	waits         bool      // what another program shows stays until there is a picture
	events, plugs uint64    // the answered ones
	began         time.Time // when the mode was set
	darkened      time.Time // when the signal was ended
	probed        time.Time
	mute          bool // the screen sends no EDID
	asked         int  // number of questions since
	again         *time.Timer
}

func newConnectorDevice(s *connectorSource, port drm.Port, k *drm.Connector, screen *drm.Screen) *connectorDevice {
	d := &connectorDevice{src: s, card: s.card, port: port, connector: k.Name, screen: screen, on: true}
	d.geometry = geometryOfMode(cmp.Or(port.Driver, "drm"), k.Name, screen.Mode)
	d.geometry.VirtualHeight, d.geometry.Stride, d.geometry.Size = screen.Rows, screen.Stride, screen.Stride*screen.Rows
	d.geometry.Format = XRGB8888
	if screen.Bits == 16 {
		d.geometry.Format = RGB565
	}
	d.heard(k)
	return d
}

func geometryOfMode(driver, connector string, m drm.Mode) Geometry {
	return Geometry{
		Driver: driver, Connector: connector, Mode: m.String(),
		Width: m.Width, Height: m.Height, VirtualWidth: m.Width, VirtualHeight: m.Height,
	}
}

// heard stores the answer of a screen, and schedules another question if the screen did not answer.
func (d *connectorDevice) heard(k *drm.Connector) {
	d.probed, d.mute = time.Now(), len(k.EDID) == 0
	if !d.mute {
		return
	}
	if d.asked++; d.asked > len(wakePauses) {
		return
	}
	d.again = time.AfterFunc(d.patience(), func() {
		if look := d.src.look.Load(); look != nil {
			(*look)()
		}
	})
}

// Geometry implements Device. It returns the present geometry as the kernel knows it. The screen is asked only after an
// event.
func (d *connectorDevice) Geometry() (Geometry, error) {
	if err := d.card.Alive(); err != nil {
		return Geometry{}, fmt.Errorf("fb: %w", err)
	}
	if !drm.Connected(d.src.cards.sysfs, d.port.Card, d.connector) {
		return Geometry{}, fmt.Errorf("fb: %w on %s", errNoScreen, d.connector)
	}
	events, plugs := d.src.events.Load(), d.src.plugs.Load()
	if events == d.events && !d.due() {
		return d.geometry, nil
	}
	k, err := d.card.Connector(d.connector, true)
	if err != nil {
		return Geometry{}, fmt.Errorf("fb: %w", err)
	}
	mode, err := d.src.mode(k)
	if err != nil {
		return Geometry{}, err
	}
	if mode != d.screen.Mode {
		d.src.keep(k, events)
		return geometryOfMode(d.geometry.Driver, d.connector, mode), nil
	}
	d.heard(k)
	if bad := k.LinkBad(); bad || events != d.events {
		if bad && d.src.want.Log != nil {
			d.src.want.Log.Info("the link to the screen has failed: its mode is set again", "connector", d.connector)
		}
		if err := d.anew(plugs != d.plugs); err != nil {
			return Geometry{}, err
		}
		d.events, d.plugs = events, plugs
	}
	return d.geometry, nil
}

// due reports whether the screen is to be asked without an event about it.
func (d *connectorDevice) due() bool {
	return (d.mute || d.src.blind.Load()) && time.Since(d.probed) >= d.patience()
}

// patience is the pause after a question to the screen.
func (d *connectorDevice) patience() time.Duration {
	if d.mute && d.asked <= len(wakePauses) {
		return wakePauses[d.asked-1]
	}
	return LookInterval
}

// again sets the mode again after a plug, starting from darkness, because a screen that was away may need the signal to
// restart.
func (d *connectorDevice) anew(plug bool) error {
	if d.waits {
		return nil
	}
	if plug && time.Since(d.darkened) >= darkInterval && time.Since(d.began) >= samePlug {
		d.darkened = time.Now()
		if err := d.screen.Dark(); err != nil {
			return fmt.Errorf("fb: %w", err)
		}
	}
	return d.show()
}

// show sets the mode and shows the memory. It does nothing on a screen that is off.
func (d *connectorDevice) show() error {
	if err := d.screen.Show(d.geometry.YOffset); err != nil {
		return fmt.Errorf("fb: %w", err)
	}
	_ = d.screen.Retint() // one that fails is no reason to show nothing
	if !d.on {
		return d.Power(false)
	}
	d.clips[0] = d.geometry.bounds()
	return d.Flush(d.clips[:1])
}

// begin sets the mode for the first picture. If the card refuses it, the next card gets its mode when it is opened. A
// failure there is logged and retried at a slower pace.
func (d *connectorDevice) begin() error {
	d.waits = false
	err := d.show()
	if err != nil {
		d.src.refused(d.connector)
	}
	return err
}

// Pixels implements Device.
func (d *connectorDevice) Pixels() []byte { return d.screen.Pixels }

// Flush implements Device.
func (d *connectorDevice) Flush(rs []image.Rectangle) error {
	if d.waits {
		return d.begin()
	}
	n := copy(d.clips[:], rs)
	for i := range d.clips[:n] {
		d.clips[i].Min.Y += d.geometry.YOffset
		d.clips[i].Max.Y += d.geometry.YOffset
	}
	return d.screen.Flush(d.clips[:n])
}

// Pan implements Device.
func (d *connectorDevice) Pan(yOffset int) error {
	if yOffset+d.geometry.Height > d.geometry.VirtualHeight {
		return errors.ErrUnsupported
	}
	if err := d.screen.Show(yOffset); err != nil {
		return fmt.Errorf("fb: %w", err)
	}
	if d.waits {
		d.waits = false
		_ = d.screen.Retint() // as in show
	}
	d.geometry.YOffset = yOffset
	return nil
}

// WaitVSync implements Device. If the driver knows blanks, setting a page already waits for one.
func (d *connectorDevice) WaitVSync() error { return errors.ErrUnsupported }

// Power implements Device by the connector's DPMS.
func (d *connectorDevice) Power(on bool) error {
	if err := d.screen.Power(on); err != nil {
		return fmt.Errorf("fb: %w", err)
	}
	d.on = on
	return nil
}

// Tint implements Tinter by the CRTC's curves.
func (d *connectorDevice) Tint(red, green, blue float64) error {
	return d.screen.Tint(red, green, blue)
}

// Close implements Device. The card stays open, so that the next one follows
// without the console in between.
func (d *connectorDevice) Close() error {
	if d.again != nil {
		d.again.Stop()
	}
	err := d.screen.Close()
	d.src.cards.free(d.card, d.connector)
	return err
}
