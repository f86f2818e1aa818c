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
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: got %v, want %v", header, got, want)
		}
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
