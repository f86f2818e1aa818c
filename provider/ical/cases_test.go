package ical

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
)

// A hardCase is a calendar in a short form: {} is an event with a UID, and " | " separates lines.
type hardCase struct{ name, in, want string }

// cases() reads testdata/cases.txt.
func cases(t testing.TB) []hardCase {
	t.Helper()
	b, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []hardCase
	for _, line := range strings.Split(string(b), "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, ok := strings.Cut(line, " :: ")
		in, want, ok2 := strings.Cut(rest, " -> ")
		if !ok || !ok2 {
			t.Fatalf("not a case: %s", line)
		}
		all = append(all, hardCase{name, in, want})
	}
	return all
}

// file returns the whole calendar of a case.
func (c hardCase) file() string {
	in := strings.NewReplacer("~B", "TZID=Europe/Berlin", "~L", "TZID=America/Los_Angeles", "F=", "FREQ=").Replace(c.in)
	eol := "\r\n"
	if strings.Contains(in, "<TAB>") {
		in, eol = strings.ReplaceAll(in, "<TAB>", "\t"), "\n"
	}
	bom := strings.HasPrefix(in, "<BOM>")
	in = strings.TrimPrefix(in, "<BOM>")
	bare := strings.HasPrefix(in, "<BARE>")
	in = strings.TrimPrefix(in, "<BARE>")
	in = strings.NewReplacer("{", "BEGIN:VEVENT | UID:a | DTSTAMP:20260101T000000Z | ", "}", " | END:VEVENT").Replace(in)
	var lines []string
	for _, line := range strings.Split(in, " | ") {
		lines = append(lines, seconds(strings.TrimLeft(line, " ")))
	}
	text := strings.Join(lines, eol)
	switch {
	case bom:
		return "\xef\xbb\xbf" + text
	case bare:
		return text + eol
	}
	return "BEGIN:VCALENDAR" + eol + "VERSION:2.0" + eol + text + eol + "END:VCALENDAR" + eol
}

// seconds() adds the seconds that the times of a case omit.
func seconds(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		b.WriteByte(line[i])
		if line[i] != 'T' || i < 8 || !digits(line[i-8:i]) || i+4 >= len(line)+0 && i+5 > len(line) {
			continue
		}
		end := i + 1
		for end < len(line) && line[end] >= '0' && line[end] <= '9' {
			end++
		}
		b.WriteString(line[i+1 : end])
		if end-i-1 == 4 {
			b.WriteString("00")
		}
		i = end - 1
	}
	return b.String()
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// window is a range that includes the times of all cases.
var window = Options{From: time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}

func starts(c *Calendar) string {
	var all []string
	for _, e := range c.Events {
		all = append(all, e.Start.UTC().Format("20060102T1504"))
	}
	return strings.Join(all, " ")
}

// TestHardCases reads calendars in the forms that different programs write. The results do not depend on the wall's zone.
func TestHardCases(t *testing.T) {
	all := cases(t)
	const known = 80
	if len(all) < known {
		t.Errorf("got %d cases, want %d or more", len(all), known)
	}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			for _, zone := range []string{"Pacific/Auckland", "Europe/Berlin", "UTC", "America/Los_Angeles", "Asia/Kolkata"} {
				o := window
				o.Zone, _ = time.LoadLocation(zone)
				cal, err := Parse([]byte(c.file()), o)
				if err != nil {
					t.Fatalf("%v\n%s", err, c.file())
				}
				if got := starts(cal); got != c.want {
					t.Fatalf("%s: got %s, want %s\n%s%s", zone, got, c.want, c.file(), strings.Join(cal.Problems, "\n"))
				}
				for _, day := range clockDays {
					seenOn(t, c, cal, zone, o, day)
				}
			}
		})
	}
}

// clockDays are the days of 2026 when clocks change in the zones of the test: in Europe, America and New Zealand.
var clockDays = []string{"2026-03-08", "2026-03-29", "2026-04-05", "2026-09-27", "2026-10-25", "2026-11-01"}

// seenOn checks the events that Parse returns for one day against the events of the whole range.
func seenOn(t *testing.T, c hardCase, all *Calendar, zone string, o Options, day string) {
	t.Helper()
	from, err := time.ParseInLocation(time.DateOnly, day, o.Zone)
	if err != nil {
		t.Fatal(err)
	}
	o.From, o.To = from, from.AddDate(0, 0, 1)
	part, err := Parse([]byte(c.file()), o)
	if err != nil {
		t.Fatal(err)
	}
	of := func(cal *Calendar) (list []string) {
		for _, e := range cal.Events {
			first, end := o.From, o.To
			if e.AllDay { // whole-day events have the same date in all zones; the result of Parse may include the days before and after
				first, _ = time.Parse(time.DateOnly, day)
				end = first.AddDate(0, 0, 1)
			}
			if e.Start.Before(end) && (e.End.After(first) || e.Start.Equal(first)) {
				list = append(list, e.Start.UTC().Format("20060102T1504"))
			}
		}
		return list
	}
	if got, want := of(part), of(all); !slices.Equal(got, want) {
		t.Errorf("%s on %s: got %v, want %v of %s", zone, day, got, want, starts(all))
	}
}

