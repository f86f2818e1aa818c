package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dashboard/control"
)

func pointer(s string) *string { return &s }

var (
	asJSON  = []string{"Content-Type", "application/json"}
	sunrise = time.Date(2026, 11, 22, 6, 30, 0, 698299000, time.UTC)
)

const (
	streamDenied  = `{"error":"a valid stream bearer token is required: send 'Authorization: Bearer TOKEN' with server.auth.stream_token","success":false}`
	controlDenied = `{"error":"a valid control bearer token is required: send 'Authorization: Bearer TOKEN' with server.auth.control_token","success":false}`
	noStream      = `{"error":"no stream output is configured","success":false}`
	sizeGiven     = `{"error":"width and height must both be given, as integers","success":false}`
	sizeRange     = `{"error":"width and height must be between 1 and 7680","success":false}`
	noFrame       = `{"error":"no frame has been published yet","success":false}`
	noNotifiable  = `{"error":"no widget in the current theme's tree can be notified","success":false}`
	controlOff    = `{"error":"appearance.http_control is off","success":false}`
	oneTheme      = `{"error":"there is only one theme: conf.yaml has no 'appearance' block, or --theme was given","success":false}`
	wrongMode     = `{"error":"'mode' must be one of: day, night, auto","success":false}`
	wrongHold     = `{"error":"'hold' must be 'next' (until the sun's next turn) or 'forever'","success":false}`
	noPlace       = `{"error":"'auto' means follow the sun, which needs a latitude and longitude in conf.yaml's appearance block","success":false}`
	unknownRoute  = `{"error":"there is nothing here","success":false}`
	wrongMethod   = `{"error":"this method is not allowed here; see the header Allow","success":false}`
	notJSON       = `{"error":"the content type must be application/json","success":false}`
	done          = `{"success":true}`
	notices       = `{"notifications":[{"id":"a","widget":"note","state":"shown","text":"hello","priority":3,"count":1,"posted":"1970-01-01T00:00:00Z","seconds_left":2.5}],"widgets":["note"]}`
	noNotice      = `{"error":"no notification has this id","success":false}`
	oneDeleted    = `{"deleted":1,"success":true}`
)

