// Package calendar provides the events and tasks of several calendars as one list each. Calendars are files, addresses, CalDAV
// servers or entities of Home Assistant.
package calendar

import (
	"cmp"
	"slices"
	"time"

	"dashboard/internal/localtime"
	"dashboard/provider/ical"
)

// A Calendar describes one of the shown calendars.
type Calendar struct {
	Name, Color, Icon, Kind string
}

// An Event is one instance of an event.
type Event struct {
	Title, Location, Description string

	Start, End time.Time // End is exclusive; whole days are midnights in the wall's zone
	AllDay     bool
	Busy       bool // takes time
	Tentative  bool
	First      time.Time     // start of the series, such as the date of birth
	Remind     time.Duration // time from the reminder to the start, or 0
	Calendar   *Calendar
	Task       *Task // the task that is shown as an event; nil for events
}

// A Task is a task of a calendar.
type Task struct {
	Title    string
	Due      time.Time // zero without a due date
	AllDay   bool      // true if Due is the midnight of a day
	Done     bool
	Priority int // priority from 1, the highest, to 9, or 0 if not set
	Calendar *Calendar

	Key     string // id for changes; "" if the task takes none
	Waiting bool   // the server does not have the last change
	Problem string // reason why the server refused the last change; "" if the change was accepted

	id, ref string // id and address at the server
}

// An Agenda holds the content of all calendars between two moments. It is immutable.
type Agenda struct {
	Calendars []*Calendar
	Events    []*Event // events by start, longer events first
	Tasks     []*Task  // open ones first, by due date, then by priority
	Ticks     []Tick   // tasks that were completed at this wall, the latest first
	Zone      *time.Location
	From, To  time.Time // the range of the events

	Left int      // number of unreadable events, tasks and lines, and of those beyond the bound
	Why  []string // reasons for the first few, with the calendar's name

	Doubts []string // the first few warnings about events, with the calendar's name

	State // state at the time of publication

	read int64 // bytes of the calendars from which it was made, which are kept with it

}

// A State is the state of the events at one moment.
type State struct {
	Now   *Event    // the current timed event with the latest start, or nil
	Next  *Event    // the next timed event, or nil
	Busy  bool      // an event that takes time is in progress
	Until time.Time // end of the state Busy; zero if it lasts beyond the range
}

// Size returns the memory of the events and tasks, and of the calendars that are kept with them, in bytes.
func (a *Agenda) Size() int64 {
	const one = 240 // bytes of an event without its texts
	n := a.read
	for _, e := range a.Events {
		n += one + int64(len(e.Title)+len(e.Location)+len(e.Description))
	}
	for _, t := range a.Tasks {
		n += one + int64(len(t.Title))
	}
	return n
}

// LeftOut implements provider.Partial.
func (a *Agenda) LeftOut() (n int, why []string) {
	if a == nil {
		return 0, nil
	}
	return a.Left, a.Why
}

// Warnings implements provider.Warner.
func (a *Agenda) Warnings() []string {
	if a == nil {
		return nil
	}
	return a.Doubts
}

// The range of the events, because a month shows days of the previous month and a countdown looks a year ahead.
const (
	daysBack  = 40
	daysAhead = 400
)

// window returns the range around a moment.
func window(now time.Time, zone *time.Location) (from, to time.Time) {
	y, m, d := now.In(zone).Date()
	return localtime.At(y, m, d-daysBack, 0, zone), localtime.At(y, m, d+daysAhead, 0, zone)
}

// event converts an event of the calendar. It returns nil if the event is not shown.
func (c *source) event(e *ical.Event, zone *time.Location) *Event {
	if c.show == showBusy && !e.Busy {
		return nil
	}
	v := &Event{
		Title: e.Title, Location: e.Location, Description: e.Description, Start: e.Start.In(zone), End: e.End.In(zone), AllDay: e.AllDay,
		Busy: e.Busy, Tentative: e.Tentative, First: e.First, Remind: c.remind, Calendar: c.shown,
	}
	if e.AllDay {
		v.Start, v.End = dayIn(e.Start, zone), dayIn(e.End, zone)
	}
	if e.Private && c.privateText != "" {
		v.Title, v.Location, v.Description = c.privateText, "", ""
	}
	return v
}

// dayIn returns the midnight of a date in a zone. The date is a midnight in UTC.
func dayIn(date time.Time, zone *time.Location) time.Time {
	y, m, d := date.UTC().Date()
	return localtime.At(y, m, d, 0, zone)
}

func (c *source) task(t *ical.Task, zone *time.Location, ref string) *Task {
	v := &Task{Title: t.Title, Due: t.Due, AllDay: t.AllDay, Done: t.Done, Priority: t.Priority, Calendar: c.shown, ref: ref}
	if c.queue != nil && ref != "" && t.UID != "" {
		v.id = taskID(t.UID, t.Instance)
		v.Key = c.queue.Tag(v.id)
	}
	switch {
	case t.Due.IsZero():
	case t.AllDay:
		v.Due = dayIn(t.Due, zone)
	default:
		v.Due = t.Due.In(zone)
	}
	return v
}

// sort sorts events and tasks.
func (a *Agenda) sort() {
	slices.SortStableFunc(a.Events, func(x, y *Event) int {
		return cmp.Or(x.Start.Compare(y.Start), y.End.Compare(x.End), cmp.Compare(x.Title, y.Title))
	})
	slices.SortStableFunc(a.Tasks, func(x, y *Task) int {
		return cmp.Or(cmp.Compare(truth(x.Done), truth(y.Done)), cmp.Compare(truth(x.Due.IsZero()), truth(y.Due.IsZero())),
			x.Due.Compare(y.Due), cmp.Compare(rank(x), rank(y)), cmp.Compare(x.Title, y.Title))
	})
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rank orders priorities. A task without a priority comes last.
func rank(t *Task) int { return (t.Priority + 9) % 10 }

// At returns the agenda with its state at a moment, and the time of the next change.
func (a *Agenda) At(now time.Time) (*Agenda, time.Time) {
	v, edge := *a, time.Time{}
	v.State, edge = StateAt(a.Events, now.In(a.Zone))
	return &v, edge
}

// StateAt returns the state of sorted events at a moment, and the time of its next change, which is at the latest the end of the
// day on the moment's clock.
func StateAt(events []*Event, now time.Time) (v State, edge time.Time) {
	y, m, d := now.Date()
	edge = localtime.At(y, m, d+1, 0, now.Location())
	sooner := func(t time.Time) {
		if t.After(now) && t.Before(edge) {
			edge = t
		}
	}
	var end time.Time // end of the current busy time
	for _, e := range events {
		sooner(e.Start)
		sooner(e.End)
		if e.AllDay {
			continue
		}
		switch {
		case e.Start.After(now):
			if v.Next == nil {
				v.Next = e
			}
		case e.End.After(now):
			v.Now = e
		}
		switch began := !e.Start.After(now); {
		case !e.Busy || !e.End.After(now):
		case began:
			v.Busy, end = true, later(end, e.End)
		case v.Busy && !e.Start.After(end):
			end = later(end, e.End)
		case !v.Busy && v.Until.IsZero():
			v.Until = e.Start
		}
	}
	if v.Busy {
		v.Until = end
	}
	return v, edge
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
