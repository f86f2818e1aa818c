package bridge

import (
	"log/slog"
	"time"

	"golang.org/x/time/rate"
)

const (
	// lasting is the number of messages of one server that are shown in a second, and atOnce the number that are shown at once: twice
	// the number of missed messages. At most 32 wait for a place anyway.
	lasting = 5
	atOnce  = 2 * maxMissed
	// restTime is the pause after each dropped message, so that a flood costs almost no processor time.
	restTime = 10 * time.Millisecond
	// toldEvery is the interval of log lines about dropped messages.
	toldEvery = time.Minute
)

// A flow limits the messages of one server and logs dropped ones rarely. It belongs to one goroutine.
type flow struct {
	limit *rate.Limiter
	log   *slog.Logger
	told  time.Time // time of the last log line, zero for never
}

func newFlow(perSecond rate.Limit, burst int, log *slog.Logger) *flow {
	return &flow{limit: rate.NewLimiter(perSecond, burst), log: log}
}

// lets reports whether another message may be shown.
func (f *flow) lets(now time.Time, from any) bool {
	if f.limit.AllowN(now, 1) {
		return true
	}
	f.warn(now, "dropping messages above the rate", "from", from, "a second", float64(f.limit.Limit()))
	return false
}

// warn logs a problem with messages, at most once in toldEvery.
func (f *flow) warn(now time.Time, what string, args ...any) {
	if !f.told.IsZero() && now.Sub(f.told).Abs() < toldEvery {
		return
	}
	f.told = now
	f.log.Warn(what, args...)
}
