package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dashboard/control/fleet"
	"dashboard/internal/testing/programtest"

	"github.com/chromedp/chromedp"
)

// onePixel is a small picture.
const onePixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\x0f\x04\x00\x09\xfb\x03\xfd\xe3U\xf2\x9c\x00\x00\x00\x00IEND\xaeB`\x82"

// anotherWall starts a wall that requires the token `key`. If `key` is "", it requires no token. The channel receives the requests that
// change the wall.
func anotherWall(t *testing.T, key string) (address string, got chan string) {
	t.Helper()
	got = make(chan string, 32)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/healthz":
			fmt.Fprint(w, `{"success":true,"version":"1.6.0","providers":[{"stale":true}],"stream":{"seconds_since_published":3}}`)
		case key != "" && r.Header.Get("Authorization") != "Bearer "+key:
			refuse(w, http.StatusUnauthorized, "a valid control bearer token is required")
		case r.URL.Path == "/frame":
			w.Header().Set("Content-Type", "image/png")
			fmt.Fprint(w, onePixel)
		default:
			got <- r.Method + " " + r.URL.Path
			answer(w, http.StatusOK, fields{"success": true})
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL, got
}

// `unhurried` sends requests without a time limit, because a busy machine may be slow. A fleet would wait only 5 s.
type unhurried struct{}

func (unhurried) RoundTrip(r *http.Request) (*http.Response, error) {
	return http.DefaultTransport.RoundTrip(r.WithContext(context.WithoutCancel(r.Context())))
}

// fleetFixture returns a server with a list of two walls. The second wall requires a token. The channel `hall` receives the requests to the
// first wall.
func fleetFixture(t *testing.T) (f *fixture, hall chan string) {
	t.Helper()
	open, hall := anotherWall(t, "")
	locked, _ := anotherWall(t, "secret")
	f = newFixture(t)
	f.deps.Fleet = fleet.New(fleet.Parts{Client: &http.Client{Transport: unhurried{}}, Now: func() time.Time { return dawn }})
	f.deps.Fleet.Configure([]fleet.Address{{Name: "Hall", URL: open, Listed: true}, {Name: "Kitchen", URL: locked, Listed: true}})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { f.deps.Fleet.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done; http.DefaultTransport.(*http.Transport).CloseIdleConnections() })
	programtest.Eventually(t, "both walls answer", func() bool {
		all := f.deps.Fleet.Look()
		return len(all) == 2 && all[0].Picture != "" && all[1].Version != "" && all[1].Locked
	})
	return f, hall
}

// TestWalls checks the page of all walls. It lists the walls with pictures, runs an action on several of them, and stores a token for a
// wall that requires a token.
func TestWalls(t *testing.T) {
	f, hall := fleetFixture(t)
	var got struct {
		Walls []struct {
			ID, Name, Version string
			Stale             int
			Locked            bool
		}
		Results []struct {
			Name, Error string
			Success     bool
		}
	}
	list := f.asks("GET", "/walls", "", "")
	if json.Unmarshal(list.Body.Bytes(), &got) != nil || len(got.Walls) != 2 || got.Walls[0].Name != "Hall" ||
		got.Walls[0].Stale != 1 || !got.Walls[1].Locked {
		t.Fatalf("got %s", list.Body)
	}
	if w := f.asks("GET", "/walls/"+got.Walls[0].ID+"/picture", "", ""); w.Code != 200 || w.Body.String() != onePixel {
		t.Errorf("got picture %d, %d bytes", w.Code, w.Body.Len())
	}
	both := fmt.Sprintf(`{"walls":["%s","%s"],"action":"message","value":"Dinner is ready"}`, got.Walls[0].ID, got.Walls[1].ID)
	w := f.asks("POST", "/walls", "", both)
	if json.Unmarshal(w.Body.Bytes(), &got) != nil || len(got.Results) != 2 || <-hall != "POST /notify" {
		t.Fatalf("got %s", w.Body)
	}
	for _, r := range got.Results {
		if r.Success != (r.Name == "Hall") || !r.Success && !strings.Contains(r.Error, "token") {
			t.Errorf("got result %+v", r)
		}
	}
	if w := f.asks("POST", "/walls/"+got.Walls[1].ID, "", `{"token":"secret"}`); w.Code != 200 {
		t.Errorf("got %d %s for a token", w.Code, w.Body)
	}
	if w = f.asks("POST", "/walls", "", both); json.Unmarshal(w.Body.Bytes(), &got) != nil || !got.Results[0].Success || !got.Results[1].Success {
		t.Errorf("with the token: got %s", w.Body)
	}
	if strings.Contains(f.asks("GET", "/walls", "", "").Body.String(), "secret") {
		t.Error("the list has the token")
	}
}

// TestWallsAccess checks that the walls, their pictures and the actions require the control token. The page itself does not require the
// token.
func TestWallsAccess(t *testing.T) {
	f, _ := fleetFixture(t)
	f.Configure(Settings{StreamOn: true, StreamToken: pointer("s"), ControlToken: pointer("c")})
	for _, tt := range []struct {
		method, path, token, body string
		status                    int
	}{
		{"GET", "/walls", "", "", 401}, {"GET", "/walls", "s", "", 401}, {"GET", "/walls", "c", "", 200}, {"GET", "/walls/x/picture", "", "", 401},
		{"POST", "/walls", "s", `{"walls":["x"],"action":"reload"}`, 401}, {"POST", "/walls/x", "s", `{"token":"t"}`, 401},
	} {
		if w := f.asks(tt.method, tt.path, tt.token, tt.body); w.Code != tt.status {
			t.Errorf("%s %s with %q: got %d, want %d", tt.method, tt.path, tt.token, w.Code, tt.status)
		}
	}
	if w := f.get("/walls", "text/html"); w.Code != 200 || !strings.Contains(w.Body.String(), "walls.js") {
		t.Errorf("the page: got %d", w.Code)
	}
}

// The page of all walls sends a message to some walls and shows the result for each of them.
// axe-core finds no problems at three widths in both color schemes.
func TestWallsInBrowser(t *testing.T) {
	t.Parallel()
	needsLong(t)
	axe := axeCore(t)
	for _, width := range []int{360, 768, 1280} {
		for _, scheme := range []string{"dark", "light"} {
			f, hall := fleetFixture(t)
			address, _ := f.serve(t)
			ctx := browser(t, width, 800, 1)
			emulateScheme(t, ctx, scheme)
			see(t, ctx, chromedp.Navigate("http://"+address+"/walls"))
			until(t, ctx, "document.querySelector('.tile img')?.complete && document.querySelectorAll('.tile').length === 2")
			checkAxe(t, ctx, axe, width)
			press(t, ctx, ".tile:nth-child(1) .check")
			press(t, ctx, ".tile:nth-child(2) .check")
			see(t, ctx, chromedp.SendKeys(chromedp.CSS(".dock .write input"), "Dinner is ready"))
			keep(t, ctx, fmt.Sprintf("walls-%d-%s", width, scheme))
			checkAxe(t, ctx, axe, width)
			checkTargets(t, ctx, width)
			see(t, ctx, chromedp.SendKeys(chromedp.CSS(".dock .write input"), "\r"))
			until(t, ctx, "document.querySelector('.dock')?.textContent.includes('On 1 of 2 walls')")
			until(t, ctx, "document.documentElement.scrollWidth <= innerWidth")
			keep(t, ctx, fmt.Sprintf("walls-%d-%s-sent", width, scheme))
			checkAxe(t, ctx, axe, width)
			select {
			case said := <-hall:
				if said != "POST /notify" {
					t.Errorf("the hall got %q", said)
				}
			case <-time.After(programtest.Patience):
				t.Error("the hall got nothing")
			}
		}
	}
}
