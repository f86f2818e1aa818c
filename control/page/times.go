package page

import (
	"slices"
	"time"
)

// mostSteps is the maximum number of steps that Ends simulates.
const mostSteps = 200

// Ends returns the time when the page or its reason will change, provided that no new value and no request arrives until then. It returns
// zero if this time is unknown. It allocates.
func (r *Rotation) Ends() time.Time {
	ahead := *r
	ahead.states, ahead.in = slices.Clone(r.states), slices.Clone(r.in)
	in := slices.Clone(r.in)
	for range mostSteps {
		at := ahead.Next()
		for i := range in {
			for _, turn := range in[i].turns() {
				at = earlierOf(at, *turn.at)
			}
		}
		if at.IsZero() {
			break
		}
		for i := range in {
			in[i].turn(at)
		}
		if ahead.Step(at, in); ahead.shown != r.shown || ahead.why != r.why {
			return at
		}
	}
	return time.Time{}
}

// A turn points to the value of a condition, and to the time at which this value will be inverted because of the time of day.
type turn struct {
	holds *bool
	at    *time.Time
}

func (c *Condition) turns() [3]turn {
	return [...]turn{{&c.When, &c.WhenTurns}, {&c.Fire, &c.FireTurns}, {&c.Clear, &c.ClearTurns}}
}

// turn inverts the conditions whose time has come. It sets their times to zero, because later changes are unknown.
func (c *Condition) turn(at time.Time) {
	for _, t := range c.turns() {
		if !t.at.IsZero() && !t.at.After(at) {
			*t.holds, *t.at = !*t.holds, time.Time{}
		}
	}
}

// earlierOf returns the earlier of two times. A zero time means never.
func earlierOf(a, b time.Time) time.Time {
	if b.IsZero() {
		return a
	}
	return earlier(a, b)
}

// Until returns the time when the shown page ends, provided that no condition changes, no other trigger starts and no request arrives. It
// returns zero if this time is unknown.
func (r *Rotation) Until() time.Time {
	switch r.why {
	case Hand:
		if r.handLength > 0 {
			return r.handSince.Add(r.handLength)
		}
	case Fired:
		if s := r.states[r.shown]; !r.lasts(r.shown) {
			return s.until
		}
	case Only, Turn:
		if r.after(r.turn, 1) != r.turn {
			return r.due()
		}
	}
	return time.Time{}
}

// Next returns the time when Step must be called if no condition changes before; zero for never.
func (r *Rotation) Next() time.Time {
	next := r.Until()
	for i, p := range r.pages {
		s := &r.states[i]
		switch {
		case p.Trigger == nil:
		case s.active && r.now.Before(s.until):
			next = earlier(next, s.until)
		case !s.active && !s.since.IsZero():
			next = earlier(next, r.ripe(i))
		}
	}
	return next
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// rewind corrects all times after the clock was set back. Past events are then not in the future, and nothing lasts longer than its
// settings allow.
func (r *Rotation) rewind(now time.Time) {
	back := func(at *time.Time, most time.Time) {
		if at.After(most) {
			*at = most
		}
	}
	back(&r.since, now)
	back(&r.turnSince, now)
	back(&r.handSince, now)
	back(&r.touched, now)
	for i, p := range r.pages {
		if p.Trigger == nil {
			continue
		}
		s := &r.states[i]
		back(&s.since, now)
		back(&s.begun, now)
		back(&s.until, now.Add(p.Trigger.Hold))
		back(&s.rest, now.Add(p.Trigger.Cooldown))
	}
}

// follows() copies the state of an old rotation. Pages with the same name keep their state.
func (r *Rotation) follows(old *Rotation) {
	if i := r.named(old.pages[old.shown].Name); i >= 0 && (old.why != Fired || r.pages[i].Trigger != nil) {
		r.shown, r.why, r.since = i, old.why, old.since
	}
	if old.turn >= 0 {
		if i := r.named(old.pages[old.turn].Name); i >= 0 && r.pages[i].Trigger == nil {
			r.turn, r.turnSince = i, old.turnSince
		}
	}
	if old.hand >= 0 {
		if i := r.named(old.pages[old.hand].Name); i >= 0 {
			r.hand, r.handSince, r.handLength = i, old.handSince, old.handLength
		}
	}
	for i, p := range old.pages {
		if j := r.named(p.Name); j >= 0 && p.Trigger != nil && r.pages[j].Trigger != nil {
			r.states[j], r.in[j] = old.states[i], old.in[i]
		}
	}
	r.now, r.touched = old.now, old.touched
}

// named() returns the index of the page with a name, or -1.
func (r *Rotation) named(name string) int {
	for i, p := range r.pages {
		if p.Name == name {
			return i
		}
	}
	return -1
}
