package output

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"time"
)

const (
	// reportEvery is the minimum time between two log lines about the same output.
	reportEvery = time.Second
	// repeatEvery is the time after which an unchanged error is logged again. With the pause
	// reportEvery, an unplugged screen would write 86,400 equal lines a day to an SD card.
	repeatEvery = 10 * time.Minute
	// mostTold is the maximum number of different errors that are remembered. The errors of a broken screen alternate between two or three
	// texts.
	mostTold = 4
	// steadyFor is the time without a failure after which the same failure is logged again at once. It is also the time without a success
	// after which a returned failure is logged. An output that flickers is logged as rarely as one that stays broken.
	steadyFor = time.Minute
)

// A telling is a logged failure.
type telling struct {
	text string
	at   time.Time // time of the log line
}

// reporter logs failures of an output. If there are many failures, it logs only some of them. If log is nil, it logs nothing. A reporter
// is not safe for concurrent use.
type reporter struct {
	log    *slog.Logger
	name   string
	said   time.Time // time of the latest log line
	told   []telling // logged failures since the output was steady, with different texts
	silent int       // number of failures since the latest log line
	last   time.Time // time of the latest failure
	since  time.Time // time of the first failure since the latest success, or 0
	down   bool      // a failure was logged, and no success since then
}

// failed() logs err, or counts it for a later log line.
func (r *reporter) failed(now time.Time, err error) {
	if now.Sub(r.last) >= steadyFor && !r.down {
		r.told = nil
	}
	r.last = now
	if r.since.IsZero() {
		r.since = now
	}
	stays := !r.down && now.Sub(r.since) >= steadyFor // otherwise "output works again" would be the last line
	text := err.Error()
	known := slices.IndexFunc(r.told, func(t telling) bool { return t.text == text })
	if !r.said.IsZero() && now.Sub(r.said) < reportEvery || known >= 0 && !stays && now.Sub(r.told[known].at) < repeatEvery {
		r.silent++
		return
	}
	if r.log != nil {
		level, says := slog.LevelWarn, "output failed"
		if errors.Is(err, fs.ErrNotExist) { // a missing device is usual on a laptop, or if the screen will be connected later
			level, says = slog.LevelInfo, "output is not there; it is used as soon as it is"
		}
		r.log.Log(context.Background(), level, says, append([]any{"output", r.name, "error", err}, r.untold()...)...)
	}
	r.said, r.silent, r.down = now, 0, true
	switch {
	case known >= 0:
		r.told = slices.Delete(r.told, known, known+1)
	case len(r.told) == mostTold:
		r.told = slices.Delete(r.told, 0, 1)
	}
	r.told = append(r.told, telling{text, now})
}

// worked() logs that the output works again, if a failure was logged before.
func (r *reporter) worked(now time.Time) {
	r.since = time.Time{}
	if !r.down || now.Sub(r.said) < reportEvery {
		return
	}
	if r.log != nil {
		r.log.Info("output works again", append([]any{"output", r.name}, r.untold()...)...)
	}
	r.said, r.silent, r.down = now, 0, false
}

// untold() returns a log attribute with the number of failures that were not logged, if there are any.
func (r *reporter) untold() []any {
	if r.silent == 0 {
		return nil
	}
	return []any{"unreported", r.silent}
}

// note() calls worked() if err is nil, otherwise failed().
func (r *reporter) note(now time.Time, err error) {
	if err != nil {
		r.failed(now, err)
		return
	}
	r.worked(now)
}
