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
	// firstPause is the pause after the first failed attempt. Each further pause is twice as long, up to mostPause.
	firstPause = 2 * time.Second
	mostPause  = 5 * time.Minute
	// attemptTime is the maximum duration of an attempt. Changing a task on a CalDAV server needs several requests.
	attemptTime = time.Minute
	// problemTime is the time for which a wall shows why a change was rejected.
	problemTime = 15 * time.Minute
)

// Run sends the changes to the source until ctx ends. Only one Run of a queue works at a time. A second call waits until the first call
// has ended.
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

// Step makes an attempt for the first change that is due. If no change is due, `idle` is true, and `wait` is the time until a change is due
// or expires. `wait` is 0 if there is no such change. Only one goroutine at a time may call Step.
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

// sleep waits until there is work, until a pause has passed, or until ctx ends. A wait of 0 means no pause.
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

// carry makes one attempt. If the source panics, the change counts as rejected, so that the change is not tried again.
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

// take returns the first change that is due and marks it as begun. If no change is due, it returns the time until the next step, or 0.
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

// earlier() reports whether an earlier waiting change concerns the same task as the change with index i.
func (q *Queue) earlier(i int) bool {
	return slices.ContainsFunc(q.all[:i], func(p *pending) bool { return p.Task == q.all[i].Task && p.waits() })
}

// begin marks a change as begun. It stores this mark before the first attempt, because after a crash the outcome of the attempt is
// unknown.
func (q *Queue) begin(p *pending) *Change {
	c := p.Change
	p.busy = true
	if !p.Begun {
		p.Begun = true
		q.save()
	}
	return &c
}

// expire removes changes whose problem was shown long enough.
func (q *Queue) expire(now time.Time) {
	before := len(q.all)
	q.all = slices.DeleteFunc(q.all, func(p *pending) bool { return p.Problem != "" && !now.Before(p.until) })
	if len(q.all) != before {
		q.changed()
	}
}

// settle records the outcome of an attempt. `ended` is true if ctx ended during the attempt.
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

// refuse stores the reason why the source rejected a change.
func (q *Queue) refuse(p *pending, err error, now time.Time) {
	text := err.Error()
	p.Problem, p.until = strings.ToValidUTF8(text[:min(len(text), maxProblem)], ""), now.Add(problemTime)
	if p.Done && !p.New {
		q.forget(p.Task)
	}
	q.log.Warn("a task was not changed: its source refused the change", "task", p.Title, "reason", err)
}

// delay sets the time of the next attempt for the change with index i. If the change does not add a task, and a later change concerns the
// same task, delay removes the change instead.
func (q *Queue) delay(i int, err error, now time.Time) {
	p := q.all[i]
	if p.tries++; p.tries == 1 {
		q.log.Warn("a change of a task waits for its source", "task", p.Title, "reason", err)
	}
	pause := min(firstPause<<min(p.tries-1, 16), mostPause)
	pause -= rand.N(pause / 4) // random, so that walls that failed together do not retry together
	var asks interface{ RetryAfter() time.Duration }
	if errors.As(err, &asks) {
		pause = max(pause, min(asks.RetryAfter(), mostPause))
	}
	p.next = now.Add(pause)
	if errors.Is(err, ErrSilent) {
		q.rest = p.next // the source did not answer, so all changes wait
	}
	if !p.New && slices.ContainsFunc(q.all[i+1:], func(o *pending) bool { return o.Task == p.Task }) {
		q.all = slices.Delete(q.all, i, i+1)
	}
}

// ErrSilent is wrapped in the error of a source that did not answer. All changes of the list then wait.
var ErrSilent = errors.New("no answer")

// Silent returns an error that wraps err and ErrSilent.
func Silent(err error) error { return fmt.Errorf("%w: %w", ErrSilent, err) }
