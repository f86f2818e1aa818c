package ical

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// maxRule is the maximum length of a rule, in bytes.
const maxRule = 4096

// expandRule returns the times of a rule in order. The times are on the clock of the series, but their location is UTC. `loc` is the zone
// of this clock, which is needed for an UNTIL in UTC. If `date` is true, the times have no time of day. Only the times from `from` to
// `to` are returned, including both. If `from` is zero, there is no earliest time. w counts the work. If the work exceeds a limit, the
// times found so far are returned together with an error.
func expandRule(text string, start time.Time, date bool, loc *time.Location, from, to time.Time, w *work) (list []time.Time, err error) {
	defer func() {
		if v := recover(); v != nil { // rrule-go panics on some invalid rules
			list, err = nil, fmt.Errorf("rule %.80q cannot be followed", text)
		}
	}()
	r, err := parseRule(text, start, date, loc)
	if err != nil {
		return nil, err
	}
	if err = r.follows(); err == nil {
		list, err = r.expand(start, from, to, w)
	}
	if err != nil {
		err = fmt.Errorf("rule %.80q: %w", text, err)
	}
	return list, err
}

// expand returns the times of the rule. See expandRule.
func (r *rule) expand(start, from, to time.Time, w *work) (list []time.Time, err error) {
	r.skip(from)
	if r.opt.Until.IsZero() || r.opt.Until.After(to) {
		r.opt.Until = to
	}
	if r.opt.Until.Before(r.opt.Dtstart) {
		return nil, nil
	}
	until, years := r.late()
	engine, err := rrule.NewRRule(r.opt)
	if err != nil {
		return nil, err
	}
	next := engine.Iterator()
	for steps, n := 0, 0; ; steps++ {
		if err := w.more(steps, len(list)); err != nil {
			return list, err
		}
		t, ok := next()
		w.count(ok || steps > 0)
		if !ok && steps == 0 {
			return nil, errNever
		}
		if !ok || t.After(until) {
			return list, nil
		}
		t = t.AddDate(-years, 0, 0)
		if t.Before(start) {
			continue // wholeWeek has moved the start back, so t is before the start of the series
		}
		if n++; r.count > 0 && n > r.count {
			return list, nil
		}
		if !t.Before(from) {
			list = append(list, t)
		}
	}
}

// A rule is a recurrence rule in the form that the library rrule-go needs. In this package, this library is called the engine.
type rule struct {
	opt   rrule.ROption
	count int // value of COUNT, if wholeWeek has moved the start; otherwise 0, because the engine counts
}

// ruleParts returns the parts of a rule by name. It ignores parts without a value. If `date` is true, it removes hours, minutes and
// seconds.
func ruleParts(text string, date bool) map[string]string {
	parts := map[string]string{}
	for part := range strings.SplitSeq(strings.ToUpper(text), ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name = strings.TrimSpace(name); name != "" && value != "" {
			parts[name] = distinct(value)
		}
	}
	if date {
		delete(parts, "BYHOUR")
		delete(parts, "BYMINUTE")
		delete(parts, "BYSECOND")
	}
	return parts
}

