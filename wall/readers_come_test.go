package wall

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"dashboard/config/value"
	"dashboard/wall/scene"
)

// TestReadersSleep checks that a device sleeps until the end of its sleep window. This includes the nights in which clocks change.
func TestReadersSleep(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	w, err := value.ParseWindow("23:00-06:00")
	if err != nil {
		t.Fatal(err)
	}
	set := true
	until := scene.Asleep(w, scene.Region{Zone: zone}, func() bool { return set })
	for _, c := range []struct {
		now  time.Time
		want time.Duration
	}{
		{time.Date(2026, 3, 28, 22, 59, 59, 0, zone), 0},
		{time.Date(2026, 3, 28, 23, 0, 0, 0, zone), 6 * time.Hour},  // clocks are set forward, so the night is an hour shorter
		{time.Date(2026, 10, 24, 23, 0, 0, 0, zone), 8 * time.Hour}, // clocks are set back, so the night is an hour longer
		{time.Date(2026, 7, 1, 1, 30, 0, 0, zone), 4*time.Hour + 30*time.Minute},
		{time.Date(2026, 7, 1, 6, 0, 0, 0, zone), 0},
	} {
		got := time.Duration(0)
		if at := until(c.now.UTC()); !at.IsZero() {
			got = at.Sub(c.now)
		}
		if got != c.want {
			t.Errorf("at %v: got %v, want %v", c.now, got, c.want)
		}
	}
	set = false // as on a board without a battery that has no network yet
	if at := until(time.Date(2026, 7, 1, 1, 30, 0, 0, zone)); !at.IsZero() {
		t.Errorf("the clock is not set: got %v, want no sleep", at)
	}
}

// TestReadersComeSooner checks a view that only an e-reader shows. The view is painted when the
// e-reader requests it. The answer asks the e-reader to return when the page will change.
func TestReadersComeSooner(t *testing.T) {
	t.Parallel()
	const turns = "widgets:\n  - widget: pages\n    dwell: 1h\n    children:\n      - {widget: empty, name: home, color: white}\n      - {widget: empty, name: solar, color: black}\n"
	port := freePort(t)
	p := start(t, port, readersWall(port, turns, "      pi: {view: reader, token: raspberry-123}\n"))
	p.serves("/frame", http.StatusOK)
	if n := p.measure(`dashboard_view_frames_total{view="reader"}`); n != 0 {
		t.Errorf("%v frames were painted for nobody", n)
	}
	ask := []string{"GET /api/display HTTP/1.1", "Host: HOST", "access-token: raspberry-123"}
	before := p.tells(ask...)
	if before.Refresh != 900 {
		t.Errorf("pages that take turns: told to come in %d s, want 900", before.Refresh)
	}
	if status, body := p.post("/page?view=reader", `{"page": "solar", "hold": 700}`); status != http.StatusOK {
		t.Fatalf("got %d %s", status, body)
	}
	after := p.tells(ask...)
	if after.Refresh > 702 || after.Refresh < 30 || after.Name == before.Name {
		t.Errorf("a page for 700 seconds: got %+v after %+v", after, before)
	}
}

// noonZone returns a time zone in which it is between 12:00 and 13:00 now. `name` is the name of this zone. The test avoids midnight,
// because every view updates its dates at midnight.
func noonZone(t *testing.T) (name string, zone *time.Location) {
	t.Helper()
	name = fmt.Sprintf("Etc/GMT%+d", time.Now().UTC().Hour()-12) // Etc/GMT+1 is an hour behind UTC
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return name, zone
}

