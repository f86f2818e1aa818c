package wall

import (
	"context"
	"time"

	"dashboard/wall/view"
)

// runTimers waits for the ends of timers until ctx ends. At each end, it posts a notification to every widget that shows texts or cards.
func (s *Service) runTimers(ctx context.Context) {
	s.builder.Timers.Run(ctx, func(label string, length time.Duration) {
		s.log.Info("a timer is over", "timer", label, "after", length.String())
		for _, v := range s.all() {
			view.TellTimer(v.Board, label, length)
		}
	})
}
