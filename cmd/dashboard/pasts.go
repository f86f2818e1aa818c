package main

import (
	"context"
	"time"

	"dashboard/widgets/kit"
)

// pastsEvery is how often what numbers were is kept for the next start, while the program runs: cards wear out.
const pastsEvery = 15 * time.Minute

// rememberPasts has trees that are built show what numbers were before this start.
func (s *service) rememberPasts() {
	if s.store != nil {
		s.builder.pasts = kit.NewPasts(s.store, s.opts.home)
	}
}

// keepPasts keeps what numbers were until ctx ends.
func (s *service) keepPasts(ctx context.Context) {
	tick := time.NewTicker(pastsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.savePasts()
		}
	}
}

func (s *service) savePasts() {
	if err := s.builder.pasts.Save(); err != nil {
		s.log.Warn("what charts show is not kept for the next start", "reason", err)
	}
}
