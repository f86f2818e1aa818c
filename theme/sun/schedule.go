// Package sun distinguishes day and night at a place, finds the next change, and applies manual choices.
//
// Day is while the sun is up. It is found on the curve of NOAA's series for the sun's height, so a polar day, a date
// line or a clock change is no special case. The package reads no clock.
package sun

import (
	"cmp"
	"fmt"
	"strconv"
	"time"
)

// Window is the time in which the next and the last change are searched. If the sun does not cross the horizon for that long, it is
// called polar and has no next change.
const Window = 48 * time.Hour

// A Mode is which of the two themes is shown.
type Mode string

// The two modes.
const (
	Day   Mode = "day"
	Night Mode = "night"
)

// A Schedule is a place, and how far from sunrise and sunset the day begins and ends there.
type Schedule struct {
	Lat, Lon                    float64 // degrees north and east
	SunriseOffset, SunsetOffset time.Duration
}

// A Change is the moment at which a mode begins.
type Change struct {
	At   time.Time // UTC, whole seconds plus the offset
	Mode Mode
}

// A span is one day: from its first moment until the moment after its last. A zero end lies outside of the searched time.
type span struct{ from, to time.Time }

// spans returns the days between two moments, sorted and without overlaps. A day begins at a sunrise with its offset and ends at
// the following sunset with its offset. An empty day is dropped, and adjacent days are joined.
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

// join adds a day to those before it.
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

// changes returns the schedule's changes from one moment until another, sorted.
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

// Mode returns the mode at a moment: day within the days of the schedule. The moment of a change belongs to the new mode. If there
// is no sunrise and sunset, it is day while the sun is up.
func (s Schedule) Mode(at time.Time) Mode {
	for _, day := range s.spans(at, at) {
		if !at.Before(day.from) && (day.to.IsZero() || at.Before(day.to)) {
			return Day
		}
	}
	return Night
}

// NextChange returns the next moment at which the mode changes. The second result is false if there is none within
// [Window].
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

// DayWindow returns the day of a moment: the current day, or the last one if it is dark. from or to is zero if there is no such
// sunrise or sunset within [Window].
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

// lastNight returns the end of a day whose beginning is outside the window.
func lastNight(all []Change) time.Time {
	if len(all) > 0 {
		return all[0].At
	}
	return time.Time{}
}

// Describe returns a sentence for the log about the sun with times in loc:
//
//	Sun at 45.12,-75.34: day from 05:57 to 19:45 local (offsets +0/-30 min); night theme at 19:45
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

// clock formats the minute of a moment in loc.
func clock(t time.Time, loc *time.Location) string {
	return t.In(cmp.Or(loc, time.UTC)).Format("15:04")
}

func degrees(d float64) string { return strconv.FormatFloat(d, 'f', -1, 64) }
