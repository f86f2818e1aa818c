// Package device makes the walls of a service devices on an MQTT broker, which Home Assistant discovers (MQTT discovery of devices,
// Home Assistant 2024.11 and later).
//
// The main view is the device. Each further view is another device behind it. All topics of a wall have the same prefix. States are
// retained, commands are not, and retained commands are ignored.
package device

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"time"

	"golang.org/x/time/rate"

	"dashboard/control"
	"dashboard/provider"
	"dashboard/provider/mqtt"
)

// Limits of commands and states.
const (
	maxCommand   = 4 << 10 // bytes
	maxCommands  = 16      // that wait
	perSecond    = 5       // commands, lasting
	burst        = 20      // commands at once
	stateEvery   = 5 * time.Second
	paintedEvery = 30 * time.Second // at most: a clock paints each second
	pictureEvery = 30 * time.Second // at most
	birthSpread  = 5 * time.Second  // within which walls announce themselves when Home Assistant starts

	// MaxPicture limits a picture of a wall, in bytes. Brokers at home accept this size.
	MaxPicture = 256 << 10
)

// birth is the topic under which Home Assistant announces its start.
const birth = "homeassistant/status"

// A State is the state of the walls at one moment.
type State struct {
	Stale       bool    // a source is out of date
	Temperature float64 // temperature of the processor, °C; NaN if unknown
	Origin      bool    // its files come from an address
	Revision    string  // of these files; "" before the first
	URL         string  // address of the wall's page; "" if there is no page
	Update      *Update // of the card, nil without updates
	Walls       []Wall  // the main view first
	Readers     []Reader
}

// An Update is the state of the card's updates.
type Update struct {
	Installed, Latest string // versions
	Summary           string // of the latest
	Running           bool   // it is being installed
	Percent           int    // of that
}

// A Wall is the state of one view.
type Wall struct {
	View    string // its name
	Theme   string // day or night; auto while it follows the sun; "" if there is only one theme
	Sun     bool   // there is a sun to follow: the theme can be auto
	Page    string // the one on the wall
	Pages   []string
	Screen  bool    // there is a screen to switch
	On      bool    // it is
	Level   float64 // brightness, 0 to 1; negative if unchanged
	Notify  bool    // something shows notifications
	Painted time.Time
	Frames  uint64 // painted so far
}

// Walls are what a device looks at. It is called by one goroutine.
type Walls interface {
	State() State
	// Sounds are what notifications ask for.
	Sounds() <-chan Sound
	// Picture returns a view's picture as JPEG, nil if there is none now.
	Picture(ctx context.Context, view string) []byte
}

// A Sound is the sound of a notification on a view. The broker gets its name.
type Sound struct{ View, Name string }

// Config is a wall as a device.
type Config struct {
	ID, Name, Version string
	Model             string // of the machine; "" if unknown
	Base              string // prefix of the main view's topics; other views append _ and their name
	Discovery         bool   // announces the wall to Home Assistant
}

// A Device is the walls of a service on a broker. It is run as a provider is, so that it lives as long as its definition.
type Device struct {
	Config
	broker   mqtt.Broker
	sessions *provider.Sessions
	doer     control.Doer
	walls    Walls
	log      *slog.Logger
}

// New returns a device. The broker's will must be the topic Base/status.
func New(c Config, b mqtt.Broker, s *provider.Sessions, doer control.Doer, w Walls, log *slog.Logger) *Device {
	return &Device{c, b, s, doer, w, log}
}

var _ provider.Provider = (*Device)(nil)

// Kind is "mqtt device".
func (d *Device) Kind() string { return "mqtt device" }

// run is a device while it is connected, or tries to be. It belongs to the goroutine of Run.
type run struct {
	*Device
	conn     *mqtt.Connection
	cell     *provider.Cell
	commands chan mqtt.Message
	up       chan struct{} // capacity 1
	limit    *rate.Limiter
	said     map[string][]byte // retained payloads as the broker has them, by topic
	walls    map[string]*wall  // that are announced, by view
	readers  map[string]Reader // announced readers by ID; nil before the first look
	now      State
	announce <-chan time.Time
}

// Run announces the walls, publishes their state and executes commands until ctx ends.
func (d *Device) Run(ctx context.Context, cell *provider.Cell) error {
	conn, release, err := mqtt.Connect(ctx, d.sessions, d.broker)
	if err != nil {
		return err
	}
	defer release()
	r := &run{
		Device: d, conn: conn, cell: cell, commands: make(chan mqtt.Message, maxCommands), up: make(chan struct{}, 1),
		limit: rate.NewLimiter(perSecond, burst), said: map[string][]byte{}, walls: map[string]*wall{},
	}
	defer func() {
		for _, w := range r.walls {
			w.leave()
		}
	}()
	r.look()
	defer conn.Subscribe(birth, r.take, r.connection)()
	defer conn.OnUp(func() {
		select {
		case r.up <- struct{}{}:
		default:
		}
	})()
	return r.serve(ctx)
}

