package ical

import (
	"fmt"
	"time"
)

// Options select the part of a calendar that is read.
type Options struct {
	Zone     *time.Location // zone of times without a zone, unless the calendar sets one; nil is UTC
	From, To time.Time      // events are read if at least a part of them lies in this range
	Most     int            // maximum number of events. The earliest ones are kept. 0 means MaxEvents
}

// MaxEvents bounds the events of one calendar.
const MaxEvents = 5000

// Calendar is the content of a file between two moments.
type Calendar struct {
	Name     string // X-WR-CALNAME
	Events   []Event
	Tasks    []Task
	Skipped  int           // unreadable events, tasks and lines, and events beyond the bound
	Problems []string      // reasons for the first few
	Unknown  []UnknownZone // the first few unknown time zones
}

// maxProblems bounds the reported problems of a file.
const maxProblems = 10

// Parse reads a calendar and computes its events between two moments. It fails only if the data has more than MaxBytes or
// contains no component.
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

// book groups the entries of a calendar by UID.
type book struct {
	out    *Calendar
	opts   Options
	zones  *zones
	work   work
	series map[string]*series
	order  []*series
}

// series holds the entries of one UID: usually the newest version of the master, and the entries that replace single instances.
type series struct {
	masters []*entry
	changed map[instant]*entry
	order   []instant
	onward  []*entry // members of changed that apply from their instance on

	replaced map[bool]exceptions // instances of the other members, for whole-day and for timed series
}

// instant identifies an instance by its original time.
type instant struct {
	at   int64
	date bool
}

func (m moment) instant() instant { return instant{m.at().Unix(), m.date} }

const (
	// maxMasters bounds the events with the same UID. Programs should write one.
	maxMasters = 5000
	// maxOnward bounds the changes of a series that apply from an instance on.
	maxOnward = 100
)

func (b *book) problem(format string, args ...any) {
	b.out.Skipped++
	if len(b.out.Problems) < maxProblems {
		b.out.Problems = append(b.out.Problems, fmt.Sprintf(format, args...))
	}
}

// take reads one component.
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

// add adds an entry to its series. The newer of two versions replaces the older one. Two different events with the same UID are
// both kept.
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

// change replaces one instance, or all instances from it on. The newer of two versions counts.
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

// master adds a master, or replaces an older version of it.
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
