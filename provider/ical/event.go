package ical

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/stable"
)

// Event is one instance of an event.
type Event struct {
	UID, Title, Location, Description string

	Organizer  string    // name of the person who organizes the event
	Start, End time.Time // End is exclusive; a whole day begins and ends at midnight in UTC
	AllDay     bool
	Busy       bool // whether the person is busy; false for a transparent event
	Private    bool
	Tentative  bool
	First      time.Time // start of the series; for a birthday, the date of birth
}

// Task is a task (VTODO).
type Task struct {
	UID, Title string
	Due        time.Time // zero if there is no due date; a date is midnight in UTC
	AllDay     bool      // whether Due is a date
	Done       bool
	// Instance identifies the present instance of a recurring task by its time. For an instance with its own entry, Instance is "r" and
	// the RECURRENCE-ID of the entry. For other tasks it is "".
	Instance string
	Priority int // 1 (highest) to 9; 0 if not set
}

const (
	// maxText is the maximum length of each text of an event, in bytes. No wall shows more.
	maxText = 4096
	// maxLists is the maximum number of exceptions and of additional times of a series.
	maxLists = 5000
)

// An entry is an event (VEVENT) in the form of the file.
type entry struct {
	Event
	start     moment
	length    length
	rules     []string
	exRules   []string
	added     []extra
	excluded  []moment
	id        *moment // value of RECURRENCE-ID; nil for a master
	onward    bool    // whether the entry has RANGE=THISANDFUTURE
	sequence  int
	modified  string
	cancelled bool
}

// An extra is an additional time of a series.
type extra struct {
	start  moment
	length *length // nil means the length of the event
}

// newEntry converts a VEVENT to an entry.
func newEntry(c *component, z *zones) (*entry, error) {
	start := c.get("DTSTART")
	if start == nil {
		return nil, fmt.Errorf("has no DTSTART")
	}
	e := &entry{}
	var err error
	if e.start, err = parseMoment(start.value, z.find(start.param("TZID")), z.float); err != nil {
		return nil, fmt.Errorf("DTSTART %.40q %w", start.value, err)
	}
	e.AllDay = e.start.date
	e.length = lengthOf(c, e.start, z)
	e.UID, e.Title, e.Location, e.Description = short(c.text("UID")), short(c.text("SUMMARY")), short(c.text("LOCATION")), short(c.text("DESCRIPTION"))
	if p := c.get("ORGANIZER"); p != nil {
		name, _, _ := strings.Cut(p.param("CN"), "@") // some servers write the mail address here
		e.Organizer = short(name)
	}
	status := strings.ToUpper(c.text("STATUS"))
	e.cancelled, e.Tentative = status == "CANCELLED", status == "TENTATIVE"
	e.Busy = !strings.EqualFold(c.text("TRANSP"), "TRANSPARENT")
	class := strings.ToUpper(c.text("CLASS"))
	e.Private = class == "PRIVATE" || class == "CONFIDENTIAL"
	e.sequence, _ = strconv.Atoi(c.text("SEQUENCE"))
	e.modified = c.text("LAST-MODIFIED")
	e.First = e.start.fields
	return e, e.recurrence(c, z)
}

func short(s string) string {
	if len(s) > maxText {
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	return strings.TrimSpace(s)
}

// lengthOf returns the length of an event, from its DTEND or DURATION. By default, a whole-day event takes one day, and a timed event
// has no length.
func lengthOf(c *component, start moment, z *zones) length {
	if p := c.get("DTEND"); p != nil {
		if end, err := parseMoment(p.value, z.find(p.param("TZID")), start.loc); err == nil {
			return between(start, end)
		}
	}
	l, err := parseLength(c.text("DURATION"))
	switch {
	case start.date && (err != nil || l.days < 1):
		return length{days: max(1, int(l.exact/(24*time.Hour)))}
	case err != nil || l.days < 0 || l.exact < 0:
		return length{}
	}
	return l
}

// between() returns the length from `start` to `end`. If the end is not after the start, it returns the minimum: one day for a whole-day
// event, otherwise 0.
func between(start, end moment) length {
	if start.date {
		y, m, d := end.fields.Date()
		days := int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Sub(start.fields) / (24 * time.Hour))
		return length{days: min(max(1, days), maxDays)}
	}
	if end.date {
		end = moment{fields: end.fields, loc: start.loc}
	}
	return length{exact: min(max(0, end.at().Sub(start.at())), maxDays*24*time.Hour)}
}