// connection notes how the connection is.
func (r *run) connection(err error) {
	if err != nil {
		r.cell.Fail(err, time.Now())
	}
}

// take keeps a command until there is time for it. Values that the broker kept are old, and may be a command of last
// year.
func (r *run) take(m mqtt.Message) {
	if m.Retained || len(m.Payload) > maxCommand {
		return
	}
	select {
	case r.commands <- m:
	default: // more than a wall can do
	}
}

func (r *run) serve(ctx context.Context) error {
	tick := time.NewTicker(stateEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-r.up:
			clear(r.said) // the broker may have forgotten it
			r.again(ctx)
		case <-r.announce:
			r.announce = nil
			r.again(ctx)
		case s := <-r.Device.walls.Sounds():
			r.sound(ctx, s)
		case m := <-r.commands:
			r.command(ctx, m)
			r.update(ctx)
		case <-tick.C:
			r.update(ctx)
		}
	}
}

// again repeats announcements and pictures, because Home Assistant has lost them after its start.
func (r *run) again(ctx context.Context) {
	for _, w := range r.walls {
		delete(r.said, w.config())
		w.pictured = time.Time{}
	}
	for id := range r.readers {
		delete(r.said, r.readerConfig(id))
	}
	r.update(ctx)
}

// update publishes changes.
func (r *run) update(ctx context.Context) {
	r.look()
	for _, one := range r.now.Walls {
		r.introduce(ctx, r.walls[one.View])
	}
	r.put(ctx, r.Base+"/status", []byte("online"))
	for _, one := range r.now.Walls {
		r.walls[one.View].publish(ctx, one)
	}
	r.tellReaders(ctx)
}

// look reads the state of the walls, and follows walls that came or went.
func (r *run) look() {
	r.now = r.Device.walls.State()
	there := map[string]bool{}
	for i, one := range r.now.Walls {
		there[one.View] = true
		if r.walls[one.View] == nil {
			r.walls[one.View] = r.join(one.View, i == 0)
		}
		r.walls[one.View].Wall = one
	}
	for view, w := range r.walls {
		if !there[view] {
			w.leave()
			delete(r.walls, view)
			w.gone(context.Background())
		}
	}
}

// introduce announces a wall. First it removes the components that the wall no longer has, or that an earlier run may have had:
// Home Assistant deletes a component with nothing but its platform.
func (r *run) introduce(ctx context.Context, w *wall) {
	topic := w.config()
	if !r.Discovery {
		r.put(ctx, topic, []byte{})
		return
	}
	has := w.components()
	payload := w.discovery(has, r.now.URL)
	if old, ok := r.said[topic]; ok && bytes.Equal(old, payload) {
		return
	}
	if left := w.left(has); len(left) > 0 {
		for name, one := range has {
			left[name] = one
		}
		if r.conn.Publish(ctx, topic, w.discovery(left, r.now.URL), true) != nil {
			return // repeated after reconnecting
		}
	}
	if r.put(ctx, topic, payload) {
		w.had = has
	}
}

// sound publishes a sound, not retained.
func (r *run) sound(ctx context.Context, s Sound) {
	if w := r.walls[s.View]; w != nil {
		_ = r.conn.Publish(ctx, w.topic("sound"), []byte(s.Name), false) // a broker that is away misses it
	}
}

// put publishes a retained payload, unless the broker has it. It reports whether the broker has it now.
func (r *run) put(ctx context.Context, topic string, payload []byte) bool {
	if old, ok := r.said[topic]; ok && bytes.Equal(old, payload) {
		return true
	}
	if err := r.conn.Publish(ctx, topic, payload, true); err != nil {
		if !errors.Is(err, mqtt.ErrDown) { // the connection reports that itself
			r.cell.Fail(err, time.Now())
		}
		return false // repeated after reconnecting
	}
	r.said[topic] = payload
	r.cell.Publish(nil, time.Now())
	return true
}

// command does what a message asks for.
func (r *run) command(ctx context.Context, m mqtt.Message) {
	if m.Topic == birth {
		if string(m.Payload) == "online" && r.announce == nil {
			r.announce = time.After(rand.N(birthSpread))
		}
		return
	}
	if !r.limit.Allow() {
		return
	}
	for _, w := range r.walls {
		if name, ok := w.command(m.Topic); ok {
			if err := w.do(ctx, name, m.Payload); err != nil {
				r.log.Warn("a command of the broker was refused", "command", name, "view", w.View, "reason", err.Error())
			}
			return
		}
	}
}

// known reports whether a temperature is one.
func known(t float64) bool { return !math.IsNaN(t) }
