package calendar

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	fake "dashboard/internal/testing/homeassistanttest"
)

// The type rooms implements Home for a Home Assistant with an address and a token.
type rooms struct{ url, token string }

func (r rooms) Key() string { return r.url }

func (r rooms) Calendar(id string, from, to time.Time) (fetch.Request, error) {
	if !strings.HasPrefix(id, "calendar.") {
		return fetch.Request{}, fmt.Errorf("%s is no calendar", id)
	}
	return fetch.Request{
		URL:  r.url + "/api/calendars/" + id + "?start=" + from.UTC().Format(time.RFC3339) + "&end=" + to.UTC().Format(time.RFC3339),
		Auth: fetch.Auth{Bearer: r.token},
	}, nil
}

// atHome returns a provider for calendars of a Home Assistant. The clock of the provider shows noon.
func atHome(t *testing.T, url, token string, ids ...string) *Provider {
	t.Helper()
	p := Params{UpdateInterval: value.Duration(15 * time.Minute)}
	p.Timeout = value.Duration(time.Minute)
	for i, id := range ids {
		p.Calendars = append(p.Calendars, Entry{Name: fmt.Sprint("c", i+1), Kind: "event", Entity: id})
	}
	c, err := New(p, Env{Client: fetch.New(&fetch.Options{}), Zone: time.FixedZone("CEST", 7200), Home: rooms{url, token}})
	if err != nil {
		t.Fatal(err)
	}
	c.now = func() time.Time { return noon }
	return c
}

// entry returns an event as Home Assistant sends it.
func entry(title, key, start, end string) map[string]any {
	return map[string]any{
		"start": map[string]any{key: start}, "end": map[string]any{key: end}, "summary": title, "description": nil, "location": nil, "uid": "series", "recurrence_id": nil, "rrule": nil,
	}
}

// TestEntity: the events of an entity are shown like the events of other calendars. The texts of the events are unchanged.
func TestEntity(t *testing.T) {
	hard := entry("Hat, coat; \\ and\nboots", "dateTime", "2026-05-14T19:00:00+02:00", "2026-05-14T20:00:00+02:00")
	hard["location"] = "Hall\r\nEND:VEVENT\r\nBEGIN:VEVENT"
	s := &fake.Server{Calendars: map[string][]any{"calendar.family": {
		entry("Swim", "dateTime", "2026-05-14T15:00:00+02:00", "2026-05-14T16:00:00+02:00"), entry("Swim", "dateTime", "2026-05-21T15:00:00+02:00", "2026-05-21T16:00:00+02:00"),
		entry("Trip", "date", "2026-05-15", "2026-05-17"), hard, entry("Never", "dateTime", "soon", "later"),
	}}}
	srv := httptest.NewServer(s)
	defer srv.Close()
	a, err := atHome(t, srv.URL, fake.Token, "calendar.family").once(t)
	if err != nil {
		t.Fatal(err)
	}
	if got := a.titles(); got != "Swim Hat, coat; \\ and\nboots Trip Swim" {
		t.Fatalf("got %q", got)
	}
	swim, trip := a.Events[0], a.Events[2]
	if !swim.Start.Equal(time.Date(2026, 5, 14, 13, 0, 0, 0, time.UTC)) || swim.AllDay || !trip.AllDay || trip.End.Sub(trip.Start) != 48*time.Hour {
		t.Errorf("got %+v, %+v", swim, trip)
	}
	if got := a.Events[1].Location; got != "Hall\nEND:VEVENT\nBEGIN:VEVENT" {
		t.Errorf("the place: got %q", got)
	}
	for name, tt := range map[string]struct{ token, id, want string }{
		"token": {"wrong-secret", "calendar.family", "401"}, "unknown": {fake.Token, "calendar.attic", "404"},
	} {
		_, err := atHome(t, srv.URL, tt.token, tt.id).once(t)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
}

// TestHostileHome: an answer that is not a list of events is rejected, and the previous events stay.
func TestHostileHome(t *testing.T) {
	many := make([]any, maxEntityEvents+1)
	for i := range many {
		many[i] = entry("x", "date", "2026-05-15", "2026-05-16")
	}
	much, err := json.Marshal(many)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{"html": "<html>", "object": "{}", "null": "null", "half": `[{"start": {"date": "2026-05-`, "many": string(much), "bomb": "[" + strings.Repeat(" ", 20<<20)}
	good, err := json.Marshal([]any{entry("Swim", "date", "2026-05-14", "2026-05-15")})
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range answers {
		answer := string(good)
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(answer)) }))
		p := atHome(t, srv.URL, "t", "calendar.family")
		if a, err := p.once(t); err != nil || a.titles() != "Swim" {
			t.Errorf("%s: at first: got %v, %v", name, a.titles(), err)
		}
		answer, p.due = bad, time.Time{}
		if a, err := p.once(t); err == nil || a.titles() != "Swim" {
			t.Errorf("%s: got %v, %v", name, a.titles(), err)
		}
		srv.Close()
	}
}

func FuzzCalendarOf(f *testing.F) {
	f.Add([]byte(`[{"start":{"dateTime":"2026-05-14T15:00:00+02:00"},"end":{"date":"2026-05-14"},"summary":"a\\,b"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := calendarOf(data)
		if err == nil && strings.Count(string(text), "\nBEGIN:VEVENT\r") != strings.Count(string(text), "\nEND:VEVENT\r") {
			t.Errorf("an event broke out: %q", text)
		}
	})
}

// TestKeptEntity restores a calendar of Home Assistant. Such a calendar has no path. The provider must not treat the missing path as the
// wall's folder and read the files in the folder.
func TestKeptEntity(t *testing.T) {
	p := atHome(t, "http://127.0.0.1:1", "", "calendar.family")
	dir := t.TempDir()
	other := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:" + noon.UTC().Format("20060102T150405Z") + "\r\nSUMMARY:Another\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	if err := os.WriteFile(filepath.Join(dir, "other.ics"), []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	p.files = folder.Dir(dir)
	v, err := p.Restore([]byte(`[{}]`), noon)
	if err != nil {
		t.Fatal(err)
	}
	if a := v.(*Agenda); len(a.Events) != 0 {
		t.Errorf("got the events %q of another calendar", a.titles())
	}
}
