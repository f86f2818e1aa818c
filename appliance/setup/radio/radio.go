//go:build linux

package radio

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"dashboard/appliance/setup/flow"
)

// Options are the parameters of a radio.
type Options struct {
	Interface string // name of the interface, such as wlan0
	Sockets   string // folder of wpa_supplicant's control sockets
	Folder    string // folder for the program's own sockets
	Name      string // name of the access point
	Password  string
	Log       *slog.Logger
	Report    func(func(*flow.Machine))  // runs a report later under the machine's lock
	Addresses func() bool                // reports whether the interface has an address in a joined network
	Internet  func(context.Context) bool // reports whether the joined network has internet access
}

const (
	// pointFrequency is the frequency of the access point in MHz. Every radio supports it, and every country allows it.
	pointFrequency = 2437
	// addressPause is the time between two checks for an address, and between two checks for internet access.
	addressPause = 500 * time.Millisecond
	// internetTime limits one check for internet access.
	internetTime = 5 * time.Second
	// absences is the number of searches without a network after which the network counts as missing. A single search may miss a weak
	// network.
	absences = 3
	// dialPause is the time between two attempts to reach wpa_supplicant.
	dialPause = time.Second
	// surveyTime limits the search before the access point opens. A radio needs 3 s for all channels.
	surveyTime = 6 * time.Second
	// most is the maximum number of waiting orders. The machine never reaches this number, because it waits for the result of an order before
	// it gives the next order.
	most = 16
)

// A Radio implements flow.Radio.
type Radio struct {
	Options
	orders chan func(*control) error

	mu     sync.Mutex
	point  string             // wpa_supplicant's number for the access point, or ""
	tried  string             // wpa_supplicant's number for the tested network, or ""
	ends   context.CancelFunc // ends the test
	phones map[string]bool
	absent int
	trying string // name of the network that wpa_supplicant has tried last, or ""
	ready  bool
	last   []flow.Found  // networks of the last search that found any networks
	heard  chan struct{} // has a value after a search
}

// New returns a radio. The caller must call Run.
func New(o Options) *Radio {
	return &Radio{Options: o, orders: make(chan func(*control) error, most), phones: map[string]bool{}, heard: make(chan struct{}, 1)}
}

// Ready reports whether wpa_supplicant controls the radio.
func (r *Radio) Ready() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ready
}

// Run drives the radio until ctx ends. It connects again if wpa_supplicant restarts.
func (r *Radio) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := r.drive(ctx); err != nil && r.Ready() {
			r.Log.Warn("radio", "error", err)
		}
		r.mu.Lock()
		r.ready = false
		r.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-time.After(dialPause):
		}
	}
}

// drive carries out orders over one connection to wpa_supplicant, and listens to events on a second connection.
func (r *Radio) drive(ctx context.Context) error {
	socket := r.Sockets + "/" + r.Interface
	c, err := dial(socket, r.Folder, "orders")
	if err != nil {
		return err
	}
	defer c.close()
	events, err := dial(socket, r.Folder, "events")
	if err != nil {
		return err
	}
	defer events.close()
	// The errors do not matter, because the connections are not needed after the end.
	stop := context.AfterFunc(ctx, func() { _ = errors.Join(c.conn.Close(), events.conn.Close()) })
	defer stop()
	if err := events.order("ATTACH"); err != nil {
		return err
	}
	r.mu.Lock()
	r.ready, r.point, r.tried = true, "", ""
	r.mu.Unlock()
	failed := make(chan error, 1)
	go func() { failed <- r.listen(ctx, events) }()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case do := <-r.orders:
			if err := do(c); err != nil {
				r.Log.Warn("radio", "error", err)
			}
			if _, err := c.ask("PING"); err != nil {
				return err
			}
		}
	}
}

func (r *Radio) queue(do func(*control) error) {
	select {
	case r.orders <- do:
	default:
		r.Log.Warn("radio: too many orders wait")
	}
}

// listen reports events until the connection ends.
func (r *Radio) listen(ctx context.Context, events *control) error {
	buffer := make([]byte, maxAnswer)
	for {
		event, err := events.next(buffer)
		if err != nil {
			return err
		}
		r.hear(ctx, event)
	}
}

