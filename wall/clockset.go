package wall

import (
	"context"
	"time"
	"unicode"
	"unicode/utf8"

	"dashboard/internal/locale"
)

// lookForTime is the interval at which the clock is checked, if the clock was not set at the start.
const lookForTime = 2 * time.Second

// awaitTime shows on the walls that the time is not known. It returns when the time is known or ctx ends. Schedules do not run until the
// time is known.
func (s *Service) awaitTime(ctx context.Context) {
	if s.builder.AskTime() {
		return
	}
	s.log.Warn("the clock of this machine is not set yet: the walls show this, and schedules wait")
	s.say()
	tick := time.NewTicker(lookForTime)
	defer tick.Stop()
	for !s.builder.AskTime() {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	s.log.Info("the clock has been set")
	s.say()
	for _, v := range s.all() {
		v.Themes.Look()
	}
	s.wake()
	s.repaint()
}

// noTime returns the sentence that says that the clock is not set, in the walls' language.
func (s *Service) noTime() string {
	text := locale.English().Say(locale.TimeNotSet)
	if v := s.main().Shown.Load(); v != nil {
		text = v.Gen.Region.Locale.Say(locale.TimeNotSet)
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
