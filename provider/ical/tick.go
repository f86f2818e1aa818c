package ical

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/localtime"
	"dashboard/internal/stable"
)

// A Tick is a change that completes or reopens one task of a calendar.
type Tick struct {
	UID, Instance string // the task's fields UID and Instance
	ID            string // ID of the change; a calendar that already contains this ID is not changed; "" for a change without an ID
	Done          bool
	At            time.Time      // time of the change
	Zone          *time.Location // zone of times without a zone; nil means UTC
}

const (
	// changesName is the name of the property with the IDs of the last changes. The newest ID is first. If an answer was lost, the retry
	// finds the ID of its change in this property and changes nothing.
	changesName = "X-DASHBOARD-CHANGES"
	// maxIDs is the maximum number of IDs in the property changesName. Two IDs are enough if two walls retry their changes.
	maxIDs = 4
)

// ErrNoTask is returned if the calendar does not contain the task of a Tick.
var ErrNoTask = errors.New("the task is not there any more")

// taskInstance returns the value of Task.Instance for a VTODO.
func taskInstance(c *component) string {
	if p := c.get("RECURRENCE-ID"); p != nil {
		return "r" + short(p.value)
	}
	if c.get("RRULE") == nil && c.get("RDATE") == nil {
		return ""
	}
	if p := anchor(c); p != nil {
		return short(p.value)
	}
	return ""
}

// anchor returns the property with the time at which the series of a task starts, or nil.
func anchor(c *component) *property {
	if p := c.get("DTSTART"); p != nil {
		return p
	}
	return c.get("DUE")
}

// Apply returns the calendar after the change. It changes only lines of the task. `changed` is false if the task already has the wanted
// state, if the calendar contains the ID of the change, or if the series has moved to another time. If the change completes a recurring
// task, Apply moves the task to its next time, as most programs do. If there is no next time, Apply completes the task.
func (k Tick) Apply(data []byte) (out []byte, changed bool, err error) {
	if len(data) > MaxBytes {
		return nil, false, fmt.Errorf("the calendar has %d bytes, more than %d", len(data), MaxBytes)
	}
	if k.Zone == nil {
		k.Zone = time.UTC
	}
	e, ok := k.find(data)
	if !ok {
		return nil, false, ErrNoTask
	}
	root, _ := read(data)
	b := &book{out: &Calendar{}, opts: Options{Zone: k.Zone}}
	b.zones = newZones(root, k.Zone, &b.work)
	at, done := taskInstance(&e.component), newTask(&e.component, b.zones).Done
	ids := strings.Split(e.text(changesName), " ")
	if done == k.Done || at != k.Instance && at != "" || k.ID != "" && slices.Contains(ids, k.ID) {
		return data, false, nil
	}
	if k.ID != "" {
		ids = append([]string{k.ID}, ids...)
		e.set(changesName, strings.TrimSpace(strings.Join(ids[:min(len(ids), maxIDs)], " ")))
	}
	switch {
	case !k.Done:
		e.set("STATUS", "NEEDS-ACTION")
		e.drop("COMPLETED", "PERCENT-COMPLETE")
	case strings.HasPrefix(at, "r") || at == "" || !k.advance(e, b):
		e.set("STATUS", "COMPLETED")
		e.set("COMPLETED", stamp(k.At))
		e.set("PERCENT-COMPLETE", "100")
	}
	e.set("LAST-MODIFIED", stamp(k.At))
	e.set("DTSTAMP", stamp(k.At))
	return e.bytes(), true, nil
}

