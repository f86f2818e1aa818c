package input

import (
	"log/slog"
	"sync"
	"time"

	"dashboard/control"
)

// LeftOutEvery is the least time between two lines about dropped actions: a broken key can be pressed 100,000 times a
// second.
const LeftOutEvery = time.Minute

// A LeftOut counts the actions at screens that were dropped because there were too many. The zero value has none.
type LeftOut struct {
	mu    sync.Mutex
	Said  time.Time // when it was reported
	count int       // since
}

// Tell logs a dropped action, with the number of earlier ones, or counts it.
func (c *LeftOut) Tell(now time.Time, log *slog.Logger, by control.Caller) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	if !c.Said.IsZero() && now.Sub(c.Said) < LeftOutEvery {
		return
	}
	log.Warn("too much is asked for at the screen: left out", "via", by.Via, "from", by.From, "count", c.count)
	c.Said, c.count = now, 0
}