// joined() returns the text of a rule made from `parts`, without extensions (X-).
func joined(parts map[string]string) string {
	var list []string
	for name, value := range parts {
		if !strings.HasPrefix(name, "X-") {
			list = append(list, name+"="+value)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ";")
}

// parseRule parses a rule.
func parseRule(text string, start time.Time, date bool, loc *time.Location) (*rule, error) {
	if len(text) > maxRule {
		return nil, fmt.Errorf("rule of %d bytes, more than %d", len(text), maxRule)
	}
	parts := ruleParts(text, date)
	until := parts["UNTIL"]
	for _, name := range []string{"UNTIL", "DTSTART", "RSCALE", "SKIP"} {
		delete(parts, name)
	}
	if n, err := strconv.Atoi(parts["INTERVAL"]); err == nil && n < 1 {
		delete(parts, "INTERVAL")
	}
	if parts["BYWEEKNO"] != "" && parts["BYDAY"] == "" { // RFC 5545 means the weekday of DTSTART, not the whole week
		parts["BYDAY"] = strings.ToUpper(start.Weekday().String()[:2])
	}
	opt, err := rrule.StrToROption(joined(parts))
	if err != nil {
		return nil, fmt.Errorf("rule %.80q: %w", text, err)
	}
	opt.Dtstart = start
	r := &rule{opt: *opt}
	r.eachWeekday()
	if err := r.until(until, date, loc); err != nil {
		return nil, err
	}
	r.wholeWeek()
	return r, nil
}

// distinct() removes blanks and repeated members from a list.
func distinct(value string) string {
	var list []string
	for _, v := range strings.Split(strings.ReplaceAll(value, " ", ""), ",") {
		if v != "" && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return strings.Join(list, ",")
}

// until() sets the end of the rule from the value of UNTIL. A date includes the whole day. A time in UTC is converted to the series' clock.
// For whole-day events, only the date is used.
func (r *rule) until(text string, date bool, loc *time.Location) error {
	if text == "" {
		return nil
	}
	m, err := parseMoment(text, nil, loc)
	if err != nil {
		return fmt.Errorf("UNTIL %.40q %w", text, err)
	}
	switch {
	case m.date || date:
		y, mo, d := m.fields.Date()
		r.opt.Until = time.Date(y, mo, d, 23, 59, 59, 0, time.UTC)
	case m.utc && loc != nil:
		r.opt.Until = m.in(loc)
	default:
		r.opt.Until = m.fields
	}
	return nil
}

// eachWeekday changes a rule in which only some weekdays have a number, such as BYDAY=MO,2TU: each Monday and the second Tuesday. The
// engine cannot compute such a rule. eachWeekday replaces each weekday without a number by the same weekday with every possible number.
func (r *rule) eachWeekday() {
	const inMonth, inYear = 5, 53
	numbered := slices.ContainsFunc(r.opt.Byweekday, func(d rrule.Weekday) bool { return d.N() != 0 })
	if !numbered || r.opt.Freq > rrule.MONTHLY || len(r.opt.Byweekno) > 0 {
		return
	}
	most := inYear
	if r.opt.Freq == rrule.MONTHLY || len(r.opt.Bymonth) > 0 {
		most = inMonth
	}
	var all []rrule.Weekday
	for _, d := range r.opt.Byweekday {
		if d.N() != 0 {
			all = append(all, d)
			continue
		}
		for n := range most {
			all = append(all, d.Nth(n+1))
		}
	}
	r.opt.Byweekday = all
}

// wholeWeek moves the start of a weekly rule with BYSETPOS to the beginning of its first week. Otherwise the engine would count the
// positions from DTSTART.
func (r *rule) wholeWeek() {
	if r.opt.Freq != rrule.WEEKLY || len(r.opt.Bysetpos) == 0 {
		return
	}
	first := (r.opt.Wkst.Day() + 1) % 7 // in the engine Monday is 0; in package time Sunday is 0
	back := (int(r.opt.Dtstart.Weekday()) - first + 7) % 7
	if len(r.opt.Byweekday) == 0 {
		return
	}
	r.opt.Dtstart = r.opt.Dtstart.AddDate(0, 0, -back)
	r.count, r.opt.Count = r.opt.Count, 0
}

// skip() moves the start of a rule forward by whole intervals, to shortly before the time `from`. The engine then need not compute
// earlier times. skip() changes only hourly, daily and weekly rules without COUNT and BYSETPOS.
func (r *rule) skip(from time.Time) {
	if from.IsZero() || r.opt.Count > 0 || r.count > 0 || len(r.opt.Bysetpos) > 0 {
		return
	}
	unit := map[rrule.Frequency]int64{rrule.HOURLY: 1, rrule.DAILY: 24, rrule.WEEKLY: 7 * 24}[r.opt.Freq]
	if unit == 0 {
		return
	}
	step := unit * int64(max(r.opt.Interval, 1)) * 3600
	if n := (from.Unix()-r.opt.Dtstart.Unix())/step - 1; n > 0 {
		r.opt.Dtstart = time.Unix(r.opt.Dtstart.Unix()+n*step, int64(r.opt.Dtstart.Nanosecond())).UTC()
	}
}
