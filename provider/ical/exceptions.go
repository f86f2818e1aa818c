package ical

import "time"

// The type exceptions is a set of instances of a series. An instance is identified by its instant, by its time on the series' clock, or by
// its day.
type exceptions struct {
	instants map[int64]bool
	clock    map[int64]bool // times without a zone, read on the series' clock
	days     map[time.Time]bool
}

// newExceptions returns a set of the instances at the given times. `whole` is true for a series of whole days.
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

// names() reports whether the set contains an instance. `fields` is the instance's time on the series' clock, and `at` is its instant.
func (x exceptions) names(fields, at time.Time) bool {
	return x.instants[at.Unix()] || x.clock[fields.Unix()] || len(x.days) > 0 && x.days[midnight(fields)]
}

// place returns a moment as the time on the clock of a series, and as an instant. A moment without a zone is already a time on that
// clock.
func (b *book) place(e *entry, m moment) (fields, at time.Time) {
	switch {
	case e.start.date:
		day := b.zones.day(m)
		return day, day
	case m.date: // a date stands for the instance on that day
		fields = m.fields.Add(e.start.fields.Sub(midnight(e.start.fields)))
	case m.floating:
		fields = m.fields
	default:
		return m.in(e.start.loc), m.at()
	}
	return fields, e.at(fields)
}

// exclude adds changed instances to the map `gone` if a newer master excludes these instances.
func (b *book) exclude(s *series, e *entry, except exceptions, gone map[instant]bool) {
	for _, id := range s.order {
		if c := s.changed[id]; c.sequence < e.sequence && except.names(b.place(e, *c.id)) {
			gone[id] = true
		}
	}
}

// replacing() returns the instances of a series that other entries replace. It ignores entries that also change later instances
// (RANGE=THISANDFUTURE). All whole-day masters share one result, and all other masters share another result.
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
