package wall

import (
	"context"
	"time"

	"dashboard/wall/view"
)

// runTimers posts a notification at the end of each timer to every widget that shows texts, until ctx ends.
func (s *Service) runTimers(ctx context.Context) {
	s.builder.Timers.Run(ctx, func(label string, length time.Duration) {
		s.log.Info("a timer is over", "timer", label, "after", length.String())
		for _, v := range s.all() {
			view.TellTimer(v.Board, label, length)
		}
	})
}
