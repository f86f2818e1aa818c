package ical

import (
	"errors"
	"slices"
	"time"

	"github.com/teambition/rrule-go"
)

const (
	// maxInstances bounds the times of one rule: an hourly event for a year.
	maxInstances = 10_000
	// maxSteps bounds the times that are skipped, such as those before the window.
	maxSteps = 200_000
	// maxAllSteps bounds the steps of all rules of a calendar: 50,000 events on each day of a year.
	maxAllSteps = 20_000_000
	// maxEmpty bounds the rules without any time in a calendar, because each is searched through four centuries.
	maxEmpty = 200
	// maxInterval bounds INTERVAL to a century of hours. Larger values overflow in the engine.
	maxInterval = 1_000_000
	// maxPeriod bounds the times in one period of a rule, because the engine builds them at once: 3 MiB.
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

// work counts the cost of the rules of one calendar.
type work struct{ steps, empty int }

// more returns an error if a rule must not be followed further after a number of steps and kept instances.
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

// count counts a step. given is false while a rule has not produced any time.
func (w *work) count(given bool) {
	if w.steps++; !given {
		w.empty++
	}
}

// follows returns an error if the engine cannot follow a rule, because it would not end, or would build very many times before the
// first one.
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

// meets reports whether an hourly rule reaches an hour of BYHOUR. Otherwise the engine would not end.
func (r *rule) meets() bool {
	if len(r.opt.Byhour) == 0 {
		return true
	}
	hour := r.opt.Dtstart.Hour()
	for range 24 { // the hours repeat after 24 steps
		if slices.Contains(r.opt.Byhour, hour) {
			return true
		}
		hour = (hour + r.opt.Interval) % 24
	}
	return false
}

// positions reports whether a period with the given number of times has one of the positions of BYSETPOS.
func (r *rule) positions(times int) bool {
	if r.opt.Freq == rrule.HOURLY {
		times /= max(1, len(r.opt.Byhour))
	}
	return len(r.opt.Bysetpos) == 0 ||
		slices.ContainsFunc(r.opt.Bysetpos, func(pos int) bool { return pos <= times && -pos <= times })
}

// late moves a rule by whole cycles of the calendar, 400 years of 20,871 weeks, to the last years of the engine, because a rule
// without times is followed to the engine's end. It returns the moved end and the number of years. The engine gets its last year
// as UNTIL, so that a rule without any time differs from a rule without a time in view. Without UNTIL the engine stops 292 years
// after the start.
func (r *rule) late() (until time.Time, years int) {
	years = max(0, (rrule.MAXYEAR-r.opt.Until.Year())/400*400)
	until, r.opt.Until = r.opt.Until.AddDate(years, 0, 0), time.Date(rrule.MAXYEAR, 12, 31, 23, 59, 59, 0, time.UTC)
	r.opt.Dtstart = r.opt.Dtstart.AddDate(years, 0, 0)
	return until, years
}
