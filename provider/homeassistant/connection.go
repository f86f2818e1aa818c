package homeassistant

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
)

// Limits for a connection.
const (
	MaxEntities      = 1000    // entities that can be followed over one connection
	MaxMessage       = 8 << 20 // maximum size of a message in bytes; a thousand entities with all attributes fit
	MaxSubscriptions = 128     // subscriptions to templates, forecasts and lists
	maxWaiting       = 64      // commands that wait for an answer
)

// The errors of a connection.
var (
	// ErrToken means that Home Assistant rejects the token. The connection then makes no further attempts, because Home Assistant bans
	// clients that keep trying.
	ErrToken = errors.New("Home Assistant refuses the token: create a new long-lived access token in your profile") //nolint:staticcheck // the error begins with a proper name
	errGone  = errors.New("unavailable")
	errMany  = fmt.Errorf("more than %d entities of one Home Assistant", MaxEntities)
	errBusy  = errors.New("too many commands at once")
	errEnded = errors.New("the connection to Home Assistant has ended")
)

// A Connection is a connection to one Home Assistant. It publishes followed entities into cells, and it reconnects after each loss. Any
// goroutine may call its methods.
type Connection struct {
	client  *fetch.Client
	request fetch.Request // request that opens the socket
	token   string

	end  context.CancelFunc
	done chan struct{} // closed when run has returned

	changed  chan struct{} // capacity 1; receives a value when the followed entities or the subscriptions have changed
	commands chan *command

	mu            sync.Mutex // guards the fields below
	follows       map[string]map[*provider.Cell]struct{}
	wholes        map[*provider.Cell]wholeOf // cells whose value is a mapping of all followed entities
	subscriptions map[*subscription]struct{}
	renderings    map[*rendering]struct{} // templates that Home Assistant renders
	known         entities
	told          bool  // whether the entities in the field `known` have arrived over the current connection
	err           error // error of the connection; nil while it is open, and before the first attempt has ended
	stale         bool  // whether the mappings in the field `wholes` must be updated
}

// A wholeOf maps the names of templates and lists to their cells. A mapping of all entities also contains the values of these cells,
// under the same names. A wholeOf may be nil.
type wholeOf map[string]*provider.Cell

// A subscription is a command that makes Home Assistant send events.
type subscription struct {
	message map[string]any
	on      func(event any, err error)
}

// open() returns a connection that connects, and reconnects after each loss, until ctx ends or Close is called.
func open(ctx context.Context, client *fetch.Client, request fetch.Request, token string) *Connection {
	ctx, end := context.WithCancel(ctx)
	c := &Connection{
		client: client, request: request, token: token, end: end, done: make(chan struct{}), changed: make(chan struct{}, 1),
		commands: make(chan *command), follows: map[string]map[*provider.Cell]struct{}{}, wholes: map[*provider.Cell]wholeOf{},
		subscriptions: map[*subscription]struct{}{}, renderings: map[*rendering]struct{}{}, known: entities{},
	}
	go func() {
		defer close(c.done)
		c.run(ctx)
	}()
	return c
}

// Close closes the connection and waits until run() has returned.
func (c *Connection) Close() error {
	c.end()
	<-c.done
	return nil
}

// Follow publishes an entity (its state, its attributes and the time of its last change) into a cell until `end` is called. If the entity
// or Home Assistant is unavailable, the cell keeps its value and gets an error.
func (c *Connection) Follow(id string, cell *provider.Cell) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.follows[id] == nil && len(c.follows) >= MaxEntities {
		cell.Fail(errMany, time.Now())
		return func() {}
	}
	cell.Promise(pingEvery)
	if c.follows[id] == nil {
		c.follows[id] = map[*provider.Cell]struct{}{}
		c.ask()
	} else if c.told {
		c.tellLocked(id, cell)
	}
	if c.err != nil {
		cell.Fail(&provider.Upstream{Err: c.err}, time.Now())
	}
	c.follows[id][cell] = struct{}{}
	return func() { c.unfollow(id, cell) }
}

func (c *Connection) unfollow(id string, cell *provider.Cell) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.follows[id], cell)
	if len(c.follows[id]) == 0 {
		delete(c.follows, id)
		delete(c.known, id)
		c.ask()
	}
}

// FollowAll publishes a mapping of all followed entities, by ID, into a cell until `end` is called. The mapping also has the values of
// the cells in `further`, under their names. FollowAll updates the mapping at most once every mapPause.
func (c *Connection) FollowAll(cell *provider.Cell, further map[string]*provider.Cell) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cell.Promise(pingEvery)
	c.wholes[cell], c.stale = further, true
	if c.err != nil {
		cell.Fail(c.err, time.Now())
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.wholes, cell)
	}
}

