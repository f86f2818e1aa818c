package ical

import (
	"errors"
	"slices"
	"time"

	"github.com/teambition/rrule-go"
)

const (
	// maxInstances is the maximum number of instances of one rule. An hourly event of one year has fewer.
	maxInstances = 10_000
	// maxSteps is the maximum number of instances that are computed for one rule, including the instances before the requested range.
	maxSteps = 200_000
	// maxAllSteps is the maximum number of instances that are computed for all rules of a calendar. 50,000 daily events in one year need
	// fewer.
	maxAllSteps = 20_000_000
	// maxEmpty is the maximum number of rules without any time in a calendar. The engine searches four centuries for each of them.
	maxEmpty = 200
	// maxInterval is the maximum INTERVAL: about a century of hours. The engine overflows with larger values.
	maxInterval = 1_000_000
	// maxPeriod is the maximum number of instances in one period of a rule. The engine computes all of them at once, which needs 3 MiB.
	maxPeriod = 1 << 17
)

var (
	errOften     = errors.New("recurs more often than hourly")
	errNever     = errors.New("gives no time")
	errInterval  = errors.New("the interval is too long")
	errDense     = errors.New("too many times at once")
	errInstances = errors.New("has more instances than are kept")
	errSteps     = errors.New("began too long ago")
	errWork      = errors.New("the calendar's rules take too long")
)

// A work counts the computed instances, and the rules without any time, of one calendar.
type work struct{ steps, empty int }

// more() returns an error if a limit is reached. `steps` is the number of instances that were computed for the present rule, and `kept` is
// the number of instances that were kept.
func (w *work) more(steps, kept int) error {
	switch {
	case kept >= maxInstances:
		return errInstances
	case steps >= maxSteps:
		return errSteps
	case w.steps >= maxAllSteps || w.empty >= maxEmpty:
		return errWork
	}
	return nil
}

// count counts one computed time. `given` is false if the rule has produced no time so far.
func (w *work) count(given bool) {
	if w.steps++; !given {
		w.empty++
	}
}

// follows() returns an error if the engine cannot handle a rule. For such a rule, the engine would never end, or would compute too many
// instances before it returns the first instance.
func (r *rule) follows() error {
	o := &r.opt
	days := map[rrule.Frequency]int{rrule.YEARLY: 366, rrule.MONTHLY: 31, rrule.WEEKLY: 7, rrule.DAILY: 1, rrule.HOURLY: 1}
	daily := max(1, len(o.Byhour)) * max(1, len(o.Byminute)) * max(1, len(o.Bysecond))
	switch {
	case o.Freq > rrule.HOURLY:
		return errOften
	case o.Interval > maxInterval:
		return errInterval
	case daily > maxPeriod/days[o.Freq]:
		return errDense
	case o.Freq == rrule.HOURLY && !r.meets(), o.Freq >= rrule.DAILY && !r.positions(daily):
		return errNever
	}
	return nil
}

// meets() reports whether an hourly rule reaches one of the hours in BYHOUR. If the rule reaches none of these hours, the engine never
// ends.
func (r *rule) meets() bool {
	if len(r.opt.Byhour) == 0 {
		return true
	}
	hour := r.opt.Dtstart.Hour()
	for range 24 { // after 24 steps, the hours repeat
		if slices.Contains(r.opt.Byhour, hour) {
			return true
		}
		hour = (hour + r.opt.Interval) % 24
	}
	return false
}

// positions() reports whether a period with the given number of instances has at least one of the positions in BYSETPOS.
func (r *rule) positions(times int) bool {
	if r.opt.Freq == rrule.HOURLY {
		times /= max(1, len(r.opt.Byhour))
	}
	return len(r.opt.Bysetpos) == 0 ||
		slices.ContainsFunc(r.opt.Bysetpos, func(pos int) bool { return pos <= times && -pos <= times })
}

// late() moves a rule to the last years that the engine supports. The engine searches for the next time up to rrule.MAXYEAR, so the move
// makes the search short for a rule without times. The move is a multiple of 400 years, because the calendar repeats after 400 years
// (20,871 weeks). late() returns the moved end of the requested range and the number of years. The rule's end becomes the end of MAXYEAR,
// so that expand can distinguish a rule without any time from a rule without a time in the range. Without an end, the engine would stop
// 292 years after the start.
func (r *rule) late() (until time.Time, years int) {
	years = max(0, (rrule.MAXYEAR-r.opt.Until.Year())/400*400)
	until, r.opt.Until = r.opt.Until.AddDate(years, 0, 0), time.Date(rrule.MAXYEAR, 12, 31, 23, 59, 59, 0, time.UTC)
	r.opt.Dtstart = r.opt.Dtstart.AddDate(years, 0, 0)
	return until, years
}
