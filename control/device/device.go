// Package device publishes the walls of a service as devices on an MQTT broker. Home Assistant finds them through MQTT discovery of devices
// (Home Assistant 2024.11 and later).
//
// The main view is a device. Each further view is a device that is connected through the main device. All topics of a wall have the same
// prefix. States are published as retained messages. Commands are not retained, and a retained command is ignored.
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
	maxCommand   = 4 << 10 // maximum size in bytes
	maxCommands  = 16      // maximum number of waiting commands
	perSecond    = 5       // commands per second
	maxDropped   = 1000    // maximum number of topics that wait for their removal
	burst        = 20      // commands that may arrive at once
	stateEvery   = 5 * time.Second
	paintedEvery = 30 * time.Second // minimum interval of published paint times, because a clock is painted each second
	pictureEvery = 30 * time.Second // minimum interval of pictures
	birthSpread  = 5 * time.Second  // walls announce themselves within this time after a start of Home Assistant

	// MaxPicture is the maximum size of a wall's picture, in bytes. The brokers that people use at home accept this size.
	MaxPicture = 256 << 10
)

// birth is the topic on which Home Assistant announces its start.
const birth = "homeassistant/status"

// A State is the state of all walls of the service.
type State struct {
	Stale       bool    // whether a source is outdated
	Temperature float64 // temperature of the processor in °C, NaN if unknown
	Origin      bool    // whether the files come from an address (config_url)
	Revision    string  // revision of these files; "" before the first download
	URL         string  // address of the page that shows the wall; "" without a page
	Update      *Update // state of the updates of the card image; nil without this image
	Walls       []Wall  // all walls, the main view first
	Readers     []Reader
}

// An Update describes the updates of the card image.
type Update struct {
	Installed, Latest string // installed and latest version
	Summary           string // description of the latest version
	Running           bool   // whether an update is being installed
	Percent           int    // progress of the installation, 0 to 100
}

// A Wall is the state of one view.
type Wall struct {
	View    string // name of the view
	Theme   string // day or night; auto while the theme follows the sun; "" if there is only one theme
	Sun     bool   // whether the theme can follow the sun
	Page    string // page that the wall shows
	Pages   []string
	Screen  bool    // whether the wall has a screen that can be switched
	On      bool    // whether the screen is on
	Level   float64 // brightness, 0 to 1; negative if nothing sets the brightness
	Notify  bool    // whether a widget shows notifications
	Painted time.Time
	Frames  uint64 // number of painted frames
}

// Walls provides the state of the walls for a device. Only one goroutine calls its methods.
type Walls interface {
	State() State
	// Sounds returns a channel that receives the sounds of notifications.
	Sounds() <-chan Sound
	// Picture returns a JPEG picture of a view, or nil if there is no picture yet.
	Picture(ctx context.Context, view string) []byte
}

// A Sound is the sound of a notification on a view. The device publishes the name of the sound on the broker.
type Sound struct{ View, Name string }

// Config describes the service and its main wall as a device.
type Config struct {
	ID, Name, Version string
	Model             string // model of the machine; "" if unknown
	Base              string // prefix of the main view's topics. The prefix of another view is Base, an underscore and the view's name
	Discovery         bool   // whether the walls are announced to Home Assistant
}

// A Device publishes the walls of a service on a broker. It runs like a provider, so that it starts and stops with its definition.
type Device struct {
	Config
	broker   mqtt.Broker
	sessions *provider.Sessions
	doer     control.Doer
	walls    Walls
	log      *slog.Logger
}

// New returns a device. In the settings of the MQTT connection, the topic of the last will must be Base/status.
func New(c Config, b mqtt.Broker, s *provider.Sessions, doer control.Doer, w Walls, log *slog.Logger) *Device {
	return &Device{c, b, s, doer, w, log}
}

var _ provider.Provider = (*Device)(nil)

// Kind is "mqtt device".
func (d *Device) Kind() string { return "mqtt device" }

// A run is the state of a device while Run is running. Only the goroutine of Run uses it.
type run struct {
	*Device
	conn     *mqtt.Connection
	cell     *provider.Cell
	commands chan mqtt.Message
	up       chan struct{} // capacity 1; receives a value after each connection
	limit    *rate.Limiter
	said     map[string][]byte // retained payloads that this run has published, by topic
	dropped  map[string]bool   // topics that must be removed from the broker
	walls    map[string]*wall  // walls that are on the broker, by view
	readers  map[string]Reader // e-readers that are on the broker, by ID; nil before the first update
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
		limit: rate.NewLimiter(perSecond, burst), said: map[string][]byte{}, dropped: map[string]bool{}, walls: map[string]*wall{},
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

// connection() records the error of a rejected subscription or of a lost connection in the provider's cell.
func (r *run) connection(err error) {
	if err != nil {
		r.cell.Fail(err, time.Now())
	}
}

// take queues a command. It ignores retained messages, because they may be old.
func (r *run) take(m mqtt.Message) {
	if m.Retained || len(m.Payload) > maxCommand {
		return
	}
	select {
	case r.commands <- m:
	default: // too many commands are waiting, so this one is dropped
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
			clear(r.said) // a broker that was restarted has lost the retained values
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

// again() publishes all announcements and pictures again, because Home Assistant does not keep them when it restarts.
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

// update publishes everything that has changed.
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
	for topic := range r.dropped {
		if r.conn.Publish(ctx, topic, nil, true) != nil {
			return // without a connection, the topic is removed after the next connection
		}
		delete(r.dropped, topic)
	}
}

// drop removes retained topics from the broker at the end of the update.
func (r *run) drop(topics ...string) {
	for _, topic := range topics {
		delete(r.said, topic)
		if len(r.dropped) < maxDropped {
			r.dropped[topic] = true
		}
	}
}

// look reads the state of the walls. It adds new walls and removes walls that no longer exist after a reload.
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
			w.gone()
		}
	}
}

// introduce announces a wall. Some components may no longer exist, because the wall has lost them or because an earlier run had more. For
// these components, introduce first publishes a configuration with only their platform, because Home Assistant then deletes them.
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
			return // the announcement is repeated after the next connection
		}
	}
	if r.put(ctx, topic, payload) {
		w.had = has
	}
}

// sound() publishes a sound. It is not retained.
func (r *run) sound(ctx context.Context, s Sound) {
	if w := r.walls[s.View]; w != nil {
		_ = r.conn.Publish(ctx, w.topic("sound"), []byte(s.Name), false) // without a connection, the sound is lost
	}
}

// put publishes a retained payload, unless it is already published. It returns whether the broker has the payload.
func (r *run) put(ctx context.Context, topic string, payload []byte) bool {
	if old, ok := r.said[topic]; ok && bytes.Equal(old, payload) {
		return true
	}
	if err := r.conn.Publish(ctx, topic, payload, true); err != nil {
		if !errors.Is(err, mqtt.ErrDown) { // the connection itself reports ErrDown
			r.cell.Fail(err, time.Now())
		}
		return false // the payload is published again after the next connection
	}
	r.said[topic] = payload
	delete(r.dropped, topic)
	r.cell.Publish(nil, time.Now())
	return true
}

// command runs the command in a message.
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

// known() reports whether the temperature t is known. NaN represents an unknown temperature.
func known(t float64) bool { return !math.IsNaN(t) }
