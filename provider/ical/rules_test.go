package ical

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/teambition/rrule-go"
)

// A ruleCase is a rule and its expected times.
type ruleCase struct {
	rule        string
	start, from time.Time
	date        bool
	want        []string
}

const (
	dayLayout    = "20060102"
	momentLayout = "20060102T150405"
)

// ruleMoment parses a day, or a day with a time.
func ruleMoment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(momentLayout[:len(text)], text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// readRule parses a line of rules.txt: START [from FROM] | RULE | times not before FROM.
func readRule(t *testing.T, line string) (c ruleCase) {
	t.Helper()
	f := strings.Split(line, " | ")
	if len(f) != 3 {
		t.Fatalf("not a case: %s", line)
	}
	start, from, later := strings.Cut(f[0], " from ")
	c = ruleCase{rule: f[1], start: ruleMoment(t, start), date: len(start) == len(dayLayout)}
	if later {
		c.from = ruleMoment(t, from)
	}
	for _, word := range strings.Fields(f[2]) {
		first, last, run := strings.Cut(word, "..")
		switch {
		case run:
			for at := ruleMoment(t, first); at.Format(dayLayout) <= last; at = at.AddDate(0, 0, 1) {
				c.want = append(c.want, at.Format(dayLayout)+start[len(dayLayout):])
			}
		case len(word) == len(dayLayout):
			c.want = append(c.want, word+start[len(dayLayout):])
		default:
			c.want = append(c.want, word)
		}
	}
	return c
}

// follow() returns the times that the package computes for the rule.
func (c ruleCase) follow(t *testing.T) (got []string) {
	t.Helper()
	r, err := parseRule(c.rule, c.start, c.date, time.UTC)
	if err != nil {
		t.Fatalf("%s: %v", c.rule, err)
	}
	far := time.Date(2110, 1, 1, 0, 0, 0, 0, time.UTC)
	list, err := r.expand(c.start, c.from, far, &work{})
	if err != nil {
		t.Fatalf("%s: %v", c.rule, err)
	}
	layout := momentLayout
	if c.date {
		layout = dayLayout
	}
	for _, at := range list {
		got = append(got, at.Format(layout))
	}
	whole, err := expandRule(c.rule, c.start, c.date, time.UTC, c.from, far, &work{})
	if r.opt.Freq > rrule.HOURLY {
		if !errors.Is(err, errOften) {
			t.Errorf("%s: got %v, want that it is too often for a wall", c.rule, err)
		}
	} else if err != nil || !slices.Equal(whole, list) {
		t.Errorf("%s: got %v, %v, want %v", c.rule, whole, err, list)
	}
	return got
}

// TestRules computes the rules of libical's tests. 138 of 144 results are equal to libical's results. Rules with the frequency MINUTELY
// or SECONDLY would be computed correctly, but the package rejects them.
func TestRules(t *testing.T) {
	b, err := os.ReadFile("testdata/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
			continue
		}
		n++
		if c := readRule(t, line); !slices.Equal(c.follow(t), c.want) {
			t.Errorf("%s\ngot  %v\nwant %v", line, c.follow(t), c.want)
		}
	}
	if n != 138 {
		t.Errorf("got %d rules", n)
	}
}

// TestRulesOtherwise lists the rules whose results differ from libical's results, and the reasons. The last column is libical's result.
func TestRulesOtherwise(t *testing.T) {
	for _, tc := range []struct{ name, ours, theirs string }{
		// RFC 5545, section 3.3.10: without BYMONTH, BYMONTHDAY applies to every month of a year. libical uses the month of
		// DTSTART.
		{"days of the month in a year", "20240229 | FREQ=YEARLY;BYMONTHDAY=29;COUNT=3 | 20240229 20240329 20240429", "20240229 20280229 20320229"},
		{"days from the end of the month in a year", "20240201 | FREQ=YEARLY;BYMONTHDAY=-29,-1;COUNT=4 | 20240201 20240229 20240303 20240331", "20240201 20240229 20250228 20260228"},
		// In this package, a day belongs to its calendar year. In libical, a day belongs to the year of its week. Week 53 of 2015 has
		// days in 2015 and 2016.
		{"week 53 every sixth year", "20100102T000000 | FREQ=YEARLY;BYWEEKNO=53;BYDAY=TU,SA;INTERVAL=6;UNTIL=20170101T000000Z | 20100102 20160102", "20100102 20151229 20160102"},
		{"week 53 every fifth year", "20100102T000000 | FREQ=YEARLY;BYWEEKNO=53;BYDAY=TU,SA;INTERVAL=5;UNTIL=20170101T000000Z | 20100102 20151229", "20100102"},
		{"week 1 every third year", "20241231 | FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,TU;INTERVAL=3;UNTIL=20320101 | 20241231 20270104 20270105 20300101 20301230 20301231", "20241231 20280103 20280104 20301230 20301231"},
		{"a day of the month in a week", "20241230 | FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=30;BYWEEKNO=1;UNTIL=20320101 | 20241230 20301230", "it has no such rules"},
	} {
		if c := readRule(t, tc.ours); !slices.Equal(c.follow(t), c.want) {
			t.Errorf("%s: got %v, want %v; libical: %s", tc.name, c.follow(t), c.want, tc.theirs)
		}
	}
}
