package ical

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestRulesEnd: follows() rejects rules with which the engine would never end, or would compute millions of instances before it returns
// the first instance.
func TestRulesEnd(t *testing.T) {
	many := func(to int) string {
		list := make([]string, to)
		for i := range list {
			list[i] = fmt.Sprint(i)
		}
		return strings.Join(list, ",")
	}
	for rule, want := range map[string]error{
		"FREQ=HOURLY;INTERVAL=24;BYHOUR=3":                                                           errNever, // all starts are at 09:00
		"FREQ=HOURLY;BYSETPOS=9;BYMINUTE=1":                                                          errNever,
		"FREQ=DAILY;BYSETPOS=-5;BYHOUR=1,2":                                                          errNever,
		"FREQ=DAILY;INTERVAL=9223372036854775807":                                                    errInterval,
		"FREQ=HOURLY;INTERVAL=1000001":                                                               errInterval,
		"FREQ=YEARLY;BYMONTH=1,2,3;BYHOUR=" + many(24) + ";BYMINUTE=" + many(60) + ";BYDAY=MO":       errDense,
		"FREQ=WEEKLY;BYDAY=MO;BYHOUR=" + many(24) + ";BYMINUTE=" + many(60) + ";BYSECOND=" + many(9): nil,
		"FREQ=HOURLY;INTERVAL=24;BYHOUR=9":                                                           nil,
		"FREQ=HOURLY;INTERVAL=7;BYHOUR=3":                                                            nil,
		"FREQ=DAILY;BYSETPOS=-2;BYHOUR=1,2":                                                          nil,
	} {
		r, err := parseRule(rule, time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), false, time.UTC)
		if strings.Contains(rule, "9223372036854775807") && err != nil {
			continue // an int has 32 bits on this machine
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := r.follows(); err != want {
			t.Errorf("%s: got %v, want %v", rule, err, want)
		}
	}
}

// TestOldRules computes series that began long ago. These series have more than maxInstances instances before the range.
func TestOldRules(t *testing.T) {
	view := Options{From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)}
	for rule, want := range map[string]string{
		"20050101T080000Z\nRRULE:FREQ=DAILY;BYHOUR=8,12,18":         "20260101T0800 20260101T1200 20260101T1800 20260102T0800 20260102T1200 20260102T1800",
		"19700101T080000Z\nRRULE:FREQ=DAILY;COUNT=30000":            "20260101T0800 20260102T0800",
		"16010101T080000Z\nRRULE:FREQ=HOURLY;INTERVAL=12":           "20260101T0800 20260101T2000 20260102T0800 20260102T2000",
		"00010101T080000Z\nRRULE:FREQ=DAILY":                        "20260101T0800 20260102T0800",
		"19900101T080000Z\nRRULE:FREQ=DAILY;BYHOUR=8,20;BYSETPOS=2": "20260101T2000 20260102T2000",
	} {
		c, err := Parse([]byte("BEGIN:VEVENT\nDTSTART:"+rule+"\nEND:VEVENT"), view)
		if err != nil {
			t.Fatal(err)
		}
		if got := starts(c); got != want {
			t.Errorf("%s: got %s, %v, want %s", rule, got, c.Problems, want)
		}
	}
}

// TestWork: each limit stops an expensive rule, and expandRule returns an error for the limit.
func TestWork(t *testing.T) {
	from, to := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)
	follow := func(w *work, rule string, year int) (int, error) {
		list, err := expandRule(rule, time.Date(year, 1, 5, 9, 0, 0, 0, time.UTC), false, time.UTC, from, to, w)
		return len(list), err
	}
	if n, err := follow(&work{}, "FREQ=HOURLY", 2020); n != maxInstances || !errors.Is(err, errInstances) {
		t.Errorf("got %d instances, %v", n, err)
	}
	if n, err := follow(&work{}, "FREQ=DAILY;COUNT=1000000", 1000); n != 0 || !errors.Is(err, errSteps) {
		t.Errorf("of a thousand years: got %d instances, %v", n, err)
	}
	w := &work{empty: maxEmpty - 1, steps: maxAllSteps / 2}
	for i, want := range []error{errNever, errWork} {
		if n, err := follow(w, "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 2026); n != 0 || !errors.Is(err, want) {
			t.Errorf("never, %d: got %d instances, %v", i, n, err)
		}
	}
	w = &work{steps: maxAllSteps - 3}
	if n, err := follow(w, "FREQ=DAILY", 2026); n != 3 || !errors.Is(err, errWork) {
		t.Errorf("all together: got %d instances, %v", n, err)
	}
}

