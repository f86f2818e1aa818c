package wall

import (
	"context"
	"time"
)

// pastsEvery is how often what numbers were is kept for the next start, while the program runs: cards wear out.
const pastsEvery = 15 * time.Minute

// keepPasts keeps what numbers were until ctx ends.
func (s *Service) keepPasts(ctx context.Context) {
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

func (s *Service) savePasts() {
	if err := s.builder.Pasts.Save(); err != nil {
		s.log.Warn("what charts show is not kept for the next start", "reason", err)
	}
}
