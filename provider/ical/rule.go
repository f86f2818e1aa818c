package ical

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// maxRule bounds the text of a rule in bytes.
const maxRule = 4096

// expandRule returns the times of a rule as the fields of a clock in UTC, in order. Dates have no time of day. loc is the zone of
// the clock, for an UNTIL in UTC. Only times between from (zero: the first) and to are returned. If a bound is met, the times
// before it are returned with the error. w counts the work.
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

// expand returns the times like expandRule.
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
			continue // the first week is expanded from its beginning
		}
		if n++; r.count > 0 && n > r.count {
			return list, nil
		}
		if !t.Before(from) {
			list = append(list, t)
		}
	}
}

// rule is a recurrence rule in the engine's terms.
type rule struct {
	opt   rrule.ROption
	count int // COUNT, if the engine cannot count
}

// ruleParts splits a rule into its parts by name. It ignores parts without a value. A rule for days has no part for hours.
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

// joined returns the rule of the parts without extensions.
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

// parseRule reads a rule.
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
	if parts["BYWEEKNO"] != "" && parts["BYDAY"] == "" { // the weekday of DTSTART, not the whole week (RFC 5545)
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

// distinct removes blanks and repeated members of a list.
func distinct(value string) string {
	var list []string
	for _, v := range strings.Split(strings.ReplaceAll(value, " ", ""), ",") {
		if v != "" && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return strings.Join(list, ",")
}

// until reads UNTIL. A date includes its whole day. A time in UTC is converted to the clock. For whole-day events only the date
// counts.
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

// eachWeekday replaces weekdays without a number by all their numbers if other weekdays have numbers. BYDAY=MO,2TU means each
// Monday and the second Tuesday, but the engine only gives times that match both kinds.
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

// wholeWeek starts BYSETPOS of weekly rules at the beginning of the first week, because the engine counts from DTSTART.
func (r *rule) wholeWeek() {
	if r.opt.Freq != rrule.WEEKLY || len(r.opt.Bysetpos) == 0 {
		return
	}
	first := (r.opt.Wkst.Day() + 1) % 7 // rrule-go counts from Monday, package time from Sunday
	back := (int(r.opt.Dtstart.Weekday()) - first + 7) % 7
	if len(r.opt.Byweekday) == 0 {
		return
	}
	r.opt.Dtstart = r.opt.Dtstart.AddDate(0, 0, -back)
	r.count, r.opt.Count = r.opt.Count, 0
}

// skip moves the start of an endless series close to from, by whole intervals.
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
