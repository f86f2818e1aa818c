package gtfs

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/spelling"
)

// Limits for an index. For example, a busy station has about 2,000 departures on each of about ten kinds of days.
const (
	maxPlatforms  = 1000    // platforms of the chosen stops
	maxVisits     = 250_000 // departures
	maxExceptions = 100_000 // added and removed days of all services together
	maxRepeats    = 10_000  // rows of frequencies.txt for the trips of the index
	leastHeadway  = 30      // minimum time between two runs of a trip, in seconds
	maxName       = 200     // bytes of a name
	maxNames      = 50_000  // names of stops that are compared with a wrong name
)

// A distiller reads the tables of a feed and makes an index. It keeps only the rows for the chosen stops in memory, because a table may
// have any size.
type distiller struct {
	ctx   context.Context
	files map[string]*zip.File
	index *Index

	stops    map[string]int32 // index in Stops, by the ID of the stop
	trips    map[string]int32
	routes   map[string]int32
	services map[string]int32
	heads    map[string]int32
	signs    map[int32]int32  // index in Heads of the headsign in stop_times.txt; the key is the index of the visit
	last     map[int32]string // ID of the trip's last stop; the key is the index of the trip
	ends     map[int32]int32  // stop_sequence of the trip's last stop; the key is the index of the trip
}