func TestOneBadEvent(t *testing.T) {
	c, err := Parse([]byte("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\nDTSTART:garbage\nEND:VEVENT\nBEGIN:VEVENT\nDTSTART:20260105\nEND:VEVENT\nEND:VCALENDAR"), window)
	if err != nil || len(c.Events) != 1 || c.Skipped != 1 || len(c.Problems) != 1 || !strings.Contains(c.Problems[0], `"x" DTSTART "garbage" is not a date`) {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestLengths(t *testing.T) {
	tests := []struct{ name, lines, end string }{
		{"an hour", "DTSTART:20260105T090000Z\nDTEND:20260105T100000Z", "2026-01-05 10:00"},
		{"other zones", "DTSTART;TZID=Europe/Berlin:20260105T090000\nDTEND;TZID=America/New_York:20260105T090000", "2026-01-05 14:00"},
		{"backwards", "DTSTART:20260105T090000Z\nDTEND:20260105T080000Z", "2026-01-05 09:00"},
		{"a day", "DTSTART;VALUE=DATE:20260105\nDTEND;VALUE=DATE:20260105", "2026-01-06 00:00"},
		{"three days", "DTSTART;VALUE=DATE:20260105\nDTEND;VALUE=DATE:20260108", "2026-01-08 00:00"},
		{"P1D is a day of 23 hours", "DTSTART;TZID=Europe/Berlin:20260328T120000\nDURATION:P1D", "2026-03-29 10:00"},
		{"PT24H is not", "DTSTART;TZID=Europe/Berlin:20260328T120000\nDURATION:PT24H", "2026-03-29 11:00"},
		{"an end without a zone", "DTSTART;TZID=America/New_York:20260105T090000\nDTEND:20260105T100000", "2026-01-05 15:00"},
		{"a period at the start", "DTSTART:20260105T090000Z\nRDATE;VALUE=PERIOD:20260105T090000Z/PT2H", "2026-01-05 11:00"},
		{"nothing", "DTSTART:20260105T090000Z", "2026-01-05 09:00"},
		{"a wrong end", "DTSTART:20260105T090000Z\nDTEND:never", "2026-01-05 09:00"},
	}
	for _, test := range tests {
		c, err := Parse([]byte("BEGIN:VEVENT\n"+test.lines+"\nEND:VEVENT"), window)
		if err != nil || len(c.Events) != 1 {
			t.Fatalf("%s: %+v, %v", test.name, c, err)
		}
		if got := c.Events[0].End.UTC().Format("2006-01-02 15:04"); got != test.end {
			t.Errorf("%s: ends %s, want %s", test.name, got, test.end)
		}
	}
}

// TestUnknownZones checks which unknown names of zones Parse reports, and which zones are used instead.
func TestUnknownZones(t *testing.T) {
	event := "BEGIN:VEVENT\nDTSTART;TZID=%s:20260105T090000\nEND:VEVENT\n"
	var text string
	for _, id := range []string{"Mars/Olympus", "(UTC-05:00) Nowhere", "Europe/Berlin", "Eastern Standard Time", "(UTC+13:00) Coordinated Universal Time+13"} {
		text += fmt.Sprintf(event, id)
	}
	o := window
	o.Zone, _ = time.LoadLocation("Europe/Berlin")
	c, err := Parse([]byte(text), o)
	if err != nil || len(c.Events) != 5 || c.Skipped != 0 || len(c.Problems) != 0 {
		t.Fatalf("got %+v, %v", c, err)
	}
	want := "[{(UTC-05:00) Nowhere UTC-05:00} {Mars/Olympus Europe/Berlin}]"
	if got := fmt.Sprint(c.Unknown); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRuleWithoutTimes: a rule that produces no time is reported, and the event is shown at its DTSTART.
func TestRuleWithoutTimes(t *testing.T) {
	c, err := Parse([]byte("BEGIN:VEVENT\nSUMMARY:x\nDTSTART:20260105T090000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\nEND:VEVENT"), window)
	if err != nil || len(c.Events) != 1 || len(c.Problems) != 1 || !strings.HasSuffix(c.Problems[0], errNever.Error()) {
		t.Errorf("got %+v, %v", c, err)
	}
}

// TestFoldedCharacter reads a line that is folded inside a character of two bytes.
func TestFoldedCharacter(t *testing.T) {
	c, err := Parse([]byte("BEGIN:VEVENT\r\nDTSTART:20260105T090000Z\r\nSUMMARY:K\xc3\r\n \xbcche\r\nEND:VEVENT\r\n"), window)
	if err != nil || len(c.Events) != 1 || c.Events[0].Title != "Küche" || c.Skipped != 0 {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestTasks(t *testing.T) {
	c, err := Parse([]byte("BEGIN:VCALENDAR\nX-WR-CALNAME:Shop\\, list\nBEGIN:VTODO\nSUMMARY:Milk\nDUE;VALUE=DATE:20260105\nPRIORITY:1\nEND:VTODO\nBEGIN:VTODO\nSUMMARY:Eggs\nSTATUS:COMPLETED\nEND:VTODO\nEND:VCALENDAR"), window)
	if err != nil || c.Name != "Shop, list" || len(c.Tasks) != 2 || c.Tasks[0].Done || !c.Tasks[1].Done || !c.Tasks[0].AllDay || c.Tasks[0].Priority != 1 {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestBounds(t *testing.T) {
	if _, err := Parse(make([]byte, MaxBytes+1), window); err == nil {
		t.Error("a calendar beyond the bound was taken")
	}
	if _, err := Parse([]byte("<html>"), window); err == nil {
		t.Error("a page of HTML was taken for a calendar")
	}
	var many strings.Builder
	many.WriteString("BEGIN:VCALENDAR\n")
	for i := range 6000 {
		fmt.Fprintf(&many, "BEGIN:VEVENT\nUID:%d\nDTSTART:20260105T090000Z\nEND:VEVENT\n", i)
	}
	c, err := Parse([]byte(many.String()), window)
	if err != nil || len(c.Events) != MaxEvents || c.Skipped != 1000 {
		t.Errorf("got %d events, %d left out, %v", len(c.Events), c.Skipped, err)
	}
}

// TestHostile reads calendars that would take very long without limits.
func TestHostile(t *testing.T) {
	thorough.Only(t)
	same := strings.Repeat("BEGIN:VEVENT\nUID:a\nDTSTART:20260105T090000Z\nRECURRENCE-ID:20260105T090000Z\nRANGE:x\nEND:VEVENT\n", 20_000)
	ids := &strings.Builder{}
	for i := range 20_000 {
		fmt.Fprintf(ids, "BEGIN:VEVENT\nUID:a\nDTSTART:%s\nRECURRENCE-ID;RANGE=THISANDFUTURE:%[1]s\nEND:VEVENT\n", time.Unix(int64(i)*86400, 0).UTC().Format("20060102T150405Z"))
	}
	for name, text := range map[string]string{
		"one rule a second":    "BEGIN:VEVENT\nDTSTART:20260105T090000Z\nRRULE:FREQ=SECONDLY\nEND:VEVENT",
		"hourly, never":        "BEGIN:VEVENT\nDTSTART:19000105T090000Z\nRRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30\nEND:VEVENT",
		"panics in the engine": "BEGIN:VEVENT\nDTSTART:20260105T090000Z\nRRULE:FREQ=YEARLY;BYDAY=53MO;BYMONTH=2\nEND:VEVENT",
		"one changed often":    same + "BEGIN:VEVENT\nUID:a\nDTSTART:20200105T090000Z\nRRULE:FREQ=HOURLY\nEND:VEVENT",
		"changed for good":     ids.String() + "BEGIN:VEVENT\nUID:a\nDTSTART:19900105T090000Z\nRRULE:FREQ=DAILY\nEND:VEVENT",
		"many zones":           strings.Repeat("BEGIN:VTIMEZONE\nTZID:x\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETTO:+0100\nRRULE:FREQ=DAILY\nEND:STANDARD\nEND:VTIMEZONE\n", 300) + "BEGIN:VEVENT\nDTSTART;TZID=x:20260105T090000\nEND:VEVENT",
	} {
		start := time.Now()
		c, err := Parse([]byte(text), window)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Logf("%s: %d events, %d left out, %v", name, len(c.Events), c.Skipped, time.Since(start))
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range cases(f) {
		f.Add([]byte(c.file()))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o := Options{From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
		c, err := Parse(data[:min(len(data), 1<<16)], o)
		if err != nil {
			return
		}
		for _, e := range c.Events {
			if e.End.Before(e.Start) {
				t.Errorf("ends %v before it begins %v", e.End, e.Start)
			}
		}
	})
}
