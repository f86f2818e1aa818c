// Package device makes a wall a device on an MQTT broker, which Home Assistant finds by itself (MQTT discovery of devices, Home
// Assistant 2024.11 and later).
package device

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"dashboard/control"
	"dashboard/provider"
	"dashboard/provider/mqtt"
)

// Bounds of what a broker asks for.
const (
	maxCommand   = 4 << 10 // bytes
	maxCommands  = 16      // that wait
	perSecond    = 5       // commands, lasting
	burst        = 20      // commands at once
	stateEvery   = 5 * time.Second
	paintedEvery = 30 * time.Second // at most: a clock paints each second
	birthSpread  = 5 * time.Second  // within which walls announce themselves when Home Assistant starts
	verbTime     = 30 * time.Second
)

// birth is the topic under which Home Assistant says that it has started.
const birth = "homeassistant/status"

// A State is how a wall is at a moment.
type State struct {
	Theme   string // day or night; auto while the sun decides
	Painted time.Time
	Stale   bool     // a source is out of date
	Page    string   // the one on the wall
	Pages   []string // that can be asked for by name; none of a wall without pages
}

// Config is a wall as a device.
type Config struct {
	ID, Name, Version string
	Base              string // what all topics begin with
	Discovery         bool   // Home Assistant is told
	Themes            bool   // there are several
	Notify            bool   // there are widgets that show notifications
}

// A Device is a wall on a broker. It is run as a provider is, so that it lives as long as its definition.
type Device struct {
	Config
	broker   mqtt.Broker
	sessions *provider.Sessions
	verbs    control.Verbs
	state    func() State
	log      *slog.Logger
}

// New returns a device. The broker's will must be the topic Base/status.
func New(c Config, b mqtt.Broker, s *provider.Sessions, v control.Verbs, state func() State, log *slog.Logger) *Device {
	return &Device{c, b, s, v, state, log}
}

var _ provider.Provider = (*Device)(nil)

// Kind is "mqtt device".
func (d *Device) Kind() string { return "mqtt device" }

// topic is one of the device's.
func (d *Device) topic(name string) string { return d.Base + "/" + name }

// run is a device while it is connected, or tries to be. It belongs to the goroutine of Run.
type run struct {
	*Device
	conn     *mqtt.Connection
	cell     *provider.Cell
	commands chan mqtt.Message
	up       chan struct{} // capacity 1
	limit    *rate.Limiter
	said     map[string][]byte // retained states as the broker has them
	pages    []string          // as they were announced
	painted  time.Time
	announce <-chan time.Time
}

// Run announces the wall, publishes how it is, and does what is asked for, until ctx ends.
func (d *Device) Run(ctx context.Context, cell *provider.Cell) error {
	conn, release, err := mqtt.Connect(ctx, d.sessions, d.broker)
	if err != nil {
		return err
	}
	defer release()
	r := &run{
		Device: d, conn: conn, cell: cell, commands: make(chan mqtt.Message, maxCommands), up: make(chan struct{}, 1),
		limit: rate.NewLimiter(perSecond, burst), said: map[string][]byte{},
	}
	for _, name := range []string{"theme/set", "page/set", "notify", "text/set", "dismiss", "reload"} {
		defer conn.Subscribe(d.topic(name), r.take, r.connection)()
	}
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
		r.cell.Fail(&provider.Upstream{Err: err}, time.Now())
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
			clear(r.said)
			r.introduce(ctx)
		case <-r.announce:
			r.announce = nil
			r.introduce(ctx)
		case m := <-r.commands:
			r.command(ctx, m)
			r.tell(ctx)
		case <-tick.C:
			r.tell(ctx)
		}
	}
}

// introduce says that the wall is there, what it is, and how.
func (r *run) introduce(ctx context.Context) {
	payload := []byte{} // which takes back what was announced before
	if r.Discovery {
		r.pages = r.state().Pages
		payload = r.discovery(r.pages)
	}
	if err := r.conn.Publish(ctx, "homeassistant/device/"+r.ID+"/config", payload, true); err != nil {
		r.cell.Fail(err, time.Now())
		return
	}
	r.put(ctx, "status", []byte("online"))
	r.tell(ctx)
}

// tell publishes what is another state now.
func (r *run) tell(ctx context.Context) {
	s := r.state()
	if s.Painted.Sub(r.painted) >= paintedEvery {
		r.painted = s.Painted
	}
	state, err := json.Marshal(map[string]any{"painted": r.painted.UTC().Format(time.RFC3339), "stale": s.Stale})
	if err != nil {
		return // times and truths can be written
	}
	r.put(ctx, "state", state)
	r.put(ctx, "theme", []byte(s.Theme))
	if len(s.Pages) > 0 {
		r.put(ctx, "page", []byte(s.Page))
	}
	if r.Discovery && !slices.Equal(s.Pages, r.pages) { // a reload made others
		r.introduce(ctx)
	}
}

// put publishes a retained state, unless the broker has it.
func (r *run) put(ctx context.Context, name string, payload []byte) {
	if old, ok := r.said[name]; ok && bytes.Equal(old, payload) {
		return
	}
	if err := r.conn.Publish(ctx, r.topic(name), payload, true); err != nil {
		return // it is said again when the connection is there
	}
	r.said[name] = payload
	r.cell.Publish(nil, time.Now())
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
	ctx, cancel := context.WithTimeout(ctx, verbTime)
	defer cancel()
	verb := strings.TrimPrefix(m.Topic, r.Base+"/")
	err := r.do(ctx, verb, m.Payload)
	if err != nil {
		r.log.Warn("a command of the broker was refused", "command", verb, "reason", err.Error())
		return
	}
	r.log.Info("a command of the broker", "command", verb)
}

func (r *run) do(ctx context.Context, verb string, payload []byte) (err error) {
	by := control.Caller{Via: "mqtt"}
	switch verb {
	case "theme/set":
		_, err = r.verbs.Theme(ctx, by, "", string(payload), "forever")
	case "page/set":
		_, err = r.verbs.Page(ctx, by, "", string(payload), 0)
	case "notify", "text/set":
		_, err = r.verbs.Notify(ctx, by, "", message(payload))
	case "dismiss":
		_, err = r.verbs.Dismiss(ctx, by, "", "", "")
	case "reload":
		err = control.Action{Reload: true}.Do(ctx, r.verbs, by, "")
	}
	return err
}

// message is a notification: the payload if it is a mapping, else its text.
func message(payload []byte) []byte {
	var m map[string]any
	if json.Unmarshal(payload, &m) == nil && m != nil {
		return payload
	}
	body, err := json.Marshal(map[string]string{"text": strings.ToValidUTF8(string(payload), "\uFFFD")})
	if err != nil {
		return nil // texts can be written
	}
	return body
}