// Subscribe sends a command over the current connection, and again after each reconnection. Until `end` is called, it calls `on` with
// each event that Home Assistant sends for the command, and with each error. `on` must not block.
func (c *Connection) Subscribe(message map[string]any, on func(event any, err error)) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.subscriptions) >= MaxSubscriptions {
		on(nil, errBusy)
		return func() {}
	}
	s := &subscription{message, on}
	c.subscriptions[s] = struct{}{}
	if c.err != nil {
		on(nil, c.err)
	}
	c.ask()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.subscriptions, s)
		c.ask()
	}
}

// ask makes the session compare its subscriptions with the wanted subscriptions.
func (c *Connection) ask() {
	select {
	case c.changed <- struct{}{}:
	default: // `changed` already contains a value
	}
}

// wanted() returns the sorted IDs of the followed entities.
func (c *Connection) wanted() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.follows))
}

// fail stores the error of the connection and publishes it to all cells and subscriptions.
func (c *Connection) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err, c.told = err, false
	now := time.Now()
	for _, cells := range c.follows {
		for cell := range cells {
			cell.Fail(&provider.Upstream{Err: err}, now)
		}
	}
	for cell := range c.wholes {
		cell.Fail(err, now)
	}
	for s := range c.subscriptions {
		s.on(nil, err)
	}
}

// take applies an event of subscribe_entities and publishes the changed entities. The first event after a reconnection replaces all known
// entities. An entity that is missing in this first event no longer exists.
func (c *Connection) take(event map[string]any, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked := func(id string) bool { return c.follows[id] != nil }
	var touched []string
	if first {
		c.known, c.told, c.err = entities{}, true, nil
		c.known.apply(event, asked)
		touched = slices.Collect(maps.Keys(c.follows))
	} else {
		touched = c.known.apply(event, asked)
	}
	for _, id := range touched {
		for cell := range c.follows[id] {
			c.tellLocked(id, cell)
		}
	}
	c.stale = c.stale || len(touched) > 0
}

// tellLocked publishes an entity into a cell. mu must be held.
func (c *Connection) tellLocked(id string, cell *provider.Cell) {
	now := time.Now()
	e := c.known[id]
	switch {
	case e == nil:
		cell.Fail(fmt.Errorf("Home Assistant has no %s", id), now) //nolint:staticcheck // the error begins with a proper name
		return
	case e.large:
		cell.Fail(errLarge, now)
		return
	case e.gone():
		cell.Fail(errGone, now)
		return
	}
	if s := cell.Load(); s.Has() && !cell.Refused() && same(s.Value, e) {
		cell.Confirm(now)
		return
	}
	cell.Publish(e.value(), now)
}

// confirm records that all known values are still current, because Home Assistant has answered a ping.
func (c *Connection) confirm() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.told {
		return
	}
	now := time.Now()
	for id, cells := range c.follows {
		if e := c.known[id]; e == nil || e.gone() {
			continue
		}
		for cell := range cells {
			if cell.Refused() {
				c.tellLocked(id, cell)
				continue
			}
			cell.Confirm(now)
		}
	}
	for cell := range c.wholes {
		switch {
		case cell.Refused():
			c.stale = true
		case cell.Load().Has():
			cell.Confirm(now)
		}
	}
	for r := range c.renderings {
		r.confirm(now)
	}
}

// tellWholes publishes the mappings of all entities if the mappings must be updated.
func (c *Connection) tellWholes() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.stale || !c.told && len(c.follows) > 0 || c.err != nil {
		return
	}
	c.stale = false
	if len(c.wholes) == 0 {
		return
	}
	now := time.Now()
	for cell, further := range c.wholes {
		if further.there() {
			cell.Publish(c.wholeLocked(further), now)
		}
	}
}

// there() reports whether each cell has a value or an error.
func (w wholeOf) there() bool {
	for _, cell := range w {
		if s := cell.Load(); !s.Has() && s.Err == nil {
			return false
		}
	}
	return true
}

// wholeLocked returns a mapping of all entities and of the values in `further`. mu must be held.
func (c *Connection) wholeLocked(further wholeOf) map[string]any {
	all := make(map[string]any, len(c.known)+len(further))
	for id, e := range c.known {
		all[id] = e.value()
	}
	for name, cell := range further {
		if s := cell.Load(); s.Has() {
			all[name] = s.Value
		}
	}
	return all
}
