package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A simulated is a wall that answers like a real wall, unless it is dead.
type simulated struct {
	key   string
	stale int
	extra string // further fields of the report
	dead  atomic.Bool
	asked atomic.Int32
	got   atomic.Pointer[string] // last action that it received
}

func (w *simulated) RoundTrip(r *http.Request) (*http.Response, error) {
	w.asked.Add(1)
	if w.dead.Load() {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	rec := httptest.NewRecorder()
	switch {
	case r.URL.Path == "/healthz":
		providers := strings.TrimSuffix(strings.Repeat(`{"stale":true},`, w.stale), ",")
		fmt.Fprintf(rec, `{"success":true,"version":"1.6.0","providers":[%s],"stream":{"seconds_since_published":7}%s}`, providers, w.extra)
	case w.key != "" && r.Header.Get("Authorization") != "Bearer "+w.key:
		rec.WriteHeader(http.StatusUnauthorized)
		rec.WriteString(`{"error":"a valid token is required","success":false}`)
	case r.URL.Path == "/frame":
		rec.Header().Set("Content-Type", "image/jpeg")
		rec.WriteString("picture")
	default:
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body)
		said := fmt.Sprint(r.Method, " ", r.URL.Path, " ", body)
		w.got.Store(&said)
		rec.WriteString(`{"success":true}`)
	}
	return rec.Result(), nil
}

// A network passes each request to the wall with the request's host.
type network map[string]*simulated

func (n network) RoundTrip(r *http.Request) (*http.Response, error) {
	w := n[r.URL.Host]
	if w == nil {
		return nil, fmt.Errorf("no route to %s", r.URL.Host)
	}
	return w.RoundTrip(r)
}

// sixteen returns a fleet that finds sixteen walls, the network with the walls, and a function that ends the fleet.
func sixteen(t *testing.T) (*Fleet, network, context.CancelFunc) {
	t.Helper()
	n, found := network{}, []Address{}
	for i := range 16 {
		host := fmt.Sprintf("10.0.0.%d:5000", i+1)
		n[host] = &simulated{}
		found = append(found, Address{Name: fmt.Sprintf("Wall %02d", i), URL: "http://" + host})
	}
	f := New(Parts{Client: &http.Client{Transport: n}, Browse: func(ctx context.Context, changed func([]Address)) error {
		changed(found)
		<-ctx.Done()
		return nil
	}})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { f.Run(ctx); close(done) }()
	return f, n, func() { cancel(); <-done }
}

// settle runs the fleet for the time d, in which a user views the page. It returns the walls of the fleet.
func settle(f *Fleet, d time.Duration) []Wall {
	for ; d > 0; d -= 5 * time.Second {
		time.Sleep(5 * time.Second)
		synctest.Wait()
		f.Look()
	}
	return f.Look()
}

// TestSixteenWalls: all walls have a picture and a version. A wall that is killed is silent within a minute, and is first in the list. No
// requests are sent while no user views the page.
func TestSixteenWalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, n, end := sixteen(t)
		defer end()
		n["10.0.0.3:5000"].stale = 2
		f.Look()
		all := settle(f, 20*time.Second)
		if len(all) != 16 || all[0].Name != "Wall 02" || all[0].Stale != 2 {
			t.Fatalf("got %d walls, the first %+v; want 16, the stale one first", len(all), all[0])
		}
		for _, w := range all {
			if _, kind, ok := f.Picture(w.ID); !ok || kind != "image/jpeg" || w.Version != "1.6.0" || w.Silent || w.Painted.IsZero() {
				t.Errorf("%s: got %+v, picture %v", w.Name, w, ok)
			}
		}
		killed := time.Now()
		n["10.0.0.9:5000"].dead.Store(true)
		for !f.Look()[0].Silent {
			if settle(f, 5*time.Second); time.Since(killed) > time.Minute {
				t.Fatal("the dead wall is not silent after a minute")
			}
		}
		if first := f.Look()[0]; first.Name != "Wall 08" || first.Answered.After(killed) {
			t.Errorf("got %+v first, want the dead wall with its last answer", first)
		}
		n["10.0.0.9:5000"].dead.Store(false)
		if all := settle(f, 20*time.Second); all[0].Silent {
			t.Errorf("the wall is back, and still silent: %+v", all[0])
		}
		time.Sleep(Rest + 2*Every)
		synctest.Wait()
		before := n["10.0.0.1:5000"].asked.Load()
		time.Sleep(5 * time.Minute)
		if after := n["10.0.0.1:5000"].asked.Load(); after != before {
			t.Errorf("%d requests while nobody looked", after-before)
		}
	})
}

