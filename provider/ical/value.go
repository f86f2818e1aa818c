package ical

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/localtime"
)

// A moment is a date or a time (DATE or DATE-TIME) in the form of the file.
type moment struct {
	fields   time.Time // year to second as written, with the location UTC
	date     bool      // whether the moment has no time of day
	utc      bool
	floating bool           // whether the moment has no zone
	loc      *time.Location // time zone; not used for a date
}

var errMoment = errors.New("is not a date such as 20260131 or a time such as 20260131T093000")

// parseMoment parses a DATE or DATE-TIME. `loc` is the zone of a time without Z. If `loc` is nil, such a time is floating, and its zone is
// floatIn.
func parseMoment(s string, loc, floatIn *time.Location) (moment, error) {
	s = strings.TrimSpace(s)
	m := moment{}
	if rest, ok := strings.CutSuffix(s, "Z"); ok {
		s, m.utc = rest, true
	} else if rest, ok := strings.CutSuffix(s, "z"); ok {
		s, m.utc = rest, true
	}
	layout := "20060102T150405"
	switch {
	case len(s) == len("20060102"):
		layout, m.date = "20060102", true
	case len(s) == len("20060102T1504"):
		layout = "20060102T1504"
	}
	var err error
	if m.fields, err = time.ParseInLocation(layout, strings.ToUpper(s), time.UTC); err != nil || m.fields.Year() < 1 {
		return m, errMoment
	}
	switch {
	case m.utc:
		m.loc = time.UTC
	case loc != nil:
		m.loc = loc
	default:
		m.loc, m.floating = floatIn, true
	}
	return m, nil
}

// at() returns the instant of the moment. A date is midnight in UTC.
func (m moment) at() time.Time {
	if m.date {
		return m.fields
	}
	return localtime.Resolve(m.fields, m.loc)
}

// in() returns the moment as the time on a clock in another zone. The result has the location UTC.
func (m moment) in(loc *time.Location) time.Time {
	if m.date || m.loc == loc {
		return m.fields
	}
	return localtime.Fields(m.at().In(loc))
}

// A length is a DURATION. It consists of calendar days and an exact time.
type length struct {
	days  int
	exact time.Duration
}

// maxDays is the maximum number of days of a length, about a hundred years. The exact time has the same limit, so that it fits into a
// time.Duration.
const maxDays = 36_500

var errLength = errors.New("is not a duration such as P1D or PT1H30M")

// parseLength parses a duration of RFC 5545, such as P1DT2H, -PT15M or P2W.
func parseLength(s string) (length, error) {
	s = strings.ToUpper(strings.TrimSpace(s))
	sign := 1
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		s, sign = rest, -1
	} else {
		s = strings.TrimPrefix(s, "+")
	}
	s, ok := strings.CutPrefix(s, "P")
	if !ok || s == "" {
		return length{}, errLength
	}
	var l length
	for s != "" {
		if rest, ok := strings.CutPrefix(s, "T"); ok {
			s = rest
			continue
		}
		i := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		if i <= 0 {
			return length{}, errLength
		}
		n, err := strconv.ParseInt(s[:i], 10, 64) // 32 bits cannot hold the seconds of a hundred years
		if err != nil || n > maxDays*86400 {
			return length{}, errLength
		}
		if !l.add(int64(sign)*n, s[i]) {
			return length{}, errLength
		}
		s = s[i+1:]
	}
	return l, nil
}

// add adds n units to the length. `unit` is the letter of the unit. add returns false if the result is too long.
func (l *length) add(n int64, unit byte) bool {
	switch unit {
	case 'W':
		return l.add(7*n, 'D')
	case 'D':
		if n < -maxDays || n > maxDays {
			return false
		}
		l.days += int(n)
	case 'H':
		return l.add(60*n, 'M')
	case 'M':
		return l.add(60*n, 'S')
	case 'S':
		if n += int64(l.exact / time.Second); n <= -maxDays*86400 || n >= maxDays*86400 {
			return false
		}
		l.exact = time.Duration(n) * time.Second
	default:
		return false
	}
	return l.days > -maxDays && l.days < maxDays
}

// after() returns the time that follows t by the length l, on a clock in the zone loc.
func (l length) after(t time.Time, loc *time.Location) time.Time {
	if l.days != 0 {
		t = localtime.Resolve(localtime.Fields(t.In(loc)).AddDate(0, 0, l.days), loc)
	}
	return t.Add(l.exact)
}
