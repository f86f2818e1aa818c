package calendar

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/testing/hostiletest"
	"dashboard/internal/testing/thorough"
	"dashboard/provider"
	"dashboard/provider/query"
)

// TestHostile: servers hang, send slowly, send wrong data, redirect, send half a file or send
// decompression bombs. The previous events and the other calendars stay.
func TestHostile(t *testing.T) {
	thorough.Only(t)
	var mode atomic.Value
	mode.Store("good")
	stop := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch mode.Load() {
		case "good":
			fmt.Fprint(w, feed(lunch))
		case "hang":
			hostiletest.Hang(stop)(w, r)
		case "drip":
			hostiletest.Drip(stop, http.StatusOK, "BEGIN:VCALENDAR\r\n", "X")(w, r)
		case "lie":
			w.Header().Set("Content-Type", "text/calendar")
			fmt.Fprint(w, "<!DOCTYPE html><html>please log in to BEGIN:VCALENDAR</html>")
		case "longer":
			w.Header().Set("Content-Length", "100000")
			fmt.Fprint(w, feed(dinner))
		case "redirect":
			http.Redirect(w, r, "/again"+r.URL.Path, http.StatusFound)
		case "elsewhere":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "half":
			fmt.Fprint(w, strings.TrimSuffix(feed(dinner), "END:VCALENDAR\r\n"))
		case "bomb":
			hostiletest.Bomb(http.StatusOK, "BEGIN:VCALENDAR\r\n", "\x00", 64<<20)(w, r)
		case "gone":
			http.Error(w, "no such calendar", http.StatusNotFound)
		}
	}))
	defer server.Close()
	defer close(stop)
	dir := t.TempDir()
	write(t, dir, map[string]string{"b.ics": feed(event("tea", "DTSTART:20260514T160000Z"))})
	p := in(t, time.UTC, noon, dir, Entry{Name: "Anna", URL: server.URL + "/private-token/a.ics?key=hush"}, Entry{Path: "b.ics"})
	if a, err := p.once(t); err != nil || a.titles() != "lunch tea" {
		t.Fatalf("got %v, %v", a.titles(), err)
	}
	for _, m := range []string{"hang", "drip", "lie", "longer", "redirect", "elsewhere", "half", "bomb", "gone"} {
		mode.Store(m)
		p.due = time.Time{}
		p.sources[0].request.Timeout = time.Minute
		if m == "hang" || m == "drip" { // only the timeout ends these requests
			p.sources[0].request.Timeout = 300 * time.Millisecond
		}
		a, err := p.once(t)
		if err == nil || !strings.HasPrefix(err.Error(), "Anna: ") || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: got the error %v", m, err)
		}
		if a.titles() != "lunch tea" {
			t.Errorf("%s: got %v", m, a.titles())
		}
	}
}

