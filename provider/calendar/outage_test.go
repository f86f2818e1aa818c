package calendar

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
)

// cutOff is a network that is down until a number of requests have failed. Then it answers with a status.
type cutOff struct{ failures, status int }

// RoundTrip implements http.RoundTripper.
func (c *cutOff) RoundTrip(r *http.Request) (*http.Response, error) {
	if c.failures--; c.failures >= 0 {
		return nil, errors.New("no route")
	}
	return &http.Response{StatusCode: c.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(feed(lunch))), Request: r}, nil
}

// TestLongOutage: a calendar that is read once a day is read soon after an outage of hours. If the server rejects the request, the next
// regular reading follows.
func TestLongOutage(t *testing.T) {
	const failures = 14
	for _, status := range []int{http.StatusOK, http.StatusNotFound} {
		p, err := New(Params{Calendars: []Entry{{Name: "c", URL: "http://h/a.ics", Show: "all", Kind: "event"}}, UpdateInterval: value.Duration(24 * time.Hour)},
			Env{Client: fetch.NewWith(&cutOff{failures: failures, status: status}), Zone: time.UTC})
		if err != nil {
			t.Fatal(err)
		}
		now, cell := noon, provider.NewCell(nil)
		p.now = func() time.Time { return now }
		for range failures {
			p.step(t.Context(), cell)
			now = p.due
		}
		p.step(t.Context(), cell)
		if took, most := now.Sub(noon), 7*time.Hour; took > most || p.looked.IsZero() != (status != http.StatusOK) {
			t.Errorf("status %d: the first answer came after %v, want at most %v: %v", status, took, most, cell.Load().Err)
		}
		if wait := p.due.Sub(now); status == http.StatusNotFound && wait < 24*time.Hour {
			t.Errorf("status %d: the next reading follows after %v", status, wait)
		}
	}
}

// TestOneDeadCalendar: a calendar whose server is gone does not make the other calendars of the provider be read more often.
func TestOneDeadCalendar(t *testing.T) {
	p, err := New(Params{UpdateInterval: value.Duration(24 * time.Hour), Calendars: []Entry{
		{Name: "dead", URL: "http://dead/a.ics", Show: "all", Kind: "event"}, {Name: "c", URL: "http://h/a.ics", Show: "all", Kind: "event"},
	}}, Env{Client: fetch.NewWith(deadHost{&cutOff{status: http.StatusOK}}), Zone: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	now, cell := noon, provider.NewCell(nil)
	p.now = func() time.Time { return now }
	for range retries + 1 {
		p.step(t.Context(), cell)
		now = p.due
	}
	p.step(t.Context(), cell)
	if wait := p.due.Sub(now); wait < 24*time.Hour {
		t.Errorf("the next reading follows after %v", wait)
	}
}

// deadHost is a transport that does not reach the host named dead.
type deadHost struct{ http.RoundTripper }

func (d deadHost) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == "dead" {
		return nil, errors.New("no such host")
	}
	return d.RoundTripper.RoundTrip(r)
}
