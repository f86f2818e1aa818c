package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"dashboard/provider"
)

const (
	// pace is the minimum time between two runs while values keep changing. No wall is painted more often.
	pace = time.Second / 60
	// atOnce is the number of runs in a row that can be closer together than pace. When a wall
	// starts, values arrive from many sources at once.
	atOnce = 8
)

// Run keeps the results up to date until ctx ends. After results have changed, it publishes a number into `cell`, which wakes the walls
// that show the results. If more than atOnce values arrive faster than pace, several values are processed in one run.
func (p *Programs) Run(ctx context.Context, cell *provider.Cell) error {
	changed := make(chan struct{}, 1)
	for _, s := range p.sources {
		defer s.cell.Watch(changed)()
	}
	p.second, p.minute = p.now().Truncate(time.Second), p.now().Truncate(time.Minute)
	var due time.Time // time of the next run if the time between two runs were always pace
	for first := true; ; first = false {
		now := p.now()
		p.due(now)
		if p.pass(ctx, now) || first && p.answered() {
			p.tell(cell, now)
		}
		var tick <-chan time.Time
		if d := p.untilTick(p.now()); d > 0 {
			tick = time.After(d)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		case <-tick:
		}
		if now := time.Now(); due.Before(now) {
			due = now
		}
		due = due.Add(pace)
		if wait := time.Until(due) - atOnce*pace; wait > 0 && !provider.Sleep(ctx, wait) {
			return nil
		}
	}
}

// answered() reports whether there are programs and each of them has a result or an error. A program that reads no provider already has a
// result when it is added.
func (p *Programs) answered() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.programs {
		if s := n.cell.Load(); !s.Has() && s.Err == nil {
			return false
		}
	}
	return len(p.programs) > 0
}

// Settled implements provider.Settler.
func (p *Programs) Settled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.sources {
		if s.cell.Load() != s.seen {
			return false
		}
	}
	return true
}

// tell wakes the walls that show the results. If a program fails, it publishes the program's error.
func (p *Programs) tell(cell *provider.Cell, now time.Time) {
	all := p.Problems()
	if len(all) == 0 {
		cell.Publish(int(cell.Load().Seq), now)
		return
	}
	first := all[0]
	cell.Fail(fmt.Errorf("%s: %s: !data %s: %w", first.Place.At, first.Place.What, first.Program, first.Err), now)
}

// untilTick returns the time until the next second or minute for which a program waits. It returns 0 if no program waits.
func (p *Programs) untilTick(now time.Time) time.Duration {
	every := time.Duration(0)
	for _, n := range p.programs {
		if n.clock > 0 && (every == 0 || n.clock < every) {
			every = n.clock
		}
	}
	if every == 0 {
		return 0
	}
	return now.Truncate(every).Add(every).Sub(now)
}

// due() marks the programs that must run because a new second or minute has begun.
func (p *Programs) due(now time.Time) {
	second, minute := now.Truncate(time.Second), now.Truncate(time.Minute)
	for _, n := range p.programs {
		n.dirty = n.dirty || n.clock == time.Second && !second.Equal(p.second) || n.clock == time.Minute && !minute.Equal(p.minute)
	}
	p.second, p.minute = second, minute
}

// pass() runs all programs whose input has changed. It returns true if a result has changed.
func (p *Programs) pass(ctx context.Context, now time.Time) (changed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.sources {
		if sample := s.cell.Load(); sample != s.seen {
			s.seen = sample
			for _, n := range s.readers {
				n.dirty = true
			}
		}
	}
	for _, n := range p.programs {
		if n.dirty {
			changed = p.run(ctx, n, now) || changed
		}
	}
	return changed
}

// run runs one program and publishes its result. It returns true if the result has changed.
func (p *Programs) run(ctx context.Context, n *program, now time.Time) (changed bool) {
	n.dirty = false
	in := p.input(n, now)
	if !in.some {
		if in.err != nil {
			n.cell.Fail(in.err, in.tried)
		}
		return in.err != nil
	}
	n.cell.PromiseNext(in.every)
	var value any
	value, n.failed = n.value(ctx, in.values)
	if n.failed != nil && in.waits {
		n.failed = nil // the program may succeed after all values have arrived
		return false
	}
	before := n.cell.Load()
	if before.Has() && reflect.DeepEqual(before.Value, value) {
		n.cell.Confirm(in.at)
	} else {
		n.cell.Publish(value, in.at)
		changed = true
	}
	if err := errors.Join(n.failed, in.err); err != nil {
		if n.failed == nil {
			err = in.err
		}
		n.cell.Fail(err, now)
	}
	return changed || (before.Err == nil) != (n.failed == nil && in.err == nil)
}

// value runs the program on an input and returns its result.
func (n *program) value(ctx context.Context, input map[string]any) (any, error) {
	there, err := enter(ctx, n.in, input)
	switch {
	case n.rows != nil && !there:
		return Rows{}, err
	case !there:
		return nil, err
	case n.rows != nil:
		return n.rows.of(ctx, n.code, input)
	}
	return n.code.Run(ctx, input)
}

// An input is the input of a program, made from its sources.
type input struct {
	values map[string]any
	some   bool          // whether at least one source has a value, or the program reads no source
	waits  bool          // whether a source has not answered yet
	at     time.Time     // time of the oldest sample; the present time if there is no sample
	every  time.Duration // interval with which a sample of the time `at` becomes stale together with the first stale source; 0 for none
	err    error         // error of a source whose latest attempt failed
	tried  time.Time
}

func (p *Programs) input(n *program, now time.Time) input {
	in := input{values: make(map[string]any, len(n.reads)+2), some: len(n.reads) == 0}
	if n.clock > 0 {
		in.values[Now], in.values[Second] = int(now.Truncate(time.Minute).Unix()), int(now.Unix())
	}
	var first time.Time
	for _, from := range n.reads {
		s := from.cell.Load()
		if s.Err != nil {
			in.err, in.tried = &provider.Upstream{Err: fmt.Errorf("%s: %w", cmp.Or(from.entry, from.name), s.Err)}, s.Tried
		}
		if !s.Has() {
			in.waits = in.waits || s.Err == nil
			continue
		}
		in.some = true
		from.put(in.values, from.value(s))
		if in.at.IsZero() || s.At.Before(in.at) {
			in.at = s.At
		}
		if stale := s.StaleAt(); stale != nil && (first.IsZero() || stale.Before(first)) {
			first = *stale
		}
	}
	if !first.IsZero() { // the oldest source can have a longer interval than the source that becomes stale first
		in.every = first.Sub(in.at) / provider.StaleIntervals
	}
	if in.at.IsZero() {
		in.at = now
	}
	return in
}

// put adds the value of a source to the input of a program.
func (s *source) put(into map[string]any, v any) {
	if s.entry == "" {
		into[s.name] = v
		return
	}
	all, ok := into[s.name].(map[string]any)
	if !ok {
		all = map[string]any{}
		into[s.name] = all
	}
	all[s.entry] = v
}

// A Problem names a program that fails or reads a missing key, and the reason.
type Problem struct {
	Place   provider.Place
	Program string
	Err     error
}

// Problems lists the programs whose latest run failed.
func (p *Programs) Problems() []Problem {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []Problem
	for _, n := range p.programs {
		if n.failed != nil {
			all = append(all, Problem{n.place, n.code.String(), n.failed})
		}
	}
	return all
}
