package scene

import (
	"sync"
	"sync/atomic"
	"time"

	"dashboard/config/value"
	"dashboard/theme/sun"
)

// almanacDays is the number of days that an almanac caches. A window that starts or ends with the sun needs yesterday, today and
// tomorrow in each frame.
const almanacDays = 4

// An almanac caches sunrise and sunset of the days that were requested last, because computing them takes a millisecond.
type almanac struct {
	schedule sun.Schedule

	mu   sync.Mutex
	days [almanacDays]sunDay
	last int // index of the day that was computed last
}

// sunDay is a day, identified by its noon, with sunrise and sunset.
type sunDay struct {
	noon, rise, set time.Time
	ok              bool
}

// on implements value.Sun.
func (a *almanac) on(day time.Time) (rise, set time.Time, ok bool) {
	y, m, d := day.Date()
	noon := time.Date(y, m, d, 12, 0, 0, 0, day.Location())
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, known := range a.days {
		if known.noon == noon { // equal only in the same time zone
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

// allDay returns noon of a day without sunrise and sunset: as up if the sun is up all day, as down if it is down.
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

// A sky is the sun at the location of the files that were read last. Sources that continue across a reload read it for their
// times.
type sky struct{ now atomic.Pointer[value.Sun] }

// move sets the sun of another location, or nil.
func (s *sky) move(sun value.Sun) { s.now.Store(&sun) }

// At implements value.Sun.
func (s *sky) At(day time.Time) (rise, set time.Time, ok bool) {
	if sun := s.now.Load(); sun != nil && *sun != nil {
		return (*sun)(day)
	}
	return rise, set, false
}
