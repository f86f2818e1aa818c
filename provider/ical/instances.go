package ical

import (
	"slices"
	"time"

	"dashboard/internal/localtime"
	"dashboard/internal/stable"
)

// expand computes the instances of all series and adds them to the calendar.
func (b *book) expand() {
	for _, s := range b.order {
		for _, id := range s.order {
			if e := s.changed[id]; e.onward && len(s.onward) < maxOnward {
				s.onward = append(s.onward, e)
			}
		}
		gone := map[instant]bool{}
		for _, m := range s.masters {
			if !m.cancelled {
				b.instances(m, s, gone)
			}
		}
		if cancelled := len(s.masters) == 1 && s.masters[0].cancelled; !cancelled {
			b.alone(s, gone)
		}
	}
}

// alone() adds the entries that replace single instances, except the entries in `gone`.
func (b *book) alone(s *series, gone map[instant]bool) {
	for _, id := range s.order {
		e := s.changed[id]
		if !e.cancelled && !gone[id] && (!e.onward || len(s.masters) == 0) {
			b.event(e, e.start.fields, e.length)
		}
	}
}

// clock() returns the time zone that a series follows. For whole days, the zone is UTC.
func (e *entry) clock() *time.Location {
	if e.start.date {
		return time.UTC
	}
	return e.start.loc
}

// reach() returns a time range on the series' clock. The range contains all instances that may be in the requested range.
func (b *book) reach(e *entry) (from, to time.Time) {
	long := time.Duration(e.length.days)*24*time.Hour + e.length.exact
	from = localtime.Fields(b.opts.From.In(e.clock())).Add(-long - 48*time.Hour)
	return from, localtime.Fields(b.opts.To.In(e.clock())).Add(48 * time.Hour)
}

// instances() adds the instances of a master, except the instances that other entries replace. If a changed instance is older than the
// master, and the master excludes this instance, instances() adds the instance to the map `gone`.
func (b *book) instances(e *entry, s *series, gone map[instant]bool) {
	from, to := b.reach(e)
	starts := b.starts(e, from, to)
	except, replaced, onward := newExceptions(b.zones, e.start.date, e.excluded), b.replacing(s, e.start.date), b.onward(e, s)
	if len(e.excluded) > 0 {
		b.exclude(s, e, except, gone)
	}
	seen := make(map[int64]bool, len(starts))
	one := func(fields time.Time, l length) {
		t := e.at(fields)
		if seen[t.Unix()] || except.names(fields, t) || replaced.names(fields, t) {
			return
		}
		seen[t.Unix()] = true
		if o := last(onward, t); o == nil {
			b.event(e, fields, l)
		} else if !o.entry.cancelled {
			b.event(&entry{Event: o.entry.Event, start: e.start}, fields.Add(o.shift), o.entry.length)
		}
	}
	for _, x := range e.added { // the added times come first, because a period sets the length of its instance
		l := e.length
		if x.length != nil {
			l = *x.length
		}
		one(x.start.in(e.clock()), l)
	}
	for _, fields := range starts {
		one(fields, e.length)
	}
}

// at() returns the instant at which the clock of the series shows the date and time in `fields`. A date is midnight in UTC.
func (e *entry) at(fields time.Time) time.Time {
	if e.start.date {
		return fields
	}
	return localtime.Resolve(fields, e.start.loc)
}

// starts() returns the times on the series' clock at which the rules of a master start an instance. DTSTART is always one of these times,
// even if the rules do not produce it (RFC 5545, section 3.6.1). The function also adds the times of the exception rules to e.excluded.
func (b *book) starts(e *entry, from, to time.Time) []time.Time {
	all := []time.Time{e.start.fields}
	gather := func(rules []string) (all []time.Time) {
		for _, r := range rules {
			list, err := expandRule(r, e.start.fields, e.start.date, e.clock(), from, to, &b.work)
			if err != nil {
				b.problem("event %.60q: %v", e.Title, err)
			}
			all = append(all, list...)
		}
		return all
	}
	all = append(all, gather(e.rules)...)
	for _, t := range gather(e.exRules) {
		e.excluded = append(e.excluded, moment{fields: t, date: e.start.date, loc: e.start.loc})
	}
	return all
}

// An onwardChange is a change that applies to one instance of a series and to all later instances.
type onwardChange struct {
	entry *entry
	at    time.Time     // time of the first instance to which the change applies
	shift time.Duration // difference between the changed time and the original time of the instance
}

// onward() returns the changes of a series that also apply to later instances, sorted by time.
func (b *book) onward(e *entry, s *series) []onwardChange {
	var all []onwardChange
	for _, c := range s.onward {
		fields, at := b.place(e, *c.id)
		start := c.start.in(e.clock())
		if e.start.date {
			start = b.zones.day(c.start)
		}
		all = append(all, onwardChange{c, at, start.Sub(fields)})
	}
	stable.Sort(all, func(a, b onwardChange) int { return a.at.Compare(b.at) })
	return all
}

// last() returns the latest change that applies to an instance, or nil. `at` is the time of the instance.
func last(all []onwardChange, at time.Time) *onwardChange {
	for i, c := range slices.Backward(all) {
		if !c.at.After(at) {
			return &all[i]
		}
	}
	return nil
}

// event adds one instance to the calendar if the instance is in the requested range.
func (b *book) event(e *entry, fields time.Time, l length) {
	v := e.Event
	if e.start.date {
		v.Start = fields
		v.End = fields.AddDate(0, 0, l.days)
	} else {
		v.Start = localtime.Resolve(fields, e.start.loc)
		v.End = l.after(v.Start, e.start.loc)
	}
	from, to := b.opts.From, b.opts.To
	if e.start.date { // in other zones, the same date begins up to a day earlier or later
		from, to = from.Add(-24*time.Hour), to.Add(24*time.Hour)
	}
	if v.Start.Before(to) && (v.End.After(from) || !v.Start.Before(from)) {
		if len(b.out.Events) >= 4*b.opts.Most {
			b.out.Skipped++
			return
		}
		b.out.Events = append(b.out.Events, v)
	}
}
