package ical

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"
)

// todoText returns a calendar with a task that has the given lines. The calendar also has lines unknown to the package, folded lines, an
// alarm and a second task.
func todoText(lines ...string) string {
	all := append([]string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "X-WR-CALNAME:Shop", "BEGIN:VTODO", "UID:other", "SUMMARY:Other", "END:VTODO", "BEGIN:VTODO", "UID:milk",
		"X-APPLE-SORT-ORDER;X-A=\"b:c\":7", "SUMMARY:Milk\\, two bottles of the one with the blue lid from the shop ",
		" round the corner", "CATEGORIES:Küche",
	}, lines...)
	all = append(all, "BEGIN:VALARM", "ACTION:DISPLAY", "STATUS:not of the task", "TRIGGER:-PT15M", "END:VALARM", "END:VTODO", "END:VCALENDAR", "")
	return strings.Join(all, "\r\n")
}

// lines() returns the lines of `a` that are not in `b`, and the lines of `b` that are not in `a`.
func lines(a, b string) (lost, gained []string) {
	has := func(all, line string) bool { return strings.Contains("\n"+all, "\n"+line) }
	for line := range strings.Lines(a) {
		if !has(b, line) {
			lost = append(lost, strings.TrimRight(line, "\r\n"))
		}
	}
	for line := range strings.Lines(b) {
		if !has(a, line) {
			gained = append(gained, strings.TrimRight(line, "\r\n"))
		}
	}
	return lost, gained
}

var tickedAt = time.Date(2026, 5, 14, 10, 30, 0, 0, time.UTC)

