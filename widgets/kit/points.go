package kit

import (
	"cmp"
	"math"
	"slices"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit/format"
)

// Datum is a number with its time in Unix seconds or, for plain numbers, with its index in a list. The number of a gap is NaN.
type Datum struct{ At, V float64 }

// Gap reports whether the datum is a missing value.
func (d Datum) Gap() bool { return math.IsNaN(d.V) }

// Limits of a chart's data.
const (
	MaxPoints = 4096 // maximum number of points of a series. If there are more, the last points are used
	MaxSeries = 12
	PastMost  = 720 // maximum number of values of a history. Most charts have fewer columns of pixels
)

// ReadPoints appends the points of a list. An element is a number, [time, number], {at, value}, or null for a gap. An element with an
// unreadable time is left out. Any other element is also a gap. timed reports whether the points have times.
func ReadPoints(dst []Datum, v any, e *Env) (points []Datum, timed bool) {
	list, _ := v.([]any)
	list = list[max(0, len(list)-MaxPoints):]
	for i, entry := range list {
		d := Datum{float64(i), math.NaN()}
		at, value := any(nil), entry
		switch entry := entry.(type) {
		case []any:
			if len(entry) >= 2 {
				at, value = entry[0], entry[1]
			}
		case map[string]any:
			at, value = entry["at"], entry["value"]
		}
		if n, ok := format.NumberOf(value); ok {
			d.V = n
		}
		if t, ok := e.TimeOf(at); at != nil && ok {
			d.At, timed = Seconds(t), true
		} else if at != nil {
			continue // without a time, the position is unknown
		}
		dst = append(dst, d)
	}
	if timed && !slices.IsSortedFunc(dst, byTime) {
		slices.SortStableFunc(dst, byTime)
	}
	return dst, timed
}

func byTime(a, b Datum) int { return cmp.Compare(a.At, b.At) }

// Seconds returns a time as Unix seconds.
func Seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// Moment returns the time for Unix seconds.
func Moment(s float64) time.Time { return time.UnixMilli(int64(s * 1000)) }

// Bucket combines the points of each period into one point, and stores the results in the same slice. The parameter length is the
// duration of a period in seconds. Periods are counted from the start of 1970 in the time zone loc, with the offset from UTC of the first
// point.
func Bucket(points []Datum, length float64, combine string, loc *time.Location) []Datum {
	if length <= 0 || len(points) == 0 {
		return points
	}
	_, offset := Moment(points[0].At).In(loc).Zone()
	start := func(d Datum) float64 {
		return math.Floor((d.At+float64(offset))/length)*length - float64(offset)
	}
	out, before := points[:0], math.NaN()
	for i := 0; i < len(points); {
		at, j := start(points[i]), i
		for j < len(points) && start(points[j]) == at {
			j++
		}
		last := points[j-1].V
		v := combined(points[i:j], combine, before)
		before, i = last, j
		out = append(out, Datum{at, v})
	}
	return out
}

// combined combines the numbers of a period into one number. before is the last number of the previous period.
func combined(points []Datum, how string, before float64) float64 {
	out, n := math.NaN(), 0
	for _, p := range points {
		if p.Gap() {
			continue
		}
		switch {
		case n == 0 || how == "last":
			out = p.V
		case how == "min":
			out = min(out, p.V)
		case how == "max":
			out = max(out, p.V)
		case how == "change":
			out = p.V
		default:
			out += p.V
		}
		n++
		if how == "change" && math.IsNaN(before) {
			before = p.V
		}
	}
	switch how {
	case "mean", "":
		return out / float64(n)
	case "change":
		return out - before
	}
	return out
}

// Past is the history of a number. It keeps at most PastMost entries, which are distributed over the span.
type Past struct {
	span    float64 // span in seconds
	Data    []Datum
	History Input       // earlier values, if the source of the number provides them
	Recalls int         // number of times that earlier values arrived
	kept    *keptPast   // history that is shared with all trees and stored for the next start, or nil
	timeSet func() bool // reports whether the clock is set
}

// NewPast returns an empty history for a period.
func NewPast(span time.Duration) *Past {
	return &Past{span: max(1, span.Seconds()), Data: make([]Datum, 0, PastMost)}
}

// PastOf returns the history of a parameter. program is the parameter's program. If widgets request several periods, the history covers
// the longest period.
func (b *Builder) PastOf(of any, program string, span time.Duration) *Past {
	p := b.Remembered[of]
	if p == nil {
		p = NewPast(span)
		p.kept, p.timeSet = b.Pasts.Of(program, p.span), b.TimeSet
		p.take()
		b.Remembered[of] = p
	}
	p.span = max(p.span, span.Seconds())
	return p
}

// Add records a number. If the last two entries would be closer together than the span allows, the number replaces the last entry. Add
// allocates no memory.
func (p *Past) Add(at, v float64) {
	step := p.span / (PastMost - 1)
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

// Recall adds earlier values from the source, when they arrive. They also replace the values that the wall recorded before the last of
// them.
func (p *Past) Recall(t render.Tick) {
	if !p.History.Update(t) {
		return
	}
	v, _ := p.History.Value()
	list, _ := v.([]any)
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

// Follow records the latest value of an input.
func (p *Past) Follow(in *Input) {
	if v, ok := in.Number(); ok && in.Seen != nil {
		at := Seconds(in.Seen.At)
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
