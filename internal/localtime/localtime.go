// Package localtime converts the time that a local clock shows to an instant. It also works on days when clocks are set forward or back.
package localtime

import "time"

// `farther` is longer than the difference between any time zone and UTC.
const farther = 26 * time.Hour

// Resolve returns the instant at which a clock in loc shows the date and time of u. u contains this date and time as if they were UTC. If
// an hour occurs twice, Resolve uses the first occurrence. If a time does not occur, Resolve uses the offset before the gap (RFC 5545,
// section 3.3.5). [time.Date] does not guarantee these rules.
func Resolve(u time.Time, loc *time.Location) time.Time {
	offset := func(t time.Time) time.Duration {
		_, s := t.In(loc).Zone()
		return time.Duration(s) * time.Second
	}
	before, after := offset(u.Add(-farther)), offset(u.Add(farther))
	t := u.Add(-before)
	if before == after || Fields(t.In(loc)).Equal(u) {
		return t.In(loc)
	}
	if late := u.Add(-after); Fields(late.In(loc)).Equal(u) {
		return late.In(loc)
	}
	return t.In(loc)
}

// Last returns the last instant at which a clock in the time zone of t shows the time of t. If clocks are set back, there may be two such
// instants, and Last returns the second. Otherwise it returns t.
func Last(t time.Time) time.Time {
	_, before := t.Add(-farther).Zone()
	_, after := t.Add(farther).Zone()
	if late := t.Add(time.Duration(before-after) * time.Second); late.After(t) && Fields(late).Equal(Fields(t)) {
		return late
	}
	return t
}

// Fields returns the date and time that a clock in the time zone of t shows at t, to the second, as if they were UTC.
func Fields(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// At returns the instant at which the given minute of a day begins in `loc`. `minute` is the number of minutes since midnight. Like
// [time.Date], At normalizes months, days and minutes that are out of range.
func At(year int, month time.Month, day, minute int, loc *time.Location) time.Time {
	return Resolve(time.Date(year, month, day, 0, minute, 0, 0, time.UTC), loc)
}

// Yesterday returns noon of the day before t, in the time zone of t. If clocks are set forward at midnight, the result of t.AddDate can
// be two days before t.
func Yesterday(t time.Time) time.Time {
	return At(t.Year(), t.Month(), t.Day()-1, 12*60, t.Location())
}

// NextDay returns the first instant of the day after t, in the time zone of t. It is always after t, even if midnight occurs twice or
// does not occur.
func NextDay(t time.Time) time.Time {
	return At(t.Year(), t.Month(), t.Day()+1, 0, t.Location())
}
