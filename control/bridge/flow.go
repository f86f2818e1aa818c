package bridge

import (
	"log/slog"
	"time"

	"golang.org/x/time/rate"
)

const (
	// lasting and atOnce are how many messages of one server are shown, in a second and at once: twice as many as may have come while
	// nobody listened. More than 32 wait for no place on the wall anyway.
	lasting = 5
	atOnce  = 2 * maxMissed
	// restTime is the rest after each message that is left out, so that a flood costs the wall next to nothing.
	restTime = 10 * time.Millisecond
	// toldEvery is how often the log tells of messages that are not shown.
	toldEvery = time.Minute
)

// A flow is what comes from one server: so much is shown, and of the rest the log tells once. It belongs to one goroutine.
type flow struct {
	limit *rate.Limiter
	log   *slog.Logger
	told  time.Time // zero for never
}

func newFlow(perSecond rate.Limit, burst int, log *slog.Logger) *flow {
	return &flow{limit: rate.NewLimiter(perSecond, burst), log: log}
}

// lets reports whether one more message is shown.
func (f *flow) lets(now time.Time, from any) bool {
	if f.limit.AllowN(now, 1) {
		return true
	}
	f.tell(now, "more messages come than are shown; some are left out", "from", from, "a second", float64(f.limit.Limit()))
	return false
}

// tell has the log say what is wrong with messages, at most once in toldEvery.
func (f *flow) tell(now time.Time, what string, args ...any) {
	if !f.told.IsZero() && now.Sub(f.told).Abs() < toldEvery {
		return
	}
	f.told = now
	f.log.Warn(what, args...)
}
