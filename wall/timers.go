package wall

import (
	"context"
	"time"

	"dashboard/wall/view"
)

// runTimers waits for timers to end until ctx ends. At the end of a timer, it posts a notification to every widget that shows texts.
func (s *Service) runTimers(ctx context.Context) {
	s.builder.Timers.Run(ctx, func(label string, length time.Duration) {
		s.log.Info("a timer is over", "timer", label, "after", length.String())
		for _, v := range s.all() {
			view.TellTimer(v.Board, label, length)
		}
	})
}
