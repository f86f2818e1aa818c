package ical

import (
	"errors"
	"slices"
	"time"

	"github.com/teambition/rrule-go"
)

const (
	// maxInstances bounds what one rule gives: an hourly event for a year.
	maxInstances = 10_000
	// maxSteps bounds how many times of a rule are passed over on the way, such as those before the days that are wanted.
	maxSteps = 200_000
	// maxAllSteps bounds the steps of all rules of a calendar: 50,000 events on each day of a year.
	maxAllSteps = 20_000_000
	// maxEmpty bounds the rules of a calendar that never give anything. Each was looked for through four centuries.
	maxEmpty = 200
	// maxInterval bounds INTERVAL: a century of hours. Larger ones overflow in the engine.
	maxInterval = 1_000_000
	// maxPeriod bounds the times that a rule may have in one of its periods, which the engine makes at once: 3 MiB.
	maxPeriod = 1 << 17
)

var (
	errOften     = errors.New("recurs more often than hourly")
	errNever     = errors.New("there is no such time")
	errInterval  = errors.New("the interval is too long")
	errDense     = errors.New("too many times at once")
	errInstances = errors.New("more instances than are kept")
	errSteps     = errors.New("began too long ago to be followed")
	errWork      = errors.New("the calendar's rules take too long")
)

// work is what following the rules of one calendar has cost.
type work struct{ steps, empty int }

// more reports why a rule is followed no further, after so many steps that gave kept instances.
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

// count counts a step, or that a rule never gives anything.
func (w *work) count(given bool) {
	if w.steps++; !given {
		w.empty++
	}
}

// follows reports why the engine cannot follow a rule: it would go on for ever, or make a great many times before it
// gives the first.
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

// meets reports whether a rule of hours ever comes to one that BYHOUR names. The engine looks for one without an end.
func (r *rule) meets() bool {
	if len(r.opt.Byhour) == 0 {
		return true
	}
	hour := r.opt.Dtstart.Hour()
	for range 24 { // after as many steps every hour comes again
		if slices.Contains(r.opt.Byhour, hour) {
			return true
		}
		hour = (hour + r.opt.Interval) % 24
	}
	return false
}

// positions reports whether one of BYSETPOS is among the times of a period that has as many.
func (r *rule) positions(times int) bool {
	if r.opt.Freq == rrule.HOURLY {
		times /= max(1, len(r.opt.Byhour))
	}
	return len(r.opt.Bysetpos) == 0 ||
		slices.ContainsFunc(r.opt.Bysetpos, func(pos int) bool { return pos <= times && -pos <= times })
}

// late moves a rule by whole cycles of the calendar, 400 years of 20,871 weeks, to the end of the years that the engine
// knows: a rule that never gives anything is followed to that end. It returns when it ends there, and by how many years it
// was moved. The engine is told the last year, so that a rule without a time is known from one that has none in view; told
// nothing, it would stop 292 years after the start.
func (r *rule) late() (until time.Time, years int) {
	years = max(0, (rrule.MAXYEAR-r.opt.Until.Year())/400*400)
	until, r.opt.Until = r.opt.Until.AddDate(years, 0, 0), time.Date(rrule.MAXYEAR, 12, 31, 23, 59, 59, 0, time.UTC)
	r.opt.Dtstart = r.opt.Dtstart.AddDate(years, 0, 0)
	return until, years
}
