package client

import (
	"log/slog"
	"math"
	"strconv"
	"time"
)

// A latency holds the times of the steps of a frame. They are correct only if both clocks agree.
type latency struct {
	published  time.Time // zero if the service did not send it
	noticed    time.Time // time when the event was read (zero for a frame without an event)
	asked      time.Time
	downloaded time.Time
	decoded    time.Time
}

// A figure is one part of a latency.
type figure struct {
	name string
	time time.Duration
}

// maxFigures is the greatest number of figures.
const maxFigures = 4

// figures appends the parts to dst, in order. It appends nothing if the publication time is unknown.
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

// LogValue implements slog.LogValuer: milliseconds by name.
func (l *latency) LogValue() slog.Value {
	var parts [maxFigures]figure
	var attrs [maxFigures]slog.Attr
	for i, f := range l.figures(parts[:0]) {
		attrs[i] = slog.Float64(f.name, math.Round(milliseconds(f.time)*10)/10)
	}
	return slog.GroupValue(attrs[:len(l.figures(parts[:0]))]...)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// parseUnix reads the header X-Frame-Published-At, Unix seconds with decimals. It returns the zero time for other values.
func parseUnix(s string) time.Time {
	seconds, err := strconv.ParseFloat(s, 64)
	// Beyond this, a float64 is not exact to a microsecond, and no frame was published in the year 2242.
	const most = 1 << 33
	if err != nil || !(seconds > 0 && seconds < most) {
		return time.Time{}
	}
	return time.UnixMicro(int64(math.Round(seconds * 1e6)))
}
