// Package derive publishes the result of a function of other providers' values.
//
// The function runs in the goroutine of the provider that publishes the value, and not in the widgets. The function can be slow, for
// example if it runs a jq program on a large document. The function runs only once for each new value.
package derive

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"time"

	"dashboard/provider"
)

// A Config describes how a value is computed.
type Config struct {
	// From contains the cells of the inputs. Nothing is computed until each of them has a value.
	From []*provider.Cell
	// Make computes the value. `values` are the plain values ([provider.Plain]) of From in the same order. Make must not change them. If
	// Make returns both a value and an error, both are published.
	Make func(ctx context.Context, values []any) (any, error)
	// If Retry is true, the provider calls Make again some time after Make has failed. Set Retry if the result depends on more than the
	// values.
	Retry bool
	// Own means that no manager logs the errors of the cells in From. These errors are therefore logged as errors of this provider.
	Own bool
}

// A Provider publishes the value of a function. The value has the age and the interval of the input that becomes stale first. If an
// input fails, the provider fails too.
type Provider struct{ c Config }

var _ provider.Provider = (*Provider)(nil)

// New returns a provider.
func New(c Config) *Provider { return &Provider{c} }

// Kind is "derived".
func (p *Provider) Kind() string { return "derived" }

// From implements provider.Made.
func (p *Provider) From() []*provider.Cell { return p.c.From }

// Run computes the value again after each change of an input.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	changed := make(chan struct{}, 1)
	for _, c := range p.c.From {
		defer c.Watch(changed)()
	}
	r := &run{Provider: p, cell: cell}
	poll := provider.Poll{Changed: changed}
	return poll.Run(ctx, cell, r.step)
}

// A run is the state of a provider while Run is running.
type run struct {
	*Provider
	cell *provider.Cell
	seqs []uint64  // sequence numbers of the samples that were used last; nil forces a new computation
	at   time.Time // time of the inputs that were used last
	err  error     // error of Make for the samples in seqs
}

// step computes the value if the inputs have changed.
func (r *run) step(ctx context.Context, due bool) provider.Result {
	if due {
		r.seqs = nil
	}
	in := load(r.c.From, r.c.Own)
	r.cell.PromiseNext(in.every)
	result := provider.Result{Outcome: provider.Pending, Handled: true}
	switch {
	case !in.complete:
	case r.seqs == nil || !slices.Equal(in.seqs, r.seqs) || r.cell.Refused():
		if result.Outcome = r.make(ctx, in); r.cell.Refused() {
			result.Next = provider.RefusedAgain
		}
	case r.err == nil && (!in.at.Equal(r.at) || in.err == nil && r.cell.Load().Err != nil): // only the time or error of inputs changed
		r.cell.Confirm(in.at)
	}
	if r.at = in.at; r.cell.Load().Interval != in.every {
		r.cell.Promise(in.every)
	}
	result.Err = r.err
	if ctx.Err() == nil {
		r.fail(cmp.Or(in.err, r.err), in.tried)
	}
	return result
}

// make calls Make and publishes the result.
func (r *run) make(ctx context.Context, in inputs) provider.Outcome {
	r.seqs = in.seqs
	for i, v := range in.values {
		in.values[i] = provider.Plain(v)
	}
	value, err := r.c.Make(ctx, in.values)
	r.err = err
	if ctx.Err() == nil && (value != nil || err == nil) {
		r.publish(value, in.at, err)
	}
	switch {
	case err == nil:
		return provider.Fresh
	case r.c.Retry:
		return provider.Failed
	}
	return provider.Refused
}

// publish publishes a value. If the value has not changed, publish only confirms it.
func (r *run) publish(value any, at time.Time, err error) {
	if s := r.cell.Load(); s.Has() && !r.cell.Refused() && reflect.DeepEqual(s.Value, value) {
		r.cell.ConfirmPart(at, err)
		return
	}
	r.cell.PublishPart(value, at, err)
}

// fail publishes an error. It publishes the same error again only if an input made a new attempt.
func (r *run) fail(err error, tried time.Time) {
	s := r.cell.Load()
	if err != nil && (s.Err == nil || s.Err.Error() != err.Error() || tried.After(s.Tried)) {
		r.cell.Fail(err, tried)
	}
}

// The type inputs combines the samples of all inputs.
type inputs struct {
	values   []any
	seqs     []uint64
	complete bool          // whether each input has a value
	at       time.Time     // time of the value that becomes stale first, or of the oldest value if no value becomes stale
	every    time.Duration // interval of the value whose time is in the field `at`
	err      error         // error of the first input whose latest attempt failed
	tried    time.Time     // time of the latest attempt of any input
}

func load(cells []*provider.Cell, own bool) inputs {
	in := inputs{complete: true}
	var first time.Time // time when the first value becomes stale
	for _, c := range cells {
		s := c.Load()
		in.values, in.seqs = append(in.values, s.Value), append(in.seqs, s.Seq)
		in.complete = in.complete && s.Has()
		if stale := s.StaleAt(); stale != nil && (first.IsZero() || stale.Before(first)) {
			first, in.at, in.every = *stale, s.At, s.Interval
		} else if first.IsZero() && s.Has() && (in.at.IsZero() || s.At.Before(in.at)) {
			in.at = s.At
		}
		if in.err == nil && s.Err != nil {
			if in.err = s.Err; !own {
				in.err = &provider.Upstream{Err: s.Err}
			}
		}
		if s.Tried.After(in.tried) {
			in.tried = s.Tried
		}
	}
	return in
}
