// Package sun determines whether it is day or night at a place, finds the next change, and applies manual choices.
//
// It is day while the sun is up. The package computes the height of the sun with NOAA's series. Therefore polar days, the date line and
// clock changes need no special cases. The package does not read a clock.
package sun

import (
	"cmp"
	"fmt"
	"strconv"
	"time"
)

// Window is the duration before and after the current time in which the package searches for
// changes. If the sun does not cross the horizon in this time, there is no next change.
const Window = 48 * time.Hour

// A Mode is day or night. It selects one of the two themes.
type Mode string

// The two modes.
const (
	Day   Mode = "day"
	Night Mode = "night"
)

// A Schedule is a place with two offsets. SunriseOffset shifts the start of the day relative to sunrise. SunsetOffset shifts the end of
// the day relative to sunset.
type Schedule struct {
	Lat, Lon                    float64 // degrees north and east
	SunriseOffset, SunsetOffset time.Duration
}

// A Change is a time at which a mode begins.
type Change struct {
	At   time.Time // in UTC: second of sunrise or sunset plus its offset
	Mode Mode
}

// A span is the time from the start of a day to its end. A zero start or end lies outside the searched time.
type span struct{ from, to time.Time }

// spans() returns the days between two times, sorted and without overlaps. A day begins at a sunrise plus the offset, and ends at the
// following sunset plus its offset. If the offsets leave no time between start and end, the day is omitted. Days that touch or overlap are
// joined.
func (s Schedule) spans(from, to time.Time) []span {
	reach := Window + max(s.SunriseOffset.Abs(), s.SunsetOffset.Abs())
	var all []span
	day, risen := span{}, false
	seen := false
	for c := range crossings(s.Lat, s.Lon, from.Add(-reach), to.Add(reach)) {
		if c.rising {
			day, risen, seen = span{from: c.at.Add(s.SunriseOffset)}, true, true
			continue
		}
		day.to = c.at.Add(s.SunsetOffset)
		all = join(all, day)
		day, risen, seen = span{}, false, true
	}
	if risen || !seen && up(from, s.Lat, s.Lon) {
		all = join(all, day)
	}
	return all
}

// join appends a day to the list `all`, or joins it with the final day of the list if they touch or overlap. A day that does not end
// after its start is dropped.
func join(all []span, day span) []span {
	open := day.from.IsZero() || day.to.IsZero()
	if !open && !day.from.Before(day.to) {
		return all
	}
	if n := len(all); n > 0 && !all[n-1].to.Before(day.from) {
		if day.to.IsZero() || all[n-1].to.Before(day.to) {
			all[n-1].to = day.to
		}
		return all
	}
	return append(all, day)
}

// changes() returns the changes of mode from one time until another, sorted.
func (s Schedule) changes(from, to time.Time) []Change {
	var all []Change
	add := func(c Change) {
		if !c.At.IsZero() && !c.At.Before(from) && c.At.Before(to) {
			all = append(all, c)
		}
	}
	for _, day := range s.spans(from, to) {
		add(Change{At: day.from, Mode: Day})
		add(Change{At: day.to, Mode: Night})
	}
	return all
}

// Mode returns the mode at a time. At the time of a change, it returns the new mode. If there is no sunrise and no sunset, it is day
// while the sun is up.
func (s Schedule) Mode(at time.Time) Mode {
	for _, day := range s.spans(at, at) {
		if !at.Before(day.from) && (day.to.IsZero() || at.Before(day.to)) {
			return Day
		}
	}
	return Night
}

// NextChange returns the next change of mode after a time. If there is no change within [Window], it returns false.
func (s Schedule) NextChange(after time.Time) (Change, bool) {
	return s.nextFrom(after, s.Mode(after))
}

func (s Schedule) nextFrom(after time.Time, mode Mode) (Change, bool) {
	for _, c := range s.changes(after.Add(1), after.Add(Window)) {
		if c.Mode != mode {
			return c, true
		}
	}
	return Change{}, false
}

// DayWindow returns the start and the end of the current day. At night, it returns the start and the end of the previous day. If [Window]
// contains only a later day, DayWindow returns this day. If Window contains no start of a day, `from` is zero. If Window contains no end of
// this day, `to` is zero.
func (s Schedule) DayWindow(now time.Time) (from, to time.Time) {
	all := s.changes(now.Add(-Window), now.Add(Window))
	begin := -1
	for i, c := range all {
		if c.Mode == Day && (begin < 0 || !c.At.After(now)) {
			begin = i
		}
	}
	if begin < 0 {
		return from, lastNight(all)
	}
	from = all[begin].At
	for _, c := range all[begin:] {
		if c.Mode == Night {
			return from, c.At
		}
	}
	return from, to
}

// lastNight returns the end of a day that began before the window, or zero. `all` must not contain a change to Day.
func lastNight(all []Change) time.Time {
	if len(all) > 0 {
		return all[0].At
	}
	return time.Time{}
}

// Describe returns a sentence about the sun for the log, with times in `loc`. For example: Sun at 45.12,-75.34: day from 05:57 to 19:45
// local (offsets +0/-30 min); night theme at 19:45
func (s Schedule) Describe(now time.Time, loc *time.Location) string {
	next := "no theme change due"
	if c, ok := s.NextChange(now); ok {
		next = fmt.Sprintf("%s theme at %s", c.Mode, clock(c.At, loc))
	}
	return fmt.Sprintf("Sun at %s,%s: %s (offsets %+d/%+d min); %s", degrees(s.Lat), degrees(s.Lon), s.describeDay(now, loc),
		int(s.SunriseOffset.Minutes()), int(s.SunsetOffset.Minutes()), next)
}

func (s Schedule) describeDay(now time.Time, loc *time.Location) string {
	from, to := s.DayWindow(now)
	switch {
	case !from.IsZero() && !to.IsZero():
		return fmt.Sprintf("day from %s to %s local", clock(from, loc), clock(to, loc))
	case !from.IsZero():
		return fmt.Sprintf("day from %s local, with no end in sight", clock(from, loc))
	case !to.IsZero():
		return fmt.Sprintf("day to %s local", clock(to, loc))
	case s.Mode(now) == Day:
		return "up all day"
	}
	return "down all day"
}

// clock() formats a time in `loc` as hours and minutes.
func clock(t time.Time, loc *time.Location) string {
	return t.In(cmp.Or(loc, time.UTC)).Format("15:04")
}

func degrees(d float64) string { return strconv.FormatFloat(d, 'f', -1, 64) }
