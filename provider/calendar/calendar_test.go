package calendar

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	"dashboard/provider"
)

// noon is the present time in most tests. It is a Thursday.
var noon = time.Date(2026, 5, 14, 12, 0, 0, 0, time.UTC)

// in() returns a provider for files in the folder `dir`. The clock of the provider shows a given time in a zone.
func in(t testing.TB, zone *time.Location, now time.Time, dir string, entries ...Entry) *Provider {
	t.Helper()
	for i := range entries {
		e := &entries[i]
		if e.Name == "" {
			e.Name = fmt.Sprint("c", i+1)
		}
		if e.Kind == "" {
			e.Kind = "event"
		}
	}
	p := Params{Calendars: entries, UpdateInterval: value.Duration(15 * time.Minute)}
	p.Timeout = value.Duration(time.Minute)
	c, err := New(p, Env{Client: fetch.New(&fetch.Options{}), Files: folder.Dir(dir), Zone: zone})
	if err != nil {
		t.Fatal(err)
	}
	c.now = func() time.Time { return now }
	return c
}

// once() calls `step` once and returns the published value and its error.
func (p *Provider) once(t testing.TB) (*Agenda, error) {
	t.Helper()
	cell := provider.NewCell(nil)
	p.step(t.Context(), cell)
	s := cell.Load()
	a, _ := s.Value.(*Agenda)
	return a, s.Err
}

// titles() returns the titles of the events in their order.
func (a *Agenda) titles() string {
	if a == nil {
		return "nothing"
	}
	var all []string
	for _, e := range a.Events {
		all = append(all, e.Title)
	}
	return strings.Join(all, " ")
}

func event(title, lines string) string {
	return "BEGIN:VEVENT\r\nUID:" + title + "\r\nSUMMARY:" + title + "\r\n" + strings.ReplaceAll(lines, " | ", "\r\n") + "\r\nEND:VEVENT\r\n"
}

func feed(events ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + strings.Join(events, "") + "END:VCALENDAR\r\n"
}

var (
	lunch  = event("lunch", "DTSTART:20260514T123000Z | DTEND:20260514T133000Z")
	dinner = event("dinner", "DTSTART:20260514T190000Z | DTEND:20260514T200000Z")
	broken = event("broken", "DTSTART:garbage")
)

func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMerged combines several calendars into one sorted list. Each event has the name, color and kind of its calendar. A folder is one
// calendar.
func TestMerged(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.ics": feed(dinner), "b/1.ics": feed(lunch), "b/2.ICS": feed(event("tea", "DTSTART:20260514T160000Z")), "b/x.txt": feed(broken), "b/sub/3.ics": feed(broken)})
	a, err := in(t, time.UTC, noon, dir, Entry{Name: "Anna", Path: "a.ics"}, Entry{Name: "Ben", Path: "b", Color: "good", Kind: "birthday"}).once(t)
	if err != nil || a.titles() != "lunch tea dinner" || a.Left != 0 {
		t.Fatalf("got %v, %v, %d left out", a.titles(), err, a.Left)
	}
	if c := a.Events[2].Calendar; c.Name != "Anna" || c.Color != "series1" || c.Kind != "event" {
		t.Errorf("got %+v", c)
	}
	if c := a.Events[0].Calendar; c.Name != "Ben" || c.Color != "good" || c.Kind != "birthday" {
		t.Errorf("got %+v", c)
	}
	if a.Next == nil || a.Next.Title != "lunch" || a.Now != nil || a.Busy || !a.Until.Equal(noon.Add(30*time.Minute)) {
		t.Errorf("got next %+v, busy %v until %v", a.Next, a.Busy, a.Until)
	}
}

// TestSameInTwo: an event that is in two calendars is shown twice.
func TestSameInTwo(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.ics": feed(lunch), "b.ics": feed(lunch)})
	a, err := in(t, time.UTC, noon, dir, Entry{Name: "Anna", Path: "a.ics"}, Entry{Name: "Ben", Path: "b.ics"}).once(t)
	if err != nil || a.titles() != "lunch lunch" || a.Events[0].Calendar.Name == a.Events[1].Calendar.Name {
		t.Errorf("got %v, %v", a.titles(), err)
	}
}

