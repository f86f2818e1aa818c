package rest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
)

// After an unusable answer, the server is requested without the old ETag. With the old ETag, the
// server would report that nothing has changed.
func TestNoStaleTagAfterAnError(t *testing.T) {
	var tags []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tags = append(tags, r.Header.Get("If-None-Match"))
		w.Header().Set("ETag", `"1"`)
		if len(tags) == 2 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		fmt.Fprint(w, len(tags))
	}))
	defer server.Close()
	c, err := (&Params{URL: server.URL}).Config(ask.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	client := fetch.New(nil)
	defer client.CloseIdle()
	p := New(c, client)
	var results []provider.Outcome
	for range 4 {
		results = append(results, p.Try(t.Context(), true).Outcome)
	}
	if want := []string{"", `"1"`, "", `"1"`}; fmt.Sprint(tags) != fmt.Sprint(want) {
		t.Errorf("sent the tags %q, want %q (%v)", tags, want, results)
	}
}

// The interval that the provider promises includes the jitter, so a value that arrives in time is not stale.
func TestPromiseHasRoomForJitter(t *testing.T) {
	c, err := (&Params{URL: "http://h/", UpdateInterval: value.Duration(10 * time.Second), Keys: ask.Keys{Jitter: value.Duration(20 * time.Second)}}).Config(ask.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	cell := provider.NewCell(nil)
	ctx := t.Context()
	done := make(chan struct{})
	client := fetch.NewWith(roundTrip(func(*http.Request) (*http.Response, error) { close(done); <-ctx.Done(); return nil, ctx.Err() }))
	go New(c, client).Run(ctx, cell)
	<-done
	if got := cell.Load().Interval; got.Seconds() != 30 {
		t.Errorf("promised %v, want 30s", got)
	}
}