// Each case compares the whole response, byte by byte. JSON bodies are compact, with sorted keys and one newline.
var endpointTests = []struct {
	name    string
	set     func(f *fixture)
	request string // method and path
	header  []string
	body    string
	status  int
	want    string // expected body without the newline; "*" is not compared
	has     []string
}{
	{"frame: bad token", tokens("s", "c"), "GET /frame", nil, "", 401, streamDenied, []string{"WWW-Authenticate", "Bearer", "Content-Type", "application/json"}},
	{"frame: wrong token", tokens("s", "c"), "GET /frame", bearer("Bearer c"), "", 401, streamDenied, nil},
	{"frame: scheme in lower case", tokens("s", "c"), "GET /frame", bearer("bearer s"), "", 401, streamDenied, nil},
	{"frame: two blanks", tokens("s", "c"), "GET /frame", bearer("Bearer  s"), "", 401, streamDenied, nil},
	{"frame: token not ASCII", tokens("s", "c"), "GET /frame", bearer("Bearer \u00e9"), "", 401, streamDenied, nil},
	{"frame: token in the query", tokens("s", "c"), "GET /frame?token=s", nil, "", 401, streamDenied, nil},
	{"frame: token before feature", func(f *fixture) { f.Configure(Settings{StreamToken: pointer("s")}) }, "GET /frame?width=x", nil, "", 401, streamDenied, nil},
	{"frame: empty token set, none sent", tokens("", ""), "GET /frame", nil, "", 401, streamDenied, nil},
	{"frame: empty token set and sent", tokens("", ""), "GET /frame", bearer("Bearer "), "", 200, "*", nil},
	{"frame: right token", tokens("s", "c"), "GET /frame", bearer("Bearer s"), "", 200, "*", nil},
	{"frame: no stream", func(f *fixture) { f.Configure(Settings{}) }, "GET /frame?width=1", nil, "", 404, noStream, nil},
	{"frame: width alone", nil, "GET /frame?width=10", nil, "", 400, sizeGiven, nil},
	{"frame: height alone", nil, "GET /frame?height=10", nil, "", 400, sizeGiven, nil},
	{"frame: not a number", nil, "GET /frame?width=a&height=10", nil, "", 400, sizeGiven, nil},
	{"frame: empty", nil, "GET /frame?width=&height=10", nil, "", 400, sizeGiven, nil},
	{"frame: no integer", nil, "GET /frame?width=12.5&height=10", nil, "", 400, sizeGiven, nil},
	{"frame: zero", nil, "GET /frame?width=0&height=10", nil, "", 400, sizeRange, nil},
	{"frame: negative", nil, "GET /frame?width=10&height=-5", nil, "", 400, sizeRange, nil},
	{"frame: too wide", nil, "GET /frame?width=7681&height=10", nil, "", 400, sizeRange, nil},
	{"frame: beyond any integer", nil, "GET /frame?width=99999999999999999999999&height=10", nil, "", 400, sizeRange, nil},
	{"frame: lenient integers", nil, "GET /frame?width=%201_0%20&height=%2B008", nil, "", 200, "*", []string{"ETag", `*-10x8"`}},
	{"frame: the first counts", nil, "GET /frame?width=10&width=x&height=8", nil, "", 200, "*", []string{"ETag", `*-10x8"`}},
	{"frame: longest side", nil, "GET /frame?width=7680&height=1", nil, "", 200, "*", []string{"ETag", `*-7680x1"`}},
	{"frame: none yet", empty, "GET /frame", nil, "", 503, noFrame, []string{"Retry-After", "1"}},
	{"frame: size before none yet", empty, "GET /frame?width=0&height=0", nil, "", 400, sizeRange, nil},
	{"frame: whole", nil, "GET /frame", nil, "", 200, "*", []string{"Content-Type", "image/jpeg", "Cache-Control", "no-store",
		"X-Frame-Published-At", "1795235340.354578", "Server", "dashboard/1.2.3", "X-Frame-Render-Size", "64x48"}},
	{"frame: HEAD", nil, "HEAD /frame", nil, "", 200, "", []string{"Content-Type", "image/jpeg", "X-Frame-Published-At", "1795235340.354578"}},
	{"frame: OPTIONS", tokens("s", "c"), "OPTIONS /frame", nil, "", 200, "", []string{"Allow", "GET, HEAD, OPTIONS"}},
	{"frame: POST", nil, "POST /frame", nil, "", 405, wrongMethod, []string{"Allow", "GET, HEAD, OPTIONS", "Content-Type", "application/json"}},

	{"events: bad token", tokens("s", "c"), "GET /events", nil, "", 401, streamDenied, nil},
	{"events: no stream", func(f *fixture) { f.Configure(Settings{}) }, "GET /events", nil, "", 404, noStream, nil},
	{"events: bad size", nil, "GET /events?width=1", nil, "", 400, sizeGiven, nil},
	{"events: size out of range", nil, "GET /events?width=0&height=1", nil, "", 400, sizeRange, nil},
	{"events: HEAD", nil, "HEAD /events", nil, "", 200, "", []string{"Content-Type", "text/event-stream; charset=utf-8", "Cache-Control", "no-store", "X-Accel-Buffering", "no"}},
	{"events: OPTIONS", nil, "OPTIONS /events", nil, "", 200, "", []string{"Allow", "GET, HEAD, OPTIONS"}},
	{"events: DELETE", nil, "DELETE /events", nil, "", 405, wrongMethod, nil},
	{"mjpg: bad token", tokens("s", "c"), "GET /stream.mjpg", nil, "", 401, streamDenied, nil},
	{"mjpg: no stream", func(f *fixture) { f.Configure(Settings{}) }, "GET /stream.mjpg", nil, "", 404, noStream, nil},
	{"mjpg: bad size", nil, "GET /stream.mjpg?height=1", nil, "", 400, sizeGiven, nil},
	{"mjpg: HEAD", nil, "HEAD /stream.mjpg", nil, "", 200, "", []string{"Content-Type", "multipart/x-mixed-replace; boundary=frame"}},

	{"notify: bad token", tokens("s", "c"), "POST /notify", asJSON, `{}`, 401, controlDenied, []string{"WWW-Authenticate", "Bearer"}},
	{"notify: stream token", tokens("s", "c"), "POST /notify", bearer("Bearer s"), `{}`, 401, controlDenied, nil},
	{"notify: no push widget", noWidgets, "POST /notify", nil, `{`, 404, noNotifiable, nil},
	{"notify: no push widget any more", nil, "POST /notify", asJSON, `{"widget":"gone"}`, 404, noNotifiable, nil},
	{"notify: no content type", nil, "POST /notify", nil, `{"widget":"note"}`, 415, notJSON, nil},
	{"notify: form", nil, "POST /notify", []string{"Content-Type", "application/x-www-form-urlencoded"}, `{"widget":"note"}`, 415, notJSON, nil},
	{"notify: charset", nil, "POST /notify", []string{"Content-Type", "application/json; charset=utf-8"}, `{"widget":"note"}`, 200, done, nil},
	{"notify: other JSON", nil, "POST /notify", []string{"Content-Type", "application/activity+json"}, `{"widget":"note"}`, 200, done, nil},
	{"notify: accepted", nil, "POST /notify", asJSON, `{"widget":"note"}`, 200, done, []string{"Content-Type", "application/json", "Content-Length", "17"}},
	{"notify: with the token", tokens("s", "c"), "POST /notify", append([]string{"Authorization", "Bearer c"}, asJSON...), `{"widget":"note"}`, 200, done, nil},
	{"notify: unknown widget", nil, "POST /notify", asJSON, `{"widget":"who"}`, 400, `{"error":"Widget not found","success":false,"widgets":["note"]}`, nil},
	{"notify: bad key", nil, "POST /notify", asJSON, `{"widget":"note","text":1}`, 400, `{"error":"text must be a string","success":false}`, nil},
	{"notify: queue full", nil, "POST /notify", asJSON, `{"widget":"full"}`, 429, `{"error":"too many notifications are waiting for this widget","success":false}`, []string{"Retry-After", "5"}},
	{"notify: largest body", nil, "POST /notify", asJSON, `{"widget":"note"` + strings.Repeat(" ", maxBody-17) + `}`, 200, done, nil},
	{"notify: too large", nil, "POST /notify", asJSON, `{"widget":"note"` + strings.Repeat(" ", maxBody-16) + `}`, 413, `{"error":"the body must be at most 65536 bytes long","success":false}`, nil},
	{"notify: id", nil, "POST /notify", asJSON, `{"widget":"note","id":"a"}`, 200, `{"id":"a","success":true}`, nil},
	{"notify: list", nil, "GET /notify", nil, "", 200, notices, []string{"Cache-Control", "no-store"}},
	{"notify: one", nil, "GET /notify/a", nil, "", 200, notices, nil},
	{"notify: none of that id", nil, "GET /notify/b", nil, "", 404, noNotice, nil},
	{"notify: list without a token", tokens("s", "c"), "GET /notify", nil, "", 401, controlDenied, nil},
	{"notify: list of none", noWidgets, "GET /notify", nil, "", 404, noNotifiable, nil},
	{"notify: delete all", nil, "DELETE /notify", nil, "", 200, oneDeleted, nil},
	{"notify: delete those of a widget", nil, "DELETE /notify?widget=note", nil, "", 200, oneDeleted, nil},
	{"notify: delete those of nobody", nil, "DELETE /notify?widget=who", nil, "", 400, `{"error":"Widget not found","success":false,"widgets":["note"]}`, nil},
	{"notify: delete with a misspelled parameter", nil, "DELETE /notify?widgt=note", nil, "", 400,
		`{"error":"DELETE /notify has no parameter 'widgt'","success":false}`, nil},
	{"notify: delete one", nil, "DELETE /notify/a", nil, "", 200, oneDeleted, nil},
	{"notify: delete none", nil, "DELETE /notify/b", nil, "", 404, noNotice, nil},
	{"notify: delete without a token", tokens("s", "c"), "DELETE /notify/a", nil, "", 401, controlDenied, nil},
	{"notify: delete where there is none", noWidgets, "DELETE /notify", nil, "", 404, noNotifiable, nil},
	{"notify: PUT", nil, "PUT /notify", nil, "", 405, wrongMethod, []string{"Allow", "DELETE, GET, HEAD, OPTIONS, POST"}},
	{"notify: handler panics", nil, "POST /notify", asJSON, `{"widget":"panic"}`, 500, `{"error":"internal error","success":false}`, nil},

	{"theme: GET, bad token", tokens("s", "c"), "GET /theme", nil, "", 401, controlDenied, nil},
	{"theme: POST, bad token", tokens("s", "c"), "POST /theme", nil, "", 401, controlDenied, nil},
	{"theme: token before feature", func(f *fixture) { f.Configure(Settings{ControlToken: pointer("c")}) }, "GET /theme", nil, "", 401, controlDenied, nil},
	{"theme: GET, off", func(f *fixture) { f.Configure(Settings{}) }, "GET /theme", nil, "", 404, controlOff, nil},
	{"theme: POST, off", func(f *fixture) { f.Configure(Settings{}) }, "POST /theme", asJSON, `{}`, 404, controlOff, nil},
	{"theme: GET, one theme", func(f *fixture) { f.themes.err = control.ErrOneTheme }, "GET /theme", nil, "", 400, oneTheme, nil},
	{"theme: POST, one theme", func(f *fixture) { f.themes.err = control.ErrOneTheme }, "POST /theme", asJSON, `{"mode":"x"}`, 400, oneTheme, nil},
	{"theme: GET, no place", nil, "GET /theme", nil, "", 200, `{"following_sun":false,"held_until":null,"mode":"day","next_change":null,"next_mode":null,"success":true}`, nil},
	{"theme: GET, with a place", located, "GET /theme", nil, "", 200, `{"following_sun":true,"held_until":null,"mode":"night","next_change":"2026-11-22T06:30:00.698299+00:00","next_mode":"day","success":true}`, nil},
	{"theme: HEAD", located, "HEAD /theme", nil, "", 200, "", []string{"Content-Type", "application/json"}},
	{"theme: hold by default", located, "POST /theme", asJSON, `{"mode":"day"}`, 200, `{"following_sun":false,"held_until":"2026-11-22T06:30:00.698299+00:00","mode":"day","success":true}`, nil},
	{"theme: hold for ever", located, "POST /theme", asJSON, `{"mode":"night","hold":"forever"}`, 200, `{"following_sun":false,"held_until":null,"mode":"night","success":true}`, nil},
	{"theme: whole second", func(f *fixture) { located(f); f.themes.state.NextChange = sunrise.Truncate(time.Second) }, "POST /theme", asJSON, `{"mode":"day","hold":"next"}`, 200, `{"following_sun":false,"held_until":"2026-11-22T06:30:00+00:00","mode":"day","success":true}`, nil},
	{"theme: auto", located, "POST /theme", asJSON, `{"mode":"auto"}`, 200, `{"following_sun":true,"held_until":null,"mode":"night","success":true}`, nil},
	{"theme: auto, no place", nil, "POST /theme", asJSON, `{"mode":"auto","hold":"x"}`, 400, noPlace, nil},
	{"theme: auto, bad hold", located, "POST /theme", asJSON, `{"mode":"auto","hold":"x"}`, 400, wrongHold, nil},
	{"theme: hold null", located, "POST /theme", asJSON, `{"mode":"day","hold":null}`, 400, wrongHold, nil},
	{"theme: hold a number", located, "POST /theme", asJSON, `{"mode":"day","hold":1}`, 400, wrongHold, nil},
	{"theme: mode before hold", located, "POST /theme", asJSON, `{"mode":"dusk","hold":"x"}`, 400, wrongMode, nil},
	{"theme: no mode", located, "POST /theme", asJSON, `{}`, 400, wrongMode, nil},
	{"theme: empty body", located, "POST /theme", nil, ``, 400, wrongMode, nil},
	{"theme: not JSON", located, "POST /theme", asJSON, `{"mode":`, 400, wrongMode, nil},
	{"theme: a list", located, "POST /theme", asJSON, `["day"]`, 400, wrongMode, nil},
	{"theme: a string", located, "POST /theme", asJSON, `"day"`, 400, wrongMode, nil},
	{"theme: other content type", located, "POST /theme", []string{"Content-Type", "text/plain"}, `{"mode":"day"}`, 400, wrongMode, nil},
	{"theme: too large", located, "POST /theme", asJSON, strings.Repeat(" ", maxBody+1), 413, "*", nil},
	{"theme: cannot be changed", func(f *fixture) { f.themes.err = io.ErrClosedPipe }, "GET /theme", nil, "", 500, `{"error":"the theme cannot be changed now","success":false}`, nil},
	{"theme: PUT", nil, "PUT /theme", nil, "", 405, wrongMethod, []string{"Allow", "GET, HEAD, OPTIONS, POST"}},

	{"home", tokens("s", "c"), "GET /", nil, "", 200, "*", []string{"Content-Type", "text/html; charset=utf-8"}},
	{"home: HEAD", nil, "HEAD /", nil, "", 200, "", nil},
	{"health: not well", sick, "GET /healthz", nil, "", 503, "*", []string{"Retry-After", "10", "Content-Type", "application/json"}},
	{"health", nil, "GET /healthz", nil, "", 200, "*", []string{"Content-Type", "application/json"}},
	{"metrics", nil, "GET /metrics", nil, "", 200, "*", []string{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
	{"unknown route", nil, "GET /nothing", nil, "", 404, unknownRoute, []string{"Server", "dashboard/1.2.3"}},
	{"unknown route: HEAD", nil, "HEAD /nothing", nil, "", 404, "", nil},
	{"slash at the end", nil, "GET /frame/", nil, "", 404, unknownRoute, nil},
	{"other case", nil, "GET /Frame", nil, "", 404, unknownRoute, nil},
	{"doubled slash", nil, "GET //frame", nil, "", 404, unknownRoute, nil},
}

func tokens(stream, control string) func(*fixture) {
	return func(f *fixture) {
		f.Configure(Settings{StreamOn: true, HTTPControl: true, StreamToken: &stream, ControlToken: &control})
	}
}

func bearer(value string) []string { return []string{"Authorization", value} }

func empty(f *fixture) { f.side.X = 0 }

func noWidgets(f *fixture) { f.notes.none = true }

func located(f *fixture) {
	f.themes.state = control.ThemeState{Mode: "night", FollowingSun: true, NextChange: sunrise, NextMode: "day", Located: true}
}

func TestEndpoints(t *testing.T) {
	for _, tt := range endpointTests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			if tt.set != nil {
				tt.set(f)
			}
			if f.side.X > 0 {
				f.show(t, 100)
			}
			ts := httptest.NewServer(f.Handler())
			defer ts.Close()
			resp, body := ask(t, ts, tt.request, tt.header, tt.body)
			if resp.StatusCode != tt.status {
				t.Fatalf("got %d %s, want %d", resp.StatusCode, body, tt.status)
			}
			want := tt.want
			if want != "" {
				want += "\n"
			}
			if tt.want != "*" && body != want {
				t.Errorf("got body %q, want %q", body, want)
			}
			checkHeader(t, resp.Header, tt.has)
		})
	}
}

