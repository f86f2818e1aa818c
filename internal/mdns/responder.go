package mdns

import (
	"hash/maphash"
	"net/netip"
	"slices"
	"time"

	"golang.org/x/time/rate"
)

// A phase is a step of claiming the names of a link. Before the phase `announcing`, the link answers no questions.
type phase uint8

const (
	asking     phase = iota // asks whether another program on this machine announces the host name
	probing                 // asks whether another host has the names (section 8.1)
	announcing              // announces the records (section 8.3)
	running
)

// Numbers of packets in each phase, and the pauses between two packets: sections 8.1 to 8.3.
const (
	asks, probes, announcements = 2, 3, 3
	probeEvery                  = 250 * time.Millisecond
	announceEvery               = time.Second
	lostPause                   = time.Second
	// After manyConflicts within conflictTime, the link probes only once in each conflictPause.
	manyConflicts = 15
	conflictTime  = 10 * time.Second
	conflictPause = 5 * time.Second
	// checkEvery is the time between two checks of another program on this machine that announces the host name. checkTime is the time
	// limit for the program's answer to a check.
	checkEvery, checkTime = 2 * time.Minute, time.Second
)

// A link is a network interface with the state of our names on its network.
type link struct {
	Interface
	phase   phase
	step    int
	due     time.Time // time at which the phase continues, or zero for never
	claims  bool      // true if this program announces the host name, false if another program on this machine does
	checks  bool      // true while the wall waits for the other program's answer to a check
	records []record
	pending map[string]*pending  // scheduled answers, by the keys of their records
	told    map[string]time.Time // time of the last multicast, by the key of a record
}

// pending holds an answer that is multicast when it is due.
type pending struct {
	record
	due   time.Time
	asker netip.Addr // the host that asked, or invalid if several hosts asked
}

// A responder claims names and answers questions about them. Its methods get the present time as an argument. Only one goroutine uses it.
type responder struct {
	o     Options
	send  func(i *Interface, to netip.AddrPort, data []byte)
	delay func(least, most time.Duration) time.Duration

	hostNumber, nameNumber int // 1, or the number that was added because another host uses the name
	links                  map[int]*link
	replies                *rate.Limiter
	conflicts              []time.Time // times of the latest conflicts
	told                   string      // host name in the last call of Options.Named

	seed maphash.Seed
	sent [64]uint64 // hashes of the last sent packets, because a host receives its own packets too
	at   int
}

func newResponder(o Options, send func(*Interface, netip.AddrPort, []byte), delay func(_, _ time.Duration) time.Duration) *responder {
	o.Services = o.Services[:min(len(o.Services), 8)]
	if o.Counts == nil {
		o.Counts = &Counts{}
	}
	counted := func(i *Interface, to netip.AddrPort, data []byte) {
		o.Counts.Sent.Add(1)
		send(i, to, data)
	}
	return &responder{
		o: o, send: counted, delay: delay, hostNumber: 1, nameNumber: 1, links: map[int]*link{},
		replies: rate.NewLimiter(repliesPerSecond, replyBurst), seed: maphash.MakeSeed(),
	}
}

// update makes r.links match the current interfaces. It returns the interfaces that were removed or changed.
func (r *responder) update(list []Interface, now time.Time) (gone []Interface) {
	list = slices.DeleteFunc(list, func(i Interface) bool { return !r.reachable(&i) })
	for index, l := range r.links {
		if !slices.ContainsFunc(list, func(i Interface) bool { return i.Index == index && i.Name == l.Name }) {
			gone = append(gone, l.Interface)
			delete(r.links, index)
		}
	}
	for _, i := range list {
		switch l := r.links[i.Index]; {
		case l == nil:
			l = &link{Interface: i}
			r.links[i.Index] = l
			r.start(l, now)
		case !l.equal(&i):
			gone = append(gone, l.Interface)
			l.Interface = i
			r.rename(l)
			if l.phase == running { // announce the new addresses, which replace the old addresses
				l.phase, l.step, l.due = announcing, 0, now
			}
		}
	}
	return gone
}

// start begins to claim the names of a link, from the first phase on.
func (r *responder) start(l *link, now time.Time) {
	l.phase, l.step, l.claims, l.checks = asking, 0, true, false
	l.due = now.Add(r.delay(0, probeEvery))
	if r.often(now) {
		l.due = now.Add(conflictPause)
	}
	r.rename(l)
}

// rename updates the records of a link with the current names.
func (r *responder) rename(l *link) {
	l.records = r.zone(l)
	l.pending, l.told = map[string]*pending{}, map[string]time.Time{}
}

// often() reports whether there are so many conflicts that they may be an attack.
func (r *responder) often(now time.Time) bool {
	r.conflicts = slices.DeleteFunc(r.conflicts, func(t time.Time) bool { return now.Sub(t) >= conflictTime })
	return len(r.conflicts) >= manyConflicts
}