// TestOneBad: a broken event, a broken file and a missing calendar are reported, and all other events are shown.
func TestOneBad(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.ics": feed(lunch, broken, dinner), "b/1.ics": feed(event("tea", "DTSTART:20260514T160000Z")), "b/2.ics": "<html>login</html>", "b/3.ics/x": ""})
	if err := os.WriteFile(filepath.Join(dir, "b/4.ics"), []byte(strings.Repeat("x", 17<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := in(t, time.UTC, noon, dir, Entry{Path: "a.ics"}, Entry{Path: "b"}, Entry{Name: "Carl", Path: "gone.ics"}).once(t)
	if a.titles() != "lunch tea dinner" {
		t.Errorf("got %v", a.titles())
	}
	if n, why := provider.LeftOut(a); n != 2 || !strings.Contains(strings.Join(why, "\n"), `c1: event "broken" DTSTART "garbage"`) || !strings.Contains(strings.Join(why, "\n"), "c2: there is no calendar") {
		t.Errorf("got %d, %q", n, why)
	}
	if err == nil || !strings.Contains(err.Error(), "Carl: gone.ics") || !strings.Contains(err.Error(), "b/4.ics: ") {
		t.Errorf("got the error %v", err)
	}
}

// TestShow checks how transparent events, private events and tasks are shown.
func TestShow(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.ics": feed(event("free", "DTSTART:20260515T090000Z | TRANSP:TRANSPARENT"),
		event("doctor", "DTSTART:20260515T100000Z | CLASS:PRIVATE | LOCATION:here | DESCRIPTION:why | ORGANIZER;CN=Ida:mailto:ida@example.org"), event("open", "DTSTART:20260515T110000Z"),
		"BEGIN:VTODO\r\nSUMMARY:done\r\nSTATUS:COMPLETED\r\nEND:VTODO\r\nBEGIN:VTODO\r\nSUMMARY:low\r\nDUE:20260516\r\nPRIORITY:9\r\nEND:VTODO\r\nBEGIN:VTODO\r\nSUMMARY:high\r\nDUE:20260516\r\nPRIORITY:1\r\nEND:VTODO\r\nBEGIN:VTODO\r\nSUMMARY:whenever\r\nEND:VTODO\r\n")})
	a, err := in(t, time.UTC, noon, dir, Entry{Path: "a.ics", Show: "busy", PrivateText: "away"}).once(t)
	if err != nil || a.titles() != "away open" || a.Events[0].Location+a.Events[0].Description+a.Events[0].Organizer != "" {
		t.Errorf("got %v, %v", a.titles(), err)
	}
	var tasks []string
	for _, task := range a.Tasks {
		tasks = append(tasks, task.Title)
	}
	if strings.Join(tasks, " ") != "high low whenever done" {
		t.Errorf("got %v", tasks)
	}
	if a, _ := in(t, time.UTC, noon, dir, Entry{Path: "a.ics"}).once(t); a.titles() != "free doctor open" || a.Events[1].Organizer != "Ida" {
		t.Errorf("with show: all got %v, organized by %q", a.titles(), a.Events[1].Organizer)
	}
}

