package calendar

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/provider/query"
)

// TestAsked: the server does not send unchanged calendars again. Each request has the credentials of its calendar, and the scheme webcal
// becomes https.
func TestAsked(t *testing.T) {
	sent := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, word, _ := r.BasicAuth(); name != "me" || word != "hush" {
			http.Error(w, "who?", http.StatusUnauthorized)
			return
		}
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") == `"1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		sent++
		fmt.Fprint(w, feed(lunch))
	}))
	defer server.Close()
	p := in(t, time.UTC, noon, "", Entry{URL: server.URL, Auth: &query.Auth{Basic: &query.Basic{Username: "me", Password: "hush"}}})
	for range 3 {
		p.due = time.Time{}
		if a, err := p.once(t); err != nil || a.titles() != "lunch" {
			t.Errorf("got %v, %v", a.titles(), err)
		}
	}
	if sent != 1 {
		t.Errorf("sent %d times", sent)
	}
	if got := in(t, time.UTC, noon, "", Entry{URL: "WebCal://h/a.ics"}).sources[0].request.URL; got != "https://h/a.ics" {
		t.Errorf("got %s", got)
	}
}

// TestCalDAV combines a CalDAV server with files. If the server is down during a restart of the wall, the server's events are still
// shown.
func TestCalDAV(t *testing.T) {
	const multi = `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/dav/</d:href><d:propstat><d:prop>%s</d:prop></d:propstat></d:response></d:multistatus>`
	reports := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, word, _ := r.BasicAuth(); name != "me" || word != "hush" {
			http.Error(w, "who?", http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusMultiStatus)
		if r.Method == "PROPFIND" {
			fmt.Fprintf(w, multi, `<d:resourcetype><c:calendar/></d:resourcetype><d:sync-token>7</d:sync-token><c:supported-calendar-component-set><c:comp name="VEVENT"/></c:supported-calendar-component-set>`)
			return
		}
		reports++
		fmt.Fprintf(w, multi, "<c:calendar-data>"+strings.ReplaceAll(feed(lunch, broken), "\r", "&#13;")+"</c:calendar-data>")
	}))
	dir := t.TempDir()
	write(t, dir, map[string]string{"b.ics": feed(dinner)})
	entries := []Entry{{Name: "Anna", CalDAV: server.URL + "/dav/", Auth: &query.Auth{Basic: &query.Basic{Username: "me", Password: "hush"}}}, {Name: "Ben", Path: "b.ics"}}
	p := in(t, time.UTC, noon, dir, entries...)
	for range 3 {
		p.due = time.Time{}
		if a, err := p.once(t); err != nil || a.titles() != "lunch dinner" || a.Left != 1 {
			t.Fatalf("got %v, %v", a.titles(), err)
		}
	}
	if reports != 1 {
		t.Errorf("what did not change was asked for %d times", reports)
	}
	data, err := p.Kept(nil)
	server.Close()
	if err != nil {
		t.Fatal(err)
	}
	next := in(t, time.UTC, noon, dir, entries...)
	read := noon.Add(-time.Hour)
	v, err := next.Restore(data, read)
	if a, _ := v.(*Agenda); err != nil || a.titles() != "lunch dinner" || !next.looked.Equal(read) {
		t.Errorf("kept: read at %v, want %v, %v", next.looked, read, err)
	}
	if a, err := next.once(t); err == nil || a.titles() != "lunch dinner" || strings.Contains(err.Error(), "hush") {
		t.Errorf("without the server: got %v, %v", a.titles(), err)
	}
	if _, err := New(Params{Calendars: []Entry{{Name: "A", CalDAV: "gopher://h"}}}, Env{}); err == nil || !strings.Contains(err.Error(), "caldav: ") {
		t.Errorf("got %v", err)
	}
}

// TestColorOfServer: a calendar has the color of its CalDAV server, unless the configuration sets a color. A changed color on the server
// changes the calendar's color.
func TestColorOfServer(t *testing.T) {
	var color atomic.Value
	color.Store("#ff2968")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := `<d:response><d:href>/</d:href><d:propstat><d:prop><d:resourcetype><c:calendar/></d:resourcetype><a:calendar-color>` + color.Load().(string) +
			`</a:calendar-color></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
		if r.Method == "REPORT" {
			body = `<d:response><d:propstat><d:prop><c:calendar-data>` + feed(lunch) + `</c:calendar-data></d:prop></d:propstat></d:response>`
		}
		w.WriteHeader(http.StatusMultiStatus)
		fmt.Fprint(w, `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:a="http://apple.com/ns/ical/">`+body+`</d:multistatus>`)
	}))
	defer server.Close()
	p := in(t, time.UTC, noon, t.TempDir(), Entry{CalDAV: server.URL}, Entry{CalDAV: server.URL, Color: "good"})
	colors := func(a *Agenda) string { return a.Calendars[0].Color + " " + a.Calendars[1].Color }
	first, err := p.once(t)
	if err != nil || colors(first) != "#ff2968 good" || first.Events[0].Calendar != first.Calendars[0] {
		t.Fatalf("got %v, %v", first, err)
	}
	color.Store("#0082c9")
	p.due = time.Time{}
	second, err := p.once(t)
	if err != nil || colors(second) != "#0082c9 good" || colors(first) != "#ff2968 good" {
		t.Errorf("after a change: got %s, %v; the agenda before has %s", colors(second), err, colors(first))
	}
}
