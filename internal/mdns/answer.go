package mdns

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"dashboard/internal/stable"
)

// Delays of answers, and pauses between two answers (RFC 6762, sections 6 and 7.2).
const (
	leastDelay, mostDelay = 20 * time.Millisecond, 120 * time.Millisecond
	leastMore, mostMore   = 400 * time.Millisecond, 500 * time.Millisecond
	sameEvery             = time.Second            // minimum pause between two multicasts of a record
	defendEvery           = 250 * time.Millisecond // minimum pause if another host is about to claim the record's name
)

// handle processes a packet.
func (r *responder) handle(p packet, now time.Time) {
	l := r.links[p.link]
	if l == nil || r.mine(p.data) {
		return
	}
	r.o.Counts.Received.Add(1)
	m, err := parse(p.data)
	switch {
	case err != nil:
		r.o.Counts.Malformed.Add(1)
	case !m.response:
		r.asked(l, m, p.from, now)
	case p.from.Port() == port: // responses are valid only if they come from this port (section 6)
		r.heard(l, m, p.from.Addr(), now)
	}
}

// asked() processes a message from another host. The message contains questions, known answers, or the records of the host's probe.
func (r *responder) asked(l *link, m *message, from netip.AddrPort, now time.Time) {
	for i := range m.answers { // known answers in this packet cancel scheduled answers to the same asker
		key := m.answers[i].key()
		if p := l.pending[key]; p != nil && p.asker == from.Addr() && m.answers[i].ttl >= p.ttl/2 {
			delete(l.pending, key)
		}
	}
	if l.phase == probing && len(m.proposed) > 0 {
		r.contest(l, m, now)
	}
	if l.phase < announcing || len(m.questions) == 0 {
		return
	}
	if from.Port() != port {
		r.legacy(l, m, from, now)
		return
	}
	var alone []record
	known := knownBy(m)
	for i := range m.questions {
		q := &m.questions[i]
		for _, rec := range r.wanted(l, q, known) {
			if at, ok := l.told[rec.key()]; q.unicast && ok && now.Sub(at) < time.Duration(rec.ttl)*time.Second/4 {
				alone = append(alone, rec)
			} else {
				l.answer(rec, r.dueFor(&rec, m, now), from.Addr(), len(m.proposed) > 0, now)
			}
		}
	}
	if len(alone) > 0 && r.replies.AllowN(now, 1) {
		answers := distinct(alone)
		data := (&message{response: true, answers: answers}).pack(r.extras(l, answers))
		r.send(&l.Interface, from, data)
	}
	r.flush(l, now)
}

// knownBy returns the records that the asker already knows, as a map from their keys to their remaining lifetimes. In a map, the look-up
// is fast for any number of records.
func knownBy(m *message) map[string]uint32 {
	known := make(map[string]uint32, len(m.answers))
	for i := range m.answers {
		key := m.answers[i].key()
		known[key] = max(known[key], m.answers[i].ttl)
	}
	return known
}

// wanted() returns the records that a question requests and that the asker does not know yet.
func (r *responder) wanted(l *link, q *question, known map[string]uint32) []record {
	var all []record
	for _, rec := range l.records {
		if q.asks(&rec) {
			all = append(all, rec)
		}
	}
	if len(all) == 0 && l.owns(q.name) {
		all = append(all, l.nsec(q.name))
	}
	return slices.DeleteFunc(all, func(rec record) bool {
		left, ok := known[rec.key()]
		return ok && left >= rec.ttl/2
	})
}

// dueFor returns the time at which a record is multicast. An answer to a probe is sent now. If the asker may send more known answers, the
// answer is delayed. If other hosts may also answer, the answer is delayed by a shorter time. In all other cases the answer is sent now.
func (r *responder) dueFor(rec *record, m *message, now time.Time) time.Time {
	switch {
	case len(m.proposed) > 0:
		return now
	case m.truncated:
		return now.Add(r.delay(leastMore, mostMore))
	case !rec.unique:
		return now.Add(r.delay(leastDelay, mostDelay))
	}
	return now
}

// answer() schedules the multicast of a record. If the record was sent a moment ago, answer() does nothing.
func (l *link) answer(rec record, due time.Time, asker netip.Addr, defends bool, now time.Time) {
	key := rec.key()
	least := sameEvery
	if defends {
		least = defendEvery
	}
	if at, ok := l.told[key]; ok && now.Sub(at) < least {
		return
	}
	p := l.pending[key]
	if p == nil {
		l.pending[key] = &pending{rec, due, asker}
		return
	}
	if p.asker != asker {
		p.asker = netip.Addr{}
	}
	if due.Before(p.due) {
		p.due = due
	}
}

