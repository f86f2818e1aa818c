package server

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/control/fleet"
	"dashboard/control/pairing"
)

// The type guarded is a wall with a control token and a screen that shows codes. It contains the data that is stored for the next start.
type guarded struct {
	*fixture
	shown string // code on the screen
	kept  []pairing.Device
}

// guardedWall returns a wall with a control token.
func guardedWall(t *testing.T) *guarded {
	t.Helper()
	b := &guarded{fixture: newFixture(t)}
	b.deps.HasScreen = func() bool { return true }
	b.deps.ShowPeer = func(code, _ string) { b.shown = code }
	b.restart()
	b.Configure(Settings{StreamOn: true, StreamToken: pointer("stream"), ControlToken: pointer("control")})
	return b
}

// restart makes a new list of peers from the stored data, as at a start.
func (b *guarded) restart() {
	b.deps.Peers = pairing.New()
	b.deps.Peers.Keep(b.kept, func(all []pairing.Device) error { b.kept = slices.Clone(all); return nil })
}

// A follower simulates another wall that pairs with the guarded wall. It records the requests that the other wall sends.
type follower struct {
	*fleet.Fleet
	wall *guarded
	id   string // id of the guarded wall in the other wall's list
	kept []fleet.Kept
	sent []*http.Request // requests with bodies that can be read again
}

// RoundTrip passes a request to the guarded wall.
func (f *follower) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	f.sent = append(f.sent, f.copy(r, body))
	w := httptest.NewRecorder()
	f.wall.Handler().ServeHTTP(w, f.copy(r, body))
	return w.Result(), nil
}

// copy returns a request as the guarded wall receives it.
func (f *follower) copy(r *http.Request, body []byte) *http.Request {
	got := httptest.NewRequest(r.Method, r.URL.RequestURI(), bytes.NewReader(body))
	got.Host, got.Header, got.RemoteAddr = r.URL.Host, r.Header.Clone(), "192.168.1.9:4000"
	return got
}

func newFollower(t *testing.T, b *guarded, kept []fleet.Kept) *follower {
	t.Helper()
	f := &follower{wall: b}
	f.Fleet = fleet.New(fleet.Parts{
		Client: &http.Client{Transport: f}, Kept: kept, Name: func() string { return "Kitchen" },
		Save: func(all []fleet.Kept) error { f.kept = slices.Clone(all); return nil },
	})
	var err error
	if f.id, err = f.Add("http://192.168.1.5:5000/"); err != nil {
		t.Fatal(err)
	}
	return f
}

// pair pairs a follower with the wall b. It enters the code that b shows.
func (f *follower) pair(t *testing.T, b *guarded) {
	t.Helper()
	if _, err := f.Ask(t.Context(), f.id); err != nil {
		t.Fatal(err)
	}
	if err := f.Enter(t.Context(), f.id, b.shown[:3]+" "+b.shown[3:]); err != nil {
		t.Fatal(err)
	}
}

// notify sends a message. If the message is refused, notify returns the reason.
func (f *follower) notify(t *testing.T) string {
	t.Helper()
	all, err := f.Do(t.Context(), []string{f.id}, "POST", "/notify", []byte(`{"widget":"note","text":"Dinner is ready"}`))
	if err != nil {
		t.Fatal(err)
	}
	return all[0].Reason
}

