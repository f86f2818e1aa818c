package fb

import (
	"errors"
	"fmt"
	"image"
	"sync/atomic"
	"time"

	"dashboard/fb/drm"
)

// A connectorSource opens the first suitable connector. If there are no connectors, or the program is not allowed to open the card, it
// may open a framebuffer instead (Connector.Else).
type connectorSource struct {
	opts  Options
	want  Connector
	cards *Cards

	listener listener // receives messages of the kernel, or nil if the system sends none

	card     *card               // card in use. nil before the first screen
	good     map[string]drm.Mode // latest mode of a screen that sent an EDID, by connector
	recalls  map[string]bool     // connectors whose stored mode was already loaded, by their names
	told     string              // logged reason for using the framebuffer
	unranged string              // logged reason for an unset color range
	asked    uint64              // value of the field events when the connectors were last probed
	askedAt  time.Time
	fresh    *drm.Connector // state of a connector that keep() stored for connector(), or nil
	heard    uint64         // value of the field events when the field fresh was read
	eager    bool           // true: set the mode when a device is opened, because setting it later has failed

	events atomic.Uint64          // counts the events of screens
	plugs  atomic.Uint64          // counts the events that may report a connected or removed screen
	blind  atomic.Bool            // true if the system sends no events
	look   atomic.Pointer[func()] // function that makes the Keeper check the device
}

func newConnectorSource(o Options) *connectorSource {
	s := &connectorSource{opts: o, want: *o.Connector, cards: o.Connector.Cards, good: map[string]drm.Mode{}, recalls: map[string]bool{}}
	if s.cards == nil {
		s.cards = NewCards()
	}
	return s
}

// errNoConnector is returned if no graphics card of this machine has a connector.
var errNoConnector = errors.New("no card has a connector")

// open() opens the device of the connector. From then on the card stays open, so that the console does not appear between two devices.
func (s *connectorSource) open() (Device, error) {
	defer s.keep(nil, 0)
	ports := drm.Ports(s.cards.sysfs)
	if len(ports) == 0 {
		s.letGo()
		return s.instead(errNoConnector)
	}
	port, err := s.port(ports)
	if err != nil {
		return nil, err
	}
	if err := s.cards.may(port.Node()); err != nil && s.want.Else {
		s.letGo()
		return s.instead(err)
	}
	if err := s.take(port.Node()); err != nil {
		return nil, err
	}
	s.told = ""
	return s.connect(port)
}

// port chooses one of the given ports. If there was an event and no port has a screen, it first probes the connectors. Some drivers, such
// as virtio-gpu, report a change before its result is in sysfs.
func (s *connectorSource) port(ports []drm.Port) (drm.Port, error) {
	port, err := s.cards.port(ports, s.want.Name)
	if !errors.Is(err, errNoScreen) || !s.mayAsk() {
		return port, err
	}
	for i, p := range ports {
		if i == 0 || ports[i-1].Card != p.Card {
			s.cards.ask(p.Node())
		}
	}
	return s.cards.port(drm.Ports(s.cards.sysfs), s.want.Name)
}

// keep() stores the state of a connector for connector(). A new screen then causes only one probe, which takes up to 0.2 s.
func (s *connectorSource) keep(k *drm.Connector, events uint64) { s.fresh, s.heard = k, events }

// connector returns the state of a port. It uses the stored state, unless an event has occurred since the state was stored.
func (s *connectorSource) connector(port drm.Port) (*drm.Connector, error) {
	if k := s.fresh; k != nil && k.Name == port.Name && s.heard == s.events.Load() {
		return k, nil
	}
	k, err := s.card.Connector(port.Name, true)
	if err != nil {
		return nil, fmt.Errorf("fb: %w", err)
	}
	return k, nil
}

// mayAsk reports whether the connectors may be probed again now. If so, it records the time, because the caller then probes.
func (s *connectorSource) mayAsk() bool {
	events := s.events.Load()
	if events == s.asked && (!s.blind.Load() || time.Since(s.askedAt) < LookInterval) {
		return false
	}
	s.asked, s.askedAt = events, time.Now()
	return true
}

// size returns the size of frames for the screen that open() would use. It does not disturb another program that uses the screen.
func (s *connectorSource) size() (image.Point, error) {
	ports := drm.Ports(s.cards.sysfs)
	if len(ports) == 0 && s.want.Else {
		o := s.opts
		o.Connector = nil
		return ScreenSize(o)
	}
	port, err := s.cards.port(ports, s.want.Name)
	if err != nil {
		return image.Point{}, err
	}
	c, err := s.cards.open(port.Node())
	if err != nil {
		return image.Point{}, fmt.Errorf("fb: %w", err)
	}
	defer c.Close()
	k, err := c.Connector(port.Name, true)
	if err != nil {
		return image.Point{}, fmt.Errorf("fb: %w", err)
	}
	m, err := s.mode(k)
	return s.opts.Rotate.size(m.Width, m.Height), err
}

// take makes the card at `path` the current card.
func (s *connectorSource) take(path string) error {
	if s.card != nil && (s.card.Path() != path || s.card.Alive() != nil) {
		s.letGo()
	}
	if s.card == nil {
		c, err := s.cards.hold(path)
		if err != nil {
			return err
		}
		s.card = c
		return nil
	}
	again, err := s.cards.hold(path) // an error means that another program uses the card now
	if err != nil {
		return err
	}
	return s.cards.put(again)
}