// stamp formats a time in UTC.
func stamp(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

// find returns an editor of the VTODO that the Tick changes. It returns false if the calendar has no such VTODO.
func (k Tick) find(data []byte) (*editor, bool) {
	for _, e := range tasksOf(data) {
		if short(e.text("UID")) != k.UID {
			continue
		}
		own := e.get("RECURRENCE-ID") != nil
		if own == strings.HasPrefix(k.Instance, "r") && (!own || taskInstance(&e.component) == k.Instance) {
			return e, true
		}
	}
	return nil, false
}

// maxTaskRules is the maximum number of rules of a task that are used. Programs write only one rule.
const maxTaskRules = 2

// yearsAhead are numbers of years. The next time of a series is first searched within one year, then within five years, then within thirty
// years.
var yearsAhead = []int{1, 5, 30}

// advance moves a recurring task to its next time, which is after its present time and after the
// time of the Tick. It returns false if there is no such time.
func (k Tick) advance(e *editor, b *book) bool {
	from := anchor(&e.component)
	start, err := parseMoment(from.value, b.zones.find(from.param("TZID")), b.zones.float)
	if err != nil {
		return false
	}
	series := &entry{start: start}
	if series.recurrence(&e.component, b.zones) != nil {
		return false
	}
	series.rules, series.exRules = series.rules[:min(len(series.rules), maxTaskRules)], series.exRules[:min(len(series.exRules), maxTaskRules)]
	next, count, ok := k.next(series, b)
	if !ok {
		return false
	}
	shift := next.Sub(start.fields)
	for _, name := range []string{"DTSTART", "DUE"} {
		if p := e.get(name); p != nil {
			if m, err := parseMoment(p.value, nil, time.UTC); err == nil {
				e.setValue(name, m.moved(shift))
			}
		}
	}
	e.count(count)
	if e.get("STATUS") != nil {
		e.set("STATUS", "NEEDS-ACTION")
	}
	e.drop("COMPLETED", "PERCENT-COMPLETE")
	if n, err := strconv.Atoi(e.text("SEQUENCE")); err == nil {
		e.set("SEQUENCE", strconv.Itoa(n+1))
	}
	return true
}

// next() returns the first time of a series that is after its start and after the time of the Tick. The time is on the series' clock.
// `before` is the number of instances that the rules produce before this time.
func (k Tick) next(e *entry, b *book) (next time.Time, before int, ok bool) {
	after := localtime.Fields(k.At.In(e.clock()))
	if e.start.date {
		after = midnight(localtime.Fields(k.At.In(k.Zone)))
	}
	if after.Before(e.start.fields) {
		after = e.start.fields
	}
	for _, years := range yearsAhead {
		if b.out.Skipped > 0 {
			break // the rule cannot be computed
		}
		all := b.starts(e, e.start.fields, after.AddDate(years, 0, 0))
		stable.Sort(all, time.Time.Compare)
		all = slices.CompactFunc(all, time.Time.Equal)
		rules := slices.Clone(all)
		for _, x := range e.added {
			all = append(all, x.start.in(e.clock()))
		}
		stable.Sort(all, time.Time.Compare)
		except := newExceptions(b.zones, e.start.date, e.excluded)
		for _, t := range all {
			if t.After(after) && !except.names(t, e.at(t)) {
				i, _ := slices.BinarySearchFunc(rules, t, time.Time.Compare)
				return t, i, true
			}
		}
	}
	return next, 0, false
}

// moved() returns the moment as text, shifted by a duration on its clock.
func (m moment) moved(by time.Duration) string {
	t := m.fields.Add(by)
	switch {
	case m.date:
		return t.Format("20060102")
	case m.utc:
		return t.Format("20060102T150405Z")
	}
	return t.Format("20060102T150405")
}

// counted matches COUNT, the number of instances of a rule.
var counted = regexp.MustCompile(`(?i)\bCOUNT=(\d+)`)

// count() reduces COUNT in the task's rule by `gone`, the number of instances that are over. The result is at least 1.
func (e *editor) count(gone int) {
	p := e.get("RRULE")
	if p == nil {
		return
	}
	m := counted.FindStringSubmatchIndex(p.value)
	if m == nil {
		return
	}
	if n, err := strconv.Atoi(p.value[m[2]:m[3]]); err == nil {
		e.setValue("RRULE", p.value[:m[2]]+strconv.Itoa(max(1, n-gone))+p.value[m[3]:])
	}
}

// NewTask returns a calendar that contains one open task.
func NewTask(uid, title string, at time.Time) []byte {
	var b []byte
	for _, line := range []string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//dashboard//tasks//EN", "BEGIN:VTODO", "UID:" + escape(uid), "DTSTAMP:" + stamp(at),
		"CREATED:" + stamp(at), "LAST-MODIFIED:" + stamp(at), "SUMMARY:" + escape(title), "STATUS:NEEDS-ACTION", "END:VTODO", "END:VCALENDAR",
	} {
		b = appendFolded(b, line, "\r\n")
	}
	return b
}

// textEscapes replaces the characters that a text value cannot contain (RFC 5545, section 3.3.11).
var textEscapes = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`, "\x00", "")

func escape(s string) string { return textEscapes.Replace(s) }
