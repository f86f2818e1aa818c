package ical

import (
	"time"

	"dashboard/internal/localtime"
)

// expand works out the instances of everything.
func (b *book) expand() {
	for _, s := range b.order {
		s.replaced = s.replacing()
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

// alone adds the instances that were moved or changed one by one, but those that a newer master excludes.
func (b *book) alone(s *series, gone map[instant]bool) {
	for _, id := range s.order {
		e := s.changed[id]
		if !e.cancelled && !gone[id] && (!e.onward || len(s.masters) == 0) {
			b.event(e, e.start.fields, e.length)
		}
	}
}

// clock is the zone whose clock a series follows.
func (e *entry) clock() *time.Location {
	if e.start.date {
		return time.UTC
	}
	return e.start.loc
}

// reach are the fields between which instances may lie in view.
func (b *book) reach(e *entry) (from, to time.Time) {
	long := time.Duration(e.length.days)*24*time.Hour + e.length.exact
	from = localtime.Fields(b.opts.From.In(e.clock())).Add(-long - 48*time.Hour)
	return from, localtime.Fields(b.opts.To.In(e.clock())).Add(48 * time.Hour)
}

// instances adds the instances of a master that nothing else replaces, and tells which replaced ones it excludes though
// they are older than it.
func (b *book) instances(e *entry, s *series, gone map[instant]bool) {
	from, to := b.reach(e)
	starts := b.starts(e, from, to)
	except, replaced := newExceptions(e.excluded), s.replaced
	if len(e.excluded) > 0 {
		s.excluded(e, except, gone)
	}
	seen := make(map[int64]bool, len(starts))
	one := func(fields time.Time, l length) {
		t := e.at(fields)
		if seen[t.Unix()] || except.names(fields, t) || replaced.names(fields, t) {
			return
		}
		seen[t.Unix()] = true
		if o := s.from(t); o != nil {
			shift := o.start.in(e.clock()).Sub(o.id.in(e.clock()))
			b.event(&entry{Event: o.Event, start: e.start}, fields.Add(shift), o.length)
			return
		}
		b.event(e, fields, l)
	}
	for _, fields := range starts {
		one(fields, e.length)
	}
	for _, x := range e.added {
		l := e.length
		if x.length != nil {
			l = *x.length
		}
		one(x.start.in(e.clock()), l)
	}
}

// at is the instant at which a clock of the series shows fields; a date is midnight in UTC.
func (e *entry) at(fields time.Time) time.Time {
	if e.start.date {
		return fields
	}
	return localtime.Resolve(fields, e.start.loc)
}

// starts are the times at which the rules of a master have it begin, or its only one.
func (b *book) starts(e *entry, from, to time.Time) []time.Time {
	if len(e.rules) == 0 {
		return []time.Time{e.start.fields}
	}
	gather := func(rules []string) (all []time.Time, ok bool) {
		for _, r := range rules {
			list, err := expandRule(r, e.start.fields, e.start.date, e.clock(), from, to, &b.work)
			if err != nil {
				b.problem("event %.60q: %v", e.Title, err)
			}
			all, ok = append(all, list...), ok || err == nil || len(list) > 0
		}
		return all, ok
	}
	all, ok := gather(e.rules)
	if !ok {
		all = []time.Time{e.start.fields} // better once than never
	}
	if len(e.exRules) > 0 {
		out, _ := gather(e.exRules)
		for _, t := range out {
			e.excluded = append(e.excluded, moment{fields: t, date: e.start.date, loc: e.start.loc})
		}
	}
	return all
}

// exceptions are instances by their instants or by the days they are on.
type exceptions struct {
	instants map[int64]bool
	days     map[time.Time]bool
}

func newExceptions(list []moment) exceptions {
	x := exceptions{map[int64]bool{}, map[time.Time]bool{}}
	for _, m := range list {
		if m.date {
			x.days[m.fields] = true
		} else {
			x.instants[m.at().Unix()] = true
		}
	}
	return x
}

// names reports whether an instance is among them: by its instant, or by the day its clock shows.
func (x exceptions) names(fields, at time.Time) bool {
	if x.instants[at.Unix()] {
		return true
	}
	return len(x.days) > 0 && x.days[time.Date(fields.Year(), fields.Month(), fields.Day(), 0, 0, 0, 0, time.UTC)]
}

// excluded notes in gone the changed instances that a newer master excludes.
func (s *series) excluded(e *entry, except exceptions, gone map[instant]bool) {
	for _, id := range s.order {
		if c := s.changed[id]; c.sequence < e.sequence && except.names(c.id.in(e.clock()), c.id.at()) {
			gone[id] = true
		}
	}
}

// replacing are the instances that have an entry of their own.
func (s *series) replacing() exceptions {
	var list []moment
	for _, id := range s.order {
		if c := s.changed[id]; !c.onward {
			list = append(list, *c.id)
		}
	}
	return newExceptions(list)
}

// from finds the change that counts for an instance and all behind it.
func (s *series) from(at time.Time) *entry {
	var last *entry
	for _, c := range s.onward {
		if !c.id.at().After(at) && (last == nil || c.id.at().After(last.id.at())) {
			last = c
		}
	}
	return last
}

// event adds one instance if it is in view.
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
	if e.start.date { // a day is a day everywhere: in view if it is anywhere on earth
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
