package server

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"dashboard/control/fleet"
	"dashboard/control/pairing"
	"dashboard/control/verb"
	"dashboard/schema"
)

// `bad` is a request with invalid input, and the expected status of its answer.
type bad struct {
	target, body string
	status       int
}

// badInput contains requests with invalid input, by route. They are sent with the tokens. The test fails for a route that has no requests
// here or in badEdits and does not belong to a verb.
var badInput = map[string][]bad{
	"GET /":             {{"/?view=%zz", "", 200}}, // the server ignores the query
	"GET /web/:name":    {{"/web/none", "", 404}, {"/web/..%2fremote.js", "", 404}, {"/web/%00", "", 404}},
	"GET /edit/":        {{"/edit/?view=%zz", "", 200}}, // only the page's script reads the query
	"GET /state":        {{"/state?view=none", "", 404}},
	"GET /openapi.json": {{"/openapi.json?x=%00", "", 200}},
	"GET /healthz":      {{"/healthz?x=%00", "", 200}},
	"GET /metrics":      {{"/metrics?x=%00", "", 200}},
	"GET /frame":        {{"/frame?width=x&height=1", "", 400}, {"/frame?width=1e9&height=1", "", 400}, {"/frame?width=7681&height=1", "", 400}},
	"GET /walls":        {{"/walls?x=%00", "", 200}},
	"POST /walls": {
		{"/walls", `{}`, 400}, {"/walls", `[]`, 400}, {"/walls", `{"walls":[],"action":"reload"}`, 400}, {"/walls", `{"walls":["x"],"action":"burn"}`, 400},
		{"/walls", `{"walls":["x"],"action":"reload","value":"y"}`, 400}, {"/walls", `{"walls":["x"],"action":"reload"}`, 404}, {"/walls", `{"no such key":1}`, 400},
	},
	"POST /walls/:id":        {{"/walls/x", `{}`, 400}, {"/walls/x", `{"token":"t"}`, 404}, {"/walls/x", `{"token":7}`, 400}},
	"GET /walls/:id/picture": {{"/walls/x/picture", "", 404}},
	"PUT /walls":             {{"/walls", `{}`, 400}, {"/walls", `{"url":"file:///etc"}`, 400}, {"/walls", `{"url":7}`, 400}},
	"POST /walls/:id/ask":    {{"/walls/x/ask", "", 404}},
	"POST /walls/:id/code":   {{"/walls/x/code", `{"code":"1"}`, 404}, {"/walls/x/code", `{"code":1}`, 400}},
	"GET /source":            {{"/source?x=%00", "", 404}},
	"DELETE /walls/:id":      {{"/walls/x", "", 404}},
	"GET /peers":             {{"/peers?x=%00", "", 200}},
	"POST /peers":            {{"/peers", `{"name":"x","key":"y"}`, 400}, {"/peers", `[]`, 400}},
	"POST /peers/code":       {{"/peers/code", `{"code":"000000"}`, 404}, {"/peers/code", `{"code":7}`, 400}},
	"DELETE /peers":          {{"/peers", "", 401}},
	"DELETE /peers/:id":      {{"/peers/x", "", 404}, {"/peers/%2e%2e", "", 404}},
	"GET /text":              {{"/text?pages=some", "", 400}, {"/text?view=none", "", 404}},
	"GET /panel":             {{"/panel", "", 404}, {"/panel?view=none", "", 404}},
	"GET /events":            {{"/events?width=1", "", 400}, {"/events?width=0&height=0", "", 400}},
	"GET /stream.mjpg":       {{"/stream.mjpg?height=x", "", 400}},
	"GET /theme":             {{"/theme?view=none", "", 404}},
	"POST /theme":            {{"/theme", `{"mode":7}`, 400}, {"/theme", `{"mode":"day","hold":"x"}`, 400}, {"/theme?view=none", `{"mode":"day"}`, 404}},
	"GET /power":             {{"/power?view=none", "", 404}},
	"POST /power":            {{"/power", `[]`, 400}, {"/power", `{"stat":"on"}`, 400}, {"/power?view=none", `{"state":"on"}`, 404}},
	"POST /brightness":       {{"/brightness", `{"brightness":"bright"}`, 400}, {"/brightness", `{"brightness":2}`, 400}},
	"POST /identify":         {{"/identify", `{"for":-1}`, 400}, {"/identify", `{"for":"x"}`, 400}},
	"POST /notify":           {{"/notify", `[]`, 400}, {"/notify", `{"widget":"who"}`, 400}, {"/notify", strings.Repeat(" ", maxBody+1), 413}},
	"POST /notify/:id":       {{"/notify/a", `{"action":0}`, 404}, {"/notify/a", `{"action":9}`, 404}, {"/notify/b", `{"action":1}`, 404}, {"/notify/a", `{}`, 400}},
	"GET /notify":            {{"/notify?view=none", "", 404}},
	"GET /notify/:id":        {{"/notify/b", "", 404}},
	"DELETE /notify":         {{"/notify?widget=who", "", 400}, {"/notify?view=none", "", 404}},
	"DELETE /notify/:id": {
		{"/notify/b", "", 404},
	},
	"POST /reload":      {{"/reload", "", 404}},
	"POST /take_over":   {{"/take_over", `{"no such key":1}`, 400}, {"/take_over", `[]`, 400}},
	"GET /values":       {{"/values", "", 404}},
	"GET /values/:name": {{"/values/none", "", 404}},
	"PUT /values/:name": {{"/values/none", `1`, 404}},
	"GET /timer":        {{"/timer?x=%00", "", 200}},
	"POST /timer":       {{"/timer", `{"action":"start"}`, 400}, {"/timer", `{"name":"x","action":"start"}`, 404}, {"/timer", `[`, 400}},
	"GET /pages":        {{"/pages?view=none", "", 404}},
	"POST /page":        {{"/page", `{"page":7}`, 400}, {"/page", `{`, 400}, {"/page", `{"page":"x"}}`, 400}},
	"GET /widgets":      {{"/widgets", "", 404}},
	"POST /pair":        {{"/pair", `{"name":7}`, 400}, {"/pair", `{"nam":"x"}`, 400}, {"/pair", `{"name":"x"}{}`, 400}, {"/pair", `{"name":"x"}]`, 400}},
	"GET /pair":         {{"/pair", "", 404}}, // GET /pair requires the secret of a pairing request, not the control token
	"GET /devices":      {{"/devices?x=%00", "", 200}},
	"POST /devices":     {{"/devices", `{"code":123456}`, 400}, {"/devices", `{}`, 400}, {"/devices", `{"code":"000000"}`, 404}, {"/devices", `{"code":"1","view":"none"}`, 404}, {"/devices", `{"code":"000000"}}`, 400}},
	"POST /devices/:id": {{"/devices/x", `{"view":"main"}`, 404}, {"/devices/x", `{}`, 400}, {"/devices/x", `{"view":"none"}`, 404}},
	"DELETE /devices/:id": {
		{"/devices/x", "", 404}, {"/devices/%2e%2e", "", 404},
	},
	"GET /readers":             {{"/readers?x=%00", "", 200}},
	"POST /readers":            {{"/readers", `{"id":7}`, 400}, {"/readers", `{}`, 400}, {"/readers", `{"id":"x"}`, 404}, {"/readers", `{"id":"x"}}`, 400}},
	"DELETE /readers/:id":      {{"/readers/x", "", 404}, {"/readers/hall", "", 409}},
	"GET /api/setup":           {{"/api/setup", "", 400}},
	"GET /api/setup/":          {{"/api/setup/", "", 400}},
	"GET /api/display":         {{"/api/display", "", 404}},
	"GET /api/current_screen":  {{"/api/current_screen", "", 404}},
	"POST /api/log":            {{"/api/log", `{"logs":[]}`, 404}},
	"GET /trmnl/:secret/:name": {{"/trmnl/x/screen-a9a4d9-1785312389.png", "", 404}, {"/trmnl/x/..", "", 404}},
}