// TestPairWalls checks that a code pairs two walls only once. The key still works after a restart of either wall, and no request contains
// the key. The key allows only the actions of the page of all walls.
func TestPairWalls(t *testing.T) {
	b := guardedWall(t)
	f := newFollower(t, b, nil)
	if reason := f.notify(t); !strings.Contains(reason, "token is required") {
		t.Errorf("before: got %q", reason)
	}
	f.pair(t, b)
	if reason := f.notify(t); reason != "" {
		t.Fatalf("paired: got %q", reason)
	}
	if w := f.Look()[0]; !w.Paired || !w.Keyed || w.Name != "Dashboard" {
		t.Errorf("got %+v", w)
	}
	b.restart()
	again := newFollower(t, b, f.kept)
	if reason := again.notify(t); reason != "" {
		t.Errorf("after a restart of both: got %q", reason)
	}
	key := string(b.kept[0].Key)
	for _, r := range slices.Concat(f.sent, again.sent) {
		body, _ := io.ReadAll(r.Body)
		if len(key) != 32 || strings.Contains(r.Header.Get("Authorization"), key) || bytes.Contains(body, []byte(key)) {
			t.Errorf("%s %s has the key", r.Method, r.URL)
		}
	}
	for _, tt := range []struct{ method, path string }{
		{"GET", "/peers"}, {"DELETE", "/peers/" + b.kept[0].ID}, {"GET", "/devices"}, {"POST", "/values/x"}, {"GET", "/walls"}, {"PUT", "/walls"}, {"GET", "/edit"},
	} {
		if all, err := again.Do(t.Context(), []string{again.id}, tt.method, tt.path, nil); err != nil || all[0].OK {
			t.Errorf("%s %s: the key opens it, %v", tt.method, tt.path, err)
		}
	}
}

// TestReplayedWallRequest sends recorded requests again, with the same body and with another body. They are refused. The recorded
// requests of the pairing do not pair the walls again.
func TestReplayedWallRequest(t *testing.T) {
	b := guardedWall(t)
	f := newFollower(t, b, nil)
	f.pair(t, b)
	if reason := f.notify(t); reason != "" {
		t.Fatal(reason)
	}
	last := f.sent[len(f.sent)-1]
	b.notes.got = nil
	for _, body := range []string{`{"widget":"note","text":"Dinner is ready"}`, `{"widget":"note","text":"Leave the house"}`} {
		r := f.copy(last, []byte(body))
		w := httptest.NewRecorder()
		if b.Handler().ServeHTTP(w, r); w.Code != 401 {
			t.Errorf("body %s: got %d", body, w.Code)
		}
	}
	if b.notes.got != nil {
		t.Errorf("a recorded request showed %s", b.notes.got)
	}
	for _, r := range f.sent { // repeat the requests of the pairing, which contain the code and the secret
		if !strings.HasPrefix(r.URL.Path, "/peers") {
			continue
		}
		w := httptest.NewRecorder()
		if b.Handler().ServeHTTP(w, r); r.URL.Path == "/peers/code" && w.Code == 200 {
			t.Error("a code pairs twice")
		}
	}
}

// TestRevokedWall checks that a key can be revoked on both walls.
func TestRevokedWall(t *testing.T) {
	b := guardedWall(t)
	f := newFollower(t, b, nil)
	f.pair(t, b)
	var list struct{ Peers []struct{ ID, Name string } }
	w := b.asks("GET", "/peers", "control", "")
	if json.Unmarshal(w.Body.Bytes(), &list) != nil || len(list.Peers) != 1 || list.Peers[0].Name != "Kitchen" || strings.Contains(w.Body.String(), "key") {
		t.Fatalf("got %s", w.Body)
	}
	if w := b.asks("DELETE", "/peers/"+list.Peers[0].ID, "stream", ""); w.Code != 401 {
		t.Errorf("revoked with the stream token: %d", w.Code)
	}
	if w := b.asks("DELETE", "/peers/"+list.Peers[0].ID, "control", ""); w.Code != 200 || f.notify(t) == "" || len(b.kept) != 0 {
		t.Errorf("revoked there: got %d, %d keys are kept", w.Code, len(b.kept))
	}
	g := newFollower(t, b, nil)
	g.pair(t, b)
	if err := g.Forget(t.Context(), g.id); err != nil || len(b.kept) != 0 || len(g.kept) != 0 {
		t.Errorf("forgotten here: got %v, the other wall keeps %d keys, this one %d", err, len(b.kept), len(g.kept))
	}
}

