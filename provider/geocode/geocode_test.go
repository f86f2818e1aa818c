package geocode

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/state"
	"dashboard/internal/testing/hostiletest"
)

func geocoder(t *testing.T, asked *atomic.Int32, answer string, status int) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if name := r.URL.Query().Get("name"); name != "London" && name != "Nowhere" {
			t.Errorf("asked for %q", name)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestFoundOnce: a name is requested only once, even if it is needed many times. It is not requested again after a restart.
func TestFoundOnce(t *testing.T) {
	var asked atomic.Int32
	base := geocoder(t, &asked, `{"results":[{"name":"London","latitude":51.50853,"longitude":-0.12574,"timezone":"Europe/London"},{"name":"London","latitude":42.98}]}`, 200)
	store, err := state.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second round is after a restart
		a := NewAtlas(fetch.New(nil), base, store)
		for range 2 {
			p, err := a.Find(context.Background(), "London")
			if err != nil || p != (Place{"London", 51.50853, -0.12574}) {
				t.Fatalf("got %v, %v", p, err)
			}
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times, want once", n)
	}
}

func TestNotFound(t *testing.T) {
	for answer, want := range map[string]string{
		`{"generationtime_ms":0.4}`:                   "knows no place named 'Nowhere'",
		`{"results":[]}`:                              "knows no place named 'Nowhere'",
		`{"results":[{}]}`:                            "no coordinates",
		`{"results":[{"latitude":91,"longitude":0}]}`: "not on earth",
		`<html>`: "no list of places",
	} {
		var asked atomic.Int32
		a := NewAtlas(fetch.New(nil), geocoder(t, &asked, answer, 200), nil)
		if _, err := a.Find(context.Background(), "Nowhere"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", answer, err, want)
		}
		if _, ok := a.Known("Nowhere"); ok {
			t.Errorf("%s: it is known all the same", answer)
		}
	}
	var asked atomic.Int32
	a := NewAtlas(fetch.New(nil), geocoder(t, &asked, "", 429), nil)
	var status *fetch.StatusError
	if _, err := a.Find(context.Background(), "London"); !errors.As(err, &status) {
		t.Errorf("got %v, want a 429", err)
	}
}

// TestHostile requests places from hostile servers. No place from these servers is accepted.
func TestHostile(t *testing.T) {
	client := fetch.New(nil)
	defer client.CloseIdle()
	hostiletest.Each(t, func(t *testing.T, url string, timeout time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		a := NewAtlas(client, url, nil)
		_, err := a.Find(ctx, "London")
		if _, ok := a.Known("London"); ok {
			t.Error("a place is known that nobody told")
		}
		return err
	})
}

// TestLargeAnswer: an answer larger than maxAnswer is rejected.
func TestLargeAnswer(t *testing.T) {
	const place, end = `{"results":[{"name":"London","latitude":51.5,"longitude":-0.1}]`, `}`
	for size, large := range map[int]bool{maxAnswer: false, maxAnswer + 1: true} {
		var asked atomic.Int32
		base := geocoder(t, &asked, place+strings.Repeat(" ", size-len(place)-len(end))+end, 200)
		client := fetch.New(nil)
		if _, err := NewAtlas(client, base, nil).Find(t.Context(), "London"); errors.Is(err, fetch.ErrTooLarge) != large || err != nil && !large {
			t.Errorf("%d bytes: got %v", size, err)
		}
		client.CloseIdle()
	}
}

// TestManyPlaces: the number of places in memory is limited, and the newest place is always in memory.
func TestManyPlaces(t *testing.T) {
	a := NewAtlas(nil, "", nil)
	for i := range 3 * maxKnown {
		name := fmt.Sprint("place ", i)
		a.rememberLocked(name, Place{Name: name})
		if _, ok := a.Known(name); !ok || len(a.known) > maxKnown {
			t.Fatalf("place %d: known %v, of %d; want at most %d", i, ok, len(a.known), maxKnown)
		}
	}
}
