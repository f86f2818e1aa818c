package caldav

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/testing/radicaletest"
)

// The type counting counts requests by their method.
type counting map[string]int

func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c[r.Method]++
	return http.DefaultTransport.RoundTrip(r)
}

func titles(texts [][]byte) string {
	var all []string
	for _, t := range texts {
		for line := range strings.Lines(string(t)) {
			if s, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "SUMMARY:"); ok {
				all = append(all, s)
			}
		}
	}
	return strings.Join(all, " ")
}

var (
	from = time.Date(2026, 4, 4, 0, 0, 0, 0, time.UTC)
	to   = time.Date(2027, 6, 18, 0, 0, 0, 0, time.UTC)
)

// TestRadicale finds the calendars of a real server from the server's root, from the user's folder and from a calendar's address. The
// server does not send events outside of the range. Reading an unchanged calendar needs only one request. Changes on the server are
// noticed.
func TestRadicale(t *testing.T) {
	root := radicaletest.Start(t)
	radicaletest.MakeCalendar(t, root+"/me/work/", "VEVENT")
	radicaletest.MakeCalendar(t, root+"/me/shop/", "VTODO")
	radicaletest.Put(t, root+"/me/work/a.ics", "VEVENT", "lunch", "DTSTART:20260514T123000Z\r\nDTEND:20260514T133000Z")
	radicaletest.Put(t, root+"/me/work/b.ics", "VEVENT", "weekly", "DTSTART:20200106T090000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY")
	radicaletest.Put(t, root+"/me/work/c.ics", "VEVENT", "long-ago", "DTSTART:20200106T090000Z\r\nDURATION:PT1H")
	radicaletest.Put(t, root+"/me/shop/d.ics", "VTODO", "milk", "DUE:20200101T000000Z")
	who := fetch.Auth{Username: "me", Password: "hush"}
	for name, c := range map[string]struct {
		url, want string
		tasks     bool
	}{
		"the server":       {root, "lunch milk weekly", false},
		"the user":         {root + "/me/", "lunch milk weekly", false},
		"one calendar":     {root + "/me/work/", "lunch weekly", false},
		"tasks":            {root, "milk", true},
		"tasks of a list":  {root + "/me/shop/", "milk", true},
		"a page of others": {root + "/.web/", "lunch milk weekly", false},
	} {
		asked := counting{}
		s := New(fetch.NewWith(asked), fetch.Request{URL: c.url, Auth: who}, c.tasks)
		texts, err := s.Look(t.Context(), from, to)
		if got := sorted(titles(texts)); err != nil || got != c.want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, c.want)
		}
		clear(asked)
		if texts, err := s.Look(t.Context(), from, to); err != nil || sorted(titles(texts)) != c.want || asked["PROPFIND"] != 1 || len(asked) != 1 {
			t.Errorf("%s: a second look costs %v and brings %q, %v", name, asked, titles(texts), err)
		}
	}
	asked := counting{}
	s := New(fetch.NewWith(asked), fetch.Request{URL: root, Auth: who}, false)
	if _, err := s.Look(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
	state := s.State()
	radicaletest.Put(t, root+"/me/work/e.ics", "VEVENT", "tea", "DTSTART:20260515T123000Z\r\nDTEND:20260515T133000Z")
	clear(asked)
	if texts, err := s.Look(t.Context(), from, to); err != nil || sorted(titles(texts)) != "lunch milk tea weekly" || asked["REPORT"] != 1 {
		t.Errorf("after a change: got %q, %v, %v", titles(texts), err, asked)
	}
	if _, err := s.Look(t.Context(), from, to.Add(2*ahead)); err != nil || asked["REPORT"] != 2 {
		t.Errorf("two months later its events alone are asked for again: %v, %v", asked, err)
	}
	clear(asked)
	next := New(fetch.NewWith(asked), fetch.Request{URL: root, Auth: who}, false)
	next.Restore(state)
	if got := sorted(titles(next.Texts())); got != "lunch milk weekly" {
		t.Errorf("kept: got %q", got)
	}
	if texts, err := next.Look(t.Context(), from, to); err != nil || sorted(titles(texts)) != "lunch milk tea weekly" || asked["REPORT"] != 1 || asked["PROPFIND"] != 1 {
		t.Errorf("after a restart: got %q, %v, %v", titles(texts), err, asked)
	}
	radicaletest.Send(t, http.MethodDelete, root+"/me/shop/", "", "")
	if texts, err := s.Look(t.Context(), from, to); err != nil || sorted(titles(texts)) != "lunch tea weekly" {
		t.Errorf("after a calendar went: got %q, %v", titles(texts), err)
	}
	wrong := New(fetch.New(&fetch.Options{}), fetch.Request{URL: root, Auth: fetch.Auth{Username: "me", Password: "no"}}, false)
	if _, err := wrong.Look(t.Context(), from, to); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("with a wrong password: %v", err)
	}
}
