// Package calendar is a provider of what is in several calendars: files, addresses and CalDAV servers, as one list of events
// and one of tasks.
package calendar

import (
	"cmp"
	"slices"
	"time"

	"dashboard/internal/localtime"
	"dashboard/provider/ical"
)

// A Calendar is one of those that are shown.
type Calendar struct {
	Name, Color, Icon, Kind string
}

// An Event is one time that something takes place.
type Event struct {
	Title, Location, Description string

	Start, End time.Time // the end is not part of it; of an event of whole days midnights of the wall's zone
	AllDay     bool
	Busy       bool // takes up time
	Tentative  bool
	First      time.Time     // start of the series: the birth, of a birthday
	Remind     time.Duration // so long before the start a reminder is due; 0 = none
	Calendar   *Calendar
}

// A Task is something to do.
type Task struct {
	Title    string
	Due      time.Time // zero without one
	AllDay   bool      // Due is a day: its midnight
	Done     bool
	Priority int // 1 is the highest, 9 the lowest, 0 none
	Calendar *Calendar
}

// An Agenda is what all calendars say of a stretch of time. It is immutable.
type Agenda struct {
	Calendars []*Calendar
	Events    []*Event // by start, then those that last longer first
	Tasks     []*Task  // open ones first, by due date, then priority
	Zone      *time.Location
	From, To  time.Time // events of this stretch are in it

	Left int      // events, tasks and lines that could not be read or are too many
	Why  []string // of the first few, with the calendar's name

	Doubts []string // about the events, the first few, with the calendar's name

	State // as of the moment it was published

	read int64 // bytes of the calendars that it was made of, which are kept with it

}

// A State is what events say of a moment.
type State struct {
	Now   *Event    // the timed event under way that began last; nil if there is none
	Next  *Event    // the timed event that begins next; nil if there is none
	Busy  bool      // an event under way takes up time
	Until time.Time // when Busy changes; zero if it does not within the stretch
}

// Size returns the memory of the events and tasks, and of the calendars that are kept with them, in bytes.
func (a *Agenda) Size() int64 {
	const one = 240 // an event without its texts
	n := a.read
	for _, e := range a.Events {
		n += one + int64(len(e.Title)+len(e.Location)+len(e.Description))
	}
	for _, t := range a.Tasks {
		n += one + int64(len(t.Title))
	}
	return n
}

// LeftOut tells how much of the calendars is not in the agenda, and why, of the first few.
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

// The stretch of time that is looked at: a month shows some days of the one before, a countdown looks a year ahead.
const (
	daysBack  = 40
	daysAhead = 400
)

// window is the stretch around a moment.
func window(now time.Time, zone *time.Location) (from, to time.Time) {
	y, m, d := now.In(zone).Date()
	return localtime.At(y, m, d-daysBack, 0, zone), localtime.At(y, m, d+daysAhead, 0, zone)
}

// event is an event of a calendar as it is shown; nil if it is not.
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

// dayIn is the midnight in a zone of a date, which is a midnight in UTC.
func dayIn(date time.Time, zone *time.Location) time.Time {
	y, m, d := date.UTC().Date()
	return localtime.At(y, m, d, 0, zone)
}

func (c *source) task(t *ical.Task, zone *time.Location) *Task {
	v := &Task{Title: t.Title, Due: t.Due, AllDay: t.AllDay, Done: t.Done, Priority: t.Priority, Calendar: c.shown}
	switch {
	case t.Due.IsZero():
	case t.AllDay:
		v.Due = dayIn(t.Due, zone)
	default:
		v.Due = t.Due.In(zone)
	}
	return v
}

// sort puts everything into its order.
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

// rank orders priorities: none comes last.
func rank(t *Task) int { return (t.Priority + 9) % 10 }

// At is the agenda as of a moment, and when it will be another one.
func (a *Agenda) At(now time.Time) (*Agenda, time.Time) {
	v, edge := *a, time.Time{}
	v.State, edge = StateAt(a.Events, now.In(a.Zone))
	return &v, edge
}

// StateAt is what events, in order, say of a moment, and when that will be something else: at the end of the day, by the moment's
// clock, at the latest.
func StateAt(events []*Event, now time.Time) (v State, edge time.Time) {
	y, m, d := now.Date()
	edge = localtime.At(y, m, d+1, 0, now.Location())
	sooner := func(t time.Time) {
		if t.After(now) && t.Before(edge) {
			edge = t
		}
	}
	var end time.Time // of the busy stretch under way
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
