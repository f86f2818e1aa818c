package input

import (
	"log/slog"
	"sync"
	"time"

	"dashboard/control"
)

// LeftOutEvery is the minimum time between two log lines about dropped actions, because a broken key can be pressed 100,000 times
// a second.
const LeftOutEvery = time.Minute

// A LeftOut counts dropped actions from touches and keys. The zero value has counted none.
type LeftOut struct {
	mu    sync.Mutex
	Said  time.Time // time of the last report
	count int       // number of dropped actions since then
}

// Tell logs a dropped action with the number of earlier ones, or only counts it.
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
