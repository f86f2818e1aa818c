package scene

import (
	"sync"
	"sync/atomic"
	"time"

	"dashboard/config/value"
	"dashboard/theme/sun"
)

// almanacDays is the number of days that an almanac stores. If a time window begins or ends with
// the sun, each frame may need the two days before, the current day and the next three days.
const almanacDays = 6

// An almanac stores sunrise and sunset of the last requested days, because computing them takes a millisecond.
type almanac struct {
	schedule sun.Schedule

	mu   sync.Mutex
	days [almanacDays]sunDay
	last int // index of the day that was computed last
}

// sunDay is a day with its sunrise and sunset. Its noon identifies the day.
type sunDay struct {
	noon, rise, set time.Time
	ok              bool
}

// on() implements value.Sun.
func (a *almanac) on(day time.Time) (rise, set time.Time, ok bool) {
	y, m, d := day.Date()
	noon := time.Date(y, m, d, 12, 0, 0, 0, day.Location())
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, known := range a.days {
		if known.noon == noon { // == treats equal times in different time zones as different
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

// allDay returns the times for a day on which the sun does not rise or does not set. If the sun is up all day, `up` is noon. If the sun is
// down all day, `down` is noon. On other days both are zero.
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

// A sky returns the times of the sun at the wall's current location, which a reload may change.
// Sources that continue across a reload use the sky, and not a fixed location.
type sky struct{ now atomic.Pointer[value.Sun] }

// move changes the location by replacing the function for the times of the sun. A nil function means that the location is not known.
func (s *sky) move(sun value.Sun) { s.now.Store(&sun) }

// At implements value.Sun.
func (s *sky) At(day time.Time) (rise, set time.Time, ok bool) {
	if sun := s.now.Load(); sun != nil && *sun != nil {
		return (*sun)(day)
	}
	return rise, set, false
}
