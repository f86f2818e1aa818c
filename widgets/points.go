package widgets

import (
	"cmp"
	"math"
	"slices"
	"time"

	"dashboard/render"
)

// datum is a number at a moment, in Unix seconds, or at a place in a list. A gap has no number.
type datum struct{ at, v float64 }

func (d datum) gap() bool { return math.IsNaN(d.v) }

// Bounds of what a chart shows.
const (
	maxPoints = 4096 // of a series; of more the last
	maxSeries = 12
	pastMost  = 720 // numbers kept of a value's past: more than most charts are wide
)

// readPoints appends what a list says: numbers, [time, number], {at, value}; null is a gap. timed reports whether the
// points have times. What is nothing of these is a gap too.
func readPoints(dst []datum, v any, e *Env) (points []datum, timed bool) {
	list, _ := v.([]any)
	list = list[max(0, len(list)-maxPoints):]
	for i, entry := range list {
		d := datum{float64(i), math.NaN()}
		at, value := any(nil), entry
		switch entry := entry.(type) {
		case []any:
			if len(entry) >= 2 {
				at, value = entry[0], entry[1]
			}
		case map[string]any:
			at, value = entry["at"], entry["value"]
		}
		if n, ok := numberOf(value); ok {
			d.v = n
		}
		if t, ok := e.timeOf(at); at != nil && ok {
			d.at, timed = seconds(t), true
		} else if at != nil {
			continue // no time: nobody knows where
		}
		dst = append(dst, d)
	}
	if timed && !slices.IsSortedFunc(dst, byTime) {
		slices.SortStableFunc(dst, byTime)
	}
	return dst, timed
}

func byTime(a, b datum) int { return cmp.Compare(a.at, b.at) }

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

func moment(s float64) time.Time { return time.UnixMilli(int64(s * 1000)) }

// bucket makes one point of all in so many seconds, in place. Buckets begin at the wall's midnight.
func bucket(points []datum, length float64, combine string, loc *time.Location) []datum {
	if length <= 0 || len(points) == 0 {
		return points
	}
	_, offset := moment(points[0].at).In(loc).Zone()
	start := func(d datum) float64 {
		return math.Floor((d.at+float64(offset))/length)*length - float64(offset)
	}
	out, before := points[:0], math.NaN()
	for i := 0; i < len(points); {
		at, j := start(points[i]), i
		for j < len(points) && start(points[j]) == at {
			j++
		}
		last := points[j-1].v
		v := combined(points[i:j], combine, before)
		before, i = last, j
		out = append(out, datum{at, v})
	}
	return out
}

// combined is one number for those of a bucket. before is the last number of the bucket before it.
func combined(points []datum, how string, before float64) float64 {
	out, n := math.NaN(), 0
	for _, p := range points {
		if p.gap() {
			continue
		}
		switch {
		case n == 0 || how == "last":
			out = p.v
		case how == "min":
			out = min(out, p.v)
		case how == "max":
			out = max(out, p.v)
		case how == "change":
			out = p.v
		default:
			out += p.v
		}
		n++
		if how == "change" && math.IsNaN(before) {
			before = p.v
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

// past is what a number was: a ring of fixed size, in which one entry stands for a part of its span.
type past struct {
	span    float64 // seconds
	data    []datum
	history input       // of what was before, if somebody knows
	recalls int         // how often that came
	kept    *keptPast   // what all trees and the next start have of it; may be nil
	timeSet func() bool // the clock can be believed
}

func newPast(span time.Duration) *past {
	return &past{span: max(1, span.Seconds()), data: make([]datum, 0, pastMost)}
}

// pastOf is the past of a parameter, which a program gives; there is one, of the longest span that anybody asked for.
func (b *Builder) pastOf(of any, program string, span time.Duration) *past {
	p := b.pasts[of]
	if p == nil {
		p = newPast(span)
		p.kept, p.timeSet = b.Pasts.of(program, p.span), b.TimeSet
		p.take()
		b.pasts[of] = p
	}
	p.span = max(p.span, span.Seconds())
	return p
}

// add notes a number. It allocates nothing.
func (p *past) add(at, v float64) {
	step := p.span / (pastMost - 1)
	if n := len(p.data); n > 1 && at-p.data[n-2].at < step {
		p.data[n-1] = datum{at, v}
		return
	}
	old := 0
	for old < len(p.data)-1 && p.data[old+1].at < at-p.span {
		old++
	}
	if len(p.data) == cap(p.data) {
		old = max(old, 1)
	}
	p.data = append(p.data[:0], p.data[old:]...)
	p.data = append(p.data, datum{at, v})
}

// recall puts what was before the wall looked in front of what is known, whenever that comes.
func (p *past) recall(t render.Tick) {
	if !p.history.update(t) {
		return
	}
	v, _ := p.history.value()
	list, _ := v.([]any)
	if len(list) == 0 {
		return
	}
	p.recalls++
	seen := slices.Clone(p.data)
	p.data = p.data[:0]
	for _, entry := range list {
		pair, _ := entry.([]any)
		if len(pair) != 2 {
			continue
		}
		at, ok := numberOf(pair[0])
		n, known := numberOf(pair[1])
		if !known {
			n = math.NaN()
		}
		if ok && (len(p.data) == 0 || at > p.data[len(p.data)-1].at) {
			p.add(at, n)
		}
	}
	for _, d := range seen {
		if len(p.data) == 0 || d.at > p.data[len(p.data)-1].at {
			p.add(d.at, d.v)
		}
	}
}

// before is what the number was at a moment; ok is false if that is not known.
func (p *past) before(at float64) (float64, bool) {
	i, _ := slices.BinarySearchFunc(p.data, at, func(d datum, at float64) int { return cmp.Compare(d.at, at) })
	if i < len(p.data) && p.data[i].at == at {
		return p.data[i].v, true
	}
	if i == 0 {
		return 0, false
	}
	return p.data[i-1].v, !p.data[i-1].gap()
}

// follow notes an input's latest sample.
func (p *past) follow(in *input) {
	if v, ok := in.number(); ok && in.seen != nil {
		at := seconds(in.seen.At)
		p.take()
		if p.kept != nil && len(p.data) > 0 && p.data[len(p.data)-1].at > at+wrongBy && p.timeSet() {
			p.unwind(at)
		}
		if len(p.data) == 0 || at > p.data[len(p.data)-1].at {
			p.add(at, v)
			p.give()
		}
	}
}