// A Tick changes the lines with the state and the time, and no other byte.
func TestTick(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	const completed = "STATUS:COMPLETED COMPLETED:20260514T103000Z PERCENT-COMPLETE:100 LAST-MODIFIED:20260514T103000Z DTSTAMP:20260514T103000Z"
	const moved = " LAST-MODIFIED:20260514T103000Z DTSTAMP:20260514T103000Z"
	for name, c := range map[string]struct {
		lines        []string
		instance     string
		open         bool
		lost, gained string
	}{
		"plain": {nil, "", false, "", completed},
		"percent": {
			[]string{"PERCENT-COMPLETE:40", "STATUS:IN-PROCESS", "DTSTAMP:20200101T000000Z"}, "", false, "PERCENT-COMPLETE:40 STATUS:IN-PROCESS DTSTAMP:20200101T000000Z",
			"PERCENT-COMPLETE:100 STATUS:COMPLETED DTSTAMP:20260514T103000Z COMPLETED:20260514T103000Z LAST-MODIFIED:20260514T103000Z",
		},
		"reopened": {
			[]string{"STATUS:COMPLETED", "COMPLETED:20200101T000000Z", "PERCENT-COMPLETE:100"}, "", true,
			"STATUS:COMPLETED COMPLETED:20200101T000000Z PERCENT-COMPLETE:100", "STATUS:NEEDS-ACTION" + moved,
		},
		"daily date": {[]string{"DUE;VALUE=DATE:20260512", "RRULE:FREQ=DAILY"}, "20260512", false, "DUE;VALUE=DATE:20260512", "DUE;VALUE=DATE:20260515" + moved},
		"early":      {[]string{"DUE;VALUE=DATE:20260520", "RRULE:FREQ=WEEKLY"}, "20260520", false, "DUE;VALUE=DATE:20260520", "DUE;VALUE=DATE:20260527" + moved},
		"later the same day": {
			[]string{"DUE;TZID=Europe/Berlin:20260513T180000", "RRULE:FREQ=DAILY"}, "20260513T180000", false,
			"DUE;TZID=Europe/Berlin:20260513T180000", "DUE;TZID=Europe/Berlin:20260514T180000" + moved,
		},
		"clock change": {
			[]string{"DTSTART;TZID=Europe/Berlin:20261024T080000", "DUE;TZID=Europe/Berlin:20261024T093000", "RRULE:FREQ=DAILY"}, "20261024T080000", false,
			"DTSTART;TZID=Europe/Berlin:20261024T080000 DUE;TZID=Europe/Berlin:20261024T093000",
			"DTSTART;TZID=Europe/Berlin:20261025T080000 DUE;TZID=Europe/Berlin:20261025T093000" + moved,
		},
		"exceptions, count, sequence": {
			[]string{"DTSTART:20260513T080000Z", "RRULE:COUNT=9;FREQ=DAILY", "EXDATE:20260515T080000Z", "SEQUENCE:3", "STATUS:IN-PROCESS"}, "20260513T080000Z", false,
			"DTSTART:20260513T080000Z RRULE:COUNT=9;FREQ=DAILY SEQUENCE:3 STATUS:IN-PROCESS",
			"DTSTART:20260516T080000Z RRULE:COUNT=6;FREQ=DAILY SEQUENCE:4 STATUS:NEEDS-ACTION" + moved,
		},
		"last one":    {[]string{"DUE;VALUE=DATE:20260514", "RRULE:FREQ=DAILY;UNTIL=20260514"}, "20260514", false, "", completed},
		"last count":  {[]string{"DUE;VALUE=DATE:20260514", "RRULE:FREQ=DAILY;COUNT=1"}, "20260514", false, "", completed},
		"added times": {[]string{"DUE;VALUE=DATE:20260514", "RDATE;VALUE=DATE:20260601,20260701"}, "20260514", false, "DUE;VALUE=DATE:20260514", "DUE;VALUE=DATE:20260601" + moved},
		"bad rule":    {[]string{"DUE;VALUE=DATE:20260514", "RRULE:FREQ=NEVER"}, "20260514", false, "", completed},
		"moved on":    {[]string{"DUE;VALUE=DATE:20260521", "RRULE:FREQ=WEEKLY"}, "20260514", false, "", ""},
		"own instance": {
			[]string{"RECURRENCE-ID;VALUE=DATE:20260514", "DUE;VALUE=DATE:20260514", "RRULE:FREQ=DAILY"}, "r20260514", false, "", completed,
		},
		"two states": {
			[]string{"STATUS:IN-PROCESS", "STATUS:NEEDS-ACTION", "DTSTAMP:20200101T000000Z"}, "", false,
			"STATUS:IN-PROCESS STATUS:NEEDS-ACTION DTSTAMP:20200101T000000Z",
			"STATUS:COMPLETED DTSTAMP:20260514T103000Z COMPLETED:20260514T103000Z PERCENT-COMPLETE:100 LAST-MODIFIED:20260514T103000Z",
		},
		"done already": {[]string{"STATUS:COMPLETED"}, "", false, "", ""},
		"open already": {nil, "", true, "", ""},
	} {
		before := todoText(c.lines...)
		k := Tick{UID: "milk", Instance: c.instance, Done: !c.open, At: tickedAt, Zone: berlin}
		after, changed, err := k.Apply([]byte(before))
		if err != nil || changed != (c.gained != "") {
			t.Errorf("%s: changed %v, %v", name, changed, err)
			continue
		}
		lost, gained := lines(before, string(after))
		if got := strings.Join(lost, " "); got != c.lost {
			t.Errorf("%s: lost %q, want %q", name, got, c.lost)
		}
		if got := strings.Join(gained, " "); got != c.gained {
			t.Errorf("%s: gained %q, want %q", name, got, c.gained)
		}
		again, changed, err := k.Apply(after)
		if err != nil || changed || !bytes.Equal(again, after) {
			t.Errorf("%s: a repetition changes something: %v, %v", name, changed, err)
		}
		if c.instance == "" && c.gained != "" {
			k.Done = !k.Done
			back, _, err := k.Apply(after)
			parsed, _ := Parse(back, Options{})
			if err != nil || parsed.Tasks[1].Done != c.open || parsed.Tasks[1].Title != "Milk, two bottles of the one with the blue lid from the shop round the corner" {
				t.Errorf("%s: the way back gives %+v, %v", name, parsed.Tasks[1], err)
			}
		}
	}
}

