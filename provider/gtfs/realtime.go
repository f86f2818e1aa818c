package gtfs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// Limits for a realtime feed.
const (
	maxRealtime = 24 << 20 // bytes of a feed; the feed of a country has 10 MB
	maxUpdates  = 20_000   // trips with updates
	maxStops    = 20       // names of stops in the value
	maxChanges  = 200      // stops with updates in one trip
	maxAlerts   = 20
	maxAlert    = 1000 // bytes of an alert's text
)

// Live holds the updates from realtime feeds (GTFS Realtime 2.0) for the trips of an index. A nil Live has no updates.
type Live struct {
	trips   map[tripKey]*update
	notices []notice
}

// A tripKey identifies a run of a trip. `day` and `start` are -1 if the feed does not contain them.
type tripKey struct {
	trip       string
	day, start int32
}

// An update holds the changes to a trip.
type update struct {
	canceled bool
	delay    int32
	delayed  bool
	changes  []change // sorted in the order of the trip's stops
}

// A change is an update for one stop of a trip.
type change struct {
	place   int32  // stop_sequence; -1 if the feed does not contain it
	stop    string // stop_id
	at      int64  // time of the departure, in Unix seconds; 0 if the feed does not contain it
	delay   int32
	delayed bool
	skipped bool
	silent  bool // whether the feed has no data for the stop
}

// A notice is an alert.
type notice struct {
	title, text string
	from, to    []int64 // periods in which the alert is valid, in Unix seconds; 0 means no limit
	routes      []string
	stops       []string
	everywhere  bool // whether the alert is about a whole agency
}

// errRealtime is returned for data that is not a realtime feed.
var errRealtime = errors.New("not a GTFS Realtime feed")

// fields() calls f for each field of a message (Protocol Buffers, "Encoding"). b is the content of a length-delimited field. n is the value
// of a varint field.
func fields(msg []byte, f func(num protowire.Number, b []byte, n uint64) error) error {
	for len(msg) > 0 {
		num, typ, size := protowire.ConsumeTag(msg)
		if size < 0 {
			return fmt.Errorf("%w: %w", errRealtime, protowire.ParseError(size))
		}
		msg = msg[size:]
		var b []byte
		var n uint64
		switch typ {
		case protowire.VarintType:
			n, size = protowire.ConsumeVarint(msg)
		case protowire.BytesType:
			b, size = protowire.ConsumeBytes(msg)
		default:
			size = protowire.ConsumeFieldValue(num, typ, msg)
		}
		if size < 0 {
			return fmt.Errorf("%w: %w", errRealtime, protowire.ParseError(size))
		}
		msg = msg[size:]
		if err := f(num, b, n); err != nil {
			return err
		}
	}
	return nil
}

// read adds the updates that a feed has for the known trips. The numbers of the fields are from gtfs-realtime.proto.
func (l *Live) read(msg []byte, known map[string]bool) error {
	seen := false
	err := fields(msg, func(num protowire.Number, b []byte, _ uint64) error {
		switch num {
		case 1: // FeedMessage.header
			seen = true
		case 2: // FeedMessage.entity
			return l.entity(b, known)
		}
		return nil
	})
	if err == nil && !seen {
		err = errRealtime
	}
	return err
}

func (l *Live) entity(msg []byte, known map[string]bool) error {
	return fields(msg, func(num protowire.Number, b []byte, _ uint64) error {
		switch num {
		case 3: // trip_update
			return l.tripUpdate(b, known)
		case 5: // alert
			return l.alert(b)
		}
		return nil
	})
}

func (l *Live) tripUpdate(msg []byte, known map[string]bool) error {
	u := new(update)
	var key tripKey
	err := fields(msg, func(num protowire.Number, b []byte, n uint64) (err error) {
		switch num {
		case 1: // trip
			key, u.canceled, err = readTrip(b)
		case 2: // stop_time_update
			if len(u.changes) < maxChanges && known[key.trip] {
				var c change
				c, err = readChange(b)
				u.changes = append(u.changes, c)
			}
		case 5: // delay
			u.delay, u.delayed = int32(n), true
		}
		return err
	})
	if err == nil && known[key.trip] && len(l.trips) < maxUpdates {
		l.trips[key] = u
	}
	return err
}

func readTrip(msg []byte) (key tripKey, canceled bool, err error) {
	key.day, key.start = -1, -1
	err = fields(msg, func(num protowire.Number, b []byte, n uint64) error {
		switch num {
		case 1: // trip_id
			key.trip = string(b)
		case 2: // start_time
			if s, ok := secondsOf(b); ok {
				key.start = s
			}
		case 3: // start_date
			if d, ok := dayOf(b); ok {
				key.day = d
			}
		case 4: // schedule_relationship: 3 is CANCELED, 7 is DELETED
			canceled = n == 3 || n == 7
		}
		return nil
	})
	return key, canceled, err
}

func readChange(msg []byte) (c change, err error) {
	c.place = -1
	departs := false
	err = fields(msg, func(num protowire.Number, b []byte, n uint64) error {
		switch num {
		case 1: // stop_sequence
			c.place = int32(n)
		case 2, 3: // arrival and departure; the departure is used if both are present
			if departs && num == 2 {
				return nil
			}
			departs = num == 3
			c.at, c.delay, c.delayed = 0, 0, false
			return fields(b, func(num protowire.Number, _ []byte, n uint64) error {
				switch num {
				case 1: // delay
					c.delay, c.delayed = int32(n), true
				case 2: // time
					c.at = int64(n)
				}
				return nil
			})
		case 4: // stop_id
			c.stop = string(b)
		case 5: // schedule_relationship: 1 is SKIPPED, 2 is NO_DATA
			c.skipped, c.silent = n == 1, n == 2
		}
		return nil
	})
	return c, err
}

