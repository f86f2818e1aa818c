package provider

import (
	"context"
	"sync"
	"time"

	"dashboard/internal/budget"
)

// settleEvery is the time between two checks in [Set.Settle].
const settleEvery = time.Millisecond

// Settle runs the providers that compute values from other values and do not run yet. It returns when each of these providers has
// computed its value, or when ctx ends. Settle does not start providers that read files or networks.
func (s *Set) Settle(ctx context.Context) {
	var idle []*entry
	s.m.mu.Lock()
	for _, e := range s.entries {
		if _, computes := e.provider.(Settler); computes && e.cancel == nil {
			idle = append(idle, e)
		}
	}
	s.m.mu.Unlock()
	s.run(ctx, idle, func() bool {
		for _, e := range idle {
			if !e.provider.(Settler).Settled() {
				return false
			}
		}
		return true
	})
}

// Try runs the providers with the given names until each of them has made an attempt, or until ctx
// ends. While Try runs, no manager may run these providers.
func (s *Set) Try(ctx context.Context, names ...string) {
	var list []*entry
	for _, name := range names {
		if e, ok := s.named(name); ok {
			e.cell.Look(time.Now())
			list = append(list, e)
		}
	}
	s.run(ctx, list, func() bool {
		for _, e := range list {
			if e.cell.Load().Tried.IsZero() {
				return false
			}
		}
		return true
	})
}

// run runs the entries in `list` until `done` returns true or ctx ends. Then it waits until all these entries have ended. It waits for at
// most closeTime.
func (s *Set) run(ctx context.Context, list []*entry, done func() bool) {
	ctx, cancel := context.WithCancel(budget.With(ctx, s.m.memory))
	var wg sync.WaitGroup
	for _, e := range list {
		wg.Go(func() { _ = runContained(ctx, e) })
	}
	tick := time.NewTicker(settleEvery)
	defer tick.Stop()
	for ctx.Err() == nil && !done() {
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
	cancel()
	ended := make(chan struct{})
	go func() { defer close(ended); wg.Wait() }()
	late := time.NewTimer(closeTime)
	defer late.Stop()
	select {
	case <-ended:
	case <-late.C:
	}
}

// Fill publishes a value for the provider with the given name, unless the provider runs or already
// has a value. It returns false if the provider runs or does not exist.
func (s *Set) Fill(name string, value any, at time.Time) bool {
	e, ok := s.named(name)
	if !ok {
		return false
	}
	s.m.mu.Lock()
	runs := e.cancel != nil
	s.m.mu.Unlock()
	if !runs && !e.cell.Load().Has() {
		e.cell.Publish(value, at)
	}
	return !runs
}

// FillParts publishes each entry of a mapping in the entry's own cell, if the provider with the given name is a [Parted] that does not run,
// and if the cell has no value.
func (s *Set) FillParts(name string, entries map[string]any, at time.Time) {
	p, _ := s.Provider(name)
	parted, ok := p.(Parted)
	if !ok {
		return
	}
	for entry, value := range entries {
		key, _, err := parted.Part(entry)
		s.m.mu.Lock()
		e, there := s.entries[key]
		idle := err == nil && there && e.cancel == nil
		s.m.mu.Unlock()
		if idle && !e.cell.Load().Has() {
			e.cell.Publish(value, at)
		}
	}
}

// Status returns the status of the provider with the given name. The second result is false if there is no such provider.
func (s *Set) Status(name string, now time.Time) (Status, bool) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	key := s.names[name]
	e, ok := s.entries[key]
	if !ok {
		return Status{}, false
	}
	return e.status(name, s.places[key], now), true
}
