package ical

import "time"

// exceptions are instances of a series: by instant, by the time on the series' clock, or by day.
type exceptions struct {
	instants map[int64]bool
	clock    map[int64]bool // times without a zone
	days     map[time.Time]bool
}

// newExceptions collects moments for a series. whole is set for a series of whole days.
func newExceptions(z *zones, whole bool, list []moment) exceptions {
	x := exceptions{map[int64]bool{}, map[int64]bool{}, map[time.Time]bool{}}
	for _, m := range list {
		switch {
		case whole:
			x.days[z.day(m)] = true
		case m.date:
			x.days[m.fields] = true
		case m.floating:
			x.clock[m.fields.Unix()] = true
		default:
			x.instants[m.at().Unix()] = true
		}
	}
	return x
}

// names reports whether an instance is in the list. fields are its time on the series' clock.
func (x exceptions) names(fields, at time.Time) bool {
	return x.instants[at.Unix()] || x.clock[fields.Unix()] || len(x.days) > 0 && x.days[midnight(fields)]
}

// place converts a moment to the fields of a series' clock, and returns its instant too. A moment without a zone is on that clock.
func (b *book) place(e *entry, m moment) (fields, at time.Time) {
	switch {
	case e.start.date:
		day := b.zones.day(m)
		return day, day
	case m.date: // the instance of that day
		fields = m.fields.Add(e.start.fields.Sub(midnight(e.start.fields)))
	case m.floating:
		fields = m.fields
	default:
		return m.in(e.start.loc), m.at()
	}
	return fields, e.at(fields)
}

// exclude adds to gone the changed instances that a newer master excludes.
func (b *book) exclude(s *series, e *entry, except exceptions, gone map[instant]bool) {
	for _, id := range s.order {
		if c := s.changed[id]; c.sequence < e.sequence && except.names(b.place(e, *c.id)) {
			gone[id] = true
		}
	}
}

// replacing returns the instances that have their own entry. All masters of one kind share the result.
func (b *book) replacing(s *series, whole bool) exceptions {
	if x, ok := s.replaced[whole]; ok {
		return x
	}
	var list []moment
	for _, id := range s.order {
		if c := s.changed[id]; !c.onward {
			list = append(list, *c.id)
		}
	}
	x := newExceptions(b.zones, whole, list)
	s.replaced[whole] = x
	return x
}