// TestReadersComeWhenItIsDue checks the time at which an answer asks an e-reader to return. This is when the time window of a page opens,
// or when an event of a calendar on the shown page begins. Events on hidden pages do not count.
func TestReadersComeWhenItIsDue(t *testing.T) {
	t.Parallel()
	name, zone := noonZone(t)
	now := time.Now().In(zone)
	soon, begins := now.Add(9*time.Minute).Truncate(time.Minute), now.Add(6*time.Minute).Truncate(time.Second)
	ics := "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:Tea\nDTSTART:" + begins.UTC().Format("20060102T150405Z") + "\nDURATION:PT1H\nEND:VEVENT\nEND:VCALENDAR\n"
	window := soon.Format("15:04") + "-" + soon.Add(2*time.Hour).Format("15:04")
	for title, tt := range map[string]struct {
		wall string
		want time.Time
	}{
		"a window of a page":                   {"widgets:\n  - widget: pages\n    children:\n      - {widget: empty, name: home, color: white}\n      - {widget: empty, name: solar, when: {time: \"" + window + "\"}}\n", soon},
		"an event":                             {"widgets: [{widget: agenda}]\n", begins},
		"the next event":                       {"widgets: [{widget: nextevent, free: yes, busy: no}]\n", begins},
		"an event of a page that is not shown": {"widgets:\n  - widget: pages\n    dwell: 1h\n    children:\n      - {widget: empty, color: white}\n      - {widget: agenda}\n", time.Time{}},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			port := freePort(t)
			f := readersWall(port, tt.wall, "      pi: {view: reader, token: raspberry-123, refresh: 2h}\n")
			f["conf.yaml"] = "timezone: " + name + "\n" + f["conf.yaml"]
			f["family.ics"], f["providers.yaml"] = ics, "providers:\n  family: {type: calendar, calendars: [{name: Anna, path: family.ics}]}\n"
			p := start(t, port, f)
			ask := []string{"GET /api/display HTTP/1.1", "Host: HOST", "access-token: raspberry-123"}
			p.serves("/frame", http.StatusOK)
			if tt.want.IsZero() {
				eventually(t, "the calendar", func() bool { return p.measure(`dashboard_provider_age_seconds{provider="family"}`) > 0 })
				if got := p.tells(ask...).Refresh; got != 7200 {
					t.Errorf("told to come in %d s, want 7200", got)
				}
				return
			}
			var early, late time.Time // limits of the requested return; the time of the answer is unknown
			eventually(t, "being told to come sooner", func() bool {
				asked := time.Now()
				wait := p.tells(ask...).Refresh
				early, late = asked.Add(time.Duration(wait)*time.Second), time.Now().Add(time.Duration(wait)*time.Second)
				return wait < 7200
			})
			if late.Before(tt.want) || early.After(tt.want.Add(time.Minute)) {
				t.Errorf("told to come from %v to %v, want %v", early, late, tt.want)
			}
		})
	}
}

// TestReadersAsleep checks that an invalid sleep window is reported with its position. If a sleep
// window includes the current time, the device sleeps until the window ends.
func TestReadersAsleep(t *testing.T) {
	dir := t.TempDir()
	f := readersWall(5000, letters("Hello"), "      pi: {view: reader, token: raspberry-123, sleep: 23-late}\n")
	f.write(t, dir)
	if status, out, errs := command(t, "check", dir); status == 0 || !strings.Contains(out+errs, "conf.yaml:11:55: error: outputs[2].devices.pi.sleep: must be a time such as") {
		t.Errorf("got %d %s %s", status, out, errs)
	}
	port := freePort(t)
	p := start(t, port, readersWall(port, letters("Hello"), "      pi: {view: reader, token: raspberry-123, sleep: 00:00-24:00}\n"))
	p.serves("/frame", http.StatusOK)
	left := func() int { // seconds until midnight
		now := time.Now()
		return int(time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, now.Location()).Sub(now).Seconds())
	}
	most, got, least := 0, 0, 1
	for most < least { // repeat if midnight passed during the request
		most = left()
		got = p.tells("GET /api/display HTTP/1.1", "Host: HOST", "access-token: raspberry-123").Refresh
		least = left()
	}
	if got > most+2 || got < least-60 && least > 120 {
		t.Errorf("told to come in %d s, want %d to %d", got, least, most)
	}
}
