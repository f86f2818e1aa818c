// Package localtime finds the instant of a time on a clock, also on the days when clocks are set forward or back.
package localtime

import "time"

// farther is more than the distance of any zone from UTC.
const farther = 26 * time.Hour

// Resolve returns the instant at which a clock in loc shows the fields of u, which are given as if they were UTC. If an hour occurs
// twice, the first one counts. A time that does not occur is computed with the offset before the gap (RFC 5545, section 3.3.5).
// [time.Date] does not promise these rules.
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

// Last returns the second of two moments at which the clock of t shows the same time, or t if there is only one.
func Last(t time.Time) time.Time {
	_, before := t.Add(-farther).Zone()
	_, after := t.Add(farther).Zone()
	if late := t.Add(time.Duration(before-after) * time.Second); late.After(t) && Fields(late).Equal(Fields(t)) {
		return late
	}
	return t
}

// Fields returns the time that a clock shows at t, to the second, as if it were UTC.
func Fields(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
}

// At returns the instant of a minute of a date in loc. Days, months and minutes out of range are carried over, as by
// [time.Date].
func At(year int, month time.Month, day, minute int, loc *time.Location) time.Time {
	return Resolve(time.Date(year, month, day, 0, minute, 0, 0, time.UTC), loc)
}

// NextDay returns the first moment of the date that follows t's, on t's clock. It is after t, even if midnight occurs twice or not
// at all.
func NextDay(t time.Time) time.Time {
	return At(t.Year(), t.Month(), t.Day()+1, 0, t.Location())
}
