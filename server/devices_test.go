package server

import (
	"context"
	"encoding/json"
	"image"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dashboard/control/pairing"
	"dashboard/internal/testing/programtest"
	"dashboard/output/trmnl"

	"github.com/chromedp/chromedp"
)

// asks sends a request from this machine, with the token unless `token` is empty. It returns the response.
func (f *fixture) asks(method, target, token, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = "127.0.0.1"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	f.Handler().ServeHTTP(w, r)
	return w
}

// pairingFixture returns a server with which screens can be paired.
func pairingFixture(t *testing.T, control *string) *fixture {
	f := newFixture(t)
	f.now = func() time.Time { return dawn } // this clock stands still, so a slow machine does not affect the limits of rates and codes
	f.deps.Pairing = pairing.New()
	f.deps.Views = func() []string { return []string{"main", "kitchen"} }
	stream := "watch"
	f.Configure(Settings{StreamOn: true, StreamToken: &stream, ControlToken: control})
	f.show(t, 40)
	return f
}

// told() returns a text field of a JSON answer.
func told(t *testing.T, w *httptest.ResponseRecorder, key string) string {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &all); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
	s, _ := all[key].(string)
	return s
}

// TestPair checks a screen that requests pairing, is confirmed, receives frames, and is removed.
func TestPair(t *testing.T) {
	f := pairingFixture(t, pointer("lever"))
	changes := 0
	f.deps.PairingAsked = func() { changes++ }
	asked := f.asks("POST", "/pair", "", `{"name":"Hall"}`)
	code, secret := told(t, asked, "code"), told(t, asked, "secret")
	if asked.Code != 200 || len(code) != 6 || len(secret) < 32 {
		t.Fatalf("got %d %s", asked.Code, asked.Body)
	}
	if w := f.asks("GET", "/pair", secret, ""); w.Code != 200 || told(t, w, "state") != "waiting" {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if w := f.asks("GET", "/devices", "lever", ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"code":"`+code+`"`) || strings.Contains(w.Body.String(), secret) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	confirmed := f.asks("POST", "/devices", "lever", `{"code":"`+code+`","view":"kitchen"}`)
	if confirmed.Code != 200 {
		t.Fatalf("got %d %s", confirmed.Code, confirmed.Body)
	}
	paired := f.asks("GET", "/pair", secret, "")
	token := told(t, paired, "token")
	if token == "" || told(t, paired, "view") != "kitchen" {
		t.Fatalf("got %d %s", paired.Code, paired.Body)
	}
	for target, want := range map[string]int{"/frame": 200, "/frame?view=main": 200, "/frame?view=cellar": 404, "/devices": 401, "/theme": 401, "/values": 401} {
		if w := f.asks("GET", target, token, ""); w.Code != want {
			t.Errorf("%s with the screen's token: got %d, want %d", target, w.Code, want)
		}
	}
	if w := f.asks("GET", "/frame", token+"x", ""); w.Code != 401 {
		t.Errorf("another token: got %d", w.Code)
	}
	id := told(t, confirmed, "id")
	if w := f.asks("POST", "/devices/"+id, "lever", `{"view":"main"}`); w.Code != 200 {
		t.Errorf("another view: got %d %s", w.Code, w.Body)
	}
	for _, target := range []string{"/healthz", "/metrics", "/devices"} {
		if got := f.asks("GET", target, "lever", "").Body.String(); strings.Contains(got, token) {
			t.Errorf("%s tells the token", target)
		}
	}
	if w := f.asks("DELETE", "/devices/"+id, "lever", ""); w.Code != 200 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if w := f.asks("GET", "/frame", token, ""); w.Code != 401 {
		t.Errorf("after it was removed: got %d", w.Code)
	}
	if log := f.log.String(); strings.Contains(log, token) || strings.Contains(log, secret) || strings.Contains(log, code) {
		t.Errorf("the log tells too much: %s", log)
	}
	if changes != 3 {
		t.Errorf("told %d times of requests, want 3", changes)
	}
}

// TestAssignedView checks that a screen receives its view, unless it requests another view or its view was removed.
func TestAssignedView(t *testing.T) {
	f := pairingFixture(t, nil)
	for _, row := range []struct{ assigned, target, want string }{
		{"kitchen", "/frame?width=8&height=8", "kitchen"},
		{"kitchen", "/frame?view=main", "main"},
		{"cellar", "/frame", ""},
		{"", "/frame", ""},
	} {
		r := httptest.NewRequest("GET", row.target, nil)
		got := f.asScreen(r, pairing.Device{View: row.assigned})
		if view(got) != row.want || got.URL.Query().Get("width") != r.URL.Query().Get("width") {
			t.Errorf("%+v: got %s", row, got.URL)
		}
	}
}

// TestPairRefuses checks the answers to invalid input.
func TestPairRefuses(t *testing.T) {
	f := pairingFixture(t, pointer("lever"))
	long := `{"name":"` + strings.Repeat("x", maxBody) + `"}`
	for _, row := range []struct {
		method, target, token, body string
		status                      int
		want                        string
	}{
		{"POST", "/pair", "", `[]`, 400, "'name'"},
		{"POST", "/pair", "", `{"name":1}`, 400, "'name'"},
		{"POST", "/pair", "", `{"nam":"x"}`, 400, "'name'"},
		{"POST", "/pair", "", `{"name":"x"}{}`, 400, "'name'"},
		{"POST", "/pair", "", ``, 415, "application/json"},
		{"POST", "/pair", "", long, 413, "65536"},
		{"PUT", "/pair", "", ``, 405, "Allow"},
		{"GET", "/pair", "", ``, 401, "bearer token"},
		{"GET", "/pair", "guess", ``, 404, `"state":"expired"`},
		{"GET", "/pair", "watch", ``, 404, `"state":"expired"`},
		{"GET", "/devices", "", ``, 401, "control bearer token"},
		{"GET", "/devices", "watch", ``, 401, "control bearer token"},
		{"POST", "/devices", "lever", `{}`, 400, "'code' is required"},
		{"POST", "/devices", "lever", `{"code":123456}`, 400, "'code'"},
		{"POST", "/devices", "lever", `{"code":"123456","view":"cellar"}`, 404, `"views":["main","kitchen"]`},
		{"POST", "/devices", "lever", `{"code":"abc"}`, 404, "no waiting screen"},
		{"POST", "/devices", "", `{"code":"123456"}`, 401, "control bearer token"},
		{"POST", "/devices/x", "lever", `{}`, 400, "'view' is required"},
		{"POST", "/devices/x", "lever", `{"view":"main"}`, 404, "no such screen"},
		{"POST", "/devices/x", "lever", `{"view":"cellar"}`, 404, "views"},
		{"DELETE", "/devices/x", "lever", ``, 404, "no such screen"},
		{"DELETE", "/devices/x", "", ``, 401, "control bearer token"},
		{"DELETE", "/devices", "lever", ``, 405, "Allow"},
	} {
		w := f.asks(row.method, row.target, row.token, row.body)
		if w.Code != row.status || !strings.Contains(w.Body.String(), row.want) || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %s %.40s: got %d %s, want %d %s", row.method, row.target, row.body, w.Code, w.Body, row.status, row.want)
		}
	}
	foreign := httptest.NewRequest("POST", "/pair", strings.NewReader(`{"name":"x"}`))
	foreign.Host = "127.0.0.1"
	foreign.Header.Set("Content-Type", "application/json")
	foreign.Header.Set("Origin", "http://evil.example")
	w := httptest.NewRecorder()
	f.Handler().ServeHTTP(w, foreign)
	if w.Code != 403 {
		t.Errorf("a page of another site: got %d", w.Code)
	}
	for i := range 20 { // attempts to guess the code
		w = f.asks("POST", "/devices", "lever", `{"code":"000000"}`)
		if i > 12 && (w.Code != 429 || w.Header().Get("Retry-After") == "") {
			t.Fatalf("try %d: got %d", i, w.Code)
		}
	}
}

// TestPairWhoMay checks which callers may pair screens. If there is no control token, pairing needs the stream token. If there is no
// stream token or no stream, screens cannot be paired.
func TestPairWhoMay(t *testing.T) {
	f := pairingFixture(t, nil)
	if w := f.asks("GET", "/devices", "", ""); w.Code != 401 || !strings.Contains(w.Body.String(), "stream bearer token") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if w := f.asks("GET", "/devices", "watch", ""); w.Code != 200 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	f.Configure(Settings{StreamOn: true})
	for _, target := range []string{"/devices", "/pair"} {
		if w := f.asks("GET", target, "x", ""); w.Code != 404 || !strings.Contains(w.Body.String(), "stream_token") {
			t.Errorf("%s without a stream token: got %d %s", target, w.Code, w.Body)
		}
	}
	stream := "watch"
	f.Configure(Settings{StreamToken: &stream})
	if w := f.asks("POST", "/pair", "", `{"name":"x"}`); w.Code != 404 {
		t.Errorf("without a stream: got %d", w.Code)
	}
	f.Configure(Settings{StreamOn: true, StreamToken: &stream, Rate: Rate{PerSecond: 1, Burst: 2}})
	for range 4 {
		f.asks("GET", "/pair", "guess", "")
	}
	if w := f.asks("GET", "/pair", "guess", ""); w.Code != 429 {
		t.Errorf("too often: got %d", w.Code)
	}
}

// TestPageScreens uses the page to confirm a screen, to give it a view, and to remove it.
func TestPageScreens(t *testing.T) {
	needsLong(t)
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	f := pairingFixture(t, pointer("lever"))
	f.now = time.Now // use a running clock, because the page needs the heartbeats of its stream
	address, _ := f.serve(t)
	asked := time.Now()
	r, secret, _ := f.deps.Pairing.Ask("Hall", "10.0.0.7", asked.Add(time.Hour)) // this request stays valid longer than a slow test takes
	ctx := browser(t, 800, 600, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.activeElement.id === 'token'")
	see(t, ctx, chromedp.SendKeys(chromedp.CSS("#token"), "lever\r"))
	until(t, ctx, "document.querySelector('.notice[aria-label=Devices]')?.innerText.includes('A device asks')")
	press(t, ctx, ".notice[aria-label=Devices] .main")
	until(t, ctx, "document.querySelector('.asks')?.innerText.includes('"+r.Code[:3]+" "+r.Code[3:]+"') && document.querySelector('.asks').innerText.includes('Hall')")
	keep(t, ctx, "devices")
	until(t, ctx, chosen("kitchen"))
	press(t, ctx, ".asks .main")
	until(t, ctx, "document.body.innerText.includes('Hall is allowed. It connects') && !document.body.innerText.includes('No screen is paired')")
	if state, _, view, err := f.deps.Pairing.Collect(secret, asked); state != pairing.Paired || view != "kitchen" || err != nil {
		t.Fatalf("got %s, %q, %v", state, view, err)
	}
	until(t, ctx, "document.querySelector('.device .remove') !== null && !document.body.innerText.includes('is allowed')")
	until(t, ctx, chosen("main"))
	programtest.Eventually(t, "the view changes", func() bool { return f.deps.Pairing.Devices()[0].View == "main" })
	press(t, ctx, ".device .remove")
	until(t, ctx, "document.body.innerText.includes('No screen is paired')")
	if n := len(f.deps.Pairing.Devices()); n != 0 {
		t.Errorf("%d screens are left", n)
	}
}

// chosen() returns an expression that chooses a view for the first screen on the page. While the page shows no screen, the expression is
// false.
func chosen(view string) string {
	return "(s => { if (!s) return false; s.value = '" + view + "'; return s.dispatchEvent(new Event('change', {bubbles: true})) })(document.querySelector('.device select'))"
}

// readersFixture returns a server with an output for e-readers. The device hall is configured, and other devices may ask for permission.
func readersFixture(t *testing.T, control *string) *fixture {
	f := newFixture(t)
	f.deps.Readers = trmnl.New(trmnl.Parts{
		Paint: func(context.Context, string) (trmnl.Shot, time.Time, error) {
			return trmnl.Shot{Frame: image.NewRGBA(image.Rect(0, 0, 160, 96))}, time.Time{}, nil
		}, Log: slog.New(slog.DiscardHandler),
	})
	f.deps.Readers.Configure(trmnl.Settings{On: true, Guest: &trmnl.Device{View: "main"}, Devices: []trmnl.Device{{Name: "hall", Token: "hall-token"}}})
	f.Configure(Settings{StreamOn: true, HTTPControl: true, ControlToken: control})
	f.show(t, 40)
	return f
}

// reader sends a request like an e-reader.
func (f *fixture) reader(target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", target, nil)
	r.Host = "127.0.0.1"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	f.Handler().ServeHTTP(w, r)
	return w
}

// TestReaderIsAllowed checks a device that is not in the configuration. It gets a token. Until it
// is allowed, it gets the answer that its protocol uses for waiting.
func TestReaderIsAllowed(t *testing.T) {
	const id = "AA:BB:CC:00:00:01"
	f := readersFixture(t, pointer("lever"))
	setup := f.reader("/api/setup", "ID", id)
	key := told(t, setup, "api_key")
	if setup.Code != 200 || key == "" || !strings.Contains(told(t, setup, "message"), told(t, setup, "friendly_id")+". Allow it") || told(t, setup, "image_url") != "" {
		t.Fatalf("got %d %s", setup.Code, setup.Body)
	}
	display := func() *httptest.ResponseRecorder { return f.reader("/api/display", "ID", id, "Access-Token", key) }
	if w := display(); w.Code != 200 || !strings.Contains(w.Body.String(), `"status":202`) || !strings.Contains(w.Body.String(), `"refresh_rate":30`) {
		t.Errorf("waiting: got %d %s", w.Code, w.Body)
	}
	if w := f.asks("GET", "/readers", "lever", ""); w.Code != 200 || !strings.Contains(w.Body.String(), `"waiting":[{"friendly_id":"`+told(t, setup, "friendly_id")+`","id":"`+id+`"}]`) ||
		!strings.Contains(w.Body.String(), `"id":"hall","listed":true`) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	for _, row := range []struct {
		method, target, token, body string
		want                        int
	}{
		{"POST", "/readers", "", `{"id":"` + id + `"}`, 401}, {"POST", "/readers", "lever", `{}`, 400}, {"POST", "/readers", "lever", `{"id":"x","y":1}`, 400},
		{"POST", "/readers", "lever", `{"id":"00:00:00:00:00:00"}`, 404}, {"DELETE", "/readers/hall", "lever", "", 409}, {"DELETE", "/readers/none", "lever", "", 404},
		{"DELETE", "/readers/" + id, "", "", 401}, {"GET", "/readers", "", "", 401}, {"POST", "/readers", "lever", `{"id":"` + id + `"}`, 200},
	} {
		if w := f.asks(row.method, row.target, row.token, row.body); w.Code != row.want {
			t.Errorf("%s %s %s: got %d %s, want %d", row.method, row.target, row.body, w.Code, w.Body, row.want)
		}
	}
	if w := display(); w.Code != 200 || !strings.Contains(w.Body.String(), `"status":0`) || told(t, w, "image_url") == "" {
		t.Errorf("allowed: got %d %s", w.Code, w.Body)
	}
	if w := f.asks("DELETE", "/readers/"+id, "lever", ""); w.Code != 200 {
		t.Errorf("removed: got %d %s", w.Code, w.Body)
	}
	if w := display(); !strings.Contains(w.Body.String(), `"status":202`) {
		t.Errorf("after it was removed: got %d %s", w.Code, w.Body)
	}
	if strings.Contains(f.log.String(), key) {
		t.Error("the log tells the key")
	}
	stream := "watch" // if there is no control token, a caller with the stream token may decide
	f.Configure(Settings{StreamOn: true, StreamToken: &stream})
	if a, b := f.asks("GET", "/readers", "", "").Code, f.asks("GET", "/readers", "watch", "").Code; a != 401 || b != 200 {
		t.Errorf("without a control token: got %d, %d", a, b)
	}
	f.deps.Readers.Configure(trmnl.Settings{})
	if w := f.asks("GET", "/readers", "watch", ""); w.Code != 404 {
		t.Errorf("without an output: got %d", w.Code)
	}
}

// TestPageReaders uses the page to allow an e-reader, to read its battery and signal, and to remove it.
func TestPageReaders(t *testing.T) {
	needsLong(t)
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	const id = "AA:BB:CC:00:00:01"
	f := readersFixture(t, nil)
	key := told(t, f.reader("/api/setup", "ID", id), "api_key")
	address, _ := f.serve(t)
	ctx := browser(t, 800, 600, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('#token') || document.querySelector('.notice')")
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("localStorage.setItem('dashboard_tokens', JSON.stringify({stream: 'watch'})), true")); err != nil {
		t.Fatal(err)
	}
	see(t, ctx, chromedp.Reload())
	until(t, ctx, "document.querySelector('.notice[aria-label=Devices]')?.innerText.includes('A device asks')")
	press(t, ctx, ".notice[aria-label=Devices] .main")
	until(t, ctx, "document.querySelector('.asks')?.innerText.includes('"+id+"') && document.body.innerText.includes('hall')")
	press(t, ctx, ".asks .main")
	until(t, ctx, "!document.querySelector('.asks') && document.querySelector('.device .remove') !== null")
	f.reader("/api/display", "ID", id, "Access-Token", key, "percent-charged", "64", "RSSI", "-61", "Battery-Charging", "1")
	until(t, ctx, "document.body.innerText.includes('battery 64 %, charging, signal -61 dBm')")
	keep(t, ctx, "readers")
	press(t, ctx, ".device .remove")
	until(t, ctx, "document.querySelector('.device .remove') === null")
	if all, _ := f.deps.Readers.Status(); len(all) != 1 {
		t.Errorf("%d readers are left", len(all))
	}
}

// A removed screen loses its stream of /state too.
func TestRemovedScreenLosesItsState(t *testing.T) {
	f := pairingFixture(t, pointer("lever"))
	address, _ := f.serve(t)
	asked := f.asks("POST", "/pair", "", `{"name":"Hall"}`)
	confirmed := f.asks("POST", "/devices", "lever", `{"code":"`+told(t, asked, "code")+`"}`)
	token := told(t, f.asks("GET", "/pair", told(t, asked, "secret"), ""), "token")
	_, r := dial(t, address, "GET /state HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer "+token+"\r\n\r\n")
	nextState(t, r)
	f.asks("DELETE", "/devices/"+told(t, confirmed, "id"), "lever", "")
	programtest.Eventually(t, "the stream ends", func() bool { return len(f.remotes) == 0 })
}