// flush multicasts the scheduled records that are due.
func (r *responder) flush(l *link, now time.Time) {
	var ready []record
	for _, p := range l.pending {
		if !now.Before(p.due) {
			ready = append(ready, p.record)
		}
	}
	stable.Sort(ready, compareRecords)
	r.tell(l, ready, now)
}

func compareRecords(a, b record) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(fold(a.name), fold(b.name)), cmp.Compare(a.data, b.data))
}

func distinct(all []record) []record {
	stable.Sort(all, compareRecords)
	return slices.CompactFunc(all, func(a, b record) bool { return compareRecords(a, b) == 0 })
}

// legacy() answers a caller that sends plain DNS questions (section 6.7). Only this caller receives the answer. The answer repeats the
// question and has a short lifetime.
func (r *responder) legacy(l *link, m *message, from netip.AddrPort, now time.Time) {
	var all []record
	for i := range m.questions {
		all = append(all, r.wanted(l, &m.questions[i], nil)...)
	}
	if len(all) == 0 || len(m.questions) > 4 || !r.replies.AllowN(now, 1) {
		return
	}
	all = distinct(all)
	extras := r.extras(l, all)
	for _, list := range [][]record{all, extras} {
		for i := range list {
			list[i].unique, list[i].ttl = false, min(list[i].ttl, legacyTTL)
		}
	}
	for i := range m.questions {
		m.questions[i].unicast = false
	}
	data := (&message{id: m.id, response: true, questions: m.questions, answers: all}).pack(extras)
	r.send(&l.Interface, from, data)
}

// heard() reads the records of a response. If a record has one of our names, the sender is either another program on this machine, or
// another host that uses the same name.
func (r *responder) heard(l *link, m *message, from netip.Addr, now time.Time) {
	here := r.local(from)
	for i := range m.answers {
		rec := &m.answers[i]
		address := rec.kind == dnsmessage.TypeA || rec.kind == dnsmessage.TypeAAAA
		host := address && fold(rec.name) == fold(r.host())
		ours := l.find(rec.key())
		switch {
		case host && here && rec.ttl > 0:
			r.yield(l, now)
		case host && here && !l.claims:
			l.checks, l.due = false, now.Add(checkTime) // the other program gives up the name
		case ours != nil && rec.ttl < ours.ttl/2 && l.phase >= announcing:
			l.answer(*ours, now.Add(leastDelay), netip.Addr{}, false, now) // another host withdraws a record that is still valid
		case ours != nil || rec.ttl == 0:
		case host && (l.claims || l.checks):
			r.conflict(l, &r.hostNumber, now)
			return
		case (rec.kind == dnsmessage.TypeSRV || rec.kind == dnsmessage.TypeTXT) && l.owns(rec.name):
			r.conflict(l, &r.nameNumber, now)
			return
		}
	}
}

// conflict() handles another host that uses one of our names (section 9). If the name was not claimed yet, conflict() chooses another name.
// If this host already uses the name, or if there were many conflicts lately, conflict() starts to probe the name again.
func (r *responder) conflict(l *link, number *int, now time.Time) {
	r.o.Counts.Conflicts.Add(1)
	if r.often(now) {
		r.start(l, now) // start() waits before the next probe
		return
	}
	r.conflicts = append(r.conflicts, now)
	if l.phase >= announcing {
		r.start(l, now)
		return
	}
	*number++
	if *number > 99 {
		*number = 2 + int(r.delay(0, time.Second)/time.Microsecond)
	}
	for _, l := range r.links {
		r.start(l, now)
	}
}

// contest() handles another host that probes for one of our names at the same time (section 8.2). The host with the greater records
// continues. The host with the smaller records waits, and then it finds that the name is in use.
func (r *responder) contest(l *link, m *message, now time.Time) {
	for i := range m.questions {
		name := m.questions[i].name
		of := func(all []record, rec func(record) bool) (list []record) {
			for _, o := range all {
				if fold(o.name) == fold(name) && rec(o) {
					list = append(list, o)
				}
			}
			stable.Sort(list, compareRecords)
			return list
		}
		theirs := of(m.proposed, func(record) bool { return true })
		ours := of(l.records, func(o record) bool { return o.unique })
		if len(theirs) > 0 && len(ours) > 0 && slices.CompareFunc(ours, theirs, compareRecords) < 0 {
			l.step, l.due = 0, now.Add(lostPause)
			return
		}
	}
}
