package fetch

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "120": 2 * time.Minute, "0": 0, "-5": 0, "soon": 0, "1.5": 0,
		"Wed, 01 Jul 2026 12:05:00 GMT": 5 * time.Minute,
		"Wed, 01 Jul 2026 11:00:00 GMT": 0,
		"4294967295":                    maxRetryAfter,
		"4294967296":                    maxRetryAfter,
		"99999999999999999999999":       maxRetryAfter,
	} {
		if got := retryAfter(http.Header{"Retry-After": {header}}, now); got != want {
			t.Errorf("%q: got %v, want %v", header, got, want)
		}
	}
}

// TestSlowClock: the times in a response count from the time of the server if the clock of this machine is behind. If the clock is ahead, they
// count from this clock.
func TestSlowClock(t *testing.T) {
	sent := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	at := func(d time.Duration) []string { return []string{sent.Add(d).Format(http.TimeFormat)} }
	h := http.Header{"Date": at(0), "Expires": at(40 * time.Minute), "Retry-After": at(5 * time.Minute)}
	for name, c := range map[string]struct {
		now          time.Time
		valid, pause time.Duration
	}{
		"right":         {sent, 40 * time.Minute, 5 * time.Minute},
		"a night late":  {sent.Add(-9 * time.Hour), 40 * time.Minute, 5 * time.Minute},
		"before 1970":   {time.Unix(0, 0), 40 * time.Minute, 5 * time.Minute},
		"minutes ahead": {sent.Add(3 * time.Minute), 37 * time.Minute, 2 * time.Minute},
	} {
		if valid, pause := expires(h, c.now).Sub(c.now), retryAfter(h, c.now); valid != c.valid || pause != c.pause {
			t.Errorf("%s: got %v and %v, want %v and %v", name, valid, pause, c.valid, c.pause)
		}
	}
	h.Del("Date")
	if got := expires(h, sent.Add(-time.Hour)); !got.Equal(sent.Add(40 * time.Minute)) {
		t.Errorf("without a date: got %v", got)
	}
}

// TestRetryAfterIsTold checks that the errors of Do and Stream contain the pause that a server requires.
func TestRetryAfterIsTold(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "90")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer s.Close()
	c := New(&Options{})
	defer c.CloseIdle()
	resp, err := c.Do(t.Context(), &Request{URL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	_, streamed := c.Stream(t.Context(), &Request{URL: s.URL})
	for _, err := range []error{resp.Check(), streamed} {
		var asks interface{ RetryAfter() time.Duration }
		if !errors.As(err, &asks) || asks.RetryAfter() != 90*time.Second {
			t.Errorf("got %v", err)
		}
	}
}
