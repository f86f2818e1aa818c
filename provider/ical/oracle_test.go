package ical

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// oracle is a Python program that computes the instances of calendars with Debian's package python3-recurring-ical-events.
const oracle = `
import sys, json, datetime, icalendar, recurring_ical_events
out = []
for text in json.load(sys.stdin):
    starts = []
    try:
        for e in recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between((2026, 1, 1), (2026, 12, 31)):
            s = e["DTSTART"].dt
            if isinstance(s, datetime.datetime):
                s = s.astimezone(datetime.timezone.utc).strftime("%Y%m%dT%H%M")
            else:
                s = s.strftime("%Y%m%dT0000")
            starts.append(s)
    except Exception as x:
        starts = ["error " + type(x).__name__]
    out.append(" ".join(sorted(starts)))
json.dump(out, sys.stdout)
`

// python is Debian's interpreter, because the package python3-recurring-ical-events is installed for this interpreter.
const python = "/usr/bin/python3"

// randomSeries returns an event with a rule, exceptions and a moved instance.
func randomSeries(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	zone := pick("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Sydney")
	start := time.Date(2025, time.Month(1+r.IntN(12)), 1+r.IntN(28), 4+r.IntN(18), 15*r.IntN(4), 0, 0, time.UTC)
	rule := "FREQ=" + pick("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
	if n := 1 + r.IntN(4); n > 1 {
		rule += fmt.Sprintf(";INTERVAL=%d", n)
	}
	switch {
	case strings.Contains(rule, "WEEKLY"):
		rule += ";BYDAY=" + strings.ToUpper(start.Weekday().String()[:2]) + pick("", ",MO", ",TU,SA")
	case strings.Contains(rule, "MONTHLY"):
		rule += pick("", ";BYDAY=2TU", ";BYDAY=-1FR", ";BYMONTHDAY=31", ";BYMONTHDAY=-1")
	}
	if r.IntN(2) == 0 {
		rule += fmt.Sprintf(";COUNT=%d", 5+r.IntN(60))
	}
	const layout = "20060102T150405"
	event := fmt.Sprintf("BEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20250101T000000Z\r\nDTSTART;TZID=%s:%s\r\nDURATION:PT1H\r\nRRULE:%s\r\n", zone, start.Format(layout), distinctDays(rule))
	instance := start.AddDate(0, 0, 7*(1+r.IntN(20)))
	if r.IntN(2) == 0 {
		event += fmt.Sprintf("EXDATE;TZID=%s:%s\r\n", zone, instance.Format(layout))
	}
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n" + event + "END:VEVENT\r\nEND:VCALENDAR\r\n"
}

// distinctDays removes repeated weekdays from a rule.
func distinctDays(rule string) string {
	before, days, found := strings.Cut(rule, ";BYDAY=")
	if !found {
		return rule
	}
	list, rest, _ := strings.Cut(days, ";")
	if rest != "" {
		rest = ";" + rest
	}
	return before + ";BYDAY=" + distinct(list) + rest
}

// inFull is set by the command `make long`.
var inFull = flag.Bool("long", false, "300 random series instead of 80 are compared with Python's")

func TestAgainstPython(t *testing.T) {
	if err := exec.Command(python, "-c", "import recurring_ical_events").Run(); err != nil {
		if os.Getenv("DASHBOARD_CI") != "" {
			t.Fatal("python3-recurring-ical-events is not installed")
		}
		t.Skip("Debian's python3-recurring-ical-events, the second opinion, is not installed")
	}
	r := rand.New(rand.NewPCG(5545, 1))
	var files []string
	series := 80
	if *inFull {
		series = 300
	}
	for range series {
		files = append(files, randomSeries(r))
	}
	in, _ := json.Marshal(files)
	cmd := exec.Command(python, "-c", oracle)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	instances := 0
	for i, file := range files {
		o := Options{From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)}
		c, err := Parse([]byte(file), o)
		if err != nil {
			t.Fatal(err)
		}
		got := inWindow(starts(c), "20260102", "20261230")
		if other := inWindow(want[i], "20260102", "20261230"); got != other {
			t.Errorf("got  %s\nwant %s\n%s", got, other, file)
		}
		instances += strings.Count(got, "T")
	}
	t.Logf("%d instances are the same", instances)
}

// inWindow keeps the starts that are not before `from` and are before `to` (both in the form YYYYMMDD). The first and the last day of the
// range are not compared, because they begin at different times in different zones.
func inWindow(starts, from, to string) string {
	var kept []string
	for _, s := range strings.Fields(starts) {
		if s >= from && s < to {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, " ")
}

// feed returns a calendar of 5 MB, like the calendar of a busy person after ten years.
func feed() []byte {
	var b bytes.Buffer
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for i := 0; b.Len() < 5<<20; i++ {
		day := time.Date(2016, 1, 1, 8+i%10, 0, 0, 0, time.UTC).AddDate(0, 0, i%3900)
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:%d@example.org\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Europe/Berlin:%s\r\nDURATION:PT1H\r\nSUMMARY:Appointment %[1]d with somebody\r\nDESCRIPTION:%[3]s\r\n", i, day.Format("20060102T150405"), strings.Repeat("words ", 30))
		switch i % 20 {
		case 0:
			b.WriteString("RRULE:FREQ=WEEKLY\r\n")
		case 1:
			b.WriteString("RRULE:FREQ=DAILY;INTERVAL=3\r\n")
		case 2:
			b.WriteString("RRULE:FREQ=YEARLY\r\n")
		}
		b.WriteString("END:VEVENT\r\n")
	}
	b.WriteString("END:VCALENDAR\r\n")
	return b.Bytes()
}

// BenchmarkFeed reads 5 MB and computes the events of 14 months.
func BenchmarkFeed(b *testing.B) {
	data := feed()
	o := Options{From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(data, o); err != nil {
			b.Fatal(err)
		}
	}
}
