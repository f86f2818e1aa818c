package gtfs

import (
	"errors"
	"fmt"
	"time"
)

// An Index holds all departures from the chosen stops, for the whole period of a feed. It is immutable.
type Index struct {
	Feed     string // version of the feed: its ETag, date or size
	Zone     string // name of the agency's time zone
	Stops    []Stop
	Routes   []Route
	Services []Service
	Heads    []string // destinations
	Trips    []Trip
	Visits   []Visit
	Alone    bool // whether the trips have no IDs, because there is no realtime feed
}

// A Stop is a place where vehicles stop: a platform, or a whole stop if it has no platforms.
type Stop struct {
	ID       string
	Name     string
	Platform string
}

// A Route is a line, such as a bus line.
type Route struct {
	ID    string
	Line  string // short name of the line, or its long name if it has no short name
	Color string // #rrggbb; "" if the feed has no color
	Ink   string // color of a text on Color
	Kind  string // kind of vehicle; see kindOf
}

// A Service is a set of days on which trips run. A day is a number of days since 1970-01-01.
type Service struct {
	Week     uint8 // days of the week; bit 0 is Sunday
	From, To int32
	Added    []int32
	Removed  []int32
}

// A Trip is the journey of a vehicle. It takes place on each day of its service.
type Trip struct {
	ID      string
	Route   int32
	Service int32
	Head    int32
	Start   int32    // first departure, in seconds of the service day
	Repeats []Repeat `json:",omitempty"`
}

// A Repeat repeats a trip at a regular interval (frequencies.txt). All fields are in seconds of the service day.
type Repeat struct{ From, To, Every int32 }

// A Visit is a departure of a trip from a stop. Its four numbers are the index of the trip in Trips, the index of the stop in Stops, the
// position of the stop in the trip (stop_sequence), and the time. The time is in seconds of the service day, which begins twelve hours
// before noon. This time may exceed 24 hours.
type Visit [4]int32

// The positions of the numbers in a Visit.
const (
	visitTrip = iota
	visitStop
	visitPlace
	visitTime
)

// on() reports whether the trips of a service run on a day.
func (s *Service) on(day int32) bool {
	for _, d := range s.Removed {
		if d == day {
			return false
		}
	}
	for _, d := range s.Added {
		if d == day {
			return true
		}
	}
	const thursday = 4 // weekday of day 0, 1970-01-01
	return day >= s.From && day <= s.To && s.Week>>((day+thursday)%7)&1 == 1
}

// dayOf converts a date with eight digits, YYYYMMDD, to a day.
func dayOf(b []byte) (int32, bool) {
	n, ok := digits(b)
	if !ok || len(b) != len("20060102") {
		return 0, false
	}
	t := time.Date(int(n/10000), time.Month(n/100%100), int(n%100), 0, 0, 0, 0, time.UTC)
	return int32(t.Unix() / secondsOfDay), true
}

const secondsOfDay = 24 * 60 * 60

// dayStart returns the start of a service day in a zone: twelve hours before noon. The times of trips are relative to this start (GTFS
// reference, "Time").
func dayStart(day int32, zone *time.Location) time.Time {
	y, m, d := time.Unix(int64(day)*secondsOfDay, 0).UTC().Date()
	return time.Date(y, m, d, 12, 0, 0, 0, zone).Add(-12 * time.Hour)
}

// secondsOf parses a time of a trip, H:MM:SS. The hours have at most two digits.
func secondsOf(b []byte) (int32, bool) {
	var parts [3]int32
	n := 0
	for from, i := 0, 0; i <= len(b); i++ {
		if i < len(b) && b[i] != ':' {
			continue
		}
		v, ok := digits(b[from:i])
		if !ok || v > 99 || n == len(parts) {
			return 0, false
		}
		parts[n], n, from = v, n+1, i+1
	}
	return parts[0]*3600 + parts[1]*60 + parts[2], n == len(parts) && parts[1] < 60 && parts[2] < 60
}

// errIndex is returned for a stored index that is damaged.
var errIndex = errors.New("the kept index is damaged")

// check returns an error if an index in a trip or a visit is outside of its list, if the interval of a repeat is too short, or if the
// zone is unknown.
func (x *Index) check() error {
	in := func(i int32, n int) bool { return i >= 0 && int(i) < n }
	for i := range x.Trips {
		t := &x.Trips[i]
		if !in(t.Route, len(x.Routes)) || !in(t.Service, len(x.Services)) || !in(t.Head, len(x.Heads)) {
			return errIndex
		}
		for _, r := range t.Repeats {
			if r.Every < leastHeadway {
				return errIndex
			}
		}
	}
	for _, v := range x.Visits {
		if !in(v[visitTrip], len(x.Trips)) || !in(v[visitStop], len(x.Stops)) {
			return errIndex
		}
	}
	if _, err := time.LoadLocation(x.Zone); err != nil {
		return fmt.Errorf("%w: %w", errIndex, err)
	}
	return nil
}
