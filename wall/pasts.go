package wall

import (
	"context"
	"time"
)

// pastsEvery is the interval at which the histories of numbers are stored for the next start. Storing them more often would wear the card.
const pastsEvery = 15 * time.Minute

// keepPasts stores the histories of numbers at intervals until ctx ends.
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
		s.log.Warn("the histories of charts are not stored for the next start", "reason", err)
	}
}
