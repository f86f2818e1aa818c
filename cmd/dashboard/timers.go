package main

import (
	"context"
	"fmt"
	"time"

	"dashboard/control/notify"
)

// timerOver is how long a timer's end is shown.
const timerOver = 30 * time.Second

// runTimers tells the ends of timers to whatever shows texts on the walls, until ctx ends.
func (s *service) runTimers(ctx context.Context) {
	s.builder.timers.Run(ctx, func(label string, length time.Duration) {
		s.log.Info("a timer is over", "timer", label, "after", length.String())
		for _, v := range s.all() {
			tellTimer(v.board, label, length)
		}
	})
}

// tellTimer posts the end of a timer to every widget of a board that shows texts; one with too many waiting misses it.
func tellTimer(b *notify.Board, label string, length time.Duration) {
	text := fmt.Sprintf("%s\n%d:%02d", label, int(length.Minutes()), int(length.Seconds())%60)
	for _, name := range b.Names() {
		if in, err := b.Lookup(name); err == nil && (in.Kind == notify.Text || in.Kind == notify.Card) {
			_ = b.Post(name, &notify.Notification{Text: text, Duration: timerOver})
		}
	}
}
