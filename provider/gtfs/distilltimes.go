package gtfs

import (
	"fmt"
)

// The type times holds the state of a trip while stop_times.txt is read. The rows of a trip are usually next to each other. If a row has
// no time, the time is interpolated between the nearest rows with a time.
type times struct {
	trip    string
	index   int32 // index of the trip in Trips; -1 until a row has a chosen stop
	start   int32 // first departure of the trip
	row     int32 // number of the current row of the trip
	timed   int32 // number of the last row that has a time
	at      int32 // time in the row with the number `timed`
	waiting []int // visits whose time is not known yet
	rows    []int32
}

func (d *distiller) readTimes() error {
	const (
		trip = iota
		stop
		place
		departure
		arrival
		pickup
		sign
	)
	g := times{index: -1}
	return d.each("stop_times.txt", true, func(t *table) error {
		if string(t.field(trip)) != g.trip {
			g = times{trip: t.text(trip), index: -1, start: -1, waiting: g.waiting[:0], rows: g.rows[:0]}
			if known, ok := d.trips[g.trip]; ok { // earlier rows of the table have already added the trip
				g.index = known
			}
		}
		at, ok := secondsOf(t.field(departure))
		if !ok {
			at, ok = secondsOf(t.field(arrival))
		}
		g.row++
		if ok && g.start < 0 {
			g.start = at
		}
		s, chosen := d.stops[string(t.field(stop))]
		seq := t.number(place, g.row)
		const noPickup = 1
		if chosen && t.number(pickup, 0) != noPickup {
			if err := d.visit(&g, s, seq, at, ok, t.field(sign)); err != nil {
				return err
			}
		}
		if ok {
			d.interpolate(&g, at)
		}
		if g.index >= 0 && seq >= d.ends[g.index] {
			d.ends[g.index], d.last[g.index] = seq, t.text(stop)
		}
		return nil
	}, "trip_id", "stop_id", "stop_sequence", "departure_time", "arrival_time", "pickup_type", "stop_headsign")
}

// visit adds a departure of a trip at a chosen stop.
func (d *distiller) visit(g *times, stop, place, at int32, timed bool, sign []byte) error {
	x := d.index
	if len(x.Visits) == maxVisits {
		return fmt.Errorf("the chosen stops have more than %d departures in this feed: choose fewer stops", maxVisits)
	}
	if g.index < 0 {
		g.index = int32(len(x.Trips))
		x.Trips = append(x.Trips, Trip{ID: g.trip, Start: max(0, g.start), Service: -1})
		d.trips[g.trip] = g.index
	}
	if len(sign) > 0 {
		d.signs[int32(len(x.Visits))] = d.head(clip(string(sign)))
	}
	if !timed {
		g.waiting, g.rows = append(g.waiting, len(x.Visits)), append(g.rows, g.row)
	}
	x.Visits = append(x.Visits, Visit{g.index, stop, place, at})
	return nil
}

// interpolate sets the times of the waiting visits. The times are spread evenly between the last row with a time and the current row. The
// current row has the time `at`.
func (d *distiller) interpolate(g *times, at int32) {
	for i, v := range g.waiting {
		d.index.Visits[v][visitTime] = g.at + (at-g.at)*(g.rows[i]-g.timed)/max(1, g.row-g.timed)
	}
	g.waiting, g.rows, g.timed, g.at = g.waiting[:0], g.rows[:0], g.row, at
}

// tidy removes visits at the last stop of a trip, because passengers cannot board there. It also removes visits of trips that trips.txt
// does not contain.
func (d *distiller) tidy(keepIDs bool) {
	x := d.index
	kept := x.Visits[:0]
	for i, v := range x.Visits {
		trip := &x.Trips[v[visitTrip]]
		if trip.Service < 0 || v[visitPlace] == d.ends[v[visitTrip]] {
			continue
		}
		if h, ok := d.signs[int32(i)]; ok { // a visit with its own headsign refers to a copy of the trip; this is rare
			if trip.Head != h {
				x.Trips = append(x.Trips, *trip)
				v[visitTrip] = int32(len(x.Trips) - 1)
				x.Trips[v[visitTrip]].Head = h
			}
		}
		kept = append(kept, v)
	}
	x.Visits = kept
	for i := range x.Trips {
		if x.Trips[i].Service < 0 {
			x.Trips[i].Service, x.Trips[i].Route, x.Trips[i].Head = 0, 0, 0
		}
		if !keepIDs {
			x.Trips[i].ID = ""
		}
	}
	if len(x.Services) == 0 || len(x.Routes) == 0 {
		x.Trips, x.Visits = nil, nil
	}
}