// badRequests returns the requests with invalid input for a route. The requests come from badInput, from badEdits, or from the
// declaration of a verb. `ofVerb` is true if the route belongs to a verb. There may be no requests if the verb has no parameters.
func badRequests(route string) (all []bad, ofVerb bool) {
	all = append(slices.Clone(badInput[route]), badEdits()[route]...)
	for _, v := range verb.All() {
		for _, at := range v.Addresses() {
			if at.Method+" "+at.Path == route {
				all, ofVerb = append(slices.Clone(all), badVerb(&v, at)...), true
			}
		}
	}
	return all, ofVerb
}

// badVerb returns invalid requests for the route of a verb. They have an unknown view, a missing key, an unknown key, or a body that is
// not an object.
func badVerb(v *verb.Verb, at verb.Route) (all []bad) {
	target := strings.NewReplacer(":id", "none", ":name", "none").Replace(at.Path)
	if !v.Asks(at) && at.Method == "POST" && len(v.Params) > 0 {
		all = append(all, bad{target, `[]`, 400})
	}
	if v.Asks(at) {
		all = append(all, bad{target, `{}`, 400}, bad{target, `[]`, 400}, bad{target, `{"no such key": 1}`, 400})
	}
	if !v.Whole && !v.Asks(at) {
		all = append(all, bad{target + "?view=none", "", 404})
	}
	return all
}

