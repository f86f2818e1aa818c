package todo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

const (
	// firstPause and mostPause are the pauses after the first failed attempt and after many failed attempts. Each pause is twice as
	// long as the previous one.
	firstPause = 2 * time.Second
	mostPause  = 5 * time.Minute
	// attemptTime limits an attempt. A change of a CalDAV task takes several requests.
	attemptTime = time.Minute
	// problemTime is the time for which a wall shows why a change was refused.
	problemTime = 15 * time.Minute
)

// Run carries out the changes until ctx ends. Only one Run at a time is active for a queue. Another call waits until it ends.
func (q *Queue) Run(ctx context.Context, s Source) {
	select {
	case q.running <- struct{}{}:
		defer func() { <-q.running }()
	case <-ctx.Done():
		return
	}
	for ctx.Err() == nil {
		if wait, idle := q.Step(ctx, s, time.Now()); idle {
			q.sleep(ctx, wait)
		}
	}
}

// Step carries out the first change that is due. If no change is due, idle is true, and wait is the time until the next one is due,
// or 0 if there is none. Only one goroutine at a time may call Step.
func (q *Queue) Step(ctx context.Context, s Source, now time.Time) (wait time.Duration, idle bool) {
	c, wait := q.take(now)
	if c == nil {
		return wait, true
	}
	began := time.Now()
	err := carry(ctx, s, *c)
	q.settle(c.ID, err, ctx.Err() != nil, now.Add(time.Since(began)))
	return 0, false
}

// sleep waits for work, for the end of a pause, or for the end of ctx. A pause of 0 is endless.
func (q *Queue) sleep(ctx context.Context, wait time.Duration) {
	var over <-chan time.Time
	if wait > 0 {
		over = time.After(wait)
	}
	select {
	case <-ctx.Done():
	case <-q.work:
	case <-over:
	}
}

// carry makes one attempt. A panic of the source counts as a failure.
func carry(ctx context.Context, s Source, c Change) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = Refused("the program failed: %v", v)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	return s.Carry(ctx, c)
}

// take returns the first change that is due and marks it as begun. If there is none, it returns the time until the next step, or 0.
func (q *Queue) take(now time.Time) (*Change, time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expire(now)
	next := time.Time{}
	for i, p := range q.all {
		at := p.until
		if p.waits() {
			if at = later(p.next, q.rest); !at.After(now) && !q.earlier(i) {
				return q.begin(p), 0
			}
		}
		if at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	if next.IsZero() {
		return nil, 0
	}
	return nil, next.Sub(now)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// earlier reports whether a waiting change before the one at i concerns the same task.
func (q *Queue) earlier(i int) bool {
	return slices.ContainsFunc(q.all[:i], func(p *pending) bool { return p.Task == q.all[i].Task && p.waits() })
}

// begin marks a change as begun before its first attempt, because after a crash the outcome of the attempt is unknown.
func (q *Queue) begin(p *pending) *Change {
	c := p.Change
	p.busy = true
	if !p.Begun {
		p.Begun = true
		q.save()
	}
	return &c
}

// expire removes problems that were shown long enough.
func (q *Queue) expire(now time.Time) {
	before := len(q.all)
	q.all = slices.DeleteFunc(q.all, func(p *pending) bool { return p.Problem != "" && !now.Before(p.until) })
	if len(q.all) != before {
		q.changed()
	}
}

// settle records the outcome of an attempt.
func (q *Queue) settle(id string, err error, ended bool, now time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.IndexFunc(q.all, func(p *pending) bool { return p.ID == id })
	if i < 0 {
		return
	}
	p := q.all[i]
	p.busy = false
	switch {
	case err == nil:
		p.Sent, p.reading = true, q.readings
		q.rest = time.Time{}
	case ended:
		return
	case errors.As(err, &RefusedError{}):
		q.refuse(p, err, now)
	default:
		q.delay(i, err, now)
	}
	q.changed()
}

// refuse stores the reason why the source refused a change.
func (q *Queue) refuse(p *pending, err error, now time.Time) {
	text := err.Error()
	p.Problem, p.until = strings.ToValidUTF8(text[:min(len(text), maxProblem)], ""), now.Add(problemTime)
	if p.Done && !p.New {
		q.forget(p.Task)
	}
	q.log.Warn("a task was not changed: its source refused the change", "task", p.Title, "reason", err)
}

// delay plans the next attempt of the change at i. A later change of the same task replaces it.
func (q *Queue) delay(i int, err error, now time.Time) {
	p := q.all[i]
	if p.tries++; p.tries == 1 {
		q.log.Warn("a change of a task waits for its source", "task", p.Title, "reason", err)
	}
	pause := min(firstPause<<min(p.tries-1, 16), mostPause)
	pause -= rand.N(pause / 4) // so that walls that failed together do not retry together
	var asks interface{ RetryAfter() time.Duration }
	if errors.As(err, &asks) {
		pause = max(pause, min(asks.RetryAfter(), mostPause))
	}
	p.next = now.Add(pause)
	if errors.Is(err, ErrSilent) {
		q.rest = p.next // the other changes would wait for an answer as long
	}
	if !p.New && slices.ContainsFunc(q.all[i+1:], func(o *pending) bool { return o.Task == p.Task }) {
		q.all = slices.Delete(q.all, i, i+1)
	}
}

// ErrSilent is wrapped by the error of a source that did not answer at all. All other changes wait too.
var ErrSilent = errors.New("no answer")

// Silent wraps an error and ErrSilent.
func Silent(err error) error { return fmt.Errorf("%w: %w", ErrSilent, err) }