// TestGuessedWallCode checks that the third wrong code ends the request. After that, the address
// cannot send another request for ten minutes.
func TestGuessedWallCode(t *testing.T) {
	b := guardedWall(t)
	f := newFollower(t, b, nil)
	now := time.Now()
	b.now = func() time.Time { return now }
	if _, err := f.Ask(t.Context(), f.id); err != nil {
		t.Fatal(err)
	}
	right := b.shown
	wrong := "000000"
	if right == wrong {
		wrong = "000001"
	}
	for _, left := range []int{2, 1, 0} {
		err := f.Enter(t.Context(), f.id, wrong)
		if refused, ok := err.(*fleet.Refusal); !ok || refused.Status != 403 || refused.Left != left {
			t.Errorf("a wrong code: got %v, want %d tries left", err, left)
		}
	}
	if b.shown != "" || f.Enter(t.Context(), f.id, right) == nil || len(b.kept) != 0 {
		t.Error("the code is valid after three wrong ones")
	}
	now = now.Add(9*time.Minute + 50*time.Second)
	if _, err := f.Ask(t.Context(), f.id); err == nil || b.shown != "" {
		t.Errorf("within ten minutes: got %v, the wall shows %q", err, b.shown)
	}
	now = now.Add(20 * time.Second)
	if f.pair(t, b); len(b.kept) != 1 {
		t.Error("after ten minutes the wall is not paired")
	}
}

// TestTwoWallsAtOnce checks two walls that request pairing at the same time. The code of one wall is not valid for the other wall. A
// restart ends both requests.
func TestTwoWallsAtOnce(t *testing.T) {
	b := guardedWall(t)
	ask := func(address string) (secret, code string) {
		half := `{"name":"` + address + `","key":"` + strings.Repeat("CQ", 21) + `k="}`
		r := httptest.NewRequest("POST", "/peers", strings.NewReader(half))
		r.Host, r.RemoteAddr = "192.168.1.5", address+":4000"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		b.Handler().ServeHTTP(w, r)
		var said struct{ Secret string }
		if json.Unmarshal(w.Body.Bytes(), &said) != nil || said.Secret == "" || strings.Contains(w.Body.String(), b.shown) {
			t.Fatalf("%s: got %d %s", address, w.Code, w.Body)
		}
		return said.Secret, b.shown
	}
	first, firstCode := ask("192.168.1.20")
	second, secondCode := ask("192.168.1.21")
	if w := b.asks("POST", "/peers/code", first, `{"code":"`+secondCode+`"}`); w.Code != 403 {
		t.Errorf("the code of another wall: got %d %s", w.Code, w.Body)
	}
	if w := b.asks("POST", "/peers/code", second, `{"code":"`+secondCode+`"}`); w.Code != 200 {
		t.Errorf("the second wall: got %d %s", w.Code, w.Body)
	}
	b.restart()
	if w := b.asks("POST", "/peers/code", first, `{"code":"`+firstCode+`"}`); w.Code != 404 || len(b.kept) != 1 {
		t.Errorf("after a restart: got %d, %d keys", w.Code, len(b.kept))
	}
}

// TestNoPeers checks that a wall without a token, or without a screen for the code, cannot be paired. Invalid keys are refused.
func TestNoPeers(t *testing.T) {
	b := guardedWall(t)
	for _, tt := range []struct {
		name, body string
		status     int
		set        func()
	}{
		{"a short key", `{"name":"x","key":"AAAA"}`, 400, func() {}},
		{"no key", `{"name":"x"}`, 400, func() {}},
		{"a point of small order", `{"name":"x","key":"` + strings.Repeat("A", 43) + `="}`, 400, func() {}},
		{"a screenless wall", `{}`, 404, func() { b.deps.HasScreen = func() bool { return false } }},
		{"an open wall", `{}`, 404, func() { b.Configure(Settings{StreamOn: true}) }},
	} {
		tt.set()
		if w := b.asks("POST", "/peers", "", tt.body); w.Code != tt.status || b.shown != "" {
			t.Errorf("%s: got %d %s, want %d", tt.name, w.Code, w.Body, tt.status)
		}
	}
}