// recurrence reads the rules, the exceptions, the additional times and the RECURRENCE-ID of an event.
func (e *entry) recurrence(c *component, z *zones) error {
	c.all("RRULE", func(p *property) { e.rules = appendRule(e.rules, p) })
	c.all("EXRULE", func(p *property) { e.exRules = appendRule(e.exRules, p) })
	c.all("EXDATE", func(p *property) {
		for _, m := range moments(p, z, e.start.loc) {
			if len(e.excluded) < maxLists {
				e.excluded = append(e.excluded, m.start)
			}
		}
	})
	c.all("RDATE", func(p *property) {
		e.added = append(e.added, moments(p, z, e.start.loc)...)
		e.added = e.added[:min(len(e.added), maxLists)]
	})
	if p := c.get("RECURRENCE-ID"); p != nil {
		m, err := parseMoment(p.value, z.find(p.param("TZID")), z.float)
		if err != nil {
			return fmt.Errorf("RECURRENCE-ID %.40q %w", p.value, err)
		}
		e.id, e.onward = &m, strings.EqualFold(p.param("RANGE"), "THISANDFUTURE")
	}
	return nil
}

// appendRule appends a rule unless it is empty.
func appendRule(rules []string, p *property) []string {
	if strings.TrimSpace(p.value) == "" {
		return rules
	}
	return append(rules, p.value)
}

// moments() reads a list of times and periods. It ignores unreadable values. `float` is the zone of times without a zone.
func moments(p *property, z *zones, float *time.Location) []extra {
	var list []extra
	loc := z.find(p.param("TZID"))
	for _, text := range strings.Split(p.value, ",") {
		from, to, period := strings.Cut(text, "/")
		m, err := parseMoment(from, loc, float)
		if err != nil {
			continue
		}
		x := extra{start: m}
		if period {
			if l, err := parseLength(to); err == nil && l.days >= 0 && l.exact >= 0 {
				x.length = &l
			} else if end, err := parseMoment(to, loc, float); err == nil {
				l := between(m, end)
				x.length = &l
			}
		}
		list = append(list, x)
	}
	return list
}

// newTask converts a VTODO to a task. It ignores the rule of a recurring task, because programs move the task to its next time when the
// task is completed.
func newTask(c *component, z *zones) Task {
	t := Task{UID: short(c.text("UID")), Title: short(c.text("SUMMARY")), Instance: taskInstance(c)}
	for _, name := range []string{"DUE", "DTSTART"} {
		if p := c.get(name); p != nil && t.Due.IsZero() {
			if m, err := parseMoment(p.value, z.find(p.param("TZID")), z.float); err == nil {
				t.Due, t.AllDay = m.at(), m.date
			}
		}
	}
	status := strings.ToUpper(c.text("STATUS"))
	t.Done = status == "COMPLETED" || status == "CANCELLED" || c.text("COMPLETED") != "" || c.text("PERCENT-COMPLETE") == "100"
	t.Priority, _ = strconv.Atoi(c.text("PRIORITY"))
	t.Priority = min(max(t.Priority, 0), 9)
	return t
}

// better() reports whether e is a newer version of the event than `other`.
func (e *entry) better(other *entry) bool {
	if e.sequence != other.sequence {
		return e.sequence > other.sequence
	}
	return e.modified > other.modified
}

// byStart compares two events for sorting. The order is: earlier start, longer length, title.
func byStart(a, b Event) int {
	if c := a.Start.Compare(b.Start); c != 0 {
		return c
	}
	if c := b.End.Compare(a.End); c != 0 {
		return c
	}
	return strings.Compare(a.Title, b.Title)
}

func sortEvents(all []Event) { stable.Sort(all, byStart) }