// TestRestartForUpdate: a wall that is being updated is not silent while it restarts. If it does not come back, it becomes silent after a
// few minutes. When it answers again, it is no longer restarting.
func TestRestartForUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, n, end := sixteen(t)
		defer end()
		n["10.0.0.9:5000"].extra = `,"update":{"latest":"1.7.0","phase":"trial","percent":100}`
		f.Look()
		settle(f, 20*time.Second)
		killed := time.Now()
		n["10.0.0.5:5000"].dead.Store(true)
		n["10.0.0.9:5000"].dead.Store(true)
		all := settle(f, time.Minute)
		if !all[0].Silent || all[0].Restarting || all[0].Name != "Wall 04" {
			t.Errorf("without an update: got %+v first, want a silent wall", all[0])
		}
		if all[1].Silent || !all[1].Restarting || all[1].Name != "Wall 08" {
			t.Errorf("during an update: got %+v, want a wall that restarts", all[1])
		}
		all = settle(f, time.Until(killed.Add(Restart+Every)))
		if !all[1].Silent || all[1].Restarting || all[1].Name != "Wall 08" {
			t.Errorf("after %v: got %+v, want a silent wall", Restart, all[1])
		}
		time.Sleep(Rest + time.Second) // nobody looks, so no requests are sent
		f.Look()
		if all = settle(f, time.Minute); !all[1].Silent || all[1].Restarting {
			t.Errorf("at the next visit: got %+v, want a silent wall", all[1])
		}
		n["10.0.0.9:5000"].extra = ""
		n["10.0.0.9:5000"].dead.Store(false)
		for _, w := range settle(f, 20*time.Second) {
			if w.Name == "Wall 08" && (w.Silent || w.Restarting) {
				t.Errorf("after the update: got %+v", w)
			}
		}
	})
}

// TestActionOnSeveral: each wall has its own result: success, a rejection with the reason of the wall, or no answer after three attempts.
func TestActionOnSeveral(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, n, end := sixteen(t)
		defer end()
		n["10.0.0.2:5000"].key = "secret"
		f.Look()
		all := settle(f, 20*time.Second)
		n["10.0.0.5:5000"].dead.Store(true)
		ids := []string{all[0].ID, all[1].ID, all[4].ID}
		got, err := f.Do(t.Context(), ids, "POST", "/notify", []byte(`{"text":"Dinner is ready"}`))
		if err != nil || len(got) != 3 || !got[0].OK || got[1].OK || got[1].Reason != "a valid token is required" || got[2].OK || got[2].Reason != "no answer" {
			t.Fatalf("got %+v, %v", got, err)
		}
		if said := n["10.0.0.1:5000"].got.Load(); said == nil || *said != "POST /notify map[text:Dinner is ready]" {
			t.Errorf("the first wall got %v", said)
		}
		if !all[1].Locked {
			t.Errorf("got %+v, want a locked wall", all[1])
		}
		if err := f.Keep(all[1].ID, "secret"); err != nil {
			t.Fatal(err)
		}
		if all := settle(f, 20*time.Second); all[1].Locked || !all[1].Keyed {
			t.Errorf("got %+v with the token", all[1])
		}
		if got, err := f.Do(t.Context(), ids[1:2], "POST", "/reload", nil); err != nil || !got[0].OK {
			t.Errorf("got %+v, %v with the token", got, err)
		}
		if _, err := f.Do(t.Context(), []string{"none"}, "POST", "/reload", nil); err != ErrUnknown {
			t.Errorf("an unknown wall: got %v", err)
		}
	})
}

// TestFleetIsBounded: thousands of walls with hostile names and addresses do not exceed the limits. A token is sent only to the address
// for which it was entered.
func TestFleetIsBounded(t *testing.T) {
	f := New(Parts{Client: &http.Client{Transport: network{}}})
	var flood []Address
	for i := range 5000 {
		flood = append(flood, Address{Name: strings.Repeat("x", 4000), URL: fmt.Sprintf("http://10.1.%d.%d:5000/?token=x", i/250, i%250)})
	}
	flood = append(flood, Address{Name: "file", URL: "file:///etc/passwd"}, Address{Name: "user", URL: "http://a:b@10.0.0.1/"})
	f.discovered(flood)
	all := f.Look()
	if len(all) != MaxWalls || len(all[0].Name) > maxName || strings.Contains(all[0].URL, "?") {
		t.Errorf("got %d walls, the first %q at %s", len(all), all[0].Name, all[0].URL)
	}
	if err := f.Keep(all[0].ID, "line\nbreak"); err != ErrKey {
		t.Errorf("a token with a line break: got %v", err)
	}
	if err := f.Keep(all[0].ID, strings.Repeat("k", MaxKey+1)); err != ErrKey {
		t.Errorf("a long token: got %v", err)
	}
	_ = f.Keep(all[0].ID, "secret")
	f.discovered([]Address{{Name: all[0].Name, URL: "http://10.9.9.9:5000"}})
	for _, w := range f.Look() {
		if w.token != "" && w.URL != all[0].URL {
			t.Errorf("the token went on to %s", w.URL)
		}
	}
}