// letGo releases the current card.
func (s *connectorSource) letGo() {
	if s.card == nil {
		return
	}
	if s.card.Alive() != nil {
		s.cards.gone(s.card)
	}
	_ = s.cards.put(s.card) // an error here has no consequence
	s.card = nil
}

// instead() opens the framebuffer if the options allow it. `why` is the reason why no connector is used.
func (s *connectorSource) instead(why error) (Device, error) {
	if !s.want.Else {
		return nil, fmt.Errorf("fb: %w", why)
	}
	dev, err := OpenDevice(s.opts.device())
	if err != nil {
		return nil, fmt.Errorf("fb: %w; %w", why, err)
	}
	if s.told != why.Error() && s.want.Log != nil {
		s.want.Log.Info("the framebuffer is used", "device", s.opts.device(), "reason", why)
	}
	s.told = why.Error()
	return &substitute{Device: dev, cards: s.cards}, nil
}

// A substitute is a framebuffer that is used until a screen is connected to a card that the program may open.
type substitute struct {
	Device
	cards *Cards
}

// Geometry implements Device. It returns an error as soon as a screen is connected to a card that the program may open. The Keeper then
// opens the device again.
func (d *substitute) Geometry() (Geometry, error) {
	for _, p := range drm.Ports(d.cards.sysfs) {
		if p.Connected && d.cards.may(p.Node()) == nil {
			return Geometry{}, fmt.Errorf("fb: %s has come", p.Name)
		}
	}
	return d.Device.Geometry()
}

// connect makes a device for a port. The device shows black until the first picture. If the
// connector already has the right mode, its present content, such as a start screen, stays visible.
func (s *connectorSource) connect(port drm.Port) (Device, error) {
	events, plugs := s.events.Load(), s.plugs.Load()
	k, err := s.connector(port)
	if err != nil {
		return nil, err
	}
	mode, err := s.mode(k)
	if err != nil {
		return nil, err
	}
	screen, err := s.cards.screen(s.card, k, mode, s.opts.Pan)
	if err != nil {
		return nil, err
	}
	d := newConnectorDevice(s, port, k, screen)
	d.events, d.plugs = events, plugs
	d.began = time.Now()
	if d.waits = !s.eager && screen.Set(); !d.waits {
		if err := d.show(); err != nil {
			s.refused(k.Name)
			return nil, errors.Join(err, d.Close())
		}
	}
	s.setRange(screen)
	return d, nil
}

// refused() is called after the card has rejected the mode of a connector. From now on, modes are set when devices are opened. It also
// forgets the latest mode of the connector, which may belong to another screen.
func (s *connectorSource) refused(connector string) {
	s.eager = true
	delete(s.good, connector)
}

// setRange sets the range of color levels if the options request one. If the screen does not support a range other than "auto", setRange
// logs the error once.
func (s *connectorSource) setRange(screen *drm.Screen) {
	if s.want.Range == "" {
		return
	}
	err := screen.Range(s.want.Range)
	if err == nil || s.want.Log == nil || s.want.Range == "auto" || err.Error() == s.unranged {
		return
	}
	s.unranged = err.Error()
	s.want.Log.Warn("cannot set the range of color levels", "error", err)
}

// mode chooses a mode for a connector. A screen without an EDID may still be waking up, so it gets its last mode.
func (s *connectorSource) mode(k *drm.Connector) (drm.Mode, error) {
	if !k.Connected {
		return drm.Mode{}, fmt.Errorf("fb: %w on %s", errNoScreen, k.Name)
	}
	if len(k.EDID) == 0 {
		if good, ok := s.lastGood(k.Name); ok {
			return good, nil
		}
	}
	wish := s.want.wish()
	if e, err := drm.ParseEDID(k.EDID); err == nil {
		wish.MaxClock = e.MaxClock
	}
	m, ok := drm.Choose(k.Modes, wish)
	if !ok {
		return m, fmt.Errorf("fb: the screen on %s offers no mode", k.Name)
	}
	if len(k.EDID) > 0 && m != s.good[k.Name] {
		s.good[k.Name] = m
		if s.cards.modes != nil {
			s.cards.modes.SaveMode(k.Name, m.Bytes())
		}
	}
	return m, nil
}

// lastGood returns the latest mode of a screen that sent an EDID on the connector. If there was no such screen since the start, it
// returns the stored mode of an earlier run. It loads the stored mode only once: after the card has rejected this mode, it must not be
// used again.
func (s *connectorSource) lastGood(connector string) (drm.Mode, bool) {
	if s.cards.modes != nil && !s.recalls[connector] {
		s.recalls[connector] = true
		if _, seen := s.good[connector]; !seen {
			data, _ := s.cards.modes.LoadMode(connector)
			if m, ok := drm.ModeOf(data); ok {
				s.good[connector] = m
			}
		}
	}
	m, ok := s.good[connector]
	return m, ok
}

func (s *connectorSource) yield() {
	if s.card != nil {
		s.cards.yield(s.card)
	}
}

func (s *connectorSource) regain() {
	if s.card != nil {
		s.cards.regain(s.card)
		s.events.Add(1) // the mode has to be set again
	}
}

func (s *connectorSource) close() {
	s.letGo()
	if s.listener != nil {
		_ = s.listener.Close() // ignore an error, because the listener stores nothing
	}
}
