package ask

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	"dashboard/provider"
)

// tagged is a network that always has the same long text with an ETag.
type tagged struct{}

// RoundTrip implements http.RoundTripper.
func (tagged) RoundTrip(q *http.Request) (*http.Response, error) {
	r := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Etag": {`"a"`}}, Body: io.NopCloser(strings.NewReader(strings.Repeat("x", 6000))), Request: q}
	if q.Header.Get("If-None-Match") == `"a"` {
		r.StatusCode, r.Body = http.StatusNotModified, http.NoBody
	}
	return r, nil
}

// An idle provider publishes nothing.
type idle struct{}

// Run implements provider.Provider.
func (idle) Run(ctx context.Context, _ *provider.Cell) error { <-ctx.Done(); return nil }

// A value that did not fit into the memory is requested again. An answer without a body does not count as this value.
func TestRefusedValueIsRequestedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := &budget.Memory{Jobs: budget.NewBudget(1), Bodies: budget.NewBudget(1 << 20), Kept: budget.NewLedger(10_000)}
		m := provider.NewManager(memory, func() {}, slog.New(slog.DiscardHandler))
		defer m.Close()
		source := &Source{Name: "test", Client: fetch.NewWith(tagged{}), Request: fetch.Request{URL: "http://h/"}, Schedule: Schedule{Interval: time.Minute}, Read: asText}
		set := m.Begin()
		other := set.Add("other", idle{})
		m.Commit(set)
		other.Publish(strings.Repeat("x", 6000), time.Now())
		cell := set.Add("source", source)
		for range 3 {
			synctest.Wait()
			if s := cell.Load(); s.Has() || !errors.Is(s.Err, budget.ErrTooLarge) {
				t.Errorf("without room: got %v, %v", s.Has(), s.Err)
			}
			time.Sleep(time.Minute)
		}
		other.Publish("", time.Now())
		time.Sleep(time.Minute)
		synctest.Wait()
		if s := cell.Load(); s.Err != nil || !s.Has() {
			t.Errorf("with room: got %v, %v", s.Has(), s.Err)
		}
	})
}