// If a calendar already contains the ID of a change, the change has no effect, even if a person has reversed the change.
func TestTickOnce(t *testing.T) {
	text, changed, err := []byte(todoText()), false, error(nil)
	for i, k := range []struct {
		id            string
		done, changes bool
	}{{"one", true, true}, {"phone", false, true}, {"one", true, false}, {"two", true, true}, {"3", false, true}, {"4", true, true}, {"one", false, true}} {
		if text, changed, err = (Tick{UID: "milk", ID: k.id, Done: k.done, At: tickedAt}).Apply(text); err != nil || changed != k.changes {
			t.Errorf("change %d: changed %v, %v, want %v", i, changed, err, k.changes)
		}
	}
	if !bytes.Contains(text, []byte("X-DASHBOARD-CHANGES:one 4 3 two\r\n")) {
		t.Errorf("the ids are not bounded: %s", text)
	}
}

// If a calendar has other line ends than CRLF, the Tick keeps these line ends. A long line that was changed is folded.
func TestTickKeepsLineEnds(t *testing.T) {
	zone := strings.Repeat("x", 70)
	text := "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nDUE;TZID=" + zone + ":\n 20260514T080000\nRRULE:FREQ=DAILY\nEND:VTODO\nEND:VCALENDAR"
	after, changed, err := Tick{UID: "a", Instance: "20260514T080000", Done: true, At: tickedAt}.Apply([]byte(text))
	if err != nil || !changed || bytes.Contains(after, []byte("\r")) {
		t.Fatalf("got %q, %v, %v", after, changed, err)
	}
	for line := range strings.Lines(string(after)) {
		if len(line) > longestLine+1 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	c, err := Parse(after, Options{})
	if err != nil || c.Tasks[0].Instance != "20260515T080000" {
		t.Errorf("got %+v, %v", c.Tasks, err)
	}
}

func TestTickOfNothing(t *testing.T) {
	for _, text := range []string{"", "BEGIN:VTODO", "BEGIN:VTODO\nUID:x\nEND:VTODO", "BEGIN:VEVENT\nUID:a\nEND:VEVENT", "BEGIN:VTODO\nUID:a\nRECURRENCE-ID:20260514\nEND:VTODO"} {
		if _, _, err := (Tick{UID: "a", Done: true}).Apply([]byte(text)); !errors.Is(err, ErrNoTask) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// A new task can be parsed again, for any title.
func TestNewTask(t *testing.T) {
	for _, title := range []string{"Milk", `a\b;c,d`, strings.Repeat("Küche ", 40) + "x", "END:VTODO"} {
		text := NewTask("id-1", title, tickedAt)
		c, err := Parse(text, Options{})
		if err != nil || len(c.Tasks) != 1 || c.Tasks[0].Title != title || c.Tasks[0].UID != "id-1" || c.Skipped != 0 {
			t.Errorf("%q: got %+v, %v", title, c, err)
		}
	}
}

// For any text, a Tick changes no byte outside of its task. If the task does not recur, a repetition of the Tick changes nothing.
func FuzzTick(f *testing.F) {
	f.Add([]byte(todoText("DUE;VALUE=DATE:20260514", "RRULE:FREQ=DAILY;COUNT=3")), true)
	f.Add([]byte(todoText("STATUS:COMPLETED")), false)
	f.Add([]byte("BEGIN:VTODO\n UID:milk\nUID:milk\nBEGIN:VALARM\nEND:VTODO"), true)
	f.Fuzz(func(t *testing.T, data []byte, done bool) {
		tasks := tasksOf(data)
		if len(tasks) == 0 {
			return
		}
		e := tasks[0]
		k := Tick{UID: short(e.text("UID")), Instance: taskInstance(&e.component), Done: done, At: tickedAt}
		after, changed, err := k.Apply(data)
		if err != nil || !changed {
			return
		}
		if !bytes.HasPrefix(after, data[:e.lines0()]) || !bytes.HasSuffix(after, data[e.end:]) {
			t.Fatalf("bytes outside of the task changed: %q", after)
		}
		if _, again, err := k.Apply(after); err != nil && !errors.Is(err, ErrNoTask) || again && k.Instance == "" {
			t.Fatalf("a repetition changes something: %v in %q", err, after)
		}
	})
}

// lines0 returns the offset at which the properties of the task begin.
func (e *editor) lines0() int {
	if len(e.lines) == 0 {
		return e.end
	}
	return e.lines[0].from
}
