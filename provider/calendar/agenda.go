// Package calendar combines the events of several calendars into one list, and their tasks into another list. A calendar is a file, an
// address, a CalDAV server or an entity of Home Assistant.
package calendar

import (
	"cmp"
	"time"

	"dashboard/internal/localtime"
	"dashboard/internal/stable"
	"dashboard/provider/ical"
)

// A Calendar describes one of the shown calendars.
type Calendar struct {
	Name, Color, Icon, Kind string
}

// An Event is one occurrence of an event.
type Event struct {
	Title, Location, Description, Organizer string

	Start, End time.Time // End is exclusive; a whole day begins and ends at midnight in the wall's zone
	AllDay     bool
	Busy       bool // whether the event marks the person as busy
	Tentative  bool
	First      time.Time     // start of the series; for a birthday, the date of birth
	Remind     time.Duration // time from the reminder to the start; 0 for no reminder
	Calendar   *Calendar
	Task       *Task // task that is shown as this event; nil for a real event
}

// A Task is a task of a calendar.
type Task struct {
	Title    string
	Due      time.Time // zero if the task has no due date
	AllDay   bool      // whether Due is a whole day; Due is then midnight at the start of that day
	Done     bool
	Priority int // 1 (highest) to 9; 0 if not set
	Calendar *Calendar

	Key     string // key with which callers change the task; "" if it cannot be changed
	Waiting bool   // whether the latest change still waits to be sent to the server
	Problem string // reason why the server rejected the last change; "" if the server accepted it

	id, ref string // ID of the task, and its address on the server
}

// An Agenda holds the content of all calendars between two times. It is immutable.
type Agenda struct {
	Calendars []*Calendar
	Events    []*Event // sorted by start; if several events have the same start, the longest event comes first
	Tasks     []*Task  // open tasks first, then sorted by due date and priority
	Ticks     []Tick   // tasks that were completed on this wall; the task that was completed last comes first
	Zone      *time.Location
	From, To  time.Time // time range of the events

	Left int      // number of events, tasks and lines that are missing because they are unreadable or exceed a limit
	Why  []string // reasons for the first missing entries, with the name of the calendar

	Doubts []string // the first warnings about events, each with the name of the calendar

	State // state when the agenda was published

	read int64 // size of the calendar texts from which the agenda was made, in bytes; the texts stay in memory with the agenda

}

// A State summarizes the timed events at one time.
type State struct {
	Now   *Event    // timed event in progress that started last; may be nil
	Next  *Event    // next timed event; may be nil
	Busy  bool      // whether an event with Busy is in progress
	Until time.Time // time when Busy changes; zero if it does not change within the range
}

// Size returns the memory of the events, the tasks and the stored calendar texts, in bytes.
func (a *Agenda) Size() int64 {
	const one = 240 // bytes of an event, without its texts
	n := a.read
	for _, e := range a.Events {
		n += one + int64(len(e.Title)+len(e.Location)+len(e.Description)+len(e.Organizer))
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

// Events are read from daysBack days before today to daysAhead days after today. A month view shows days of the previous month, and a
// countdown looks a year ahead.
const (
	daysBack  = 40
	daysAhead = 400
)

// window returns the start and the end of the range of events if the present time is `now`.
func window(now time.Time, zone *time.Location) (from, to time.Time) {
	y, m, d := now.In(zone).Date()
	return localtime.At(y, m, d-daysBack, 0, zone), localtime.At(y, m, d+daysAhead, 0, zone)
}

// event converts an event of the package ical. It returns nil if the event is not shown.
func (c *source) event(e *ical.Event, zone *time.Location) *Event {
	if c.show == showBusy && !e.Busy {
		return nil
	}
	v := &Event{
		Title: e.Title, Location: e.Location, Description: e.Description, Organizer: e.Organizer, Start: e.Start.In(zone), End: e.End.In(zone), AllDay: e.AllDay,
		Busy: e.Busy, Tentative: e.Tentative, First: e.First, Remind: c.remind, Calendar: c.shown,
	}
	if e.AllDay {
		v.Start, v.End = dayIn(e.Start, zone), dayIn(e.End, zone)
	}
	if e.Private && c.privateText != "" {
		v.Title, v.Location, v.Description, v.Organizer = c.privateText, "", "", ""
	}
	return v
}

// dayIn returns midnight in a zone for a date. The date is given as midnight in UTC.
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
	stable.Sort(a.Events, func(x, y *Event) int {
		return cmp.Or(x.Start.Compare(y.Start), y.End.Compare(x.End), cmp.Compare(x.Title, y.Title))
	})
	stable.Sort(a.Tasks, func(x, y *Task) int {
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

// rank returns a number for sorting tasks by priority. A task without a priority comes last.
func rank(t *Task) int { return (t.Priority + 9) % 10 }

// At returns a copy of the agenda with its state at the time `now`. It also returns the time when that state changes next, which is
// midnight at the latest.
func (a *Agenda) At(now time.Time) (*Agenda, time.Time) {
	v, edge := *a, time.Time{}
	v.State, edge = StateAt(a.Events, now.In(a.Zone))
	return &v, edge
}

// StateAt returns the state of sorted events at a time. `edge` is the time when the state changes next, or the end of the day if that is
// earlier.
func StateAt(events []*Event, now time.Time) (v State, edge time.Time) {
	y, m, d := now.Date()
	edge = localtime.At(y, m, d+1, 0, now.Location())
	sooner := func(t time.Time) {
		if t.After(now) && t.Before(edge) {
			edge = t
		}
	}
	var end time.Time // end of the current busy time; busy events without a gap between them are one busy time
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