// hear handles one event.
func (r *Radio) hear(ctx context.Context, event string) {
	s, value := signOf(event)
	r.mu.Lock()
	testing := r.tried != ""
	if s == missing && testing {
		r.absent++
	}
	gone := r.absent >= absences
	if s == seen {
		r.trying = value
	} else if s == refused && value == "" { // WPA3 reports a wrong password without the name
		value = r.trying
	}
	r.mu.Unlock()
	switch {
	case s == scanned:
		select {
		case r.heard <- struct{}{}:
		default: // the channel still has an unread value
		}
		r.queue(r.results)
	case s == joined || s == left:
		r.count(value, s == joined)
	case s == refused && testing:
		r.end(flow.Refused)
	case s == refused && value != "":
		r.Report(func(m *flow.Machine) { m.Fails(flow.Network{Name: value}, flow.Refused) })
	case s == missing && testing && gone:
		r.end(flow.Missing)
	case s == seen && testing:
		r.Report(func(m *flow.Machine) { m.At(flow.Seen) })
	case s == accepted && testing:
		r.Report(func(m *flow.Machine) { m.At(flow.Accepted) })
		r.follow(ctx)
	}
}

func (r *Radio) end(result flow.Result) {
	r.Report(func(m *flow.Machine) { m.End(result) })
}

// count records that a phone has joined or left the access point, and reports the number of connected phones.
func (r *Radio) count(phone string, here bool) {
	const maxPhones = 64 // more than the number of phones in an access point
	r.mu.Lock()
	if here && len(r.phones) < maxPhones {
		r.phones[phone] = true
	} else {
		delete(r.phones, phone)
	}
	n := len(r.phones)
	r.mu.Unlock()
	r.Report(func(m *flow.Machine) { m.Phones(n) })
}

// follow waits in the background, first until the board has an address, and then until it has internet access. follow reports each of
// these events to the machine. It stops when the test ends.
func (r *Radio) follow(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ends != nil {
		return // follow was already called for this test
	}
	ctx, r.ends = context.WithTimeout(ctx, flow.TryTime)
	go func() {
		if !until(ctx, r.Addresses) {
			return
		}
		r.Report(func(m *flow.Machine) { m.At(flow.Addressed) })
		if until(ctx, func() bool {
			ctx, cancel := context.WithTimeout(ctx, internetTime)
			defer cancel()
			return r.Internet(ctx)
		}) {
			r.Report(func(m *flow.Machine) { m.At(flow.Reached) })
		}
	}()
}

// until() calls `met` repeatedly until `met` returns true. until() returns false if ctx ends first.
func until(ctx context.Context, met func() bool) bool {
	for {
		if met() {
			return ctx.Err() == nil
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(addressPause):
		}
	}
}

// Open implements flow.Radio. A search comes first, because many radios cannot search while the access point is open.
func (r *Radio) Open() { r.queue(r.open) }

func (r *Radio) open(c *control) error {
	r.forget(c)
	r.survey(c)
	r.mu.Lock()
	clear(r.phones)
	r.mu.Unlock()
	id, err := add(c, pointSettings(r.Name, r.Password))
	if err != nil {
		return fmt.Errorf("access point: %w", err)
	}
	r.mu.Lock()
	r.point = id
	r.mu.Unlock()
	return c.order("SELECT_NETWORK " + id)
}

// Close implements flow.Radio. The radio stays in a network that has passed the test.
func (r *Radio) Close() {
	r.queue(func(c *control) error {
		r.mu.Lock()
		id := r.point
		r.point = ""
		clear(r.phones)
		r.mu.Unlock()
		if id != "" {
			_, _ = c.ask("REMOVE_NETWORK " + id) // the command fails if wpa_supplicant was restarted in the meantime
		}
		return errors.Join(c.order("ENABLE_NETWORK all"), c.order("REASSOCIATE"))
	})
}

// Try implements flow.Radio.
func (r *Radio) Try(n flow.Network) {
	r.queue(func(c *control) error {
		r.forget(c)
		id, err := add(c, networkSettings(n))
		if err != nil {
			r.end(flow.Refused)
			return err
		}
		r.mu.Lock()
		r.tried = id
		r.mu.Unlock()
		return c.order("SELECT_NETWORK " + id)
	})
}

// Leave implements flow.Radio.
func (r *Radio) Leave() {
	r.queue(func(c *control) error {
		r.forget(c)
		return nil
	})
}

// Both implements flow.Radio. It returns false, because one interface can be in one network only.
func (r *Radio) Both() bool { return false }
