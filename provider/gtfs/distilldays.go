package gtfs

import (
	"fmt"
)

func (d *distiller) readCalendar() error {
	return d.each("calendar.txt", false, func(t *table) error {
		i, ok := d.services[string(t.field(0))]
		if !ok {
			return nil
		}
		s := &d.index.Services[i]
		for day := range 7 {
			if t.number(1+day, 0) == 1 {
				s.Week |= 1 << day
			}
		}
		from, ok := dayOf(t.field(8))
		to, also := dayOf(t.field(9))
		if !ok || !also {
			return fmt.Errorf("record %d: a date is not YYYYMMDD", t.row)
		}
		s.From, s.To = from, to
		return nil
	}, "service_id", "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "start_date", "end_date")
}

func (d *distiller) readDates() error {
	n := 0
	return d.each("calendar_dates.txt", false, func(t *table) error {
		i, ok := d.services[string(t.field(0))]
		day, good := dayOf(t.field(1))
		if !ok || !good {
			return nil
		}
		if n++; n > maxExceptions {
			return fmt.Errorf("more than %d days that differ from the calendar", maxExceptions)
		}
		s := &d.index.Services[i]
		switch t.number(2, 0) {
		case 1:
			s.Added = append(s.Added, day)
		case 2:
			s.Removed = append(s.Removed, day)
		}
		return nil
	}, "service_id", "date", "exception_type")
}

func (d *distiller) readRepeats() error {
	n := 0
	return d.each("frequencies.txt", false, func(t *table) error {
		i, ok := d.trips[string(t.field(0))]
		from, a := secondsOf(t.field(1))
		to, b := secondsOf(t.field(2))
		every := t.number(3, 0)
		if !ok || !a || !b || every < leastHeadway {
			return nil
		}
		if n++; n > maxRepeats {
			return fmt.Errorf("more than %d rows for the chosen stops", maxRepeats)
		}
		d.index.Trips[i].Repeats = append(d.index.Trips[i].Repeats, Repeat{from, to, every})
		return nil
	}, "trip_id", "start_time", "end_time", "headway_secs")
}