// ask sends a request and returns the answer with its body.
func ask(tb testing.TB, ts *httptest.Server, request string, header []string, body string) (*http.Response, string) {
	tb.Helper()
	method, target, _ := strings.Cut(request, " ")
	req, err := http.NewRequest(method, ts.URL+target, strings.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := ts.Client().Do(req)
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return resp, string(got)
}

// checkHeader compares headers. The list `has` alternates between names and values. If a value begins with *, the header must end with
// the text after the *.
func checkHeader(t *testing.T, h http.Header, has []string) {
	t.Helper()
	for i := 0; i < len(has); i += 2 {
		got := h.Get(has[i])
		if end, ok := strings.CutPrefix(has[i+1], "*"); ok && strings.HasSuffix(got, end) {
			continue
		}
		if got != has[i+1] {
			t.Errorf("got %s: %q, want %q", has[i], got, has[i+1])
		}
	}
}

// sick() makes the wall's health report unhealthy.
func sick(f *fixture) { f.deps.Health = func() (map[string]any, bool) { return nil, false } }

// TestSource checks the report about the origin of the wall's files. If the files are in the wall's folder, there is no report.
func TestSource(t *testing.T) {
	f := newFixture(t)
	ts := httptest.NewServer(f.Handler())
	defer ts.Close()
	if resp, _ := ask(t, ts, "GET /source", nil, ""); resp.StatusCode != http.StatusNotFound {
		t.Errorf("files of its own: got %d", resp.StatusCode)
	}
	f.deps.Source = func() map[string]any { return map[string]any{"folder": "hall"} }
	if resp, body := ask(t, ts, "GET /source", nil, ""); resp.StatusCode != http.StatusOK || strings.TrimSpace(body) != `{"folder":"hall","success":true}` {
		t.Errorf("got %d %s", resp.StatusCode, body)
	}
}
