package ical

import (
	"fmt"
	"time"
)

// Options say which part of a calendar is wanted.
type Options struct {
	Zone     *time.Location // of times that name none, in a calendar that names none; nil is UTC
	From, To time.Time      // events that lie at least partly between these
	Most     int            // bounds the events, the earliest are kept; 0 is MaxEvents
}

// MaxEvents bounds the events of one calendar that are kept.
const MaxEvents = 5000

// Calendar is what a file says about a stretch of time.
type Calendar struct {
	Name     string // X-WR-CALNAME
	Events   []Event
	Tasks    []Task
	Skipped  int           // events, tasks and lines that could not be read, and events beyond the bound
	Problems []string      // why, the first few
	Unknown  []UnknownZone // the first few unknown time zones
}

// maxProblems bounds what is told of a file.
const maxProblems = 10

// Parse reads a calendar and works out its events between two moments. It fails only for more than MaxBytes, or where
// there is nothing of a calendar in it.
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
		return nil, fmt.Errorf("there is no calendar: neither BEGIN:VCALENDAR nor BEGIN:VEVENT is in it")
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

// book gathers the entries of a calendar by what belongs together.
type book struct {
	out    *Calendar
	opts   Options
	zones  *zones
	work   work
	series map[string]*series
	order  []*series
}

// series is what has one UID: as a rule one master, its older versions dropped, and what replaces single instances of it.
type series struct {
	masters []*entry
	changed map[instant]*entry
	order   []instant
	onward  []*entry // those of changed that count from their instance on

	replaced map[bool]exceptions // the instances of the others, for series of whole days and for timed ones
}

// instant names an instance by when it would have been.
type instant struct {
	at   int64
	date bool
}

func (m moment) instant() instant { return instant{m.at().Unix(), m.date} }

const (
	// maxMasters bounds the events that share one UID, which no program should write.
	maxMasters = 5000
	// maxOnward bounds how often a series changes for good.
	maxOnward = 100
)

func (b *book) problem(format string, args ...any) {
	b.out.Skipped++
	if len(b.out.Problems) < maxProblems {
		b.out.Problems = append(b.out.Problems, fmt.Sprintf(format, args...))
	}
}

// take takes in one component.
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

// add puts an entry to its series. Of two versions of one event the newer counts; two events that only share their UID
// are both kept.
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

// change puts an entry in the place of one instance, or of all from it on. Of two versions the newer counts.
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

// master adds a master, or puts it in the place of an older version of it.
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
