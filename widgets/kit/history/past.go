// Package history records the numbers that widgets show, and keeps them for the next start.
package history

import (
	"cmp"
	"math"
	"slices"
	"time"

	"dashboard/provider"
	"dashboard/render"
	"dashboard/widgets/kit/format"
)

// Datum is a number with its time in Unix seconds. For numbers without a time, At is the index in a list. The number of a gap is NaN.
type Datum struct{ At, V float64 }

// Gap reports whether the datum is a missing value.
func (d Datum) Gap() bool { return math.IsNaN(d.V) }

// Most is the maximum number of values of a history. Most charts have fewer columns of pixels.
const Most = 720

// Seconds returns a time as Unix seconds.
func Seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// Moment returns the time for Unix seconds.
func Moment(s float64) time.Time { return time.UnixMilli(int64(s * 1000)) }

// Past is the history of a number. It keeps at most Most entries, which are distributed over the span.
type Past struct {
	span    float64 // span in seconds
	Data    []Datum
	Earlier *provider.Cell   // earlier values as a list of [time, number]. nil if the number's source provides no earlier values
	recall  *provider.Sample // sample of Earlier that the history contains
	Recalls int              // number of times that Recall has added earlier values
	kept    *keptPast        // history that all trees share and that is stored for the next start, or nil
	timeSet func() bool      // reports whether the clock is set
}

// New returns an empty history for a period.
func New(span time.Duration) *Past {
	return &Past{span: max(1, span.Seconds()), Data: make([]Datum, 0, Most)}
}

// Span returns the duration of the history.
func (p *Past) Span() time.Duration { return time.Duration(p.span * float64(time.Second)) }

// Widen extends the history to a longer span. A shorter span changes nothing.
func (p *Past) Widen(span time.Duration) { p.span = max(p.span, span.Seconds()) }

// Add records a number. If the last two entries would be closer together than the span allows, the number replaces the last entry. Add
// allocates no memory.
func (p *Past) Add(at, v float64) {
	step := p.span / (Most - 1)
	if n := len(p.Data); n > 1 && at-p.Data[n-2].At < step {
		p.Data[n-1] = Datum{at, v}
		return
	}
	old := 0
	for old < len(p.Data)-1 && p.Data[old+1].At < at-p.span {
		old++
	}
	if len(p.Data) == cap(p.Data) {
		old = max(old, 1)
	}
	p.Data = append(p.Data[:0], p.Data[old:]...)
	p.Data = append(p.Data, Datum{at, v})
}

// Recall adds earlier values from the source when they arrive. Values that the wall recorded before the end of the earlier values are
// dropped.
func (p *Past) Recall(t render.Tick) {
	if p.Earlier == nil {
		return
	}
	if t.Present() {
		p.Earlier.Look(t.Now())
	}
	s := p.Earlier.Load()
	if s == p.recall {
		return
	}
	p.recall = s
	list, _ := s.Value.([]any)
	if len(list) == 0 {
		return
	}
	p.Recalls++
	seen := slices.Clone(p.Data)
	p.Data = p.Data[:0]
	for _, entry := range list {
		pair, _ := entry.([]any)
		if len(pair) != 2 {
			continue
		}
		at, ok := format.NumberOf(pair[0])
		n, known := format.NumberOf(pair[1])
		if !known {
			n = math.NaN()
		}
		if ok && (len(p.Data) == 0 || at > p.Data[len(p.Data)-1].At) {
			p.Add(at, n)
		}
	}
	for _, d := range seen {
		if len(p.Data) == 0 || d.At > p.Data[len(p.Data)-1].At {
			p.Add(d.At, d.V)
		}
	}
}

// Before returns the value that the number had at a time. ok is false if this value is unknown.
func (p *Past) Before(at float64) (float64, bool) {
	i, exact := slices.BinarySearchFunc(p.Data, at, func(d Datum, at float64) int { return cmp.Compare(d.At, at) })
	if exact {
		i++
	}
	if i == 0 {
		return 0, false
	}
	return p.Data[i-1].V, !p.Data[i-1].Gap()
}

// A Source provides a number that changes.
type Source interface {
	// Measured returns the latest number and its time.
	Measured() (v float64, at time.Time, ok bool)
}

// Follow records the latest number of a source.
func (p *Past) Follow(in Source) {
	if v, when, ok := in.Measured(); ok {
		at := Seconds(when)
		p.take()
		if p.kept != nil && len(p.Data) > 0 && p.Data[len(p.Data)-1].At > at+wrongBy && p.timeSet() {
			p.unwind(at)
		}
		if len(p.Data) == 0 || at > p.Data[len(p.Data)-1].At {
			p.Add(at, v)
			p.give()
		}
	}
}
