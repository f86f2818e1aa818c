package kit

import (
	"cmp"
	"dashboard/widgets/kit/history"
	"time"
)

// PastOf returns the history of a parameter. `program` is the parameter's program. If widgets request several periods, the history covers
// the longest period.
func (b *Builder) PastOf(of any, program string, span time.Duration) *history.Past {
	p := b.Remembered[of]
	if p == nil {
		p = b.Pasts.Past(program, span, b.TimeSet)
		b.Remembered[of] = p
	}
	p.Widen(span)
	return p
}

// History requests the values that an entity had before the wall started. If t has no entity, it does nothing.
func (b *Builder) History(s *Spec, t *Thing, p *history.Past) {
	if t.Entity == nil || p.Earlier != nil || b.Sources == nil || b.Running {
		return
	}
	if c, ok := b.Sources.History(s.AskerAt(t.Entity.Pos()), cmp.Or(t.Provider, UsualHome), t.Entity.ID, p.Span()); ok {
		p.Earlier = c
	}
}

// Measured implements history.Source. A plain value has no time, so ok is false.
func (in *Input) Measured() (v float64, at time.Time, ok bool) {
	if v, ok = in.Number(); !ok || in.Seen == nil {
		return 0, at, false
	}
	return v, in.Seen.At, true
}