// `open` lists the routes that require no token of the wall.
var open = []string{
	"GET /", "GET /web/:name", "GET /edit/", "GET /edit/connected", "POST /edit/allow", "POST /edit/allow/code", "GET /openapi.json", "GET /healthz", "GET /metrics", "POST /pair", "GET /pair", "GET /api/setup", "GET /api/setup/", "GET /api/display", "GET /api/current_screen", "POST /api/log", "GET /trmnl/:secret/:name",
	"POST /peers", "POST /peers/code",
}

// `nasty` lists bodies that must not cause an internal error in any route.
var nasty = []string{
	"", "{", "[]", "null", `"x"`, "7", `{"a":`, "\x00\xff", `{"mode":null,"page":null,"state":null,"id":null,"code":null}`, strings.Repeat("[", 30_000), `{"x":` + strings.Repeat(`{"x":`, 5000),
	`{"page":"` + strings.Repeat("x", 5000) + `"}`, `{"action":1e400}`, `{"for":1e308,"state":"on"}`, `{"action":99999999999999999999}`, `{"view":"` + strings.Repeat("é", 3000) + `"}`, strings.Repeat(" ", maxBody+1),
}

// routesFixture returns a server with every part, two tokens, and no limit for the rate of a caller.
func routesFixture(t *testing.T) *fixture {
	f := readersFixture(t, pointer("c"))
	f.deps.Pairing, f.deps.Peers = pairing.New(), pairing.New()
	f.deps.HasScreen, f.deps.ShowPeer = func() bool { return true }, func(string, string) {}
	stream := "s"
	f.deps.Editor, f.deps.Fleet = &fakeEditor{}, fleet.New(fleet.Parts{Client: &http.Client{}})
	f.Configure(Settings{StreamOn: true, HTTPControl: true, StreamToken: &stream, ControlToken: pointer("c"), ConfigToken: pointer("c")})
	return f
}

// says() sends a request and returns the response. It checks that every error has a reason in JSON.
func (f *fixture) says(t *testing.T, method, target, token, body string) *httptest.ResponseRecorder {
	t.Helper()
	f.callers = newCallers()
	w := f.asks(method, target, token, body)
	var reason struct {
		Error   string
		Success *bool
	}
	if w.Code >= 400 && (json.Unmarshal(w.Body.Bytes(), &reason) != nil || reason.Error == "" || reason.Success == nil || *reason.Success) {
		t.Errorf("%s %.60s %.40q: got %d %.200s, want a reason in JSON", method, target, body, w.Code, w.Body)
	}
	return w
}

