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
	// darkInterval is the minimum time between two interruptions of the signal. With some drivers, the kernel reports a connected screen after
	// every interruption. If the program answered this report with another interruption, the screen would flicker endlessly.
	darkInterval = 10 * time.Second
	// samePlug is the time after a mode was set in which a reported plug does not interrupt the signal. Connecting a screen causes
	// several messages, and the first of them has already caused the mode to be set.
	samePlug = time.Second
)

// wakePauses are the pauses between requests for the EDID of a screen that has not sent one. They are needed because a screen takes
// seconds to wake up. After the last pause, the request is repeated at each LookInterval.
var wakePauses = [...]time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second}

// A connectorDevice is a Device that uses a connector.
type connectorDevice struct {
	src       *connectorSource
	card      *card
	port      drm.Port
	connector string
	screen    *drm.Screen
	geometry  Geometry
	clips     [maxFlush]image.Rectangle

	on            bool
	waits         bool      // true until the first picture, while the screen still shows its old content
	events, plugs uint64    // values of connectorSource.events and plugs that were already handled
	began         time.Time // time at which the mode was set
	darkened      time.Time // time at which the signal was interrupted
	probed        time.Time
	mute          bool // true if the screen has sent no EDID
	asked         int  // number of requests that got no EDID
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

// heard() records whether the screen has sent an EDID. If not, it schedules another request.
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

// Geometry implements Device. It probes the screen only after an event or when a repeated request is due.
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

// due() reports whether the screen must be checked although there was no event.
func (d *connectorDevice) due() bool {
	return (d.mute || d.src.blind.Load()) && time.Since(d.probed) >= d.patience()
}

// patience returns the minimum time between two probes of the screen.
func (d *connectorDevice) patience() time.Duration {
	if d.mute && d.asked <= len(wakePauses) {
		return wakePauses[d.asked-1]
	}
	return LookInterval
}

// anew() sets the mode again. If `plug` is true, a screen was connected. In this case, anew() first interrupts the signal, because some
// screens need a new signal after they were disconnected. It does not do this if the latest interruption was less than darkInterval ago,
// or if the mode was set less than samePlug ago.
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

// show sets the mode, and shows the content of the device's memory. If the screen should be off, it switches the screen off again.
func (d *connectorDevice) show() error {
	if err := d.screen.Show(d.geometry.YOffset); err != nil {
		return fmt.Errorf("fb: %w", err)
	}
	_ = d.screen.Retint() // a failure does not prevent the picture
	if !d.on {
		return d.Power(false)
	}
	d.clips[0] = d.geometry.bounds()
	return d.Flush(d.clips[:1])
}

// begin sets the mode for the first picture. If the card rejects the mode, every device that is opened later sets its mode at once. Its
// opening then fails instead of its first draw, and a failed opening is logged and retried more slowly.
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
		_ = d.screen.Retint() // a failure does not prevent the picture
	}
	d.geometry.YOffset = yOffset
	return nil
}

// WaitVSync implements Device. It is not needed: with drivers that support vertical blanks, Pan already waits for one.
func (d *connectorDevice) WaitVSync() error { return errors.ErrUnsupported }

// Power implements Device with the connector's DPMS.
func (d *connectorDevice) Power(on bool) error {
	if err := d.screen.Power(on); err != nil {
		return fmt.Errorf("fb: %w", err)
	}
	d.on = on
	return nil
}

// Tint implements Tinter. It uses the color curves of the CRTC.
func (d *connectorDevice) Tint(red, green, blue float64) error {
	return d.screen.Tint(red, green, blue)
}

// Close implements Device. The card stays open, so that the console does not appear before the next device is opened.
func (d *connectorDevice) Close() error {
	if d.again != nil {
		d.again.Stop()
	}
	err := d.screen.Close()
	d.src.cards.free(d.card, d.connector)
	return err
}
