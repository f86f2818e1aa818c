package bridge

import (
	"log/slog"
	"time"

	"golang.org/x/time/rate"
)

const (
	// `lasting` is the number of messages per second that are shown from one server. atOnce is the number of messages that may arrive at
	// once. It is twice maxMissed, which is also the number of notifications that can wait.
	lasting = 5
	atOnce  = 2 * maxMissed
	// restTime is the pause after each dropped message. A flood of messages therefore needs almost no processor time.
	restTime = 10 * time.Millisecond
	// toldEvery is the minimum time between two log lines of a flow.
	toldEvery = time.Minute
)

// A flow limits the rate of messages from one server. It logs problems with messages, at most one line within toldEvery. Only one
// goroutine may use it.
type flow struct {
	limit *rate.Limiter
	log   *slog.Logger
	told  time.Time // time of the last log line, zero for never
}

func newFlow(perSecond rate.Limit, burst int, log *slog.Logger) *flow {
	return &flow{limit: rate.NewLimiter(perSecond, burst), log: log}
}

// lets() reports whether the rate limit allows another message. `from` is the server or topic, for the log.
func (f *flow) lets(now time.Time, from any) bool {
	if f.limit.AllowN(now, 1) {
		return true
	}
	f.warn(now, "dropping messages above the rate", "from", from, "a second", float64(f.limit.Limit()))
	return false
}

// warn logs a problem with messages. It writes at most one line within toldEvery.
func (f *flow) warn(now time.Time, what string, args ...any) {
	if !f.told.IsZero() && now.Sub(f.told).Abs() < toldEvery {
		return
	}
	f.told = now
	f.log.Warn(what, args...)
}