// TestEveryRoute checks that each route is documented, requires its token, and answers invalid
// input with a reason. A new route needs an entry in this file.
func TestEveryRoute(t *testing.T) {
	f := routesFixture(t)
	page, err := os.ReadFile("../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	description := described(t)
	for _, route := range append(slices.Collect(maps.Keys(badInput)), slices.Collect(maps.Keys(badEdits()))...) {
		if !slices.Contains(f.table, route) {
			t.Errorf("there is no %s any more", route)
		}
	}
	for _, route := range f.table {
		_, path, _ := strings.Cut(route, " ")
		word := strings.NewReplacer(":id", "ID", ":name", "NAME", ":secret", "SECRET").Replace(strings.TrimSuffix(path, "/"))
		if path != "/" && !strings.Contains(string(page), word) {
			t.Errorf("docs/http.md does not tell of %s", word)
		}
		if !description[strings.TrimSuffix(route, "/")] && path != "/" {
			t.Errorf("schema/openapi.json has no %s: add it to the first table of docs/http.md and run make docs", route)
		}
		f.route(t, route)
	}
}

// described() returns the routes that schema/openapi.json describes.
func described(t *testing.T) map[string]bool {
	t.Helper()
	var document struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	if err := json.Unmarshal(schema.OpenAPI(), &document); err != nil || document.OpenAPI != "3.1.0" {
		t.Fatalf("got OpenAPI %q, %v", document.OpenAPI, err)
	}
	all := map[string]bool{}
	for path, methods := range document.Paths {
		path = strings.NewReplacer("{", ":", "}", "").Replace(path)
		for method := range methods {
			all[strings.ToUpper(method)+" "+strings.TrimSuffix(path, "/")] = true
		}
	}
	return all
}

// route checks the answers of a route to invalid input.
func (f *fixture) route(t *testing.T, route string) {
	t.Helper()
	method, target, _ := strings.Cut(route, " ")
	requests, ofVerb := badRequests(route)
	if len(requests) > 0 {
		target = requests[0].target
	}
	if len(requests) == 0 && !ofVerb {
		t.Errorf("%s: server/routes_test.go has no bad input for it in badInput", route)
		return
	}
	for _, b := range requests {
		f.open(t, route, b)
		token := "c"
		if slices.Contains([]string{"GET /frame", "GET /panel", "GET /events", "GET /text", "GET /stream.mjpg"}, route) {
			token = "s"
		}
		if w := f.says(t, method, b.target, token, b.body); w.Code != b.status {
			t.Errorf("%s %s %.60q: got %d %.200s, want %d", method, b.target, b.body, w.Code, w.Body, b.status)
		}
	}
	if method == "GET" {
		return
	}
	f.unread(t, method, target)
	for _, body := range nasty {
		if w := f.says(t, method, target, "c", body); w.Code >= 500 && w.Code != 503 {
			t.Errorf("%s with %.40q: got %d %s", route, body, w.Code, w.Body)
		}
	}
}

// An unreadable is a body that must not be read.
type unreadable struct {
	t    *testing.T
	from string
}

func (u unreadable) Read([]byte) (int, error) {
	u.t.Errorf("%s reads a body whose announced length is too large", u.from)
	return 0, io.EOF
}

// unread checks that a route does not read a body whose announced length is too large. If it reads the body, the server sends the status 100,
// and the caller sends the whole body.
func (f *fixture) unread(t *testing.T, method, target string) {
	t.Helper()
	f.callers = newCallers()
	r := httptest.NewRequest(method, target, unreadable{t, method + " " + target})
	r.Host, r.ContentLength = "127.0.0.1", 1<<40
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer c")
	w := httptest.NewRecorder()
	if f.Handler().ServeHTTP(w, r); method != "DELETE" && w.Code == http.StatusOK {
		t.Errorf("%s %s accepts a body that is too long", method, target)
	}
}

// open() checks that a route requires its token, unless the list `open` contains the route.
func (f *fixture) open(t *testing.T, route string, b bad) {
	t.Helper()
	method, _, _ := strings.Cut(route, " ")
	for _, token := range []string{"", "x"} {
		if w := f.says(t, method, b.target, token, b.body); (w.Code == 401) == slices.Contains(open, route) && route != "GET /pair" {
			t.Errorf("%s with the token %q: got %d %.200s", route, token, w.Code, w.Body)
		}
	}
}