// distill makes the index for the chosen stops, which are IDs or names. If keepIDs is true, trips keep their IDs, because realtime feeds
// refer to trips by ID.
func distill(ctx context.Context, z *zip.Reader, chosen []string, keepIDs bool) (*Index, error) {
	d := &distiller{
		ctx: ctx, files: map[string]*zip.File{}, index: &Index{Alone: !keepIDs},
		stops: map[string]int32{}, trips: map[string]int32{}, routes: map[string]int32{}, services: map[string]int32{}, heads: map[string]int32{},
		signs: map[int32]int32{}, last: map[int32]string{}, ends: map[int32]int32{},
	}
	for _, f := range z.File {
		d.files[f.Name[strings.LastIndexByte(f.Name, '/')+1:]] = f // in some feeds, all files are in a folder
	}
	steps := []func() error{
		d.readAgency, func() error { return d.readStops(chosen) }, d.readTimes, d.readTrips, d.readEnds, d.readRoutes, d.readCalendar, d.readDates, d.readRepeats,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	d.tidy(keepIDs)
	return d.index, nil
}

// errFeed is returned for a file that is not a feed.
var errFeed = errors.New("not a GTFS feed")

// each() calls the function `row` for each record of a table. `wanted` lists the columns that this function uses. If `needed` is false, the
// table may be missing.
func (d *distiller) each(name string, needed bool, row func(t *table) error, wanted ...string) error {
	f := d.files[name]
	if f == nil {
		if needed {
			return fmt.Errorf("%w: it has no %s", errFeed, name)
		}
		return nil
	}
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	t, err := openTable(r, wanted...)
	for err == nil {
		if t.row%1024 == 0 && d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		if err = t.next(); err == nil {
			err = row(t)
		}
	}
	if err != io.EOF {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readAgency reads the time zone. All agencies of a feed have the same zone.
func (d *distiller) readAgency() error {
	err := d.each("agency.txt", true, func(t *table) error {
		if d.index.Zone == "" {
			d.index.Zone = t.text(0)
		}
		return nil
	}, "agency_timezone")
	if err != nil {
		return err
	}
	if _, err := time.LoadLocation(d.index.Zone); err != nil || d.index.Zone == "" {
		return fmt.Errorf("agency.txt: unknown time zone %q", d.index.Zone)
	}
	return nil
}

// readStops finds the chosen stops and all of their platforms. A stop is chosen by its ID, by the ID of its station, or by its name
// without regard to case. The table is read twice, because a stop may come before its station.
func (d *distiller) readStops(chosen []string) error {
	const (
		id = iota
		name
		parent
		platform
		kind
	)
	columns := []string{"stop_id", "stop_name", "parent_station", "platform_code", "location_type"}
	stations, found := map[string]bool{}, make([]bool, len(chosen))
	var names []string
	err := d.each("stops.txt", true, func(t *table) error {
		if len(names) < maxNames {
			names = append(names, clip(t.text(name)))
		}
		for i, c := range chosen {
			if string(t.field(id)) == c || strings.EqualFold(string(t.field(name)), c) {
				found[i], stations[t.text(id)] = true, true
			}
		}
		if len(stations) > maxPlatforms {
			return fmt.Errorf("the chosen stops have more than %d platforms", maxPlatforms)
		}
		return nil
	}, columns...)
	if err != nil {
		return err
	}
	if i := slices.Index(found, false); i >= 0 {
		return unknownStop(chosen[i], names)
	}
	return d.each("stops.txt", true, func(t *table) error {
		if k := t.number(kind, 0); k != 0 || !stations[string(t.field(id))] && !stations[string(t.field(parent))] {
			return nil
		}
		if len(d.index.Stops) == maxPlatforms {
			return fmt.Errorf("the chosen stops have more than %d platforms", maxPlatforms)
		}
		d.stops[t.text(id)] = int32(len(d.index.Stops))
		d.index.Stops = append(d.index.Stops, Stop{ID: t.text(id), Name: clip(t.text(name)), Platform: clip(t.text(platform))})
		return nil
	}, columns...)
}

// unknownStop returns the error for a stop that is not in the feed. The error suggests the most similar name.
func unknownStop(name string, names []string) error {
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Errorf("stops: the feed has no stop %q; did you mean %q?", name, near)
	}
	return fmt.Errorf("stops: the feed has no stop %q: write a stop_id or a stop_name of its stops.txt", name)
}

// clip cuts a name to maxName bytes.
func clip(s string) string { return clipTo(s, maxName) }

// clipTo cuts a text to the given number of bytes.
func clipTo(s string, most int) string { return strings.ToValidUTF8(s[:min(len(s), most)], "") }

// head() returns the index of a destination in Heads. If the destination is new, head() adds it.
func (d *distiller) head(s string) int32 { return number(d.heads, &d.index.Heads, s) }

// number() returns the index of a text in a list. If the text is new, number() adds it.
func number(known map[string]int32, list *[]string, s string) int32 {
	i, ok := known[s]
	if !ok {
		i = int32(len(*list))
		known[s], *list = i, append(*list, s)
	}
	return i
}

func (d *distiller) readTrips() error {
	d.head("")
	return d.each("trips.txt", true, func(t *table) error {
		i, ok := d.trips[string(t.field(0))]
		if !ok {
			return nil
		}
		trip := &d.index.Trips[i]
		r, ok := d.routes[string(t.field(1))]
		if !ok {
			r = int32(len(d.index.Routes))
			d.routes[t.text(1)], d.index.Routes = r, append(d.index.Routes, Route{ID: t.text(1)})
		}
		s, ok := d.services[string(t.field(2))]
		if !ok {
			s = int32(len(d.index.Services))
			d.services[t.text(2)], d.index.Services = s, append(d.index.Services, Service{})
		}
		trip.Route, trip.Service = r, s
		if trip.Head = d.head(clip(t.text(3))); len(t.field(3)) > 0 {
			delete(d.last, i)
		}
		return nil
	}, "trip_id", "route_id", "service_id", "trip_headsign")
}

// readEnds finds a destination for trips without a headsign: the name of their last stop.
func (d *distiller) readEnds() error {
	if len(d.last) == 0 {
		return nil
	}
	trips := map[string][]int32{}
	for trip, stop := range d.last {
		trips[stop] = append(trips[stop], trip)
	}
	return d.each("stops.txt", true, func(t *table) error {
		for _, i := range trips[string(t.field(0))] {
			d.index.Trips[i].Head = d.head(clip(t.text(1)))
		}
		return nil
	}, "stop_id", "stop_name")
}

func (d *distiller) readRoutes() error {
	return d.each("routes.txt", true, func(t *table) error {
		i, ok := d.routes[string(t.field(0))]
		if !ok {
			return nil
		}
		r := &d.index.Routes[i]
		if r.Line = clip(t.text(1)); r.Line == "" {
			r.Line = clip(t.text(2))
		}
		r.Kind, r.Color, r.Ink = kindOf(t.number(3, 0)), colorOf(t.field(4)), colorOf(t.field(5))
		return nil
	}, "route_id", "route_short_name", "route_long_name", "route_type", "route_color", "route_text_color")
}

// colorOf converts a color of six hexadecimal digits to #rrggbb. It returns "" for any other text.
func colorOf(b []byte) string {
	if _, err := strconv.ParseUint(string(b), 16, 32); err != nil || len(b) != 6 {
		return ""
	}
	return "#" + strings.ToLower(string(b))
}

// kindOf returns the kind of vehicle for a route_type. It recognizes the basic types of the reference and the extended types. For an
// extended type, the hundreds of the number decide the kind. Any other type is a bus.
func kindOf(n int32) string {
	switch {
	case n == 0 || n/100 == 9:
		return "tram"
	case n == 1 || n/100 == 4 || n/100 == 5 || n/100 == 6:
		return "subway"
	case n == 2 || n/100 == 1:
		return "train"
	case n == 4 || n/100 == 10 || n/100 == 12:
		return "ferry"
	case n == 5 || n == 6 || n == 7 || n/100 == 13 || n/100 == 14:
		return "cable car"
	}
	return "bus"
}