// TestBusy checks the current event and the end of the busy time through a day.
func TestBusy(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.ics": feed(
		event("one", "DTSTART:20260514T130000Z | DTEND:20260514T140000Z"), event("two", "DTSTART:20260514T133000Z | DTEND:20260514T150000Z"),
		event("three", "DTSTART:20260514T150000Z | DTEND:20260514T160000Z"), event("note", "DTSTART:20260514T170000Z | DTEND:20260514T180000Z | TRANSP:TRANSPARENT"),
		event("all", "DTSTART;VALUE=DATE:20260514"))})
	at := func(hour, minute int) time.Time { return time.Date(2026, 5, 14, hour, minute, 0, 0, time.UTC) }
	for _, tt := range []struct {
		at        time.Time
		now, next string
		busy      bool
		until     time.Time
	}{
		{at(12, 0), "", "one", false, at(13, 0)},
		{at(13, 0), "one", "two", true, at(16, 0)},
		{at(13, 45), "two", "three", true, at(16, 0)},
		{at(15, 0), "three", "note", true, at(16, 0)},
		{at(16, 0), "", "note", false, time.Time{}},
		{at(17, 10), "note", "", false, time.Time{}},
	} {
		a, err := in(t, time.UTC, tt.at, dir, Entry{Path: "a.ics"}).once(t)
		if err != nil {
			t.Fatal(err)
		}
		name := func(e *Event) string {
			if e == nil {
				return ""
			}
			return e.Title
		}
		if name(a.Now) != tt.now || name(a.Next) != tt.next || a.Busy != tt.busy || !a.Until.Equal(tt.until) {
			t.Errorf("at %v: got %s, %s, %v until %v", tt.at, name(a.Now), name(a.Next), a.Busy, a.Until)
		}
	}
}

// TestPlain checks the plain form of an agenda. jq programs read this form.
func TestPlain(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.ics": feed(lunch, event("day", "DTSTART;VALUE=DATE:20260515"))})
	a, _ := in(t, time.UTC, noon, dir, Entry{Name: "Anna", Path: "a.ics"}).once(t)
	text, err := json.Marshal(provider.Plain(a))
	for _, want := range []string{`"title":"lunch"`, `"start":"2026-05-14T12:30:00Z"`, `"start":"2026-05-15"`, `"end":"2026-05-16"`, `"busy":false`, `"calendar":"Anna"`} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("nothing of %s in %s, %v", want, text, err)
		}
	}
	if provider.Plain((*Agenda)(nil)) != nil {
		t.Error("no agenda is not null")
	}
}

// TestRun: Run publishes a value at once, and ends when its context ends.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.ics": feed(lunch)})
	p := in(t, time.UTC, noon, dir, Entry{Path: "a.ics"})
	ctx, cancel := context.WithCancel(t.Context())
	came := make(chan struct{}, 1)
	cell := provider.NewCell(func() { cancel(); came <- struct{}{} })
	if err := p.Run(ctx, cell); err != nil {
		t.Error(err)
	}
	if _, ok := cell.Load().Value.(*Agenda); !ok || len(p.Missing()) != 0 {
		t.Errorf("got %+v", cell.Load())
	}
}

// TestWholeMonth: the agenda contains all events of a month view of six weeks, even if five and a half of these weeks are over.
func TestWholeMonth(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.ics": feed(event("first", "DTSTART:20260427T100000Z"), event("old", "DTSTART:20260401T100000Z"))})
	if a, err := in(t, time.UTC, time.Date(2026, 5, 31, 12, 0, 0, 0, time.UTC), dir, Entry{Path: "a.ics"}).once(t); err != nil || a.titles() != "first" {
		t.Errorf("got %v, %v", a.titles(), err)
	}
}

// TestOnlyWhenVisible: with only_when_visible, calendars are read only while the value is visible.
func TestOnlyWhenVisible(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.ics"), []byte("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := in(t, time.UTC, noon, dir, Entry{Path: "a.ics"})
		p.plan.WhenSeen, p.now = true, time.Now
		cell, began := provider.NewCell(nil), time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); _ = p.Run(ctx, cell) }()
		for _, c := range []struct {
			at, want time.Duration // time of a call of Look, and expected time of the latest reading after the call
		}{{20 * time.Minute, 20 * time.Minute}, {30 * time.Minute, 20 * time.Minute}, {2 * time.Hour, 2 * time.Hour}} {
			time.Sleep(time.Until(began.Add(c.at)))
			cell.Look(time.Now())
			synctest.Wait()
			if got := cell.Load().At.Sub(began); got != c.want {
				t.Errorf("after a look at %v: read at %v, want %v", c.at, got, c.want)
			}
		}
		cancel()
		<-done
	})
}
