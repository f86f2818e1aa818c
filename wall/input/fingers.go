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

// A LeftOut counts dropped actions of touches and keys. The zero value is ready.
type LeftOut struct {
	mu    sync.Mutex
	Said  time.Time // time of the last report
	count int       // number of dropped actions since the last report
}

// Tell counts a dropped action. If the last log line is old enough, it logs the number of dropped actions.
func (c *LeftOut) Tell(now time.Time, log *slog.Logger, by control.Caller) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	if !c.Said.IsZero() && now.Sub(c.Said) < LeftOutEvery {
		return
	}
	log.Warn("too many actions at the screen: some are dropped", "via", by.Via, "from", by.From, "count", c.count)
	c.Said, c.count = now, 0
}
