// Package device makes the walls of a service devices on an MQTT broker, which Home Assistant finds by itself (MQTT discovery of
// devices, Home Assistant 2024.11 and later).
//
// The main view is the device; each further one is a device of its own behind it. All topics of a wall begin alike: what it says is
// retained, what it is asked for is not, and a command that the broker kept is not done.
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

// Bounds of what a broker asks for, and of what it is told.
const (
	maxCommand   = 4 << 10 // bytes
	maxCommands  = 16      // that wait
	perSecond    = 5       // commands, lasting
	burst        = 20      // commands at once
	stateEvery   = 5 * time.Second
	paintedEvery = 30 * time.Second // at most: a clock paints each second
	pictureEvery = 30 * time.Second // at most
	birthSpread  = 5 * time.Second  // within which walls announce themselves when Home Assistant starts

	// MaxPicture bounds a picture of a wall, bytes: brokers of homes take as much, and a recorder of Home Assistant keeps none.
	MaxPicture = 256 << 10
)

// birth is the topic under which Home Assistant says that it has started.
const birth = "homeassistant/status"

// A State is how the walls are at a moment.
type State struct {
	Stale       bool    // a source is out of date
	Temperature float64 // of the processor, °C; NaN where nothing tells
	URL         string  // where people find the wall; "" where there is nothing to find
	Walls       []Wall  // the main view first
	Readers     []Reader
}

// A Wall is how one view is.
type Wall struct {
	View    string // its name
	Theme   string // day or night; auto while the sun decides; "" where there is only one
	Sun     bool   // there is a sun to follow: the theme can be auto
	Page    string // the one on the wall
	Pages   []string
	Screen  bool    // there is a screen to switch
	On      bool    // it is
	Level   float64 // its brightness, 0 to 1; below 0 as it was found
	Notify  bool    // something shows notifications
	Painted time.Time
	Frames  uint64 // painted so far
}

// Walls are what a device looks at. It is called by one goroutine.
type Walls interface {
	State() State
	// Sounds are what notifications ask for.
	Sounds() <-chan Sound
	// Picture is what a view shows, as JPEG; nil where there is none now.
	Picture(ctx context.Context, view string) []byte
}

// A Sound is one that a notification on a view asks for. The broker is told its name; whoever can makes it.
type Sound struct{ View, Name string }

// Config is a wall as a device.
type Config struct {
	ID, Name, Version string
	Model             string // of the machine; "" where that is not known
	Base              string // what all topics of the main view begin with; those of others have _ and the view's name behind it
	Discovery         bool   // Home Assistant is told
}

// A Device is the walls of a service on a broker. It is run as a provider is, so that it lives as long as its definition.
type Device struct {
	Config
	broker   mqtt.Broker
	sessions *provider.Sessions
	verbs    control.Verbs
	walls    Walls
	log      *slog.Logger
}

// New returns a device. The broker's will must be the topic Base/status.
func New(c Config, b mqtt.Broker, s *provider.Sessions, v control.Verbs, w Walls, log *slog.Logger) *Device {
	return &Device{c, b, s, v, w, log}
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
	readers  map[string]Reader // that are announced, by ID; nil before the first look
	now      State
	announce <-chan time.Time
}

// Run announces the walls, publishes how they are, and does what is asked for, until ctx ends.
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

// take keeps a command until there is time for it. What the broker kept is old, and may be a command of last year.
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
			r.tell(ctx)
		case <-tick.C:
			r.tell(ctx)
		}
	}
}

// again says what the walls are, and shows their pictures, once more: Home Assistant has neither after its start.
func (r *run) again(ctx context.Context) {
	for _, w := range r.walls {
		delete(r.said, w.config())
		w.pictured = time.Time{}
	}
	for id := range r.readers {
		delete(r.said, r.readerConfig(id))
	}
	r.tell(ctx)
}

// tell publishes what is another now.
func (r *run) tell(ctx context.Context) {
	r.look()
	for _, one := range r.now.Walls {
		r.introduce(ctx, r.walls[one.View])
	}
	r.put(ctx, r.Base+"/status", []byte("online"))
	for _, one := range r.now.Walls {
		r.walls[one.View].tell(ctx, one)
	}
	r.tellReaders(ctx)
}

// look asks how the walls are, and follows those that came or went.
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

// introduce says what a wall is. What it no longer has, or may have had before this program began, is taken back first: Home
// Assistant forgets a component that has nothing but its platform.
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
			return // it is said again when the connection is there
		}
	}
	if r.put(ctx, topic, payload) {
		w.had = has
	}
}

// sound tells the broker of a sound, which it does not keep.
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
		if !errors.Is(err, mqtt.ErrDown) { // of which connection is told
			r.cell.Fail(err, time.Now())
		}
		return false // it is said again when the connection is there
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
		if verb, ok := w.verb(m.Topic); ok {
			if err := w.do(ctx, verb, m.Payload); err != nil {
				r.log.Warn("a command of the broker was refused", "command", verb, "view", w.View, "reason", err.Error())
			}
			return
		}
	}
}

// known reports whether a temperature is one.
func known(t float64) bool { return !math.IsNaN(t) }