// next() returns the time at which pass must be called. The time is zero if there is nothing to do.
func (r *responder) next() (at time.Time) {
	sooner := func(t time.Time) {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	for _, l := range r.links {
		sooner(l.due)
		for _, p := range l.pending {
			sooner(p.due)
		}
	}
	return at
}

// pass() does all work that is due: it advances the phases of the links, and sends scheduled answers.
func (r *responder) pass(now time.Time) {
	for _, l := range r.links {
		if !l.due.IsZero() && !now.Before(l.due) {
			r.advance(l, now)
		}
		r.flush(l, now)
	}
}

// advance does the next step of a link's phase.
func (r *responder) advance(l *link, now time.Time) {
	switch l.phase {
	case asking:
		if l.step == asks || !l.claims {
			l.phase, l.step = probing, 0
			r.advance(l, now)
			return
		}
		r.all(l, &message{questions: []question{{name: r.host(), kind: typeAny}}}, nil)
		l.due = now.Add(probeEvery)
	case probing:
		if l.step == probes {
			l.phase, l.step = announcing, 0
			r.advance(l, now)
			return
		}
		r.probe(l)
		l.due = now.Add(probeEvery)
	case announcing:
		r.tell(l, l.records, now)
		l.due = now.Add(announceEvery << l.step)
		if l.step+1 == announcements {
			r.run(l, now)
			return
		}
	case running:
		r.check(l, now)
		return
	}
	l.step++
}

// run begins the phase `running`, in which the names of a link are claimed. If the host name has changed, run logs the name and calls
// Options.Named.
func (r *responder) run(l *link, now time.Time) {
	l.phase, l.due = running, time.Time{}
	if !l.claims {
		l.due = now.Add(checkEvery)
	}
	if host := trimDot(r.host()); host != r.told {
		r.told = host
		r.o.Log.Info("the wall is announced to the local network", "name", r.name(), "host", host)
		if r.o.Named != nil {
			r.o.Named(host)
		}
	}
}

// check asks whether another program still announces the host name. If there was no answer to the last check, this program claims the name.
func (r *responder) check(l *link, now time.Time) {
	switch {
	case l.claims:
		l.due = time.Time{}
	case l.checks:
		r.start(l, now)
	default:
		l.checks, l.due = true, now.Add(checkTime)
		r.all(l, &message{questions: []question{{name: r.host(), kind: typeAny}}}, nil)
	}
}

// yield leaves the host name to another program on this machine.
func (r *responder) yield(l *link, now time.Time) {
	if l.claims {
		l.claims = false
		r.rename(l)
	}
	l.checks = false
	if l.phase == running {
		l.due = now.Add(checkEvery)
	}
}

// probe asks whether other hosts use the names. It lists the records that this host is about to claim.
func (r *responder) probe(l *link) {
	m := &message{}
	for _, rec := range l.records {
		if !rec.unique {
			continue
		}
		if !slices.ContainsFunc(m.questions, func(q question) bool { return q.name == rec.name }) {
			m.questions = append(m.questions, question{name: rec.name, kind: typeAny, unicast: true})
		}
		rec.unique = false // the records of a probe do not have topBit, section 10.2
		m.proposed = append(m.proposed, rec)
	}
	r.all(l, m, nil)
}

// tell multicasts records.
func (r *responder) tell(l *link, records []record, now time.Time) {
	if len(records) == 0 {
		return
	}
	r.all(l, &message{response: true, answers: records}, r.extras(l, records))
	for i := range records {
		l.told[records[i].key()] = now
		delete(l.pending, records[i].key())
	}
}

// goodbye() withdraws the announced records (section 10.1).
func (r *responder) goodbye() {
	for _, l := range r.links {
		if l.phase < announcing {
			continue
		}
		all := slices.Clone(l.records)
		for i := range all {
			all[i].ttl = 0
		}
		r.all(l, &message{response: true, answers: all}, nil)
	}
}

// all() sends a message by multicast on a link. It stores a hash of the packet, by which mine() recognizes the packet.
func (r *responder) all(l *link, m *message, additional []record) {
	data := m.pack(additional)
	r.sent[r.at%len(r.sent)] = maphash.Bytes(r.seed, data)
	r.at++
	r.send(&l.Interface, netip.AddrPort{}, data)
}

// mine() reports whether this responder has sent the packet a moment ago. A host receives its own packets too.
func (r *responder) mine(data []byte) bool {
	return slices.Contains(r.sent[:min(r.at, len(r.sent))], maphash.Bytes(r.seed, data))
}

// local() reports whether an address belongs to this machine.
func (r *responder) local(a netip.Addr) bool {
	for _, l := range r.links {
		if l.has(a) {
			return true
		}
	}
	return a.IsLoopback()
}
