package ical

import (
	"fmt"
	"time"
)

// Options select a part of a calendar.
type Options struct {
	Zone     *time.Location // zone of times without a zone, unless the calendar sets a zone; nil means UTC
	From, To time.Time      // range of the events; an event is read if a part of it lies in the range
	Most     int            // maximum number of events, and of tasks; the earliest events are kept; 0 means MaxEvents
}

// MaxEvents is the default maximum number of events of one calendar.
const MaxEvents = 5000

// Calendar is the content of a file in a time range.
type Calendar struct {
	Name     string // value of X-WR-CALNAME
	Events   []Event
	Tasks    []Task
	Skipped  int           // number of events, tasks and lines that are missing because they are unreadable or exceed a limit
	Problems []string      // reasons for the first missing entries
	Unknown  []UnknownZone // first unknown time zones
}

// maxProblems is the maximum number of problems that are reported for a file.
const maxProblems = 10

// Parse parses a calendar and computes its events in a time range. It fails only if the data exceeds MaxBytes or contains no component.
func Parse(data []byte, o Options) (*Calendar, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the calendar has %d bytes, more than %d", len(data), MaxBytes)
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Most <= 0 {
		o.Most = MaxEvents
	}
	root, dropped := read(data)
	if len(root.inner) == 0 {
		return nil, fmt.Errorf("there is no calendar: BEGIN:VCALENDAR and BEGIN:VEVENT are missing")
	}
	c := &Calendar{Skipped: dropped}
	b := &book{out: c, opts: o, series: map[string]*series{}}
	b.zones = newZones(root, o.Zone, &b.work)
	root.walk(b.take)
	b.expand()
	sortEvents(c.Events)
	if n := len(c.Events) - o.Most; n > 0 {
		c.Events, c.Skipped = c.Events[:o.Most:o.Most], c.Skipped+n
	}
	c.Unknown = b.zones.unknownZones(maxProblems)
	return c, nil
}

// A book collects the entries of a calendar by UID.
type book struct {
	out    *Calendar
	opts   Options
	zones  *zones
	work   work
	series map[string]*series
	order  []*series
}

// A series holds the entries that have the same UID: usually the newest version of the master (the entry without RECURRENCE-ID), and the
// entries that replace single instances.
type series struct {
	masters []*entry
	changed map[instant]*entry
	order   []instant
	onward  []*entry // entries in `changed` that also apply to later instances (RANGE=THISANDFUTURE)

	replaced map[bool]exceptions // instances replaced by entries outside of `onward`; the key is true for a whole-day series
}

// An instant identifies an instance of a series by its original time.
type instant struct {
	at   int64
	date bool
}

func (m moment) instant() instant { return instant{m.at().Unix(), m.date} }

const (
	// maxMasters is the maximum number of different events with the same UID. Programs should write only one event for each UID.
	maxMasters = 5000
	// maxOnward is the maximum number of changes of a series that also apply to later instances.
	maxOnward = 100
)

func (b *book) problem(format string, args ...any) {
	b.out.Skipped++
	if len(b.out.Problems) < maxProblems {
		b.out.Problems = append(b.out.Problems, fmt.Sprintf(format, args...))
	}
}

// take adds the content of one component.
func (b *book) take(c *component) {
	switch c.name {
	case "VCALENDAR":
		if b.out.Name == "" {
			b.out.Name = short(c.text("X-WR-CALNAME"))
		}
	case "VTODO":
		if len(b.out.Tasks) < b.opts.Most {
			b.out.Tasks = append(b.out.Tasks, newTask(c, b.zones))
		}
	case "VEVENT":
		e, err := newEntry(c, b.zones)
		if err != nil {
			b.problem("event %.60q %v", c.text("SUMMARY"), err)
			return
		}
		b.add(e)
	}
}

// add adds an entry to its series. A newer version of an entry replaces the older version. If two different events have the same UID, both
// events are kept.
func (b *book) add(e *entry) {
	key := e.UID
	if key == "" {
		key = fmt.Sprintf("\x00%d", len(b.order))
	}
	s := b.series[key]
	if s == nil {
		s = &series{changed: map[instant]*entry{}, replaced: map[bool]exceptions{}}
		b.series[key] = s
		b.order = append(b.order, s)
	}
	if e.id != nil {
		s.change(e)
		return
	}
	if !s.master(e) {
		b.problem("event %.60q: more than %d events have its UID", e.Title, maxMasters)
	}
}

// change() adds an entry that replaces one instance, or that instance and all later instances. If there are two entries for the same
// instance, the newer entry is kept.
func (s *series) change(e *entry) {
	id := e.id.instant()
	old, known := s.changed[id]
	if known && old.better(e) {
		return
	}
	s.changed[id] = e
	if !known {
		s.order = append(s.order, id)
	}
}

// master adds a master to the series, or replaces an older version of it. It returns false if there are too many masters.
func (s *series) master(e *entry) bool {
	for i, other := range s.masters {
		version := other.sequence != e.sequence || other.modified != e.modified
		if version || other.start.fields.Equal(e.start.fields) && other.Title == e.Title {
			if !other.better(e) {
				s.masters[i] = e
			}
			return true
		}
	}
	if len(s.masters) >= maxMasters {
		return false
	}
	s.masters = append(s.masters, e)
	return true
}
