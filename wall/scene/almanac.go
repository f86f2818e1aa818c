package scene

import (
	"sync"
	"sync/atomic"
	"time"

	"dashboard/config/value"
	"dashboard/theme/sun"
)

// almanacDays is how many days an almanac remembers: a window that begins or ends with the sun asks for yesterday, today and
// tomorrow, in each frame.
const almanacDays = 4

// An almanac remembers when the sun rises and sets on the days that were requested last: to find that takes a millisecond.
type almanac struct {
	schedule sun.Schedule

	mu   sync.Mutex
	days [almanacDays]sunDay
	last int // the place of the day that was found last
}

// sunDay is a day, by its noon, with its sunrise and sunset.
type sunDay struct {
	noon, rise, set time.Time
	ok              bool
}

// on is a value.Sun.
func (a *almanac) on(day time.Time) (rise, set time.Time, ok bool) {
	y, m, d := day.Date()
	noon := time.Date(y, m, d, 12, 0, 0, 0, day.Location())
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, known := range a.days {
		if known.noon == noon { // in the same zone
			return known.rise, known.set, known.ok
		}
	}
	rise, set = a.schedule.DayWindow(noon)
	same := rise.In(day.Location()).Format(time.DateOnly) == day.Format(time.DateOnly)
	found := sunDay{noon, rise, set, same && !set.IsZero()}
	if !found.ok {
		found.rise, found.set = a.allDay(noon)
	}
	a.last = (a.last + 1) % almanacDays
	a.days[a.last] = found
	return found.rise, found.set, found.ok
}

// allDay is the noon of a day on which the sun does not rise and not set: the first if it is up, the second if it is
// down.
func (a *almanac) allDay(noon time.Time) (up, down time.Time) {
	const half = 12 * time.Hour
	next, turns := a.schedule.NextChange(noon.Add(-half))
	switch {
	case turns && next.At.Before(noon.Add(half)):
		return up, down
	case a.schedule.Mode(noon) == sun.Day:
		return noon, down
	}
	return up, noon
}

// A sky is the sun over the place of the files that were read last: sources that stay through a reload ask at its times.
type sky struct{ now atomic.Pointer[value.Sun] }

// move sets the place, nil for none.
func (s *sky) move(sun value.Sun) { s.now.Store(&sun) }

// At is a value.Sun.
func (s *sky) At(day time.Time) (rise, set time.Time, ok bool) {
	if sun := s.now.Load(); sun != nil && *sun != nil {
		return (*sun)(day)
	}
	return rise, set, false
}
