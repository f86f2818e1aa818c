package client

import (
	"log/slog"
	"math"
	"strconv"
	"time"
)

// A latency holds the times of the steps from publication to display of a frame. Differences are correct only if the clocks of both
// machines agree.
type latency struct {
	published  time.Time // time of publication, or zero if the service does not send it
	noticed    time.Time // time when the event was read, or zero for a frame without an event
	asked      time.Time
	downloaded time.Time
	decoded    time.Time
}

// A figure is the duration of one step, with the name of the step.
type figure struct {
	name string
	time time.Duration
}

// maxFigures is the number of steps.
const maxFigures = 4

// figures() appends the durations of the steps to dst, in order. It appends nothing if the time of publication is unknown.
func (l *latency) figures(dst []figure) []figure {
	if l.published.IsZero() {
		return dst
	}
	if !l.noticed.IsZero() {
		dst = append(dst, figure{"notice", l.noticed.Sub(l.published)})
	}
	return append(dst,
		figure{"download", l.downloaded.Sub(l.asked)},
		figure{"display", l.decoded.Sub(l.downloaded)},
		figure{"total", l.decoded.Sub(l.published)})
}

// LogValue implements slog.LogValuer. It returns the durations in ms with their names.
func (l *latency) LogValue() slog.Value {
	var parts [maxFigures]figure
	var attrs [maxFigures]slog.Attr
	for i, f := range l.figures(parts[:0]) {
		attrs[i] = slog.Float64(f.name, math.Round(milliseconds(f.time)*10)/10)
	}
	return slog.GroupValue(attrs[:len(l.figures(parts[:0]))]...)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// parseUnix parses the value of X-Frame-Published-At: Unix seconds with decimals. It returns the zero time for invalid values.
func parseUnix(s string) time.Time {
	seconds, err := strconv.ParseFloat(s, 64)
	// The year of this limit is 2242. A later time cannot be right, and a float64 cannot store it to the microsecond.
	const most = 1 << 33
	if err != nil || !(seconds > 0 && seconds < most) {
		return time.Time{}
	}
	return time.UnixMicro(int64(math.Round(seconds * 1e6)))
}