// TestMistakes: the error for an invalid Entry begins with the path of the entry in the configuration, such as calendars[0].
func TestMistakes(t *testing.T) {
	for want, e := range map[string]Entry{
		"one of url, path, caldav and entity": {Path: "a", URL: "https://h"},
		"under 'homeassistant' in conf.yaml":  {Entity: "calendar.family"},
		"needs one of url":                    {},
		"url: ":                               {URL: "gopher://h"},
		"use path for a file":                 {URL: "file:///a.ics"},
		"auth: needs bearer, basic":           {URL: "https://h", Auth: &query.Auth{}},
	} {
		e.Name = "Anna"
		_, err := New(Params{Calendars: []Entry{e}}, Env{})
		if err == nil || !strings.HasPrefix(err.Error(), "calendars[0]") || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := New(Params{Timezone: "Berlin"}, Env{}); err == nil || !strings.HasPrefix(err.Error(), "timezone: ") {
		t.Errorf("got %v", err)
	}
}

// TestSecretAddress: errors do not contain a secret address or an answer of its server.
func TestSecretAddress(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, err := in(t, time.UTC, noon, "", Entry{URL: server.URL + "/private-token/a.ics", URLSecret: true}).once(t)
	if err == nil || strings.Contains(err.Error(), "127.0.0.1") || strings.Contains(err.Error(), "private") {
		t.Errorf("got %v", err)
	}
}

// TestLarge reads a feed of 5 MB with many series. Reading the feed needs at most 60 MB of memory, and maxEvents events are kept.
func TestLarge(t *testing.T) {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\n")
	for i := 0; b.Len() < 5<<20; i++ {
		start := noon.AddDate(0, 0, -i%3000)
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:%d@example.org\r\nSUMMARY:Meeting %d\r\nDTSTART;TZID=Europe/Berlin:%s\r\nDURATION:PT1H\r\nDESCRIPTION:%s\r\n", i, i, start.Format("20060102T150405"), strings.Repeat("words ", 30))
		if i%20 == 0 {
			b.WriteString("RRULE:FREQ=WEEKLY\r\n")
		}
		b.WriteString("END:VEVENT\r\n")
	}
	b.WriteString("END:VCALENDAR\r\n")
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.ics": b.String()})
	p := in(t, time.UTC, noon, dir, Entry{Path: "a.ics"})
	// Garbage is collected more often than usual, because garbage stays longer in memory on a busy machine.
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	peak := make(chan uint64)
	done := make(chan struct{})
	go func() {
		most := uint64(0)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
			select {
			case <-done:
				peak <- most
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	began := time.Now()
	a, err := p.once(t)
	took := time.Since(began)
	close(done)
	top := int64(<-peak) - int64(before.HeapAlloc)
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("%d events, %d left out, in %v; at most %d MB, %d MB kept", len(a.Events), a.Left, took, top>>20, (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>20)
	if err != nil || len(a.Events) != maxEvents || a.Left == 0 {
		t.Errorf("got %d events, %d left out, %v", len(a.Events), a.Left, err)
	}
	if top > 60<<20 {
		t.Errorf("took %d MB", top>>20)
	}
	runtime.KeepAlive(p)
}

// TestTooMuch: a calendar that exceeds the common memory limit is dropped, and all other calendars stay.
func TestTooMuch(t *testing.T) {
	thorough.Only(t)
	dir := t.TempDir()
	big := feed(lunch) + strings.Repeat("\r\n", 15<<20/2)
	write(t, dir, map[string]string{"a.ics": big, "b.ics": big, "c.ics": big, "d.ics": feed(dinner)})
	p := in(t, time.UTC, noon, dir, Entry{Path: "a.ics"}, Entry{Path: "b.ics"}, Entry{Path: "c.ics"}, Entry{Path: "d.ics"})
	a, err := p.once(t)
	if err == nil || !strings.HasPrefix(err.Error(), "c3: the calendars together") || a.titles() != "lunch lunch dinner" {
		t.Errorf("got %v, %v", a.titles(), err)
	}
}

// TestRetries: failed readings are repeated sooner than usual, with growing pauses. The pauses do not become longer if the clock is set
// back.
func TestRetries(t *testing.T) {
	now := noon
	p := in(t, time.UTC, now, t.TempDir(), Entry{Path: "gone.ics"})
	p.now = func() time.Time { return now }
	cell := provider.NewCell(nil)
	var waits []time.Duration
	for range 6 {
		p.step(t.Context(), cell)
		waits = append(waits, p.due.Sub(now))
		now = p.due
	}
	if got := fmt.Sprint(waits); got != "[1m0s 2m0s 4m0s 8m0s 15m0s 15m0s]" {
		t.Errorf("got %v", got)
	}
	now = now.AddDate(-1, 0, 0)
	if p.step(t.Context(), cell); p.due.Sub(now) > 15*time.Minute {
		t.Errorf("after a clock went back a year it waits for %v", p.due.Sub(now))
	}
}