// apply applies the update of a trip to one of its departures.
func (l *Live) apply(x *Index, d *departure) {
	if l == nil {
		return
	}
	id := x.Trips[d.visit[visitTrip]].ID
	u := cmp.Or(l.trips[tripKey{id, d.day, d.run}], l.trips[tripKey{id, d.day, -1}])
	if u == nil && len(x.Trips[d.visit[visitTrip]].Repeats) == 0 {
		u = l.trips[tripKey{id, -1, -1}]
		if u != nil && d.planned.Sub(dayStart(d.day, d.planned.Location())) > 2*secondsOfDay*time.Second {
			u = nil
		}
	}
	if u == nil {
		return
	}
	d.live, d.canceled = true, u.canceled
	c := u.at(d.visit[visitPlace], x.Stops[d.visit[visitStop]].ID)
	switch {
	case c == nil && u.delayed:
		d.expected = d.planned.Add(time.Duration(u.delay) * time.Second)
	case c == nil || c.silent:
		d.live = u.canceled
	case c.skipped && c.here(d.visit[visitPlace], x.Stops[d.visit[visitStop]].ID):
		d.canceled = true
	case c.at > 0 && c.here(d.visit[visitPlace], x.Stops[d.visit[visitStop]].ID):
		d.expected = time.Unix(c.at, 0)
	case c.delayed:
		d.expected = d.planned.Add(time.Duration(c.delay) * time.Second)
	}
	if d.expected.Sub(d.planned).Abs() > maxDelay { // the update is for another day
		d.expected, d.live = d.planned, u.canceled
	}
}

// here() reports whether the change is for the stop with the stop_sequence `place`. If the change has no stop_sequence, here() compares
// its stop_id with `stop`.
func (c *change) here(place int32, stop string) bool {
	return c.place == place || c.place < 0 && c.stop == stop
}

// at() returns the change for a stop. If the stop has no change, at() returns the change for the last stop before this stop, because a
// delay continues.
func (u *update) at(place int32, stop string) *change {
	var before *change
	for i := range u.changes {
		c := &u.changes[i]
		if c.here(place, stop) {
			return c
		}
		if c.place >= 0 && c.place < place && !c.skipped {
			before = c
		}
	}
	return before
}

func (l *Live) alert(msg []byte) error {
	var a notice
	err := fields(msg, func(num protowire.Number, b []byte, _ uint64) error {
		switch num {
		case 1: // active_period
			var from, to int64
			err := fields(b, func(num protowire.Number, _ []byte, n uint64) error {
				if num == 1 {
					from = int64(n)
				} else if num == 2 {
					to = int64(n)
				}
				return nil
			})
			if len(a.from) < maxChanges {
				a.from, a.to = append(a.from, from), append(a.to, to)
			}
			return err
		case 5: // informed_entity
			return a.about(b)
		case 10: // header_text
			return translated(b, &a.title)
		case 11: // description_text
			return translated(b, &a.text)
		}
		return nil
	})
	if err == nil && a.title+a.text != "" && len(l.notices) < maxUpdates {
		l.notices = append(l.notices, a)
	}
	return err
}

// about() reads what an alert is about: a route, a stop or a whole agency.
func (a *notice) about(msg []byte) error {
	whole, narrow := false, false
	err := fields(msg, func(num protowire.Number, b []byte, _ uint64) error {
		switch num {
		case 1: // agency_id
			whole = true
		case 2: // route_id
			narrow = true
			if len(a.routes) < maxChanges {
				a.routes = append(a.routes, string(b))
			}
		case 4: // trip
			narrow = true
		case 5: // stop_id
			narrow = true
			if len(a.stops) < maxChanges {
				a.stops = append(a.stops, string(b))
			}
		}
		return nil
	})
	a.everywhere = a.everywhere || whole && !narrow
	return err
}

// translated() reads the first text of a TranslatedString.
func translated(msg []byte, to *string) error {
	return fields(msg, func(num protowire.Number, b []byte, _ uint64) error {
		if num != 1 || *to != "" {
			return nil
		}
		return fields(b, func(num protowire.Number, b []byte, _ uint64) error {
			if num == 1 {
				*to = clipTo(string(b), maxAlert)
			}
			return nil
		})
	})
}

// alerts() returns a mapping for each valid alert about the stops and routes of an index.
func (l *Live) alerts(x *Index, now time.Time) []any {
	list := []any{}
	if l == nil {
		return list
	}
	for i := range l.notices {
		a := &l.notices[i]
		if len(list) < maxAlerts && a.active(now.Unix()) && a.concerns(x) {
			list = append(list, map[string]any{"title": some(a.title), "text": some(a.text)})
		}
	}
	return list
}

// active() reports whether an alert is valid at a time, given in Unix seconds.
func (a *notice) active(now int64) bool {
	for i := range a.from {
		if now >= a.from[i] && (a.to[i] == 0 || now < a.to[i]) {
			return true
		}
	}
	return len(a.from) == 0
}

// concerns() reports whether an alert is about a stop or a route of an index.
func (a *notice) concerns(x *Index) bool {
	return a.everywhere || slices.ContainsFunc(x.Routes, func(r Route) bool { return slices.Contains(a.routes, r.ID) }) ||
		slices.ContainsFunc(x.Stops, func(s Stop) bool { return slices.Contains(a.stops, s.ID) })
}