// TestWorkIsTold: a rule with too many instances is counted and reported once. Parse returns its instances up to the limit, and all other
// events.
func TestWorkIsTold(t *testing.T) {
	hourly := "BEGIN:VEVENT\nDTSTART:20250105T090000Z\nRRULE:FREQ=HOURLY\nEND:VEVENT\n"
	c, err := Parse([]byte(hourly+"BEGIN:VEVENT\nDTSTART:20250105T090000Z\nEND:VEVENT\n"), Options{From: window.From, To: window.To, Most: maxInstances + 2})
	if err != nil || len(c.Events) != maxInstances+1 || c.Skipped != 1 || !strings.HasSuffix(strings.Join(c.Problems, "\n"), errInstances.Error()) {
		t.Errorf("got %d events, %d left out, %q, %v", len(c.Events), c.Skipped, c.Problems, err)
	}
}

// TestLongest reads events with durations at their limits. No event ends before it begins.
func TestLongest(t *testing.T) {
	const century = maxDays * 24 * time.Hour
	for text, want := range map[string]length{
		"P1DT2H3M4S":      {1, 2*time.Hour + 3*time.Minute + 4*time.Second},
		"P2W":             {days: 14},
		"-PT15M":          {exact: -15 * time.Minute},
		"P36499DT876000H": {}, "P5214W": {days: 36498}, "P5215W": {},
		"PT875999H": {exact: century - time.Hour}, "PT876000H": {}, "PT35555555H": {}, "PT400000H400000H": {exact: 800_000 * time.Hour}, "PT800000H800000H": {},
		"PT3153600000S": {}, "PT3153599999S": {exact: century - time.Second}, "PT9223372036854775807S": {},
	} {
		got, err := parseLength(text)
		if (err != nil) != (want == length{}) || err == nil && got != want {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, err, want)
		}
	}
	c, err := Parse([]byte("BEGIN:VEVENT\nDTSTART:20260105T090000Z\nRDATE;VALUE=PERIOD:20260106T090000Z/-PT3H\nEND:VEVENT"), window)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range c.Events {
		if e.End.Before(e.Start) {
			t.Errorf("ends %v before it begins %v", e.End, e.Start)
		}
	}
}

// FuzzRules expands any rule. expandRule always returns, and the instances are sorted and lie in the range.
func FuzzRules(f *testing.F) {
	for _, rule := range []string{
		"FREQ=DAILY;COUNT=3", "FREQ=WEEKLY;BYDAY=MO,-1FR;WKST=SU;INTERVAL=2", "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1", "FREQ=YEARLY;BYWEEKNO=53",
		"FREQ=HOURLY;INTERVAL=7;BYHOUR=3", "FREQ=YEARLY;BYYEARDAY=-1;UNTIL=20300101", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29,30", "FREQ=YEARLY;BYEASTER=-2",
	} {
		f.Add(rule, int64(1767603600), false)
		f.Add(rule, int64(-62135596800), true)
	}
	from, to := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, rule string, start int64, date bool) {
		at := time.Unix(start%(1<<38), 0).UTC() // until the year 10680
		if at.Year() < 1 || at.Year() > 9999 {
			return
		}
		if date {
			at = at.Truncate(24 * time.Hour)
		}
		stuck := time.AfterFunc(time.Minute, func() { panic("it goes on for ever: " + rule) })
		defer stuck.Stop()
		w := &work{}
		list, _ := expandRule(rule, at, date, time.UTC, from, to, w)
		if len(list) > maxInstances || w.steps > maxSteps+1 {
			t.Errorf("%d instances in %d steps", len(list), w.steps)
		}
		for i, one := range list {
			if one.Before(from) || one.After(to) || one.Before(at) || i > 0 && one.Before(list[i-1]) {
				t.Errorf("%v is no instance of what begins at %v", one, at)
			}
		}
	})
}
