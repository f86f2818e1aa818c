package gtfs

import (
	"cmp"
	"slices"
	"time"

	"dashboard/internal/stable"
)

// keepGone is the time for which a departure stays in the value after the vehicle has left. A wall
// whose clock is slow can still show the departure.
const keepGone = time.Minute

// A departure is a Visit (an entry of the timetable) on one service day.
type departure struct {
	visit    Visit
	day      int32
	run      int32 // start of the run of a repeated trip, in seconds of the service day
	planned  time.Time
	expected time.Time
	live     bool
	canceled bool
	platform string
}

// departures() returns the next departures in a time span after `now`, sorted by expected time. `limit` is the maximum number of
// departures. `live` has updates of the times. It may be nil.
func (x *Index) departures(now time.Time, within time.Duration, limit int, live *Live) []departure {
	zone, err := time.LoadLocation(x.Zone)
	if err != nil {
		return nil
	}
	var list []departure
	from, to := now.Add(-keepGone), now.Add(within)
	today := int32(time.Date(now.In(zone).Year(), now.In(zone).Month(), now.In(zone).Day(), 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
	running := make([]bool, len(x.Services))
	for day := today - daysBack; day <= today+1; day++ {
		for i := range x.Services {
			running[i] = x.Services[i].on(day)
		}
		begin := dayStart(day, zone)
		early := int32(from.Add(-maxDelay).Sub(begin) / time.Second)
		late := int32(to.Sub(begin) / time.Second)
		for _, v := range x.Visits {
			trip := &x.Trips[v[visitTrip]]
			if !running[trip.Service] {
				continue
			}
			for run, shift := range trip.runs(v[visitTime], early, late) {
				d := departure{visit: v, day: day, run: run, planned: begin.Add(time.Duration(v[visitTime]+shift) * time.Second)}
				d.expected, d.platform = d.planned, x.Stops[v[visitStop]].Platform
				live.apply(x, &d)
				if !d.expected.Before(from) && d.expected.Before(to) {
					list = append(list, d)
				}
			}
			if len(list) > maxBoard {
				list = soonest(list, limit)
			}
		}
	}
	return soonest(list, limit)
}

const (
	// daysBack is the maximum number of days that a trip continues after its service day, because the times of a trip are below 100
	// hours.
	daysBack = 4
	// maxDelay is the maximum delay. An update with a greater delay is ignored, because such an update is for another day.
	maxDelay = 3 * time.Hour
	// maxBoard is the maximum number of departures while they are collected. A longer list is sorted and cut to the limit.
	maxBoard = 4096
)

// soonest() sorts departures and returns at most the first `limit` departures.
func soonest(list []departure, limit int) []departure {
	stable.Sort(list, func(a, b departure) int {
		return cmp.Or(a.expected.Compare(b.expected), a.planned.Compare(b.planned), cmp.Compare(a.visit[visitTrip], b.visit[visitTrip]))
	})
	return list[:min(len(list), limit)]
}

// runs() yields the runs of a trip that depart from a stop between `early` and `late`. A repeated trip has several runs, and any other
// trip has one run. `at` is the departure from this stop in the timetable. All times are in seconds of the service day. `run` is the
// start of a run, and `shift` is the difference between `run` and the start of the trip in the timetable.
func (t *Trip) runs(at, early, late int32) func(yield func(run, shift int32) bool) {
	return func(yield func(run, shift int32) bool) {
		if len(t.Repeats) == 0 {
			if at >= early && at <= late {
				yield(t.Start, 0)
			}
			return
		}
		for _, r := range t.Repeats {
			first := r.From
			if wait := early - (at - t.Start); wait > first { // skip the runs that depart before the time `early`
				first += (wait - first + r.Every - 1) / r.Every * r.Every
			}
			for run := first; run < r.To; run += r.Every {
				shift := run - t.Start
				if at+shift > late || !yield(run, shift) {
					break
				}
			}
		}
	}
}

// value returns the value of the provider: departures and alerts as lists of mappings.
func (x *Index) value(now time.Time, p *Params, live *Live) map[string]any {
	list := []any{}
	for _, d := range x.departures(now, time.Duration(p.Within), p.Limit, live) {
		list = append(list, x.plain(&d))
	}
	names := []any{}
	for _, s := range x.Stops {
		if !slices.Contains(names, any(s.Name)) && len(names) < maxStops {
			names = append(names, s.Name)
		}
	}
	return map[string]any{"stops": names, "departures": list, "alerts": live.alerts(x, now), "live": live != nil}
}

// plain() returns a departure as a mapping. Times are in Unix seconds, and the delay is in minutes.
func (x *Index) plain(d *departure) map[string]any {
	t := &x.Trips[d.visit[visitTrip]]
	r := &x.Routes[t.Route]
	return map[string]any{
		"line": r.Line, "color": some(r.Color), "text_color": some(r.Ink), "kind": r.Kind, "destination": x.Heads[t.Head],
		"stop": x.Stops[d.visit[visitStop]].Name, "platform": some(d.platform), "at": int(d.planned.Unix()), "expected": int(d.expected.Unix()),
		"delay": int(d.expected.Sub(d.planned).Round(time.Minute) / time.Minute), "live": d.live, "cancelled": d.canceled,
	}
}

// some() returns s, or nil if s is "".
func some(s string) any {
	if s == "" {
		return nil
	}
	return s
}
