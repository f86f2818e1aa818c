package input

import (
	"log/slog"
	"sync"
	"time"

	"dashboard/control"
)

// LeftOutEvery is the minimum time between two log lines about dropped actions. A broken key can send 100,000 presses a second, and
// without this limit, each press would be logged.
const LeftOutEvery = time.Minute

// A LeftOut counts the actions of touches and keys that were dropped. The zero value is ready to use.
type LeftOut struct {
	mu    sync.Mutex
	Said  time.Time // time of the last log line
	count int       // number of dropped actions since the last log line
}

// Tell counts a dropped action. If the last log line is older than LeftOutEvery, Tell logs the number of dropped actions.
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
