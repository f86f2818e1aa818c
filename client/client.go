package client

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Stats are the statistics of a client since its start.
type Stats struct {
	State   State
	Frames  uint64 // number of frames received, including frames that came as tiles
	Tiles   uint64 // number of frames that came as tiles
	Bytes   uint64 // bytes of the files of all received frames
	Skipped uint64 // number of frames that were received but could not be used
	Shown   uint64 // number of frames that the display accepted
	Failed  uint64 // number of frames that the display rejected
}

// A Client is a remote screen.
type Client struct {
	opts    Options
	frame   *frame
	screen  *screen
	network *network
	wake    chan struct{} // capacity 1. Receives a value when there may be something to show

	mu      sync.Mutex // guards the following fields
	link    link
	stats   Stats
	failure string // reason for the latest failure of the connection. The screen shows this reason
	whole   bool   // the display has lost its content, so everything must be drawn

	// The following fields belong to the goroutine that shows frames.
	off     bool      // the latest call of Options.Screen switched the screen off
	offTold bool      // Options.Screen was called
	light   Light     // argument of the latest call of Options.Light
	litTold bool      // Options.Light was called
	trouble string    // error of the display that was logged last, or "" if the display works
	told    time.Time // time of the latest log line about a failure of the display
}

// New returns a client. The client does nothing before Run is called. The downtime before the first connection begins at the call of New.
func New(o Options) (*Client, error) {
	t, err := newTransport(nil)
	if err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	return newClient(o, t)
}

func newClient(o Options, transport http.RoundTripper) (*Client, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	c := &Client{opts: o, wake: make(chan struct{}, 1), link: newLink(time.Now(), o.StaleAfter)}
	c.frame = newFrame(o.Size)
	c.screen = newScreen(&c.opts, c.frame)
	var err error
	c.network, err = newNetwork(c, transport)
	return c, err
}

// Continue copies the state of the client `other` to c: the newest frame, scaled to the size of c, the start of the downtime, and the
// state of the wall's screen. Call Continue before c.Run, and after other.Run has returned.
func (c *Client) Continue(other *Client) {
	c.frame.setWhole(other.frame.pix)
	c.frame.latency, c.frame.any = other.frame.latency, other.frame.any
	if !other.link.connected {
		c.link.since = other.link.since
	}
	c.link.empty = !other.frame.any
	c.link.dark, c.link.light = other.link.dark, other.link.light
}

// Run connects to the service and shows its frames until ctx ends. Run returns after its goroutines have ended.
func (c *Client) Run(ctx context.Context) {
	var wg sync.WaitGroup
	if !c.opts.silent() {
		wg.Go(func() { c.network.run(ctx) })
	}
	wg.Go(func() { c.show(ctx) })
	wg.Wait()
}

// Invalidate makes the client draw everything again, because the display has lost its content. It does not block, and may be called from
// any goroutine.
func (c *Client) Invalidate() { c.note(func() { c.whole = true }) }

// Stats returns the statistics so far. It may be called from any goroutine.
func (c *Client) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.State = c.link.state(time.Now())
	return s
}

// note() locks mu and calls the function `change`, which modifies fields that mu guards. Then it wakes the goroutine that shows frames.
func (c *Client) note(change func()) {
	c.mu.Lock()
	change()
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// The following methods record events from the network.
func (c *Client) opened()            { c.note(c.link.opened) }
func (c *Client) darkened(dark bool) { c.note(func() { c.link.dark = dark }) }
func (c *Client) lit(l Light)        { c.note(func() { c.link.light = l }) }
func (c *Client) closed(err error) {
	c.note(func() { c.link.closed(time.Now()); c.failure = reasonOf(err) })
}
func (c *Client) refused()   { c.note(c.link.refused) }
func (c *Client) accepted()  { c.note(c.link.accepted) }
func (c *Client) unpainted() { c.note(func() { c.link.unpainted = true }) }
func (c *Client) skipped()   { c.note(func() { c.stats.Skipped++ }) }

// received() records that a new frame has arrived.
func (c *Client) received(l latency, bytes int, tiles bool) {
	c.frame.setLatency(l)
	c.note(func() {
		c.link.empty, c.link.unpainted = false, false
		c.stats.Frames++
		c.stats.Bytes += uint64(bytes)
		if tiles {
			c.stats.Tiles++
		}
	})
}

const (
	// MaxSleep is the longest sleep of the goroutine that shows frames. It is short, so that the clock of the offline screen is soon
	// correct after a change of the machine's clock.
	MaxSleep = 45 * time.Second
	// redrawAfter is the pause before the client draws a frame again that the display has rejected.
	redrawAfter = time.Second
	// tellAgain is the minimum time between two log lines about errors of the display. An error that repeats is logged only once.
	tellAgain = 10 * time.Second
)

// show() keeps the display up to date until ctx ends.
func (c *Client) show(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		case <-timer.C:
		}
		now := time.Now()
		next := c.pass(now)
		c.opts.Passed(now)
		timer.Reset(time.Until(next))
	}
}

// pass() paints all changes that are due, and passes them to the display. It returns the time of the next pass. An event from the network
// can make the next pass earlier.
func (c *Client) pass(now time.Time) (next time.Time) {
	state, turns, whole, off := c.latest(now)
	if off != c.off || !c.offTold {
		if off || c.offTold {
			c.opts.Log.Info("the wall's screen was switched", "on", !off)
		}
		c.off, c.offTold = off, true
		c.opts.Screen(!off)
	}
	if light := c.wallLight(); light != c.light || !c.litTold {
		c.light, c.litTold = light, true
		c.opts.Light(light)
	}
	if whole {
		c.screen.lost(c.frame.pix.Rect)
	}
	next = earliest(now.Add(c.opts.Heartbeat), turns)
	next = earliest(next, c.screen.update(now, state))
	if len(c.screen.paint()) == 0 {
		return next
	}
	if !c.draw(now) {
		return earliest(next, now.Add(redrawAfter))
	}
	c.screen.done()
	return next
}

// latest() returns the present situation: the state of the connection, the time when this state will change, whether everything must be
// drawn, and whether the screen should be off.
func (c *Client) latest(now time.Time) (s State, turns time.Time, whole, off bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	whole, c.whole = c.whole, false
	c.screen.failure, c.screen.unpainted = c.failure, c.link.unpainted
	if c.opts.silent() {
		return Rejected, time.Time{}, whole, false
	}
	return c.link.shown(now), c.link.next(now), whole, c.link.off(now)
}

// wallLight returns the brightness and warmth of the wall's screen, as the service last reported them.
func (c *Client) wallLight() Light {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.link.light
}

// draw passes the painted parts to the display. If the display fails, draw returns false. It logs the error if its text differs from the
// error logged last, and the latest such log line is at least tellAgain old.
func (c *Client) draw(now time.Time) bool {
	err := c.screen.give(c.opts.Display)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.stats.Shown++
		if c.trouble != "" {
			c.trouble = ""
			c.opts.Log.Info("the display shows frames again")
		}
		return true
	}
	c.stats.Failed++
	if text := err.Error(); text != c.trouble && now.Sub(c.told) >= tellAgain {
		c.trouble, c.told = text, now
		c.opts.Log.Warn("the display shows nothing", "error", err)
	}
	return false
}

// earliest() returns the earlier of the times a and b. A zero b means never.
func earliest(a, b time.Time) time.Time {
	if b.IsZero() || a.Before(b) {
		return a
	}
	return b
}
