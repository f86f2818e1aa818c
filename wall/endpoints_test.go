package wall

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"dashboard/internal/testing/programtest"
)

// Error answers are compared byte by byte. They are JSON without spaces, with sorted keys and one newline.
const (
	streamDenied = `{"error":"a valid stream bearer token is required: send 'Authorization: Bearer TOKEN' with server.auth.stream_token","success":false}`
	noStream     = `{"error":"no stream output is configured","success":false}`
	sizeGiven    = `{"error":"width and height must both be given, as integers","success":false}`
	sizeRange    = `{"error":"width and height must be between 1 and 7680","success":false}`
	noFrame      = `{"error":"no frame has been published yet","success":false}`
	nothingHere  = `{"error":"there is nothing here","success":false}`
	wrongMethod  = `{"error":"this method is not allowed here; see the header Allow","success":false}`
)

// walls contains the configurations for the rows below, by name. Each configuration is started once.
var walls = map[string]func(f files){
	"open":        nil,
	"jpeg":        format("jpeg"),
	"jpg":         format("jpg"),
	"bmp":         format("bmp"),
	"tokens":      auth("stream_token: s, control_token: c"),
	"empty token": auth("stream_token: ''"),
	"no stream": func(f files) {
		f["conf.yaml"] = strings.Replace(f["conf.yaml"], "  - {type: stream, image_format: png}\n", "appearance: {themes: {day: a.yaml, night: a.yaml}, http_control: true}\n", 1)
		f["a.yaml"] = "colors: {}\n"
	},
	"no stream, tokens": func(f files) {
		f["conf.yaml"] = strings.Replace(f["conf.yaml"], "  - {type: stream, image_format: png}\n", "", 1)
		f["widgets.yaml"] = "widgets:\n  - {widget: notifiabletext, name: n, children: [{widget: empty, color: red}]}\n"
		auth("stream_token: s")(f)
	},
}

func format(name string) func(f files) {
	return func(f files) {
		f["conf.yaml"] = strings.Replace(f["conf.yaml"], "image_format: png", "image_format: "+name, 1)
	}
}

func auth(tokens string) func(f files) {
	return func(f files) {
		f["conf.yaml"] = strings.Replace(f["conf.yaml"], "server:\n", "server:\n  auth: {"+tokens+"}\n", 1)
	}
}

// row is one row of the tables of endpoints, errors and limits. In a header, {base} stands for the tag of the wall's frame without the
// size and the quotes.
type row struct {
	name    string
	request string
	header  []string
	status  int
	body    string   // expected body without its newline. "*": any body. See `bodies` for the other short forms
	has     []string // headers with their values; "-" means that the header is missing
}

// bodies maps the short forms of large bodies to their beginnings. Such bodies are not compared completely.
var bodies = map[string]string{"PNG": "\x89PNG\r\n\x1a\n", "JPEG": "\xff\xd8\xff", "BMP": "BM", "HTML": "<!doctype html>"}

var (
	asJSON    = []string{"Content-Type", "application/json", "Server", "dashboard/" + programtest.Version, "Cache-Control", "no-store"}
	challenge = append([]string{"WWW-Authenticate", "Bearer"}, asJSON...)
	allowGet  = []string{"Allow", "GET, HEAD, OPTIONS"}
	asEvents  = []string{"Content-Type", "text/event-stream; charset=utf-8", "Cache-Control", "no-store", "X-Accel-Buffering", "no"}
)

func bearer(value string) []string { return []string{"Authorization", value} }

func having(tags string) []string { return []string{"If-None-Match", tags} }

var endpointRows = map[string][]row{
	"open": {
		{"frame", "GET /frame", nil, 200, "PNG", []string{"Content-Type", "image/png", "ETag", `"{base}"`, "Cache-Control", "no-store", "Server", "dashboard/" + programtest.Version, "X-Frame-Published-At", "{at}"}},
		{"frame of a size", "GET /frame?width=80&height=48", nil, 200, "PNG", []string{"ETag", `"{base}-80x48"`, "X-Frame-Published-At", "{at}"}},
		{"frame of the render size, asked for", "GET /frame?width=160&height=96", nil, 200, "PNG", []string{"ETag", `"{base}-160x96"`}},
		{"smallest", "GET /frame?width=1&height=1", nil, 200, "PNG", []string{"ETag", `"{base}-1x1"`}},
		{"widest", "GET /frame?width=7680&height=1", nil, 200, "PNG", []string{"ETag", `"{base}-7680x1"`}},
		{"highest", "GET /frame?width=1&height=7680", nil, 200, "PNG", []string{"ETag", `"{base}-1x7680"`}},
		{"width alone", "GET /frame?width=10", nil, 400, sizeGiven, asJSON},
		{"height alone", "GET /frame?height=10", nil, 400, sizeGiven, asJSON},
		{"width empty", "GET /frame?width=&height=10", nil, 400, sizeGiven, nil},
		{"no number", "GET /frame?width=a&height=10", nil, 400, sizeGiven, nil},
		{"no integer", "GET /frame?width=12.5&height=10", nil, 400, sizeGiven, nil},
		{"hexadecimal", "GET /frame?width=0x10&height=10", nil, 400, sizeGiven, nil},
		{"width 0", "GET /frame?width=0&height=10", nil, 400, sizeRange, asJSON},
		{"height 0", "GET /frame?width=10&height=0", nil, 400, sizeRange, nil},
		{"negative", "GET /frame?width=-10&height=10", nil, 400, sizeRange, nil},
		{"width 7681", "GET /frame?width=7681&height=10", nil, 400, sizeRange, nil},
		{"height 7681", "GET /frame?width=10&height=7681", nil, 400, sizeRange, nil},
		{"beyond 64 bits", "GET /frame?width=99999999999999999999&height=10", nil, 400, sizeRange, nil},
		{"blanks, plus, zeros, underscore", "GET /frame?width=%2010%20&height=%2B0_8", nil, 200, "PNG", []string{"ETag", `"{base}-10x8"`}},
		{"the first of repeated ones", "GET /frame?width=10&height=8&width=20&height=x", nil, 200, "PNG", []string{"ETag", `"{base}-10x8"`}},
		{"other parameters", "GET /frame?token=x&foo", nil, 200, "PNG", nil},

		{"held", "GET /frame", having(`"{base}"`), 304, "", []string{"ETag", `"{base}"`, "Cache-Control", "no-store", "X-Frame-Published-At", "{at}", "Content-Type", "-", "Content-Length", "-"}},
		{"held of a size", "GET /frame?width=80&height=48", having(`"{base}-80x48"`), 304, "", []string{"ETag", `"{base}-80x48"`}},
		{"held of a size never asked for", "GET /frame?width=81&height=49", having(`"{base}-81x49"`), 304, "", nil},
		{"held, in a list", "GET /frame", having(`"x", "{base}" ,"y"`), 304, "", nil},
		{"held, in two lines", "GET /frame", append(having(`"x"`), having(`"{base}"`)...), 304, "", nil},
		{"held, weak", "GET /frame", having(`W/"{base}"`), 304, "", nil},
		{"anything held", "GET /frame", having(`*`), 304, "", nil},
		{"other held", "GET /frame", having(`"0123456789abcdef"`), 200, "PNG", nil},
		{"held of another size", "GET /frame?width=80&height=48", having(`"{base}-48x80"`), 200, "PNG", nil},
		{"held without a size", "GET /frame?width=80&height=48", having(`"{base}"`), 200, "PNG", nil},
		{"held of a size, none asked for", "GET /frame", having(`"{base}-160x96"`), 200, "PNG", nil},
		{"held, without quotes", "GET /frame", having(`{base}`), 200, "PNG", nil},
		{"held, wrong size asked for", "GET /frame?width=0&height=1", having(`*`), 400, sizeRange, nil},
		{"held, HEAD", "HEAD /frame", having(`"{base}"`), 304, "", []string{"ETag", `"{base}"`}},
		{"tiles, nothing held", "GET /frame", []string{"A-IM", "tiles"}, 200, "PNG", []string{"IM", "-"}},
		{"tiles, all held", "GET /frame", append([]string{"A-IM", "tiles"}, having(`"{base}"`)...), 304, "", nil},
		{"tiles, unknown held", "GET /frame", append([]string{"A-IM", "tiles"}, having(`"0123456789abcdef"`)...), 200, "PNG", nil},
		{"ranges are not offered", "GET /frame", []string{"Range", "bytes=0-9"}, 200, "PNG", []string{"Accept-Ranges", "-", "Content-Range", "-"}},

		{"HEAD", "HEAD /frame", nil, 200, "", []string{"Content-Type", "image/png", "ETag", `"{base}"`, "X-Frame-Published-At", "{at}"}},
		{"HEAD, wrong", "HEAD /frame?width=1", nil, 400, "", nil},
		{"OPTIONS", "OPTIONS /frame", nil, 200, "", allowGet},
		{"POST", "POST /frame", nil, 405, wrongMethod, append(allowGet, asJSON...)},
		{"PUT", "PUT /frame", nil, 405, wrongMethod, allowGet},
		{"DELETE", "DELETE /frame", nil, 405, wrongMethod, allowGet},

		{"events: HEAD", "HEAD /events", nil, 200, "", asEvents},
		{"events: width alone", "GET /events?width=1", nil, 400, sizeGiven, asJSON},
		{"events: no number", "GET /events?width=1&height=b", nil, 400, sizeGiven, nil},
		{"events: out of range", "GET /events?width=0&height=1", nil, 400, sizeRange, nil},
		{"events: too large", "GET /events?width=1&height=7681", nil, 400, sizeRange, nil},
		{"events: OPTIONS", "OPTIONS /events", nil, 200, "", allowGet},
		{"events: POST", "POST /events", nil, 405, wrongMethod, allowGet},

		{"mjpg: HEAD", "HEAD /stream.mjpg", nil, 200, "", []string{"Content-Type", "multipart/x-mixed-replace; boundary=frame"}},
		{"mjpg: height alone", "GET /stream.mjpg?height=1", nil, 400, sizeGiven, nil},
		{"mjpg: out of range", "GET /stream.mjpg?width=1&height=9999", nil, 400, sizeRange, nil},
		{"mjpg: OPTIONS", "OPTIONS /stream.mjpg", nil, 200, "", allowGet},
		{"mjpg: POST", "POST /stream.mjpg", nil, 405, wrongMethod, allowGet},

		{"page", "GET /", nil, 200, "HTML", []string{"Content-Type", "text/html; charset=utf-8", "X-Content-Type-Options", "nosniff"}},
		{"page: HEAD", "HEAD /", nil, 200, "", []string{"Content-Type", "text/html; charset=utf-8"}},
		{"page: OPTIONS", "OPTIONS /", nil, 200, "", allowGet},
		{"page: POST", "POST /", nil, 405, wrongMethod, allowGet},

		{"health", "GET /healthz", nil, 200, "*", []string{"Content-Type", "application/json"}},
		{"health: HEAD", "HEAD /healthz", nil, 200, "", nil},
		{"health: POST", "POST /healthz", nil, 405, wrongMethod, allowGet},
		{"metrics", "GET /metrics", nil, 200, "*", []string{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
		{"metrics: OPTIONS", "OPTIONS /metrics", nil, 200, "", allowGet},

		{"unknown", "GET /nothing", nil, 404, nothingHere, asJSON},
		{"unknown: POST", "POST /nothing", nil, 404, nothingHere, asJSON},
		{"unknown: HEAD", "HEAD /nothing", nil, 404, "", nil},
		{"slash at the end", "GET /frame/", nil, 404, nothingHere, nil},
		{"upper case", "GET /FRAME", nil, 404, nothingHere, nil},
		{"doubled slash", "GET //frame", nil, 404, nothingHere, nil},
		{"up and down", "GET /x/../frame", nil, 404, nothingHere, nil},
	},
	"jpeg": {
		{"frame", "GET /frame", nil, 200, "JPEG", []string{"Content-Type", "image/jpeg", "ETag", `"{base}"`}},
		{"of a size", "GET /frame?width=80&height=48", nil, 200, "JPEG", []string{"Content-Type", "image/jpeg"}},
	},
	"jpg": {{"frame", "GET /frame", nil, 200, "JPEG", []string{"Content-Type", "image/jpeg"}}},
	"bmp": {
		{"frame", "GET /frame", nil, 200, "BMP", []string{"Content-Type", "image/bmp", "ETag", `"{base}"`}},
		{"of a size", "GET /frame?width=80&height=48", nil, 200, "BMP", []string{"Content-Type", "image/bmp"}},
	},
	"tokens": {
		{"frame, right", "GET /frame", bearer("Bearer s"), 200, "PNG", nil},
		{"frame, none", "GET /frame", nil, 401, streamDenied, challenge},
		{"frame, wrong", "GET /frame", bearer("Bearer t"), 401, streamDenied, challenge},
		{"frame, longer", "GET /frame", bearer("Bearer ss"), 401, streamDenied, nil},
		{"frame, control's", "GET /frame", bearer("Bearer c"), 401, streamDenied, nil},
		{"frame, scheme in lower case", "GET /frame", bearer("bearer s"), 401, streamDenied, nil},
		{"frame, two blanks", "GET /frame", bearer("Bearer  s"), 401, streamDenied, nil},
		{"frame, no scheme", "GET /frame", bearer("s"), 401, streamDenied, nil},
		{"frame, other scheme", "GET /frame", bearer("Basic cw=="), 401, streamDenied, nil},
		{"frame, not ASCII", "GET /frame", bearer("Bearer \u00e9"), 401, streamDenied, nil},
		{"frame, in the query", "GET /frame?token=s", nil, 401, streamDenied, nil},
		{"frame, before arguments", "GET /frame?width=x", nil, 401, streamDenied, nil},
		{"frame, before 304", "GET /frame", having("*"), 401, streamDenied, nil},
		{"frame, HEAD", "HEAD /frame", nil, 401, "", []string{"WWW-Authenticate", "Bearer"}},
		{"frame, OPTIONS tells", "OPTIONS /frame", nil, 200, "", allowGet},
		{"frame, POST", "POST /frame", nil, 405, wrongMethod, nil},
		{"events, none", "GET /events", nil, 401, streamDenied, challenge},
		{"events, wrong", "GET /events", bearer("Bearer c"), 401, streamDenied, challenge},
		{"events, before arguments", "GET /events?width=x", nil, 401, streamDenied, nil},
		{"events, right, HEAD", "HEAD /events", bearer("Bearer s"), 200, "", asEvents},
		{"mjpg, none", "GET /stream.mjpg", nil, 401, streamDenied, challenge},
		{"mjpg, right, HEAD", "HEAD /stream.mjpg", bearer("Bearer s"), 200, "", nil},
		{"page, which holds no frame", "GET /", nil, 200, "HTML", nil},
		{"health", "GET /healthz", nil, 200, "*", nil},
		{"unknown", "GET /nothing", nil, 404, nothingHere, nil},
	},
	"empty token": {
		{"none sent", "GET /frame", nil, 401, streamDenied, challenge},
		{"sent", "GET /frame", bearer("Bearer "), 200, "PNG", nil},
		{"other sent", "GET /frame", bearer("Bearer x"), 401, streamDenied, nil},
	},
	"no stream": {
		{"frame", "GET /frame", nil, 404, noStream, asJSON},
		{"frame, before arguments", "GET /frame?width=x", nil, 404, noStream, nil},
		{"frame, HEAD", "HEAD /frame", nil, 404, "", nil},
		{"events", "GET /events", nil, 404, noStream, asJSON},
		{"mjpg", "GET /stream.mjpg", nil, 404, noStream, asJSON},
		{"page", "GET /", nil, 200, "HTML", nil},
		{"health", "GET /healthz", nil, 200, "*", nil},
	},
	"no stream, tokens": {
		{"token before feature", "GET /frame", nil, 401, streamDenied, nil},
		{"token before feature, events", "GET /events", nil, 401, streamDenied, nil},
		{"feature", "GET /frame", bearer("Bearer s"), 404, noStream, nil},
	},
}

// TestEndpointRows sends the request of every row of the tables of endpoints, errors and limits to the built program.
func TestEndpointRows(t *testing.T) {
	for wall, rows := range endpointRows {
		t.Run(wall, func(t *testing.T) {
			t.Parallel()
			b := launchWall(t, walls[wall])
			b.serves("/healthz", http.StatusOK)
			tag := b.tag()
			for _, r := range rows {
				t.Run(r.name, func(t *testing.T) {
					checkRow(t, b, r, tag)
				})
			}
		})
	}
}

// earlyRows are requests and their answers before the wall's first frame.
var earlyRows = []row{
	{"frame", "GET /frame", nil, 503, noFrame, []string{"Content-Type", "application/json", "Cache-Control", "no-store"}},
	{"of a size", "GET /frame?width=80&height=48", nil, 503, noFrame, nil},
	{"held", "GET /frame", having("*"), 503, noFrame, nil},
	{"size before no frame", "GET /frame?width=80", nil, 400, sizeGiven, nil},
	{"range before no frame", "GET /frame?width=0&height=0", nil, 400, sizeRange, nil},
	{"HEAD", "HEAD /frame", nil, 503, "", nil},
	{"events, no 503", "HEAD /events", nil, 200, "", asEvents},
	{"mjpg, no 503", "HEAD /stream.mjpg", nil, 200, "", nil},
	{"page", "GET /", nil, 200, "HTML", nil},
	{"health, not yet", "GET /healthz", nil, 503, "*", []string{"Content-Type", "application/json"}},
}

// TestBeforeTheFirstFrame sends requests to a wall whose render loop has not begun.
func TestBeforeTheFirstFrame(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	conf := fmt.Sprintf("graphics: {resolution: [160, 96]}\nserver: {port: %d}\noutputs: [{type: stream, image_format: png}]\n", port)
	s, run := quietIn(t, t.TempDir(), files{"conf.yaml": conf, "widgets.yaml": plainWall("red")}, io.Discard)
	ctx, cancel := context.WithCancel(t.Context())
	var web sync.WaitGroup
	web.Go(func() { s.web.run(ctx) })
	b := &binary{site: site{t, ".", port}}
	b.serves("/", http.StatusOK)
	events := b.listen()
	t.Run("rows", func(t *testing.T) { // each row waits some time for a frame
		for _, r := range earlyRows {
			t.Run(r.name, func(t *testing.T) { t.Parallel(); checkRow(t, b, r, frameTag{}) })
		}
	})
	if n := events.events.Load(); n != 0 {
		t.Errorf("got %d events before the first frame", n)
	}
	wait := run(ctx)
	b.serves("/frame?width=80&height=48", http.StatusOK)
	eventually(t, "the first event", func() bool { return events.events.Load() > 0 })
	cancel()
	wait()
	web.Wait()
}

// A frameTag identifies the current frame by its base tag and its time. Before the first frame, the tag and the time are empty.
type frameTag struct{ base, at string }

// in() replaces the placeholders in a row's headers.
func (f frameTag) in(header []string) []string {
	fill := strings.NewReplacer("{base}", f.base, "{at}", f.at)
	filled := make([]string, len(header))
	for i, h := range header {
		filled[i] = fill.Replace(h)
	}
	return filled
}

// tag returns the tag of the newest frame in /healthz, and the frame's time in the header of /frame.
func (p site) tag() frameTag {
	var h struct{ Stream struct{ ETag string } }
	_, body := p.get("/healthz")
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		p.t.Fatalf("healthz: %v in %q", err, body)
	}
	head := p.ask("HEAD /frame", append(bearer("Bearer s"), having("*")...), "")
	return frameTag{h.Stream.ETag, head.header.Get("X-Frame-Published-At")}
}

func checkRow(t *testing.T, b *binary, r row, tag frameTag) {
	t.Helper()
	a := b.ask(r.request, tag.in(r.header), "")
	if a.status != r.status {
		t.Fatalf("%s: got %d %.200q, want %d", r.request, a.status, a.body, r.status)
	}
	checkBody(t, a, r.body)
	checkHeader(t, a, tag.in(r.has))
}

func checkBody(t *testing.T, a answer, want string) {
	t.Helper()
	begin, known := bodies[want]
	switch {
	case want == "*":
	case known && strings.HasPrefix(strings.ToLower(a.body), strings.ToLower(begin)):
		if length := a.header.Get("Content-Length"); length != fmt.Sprint(len(a.body)) {
			t.Errorf("got Content-Length %q of %d bytes", length, len(a.body))
		}
	case known:
		t.Errorf("got %.20q, want %s", a.body, want)
	case want != "" && a.body != want+"\n", want == "" && a.body != "":
		t.Errorf("got body %q, want %q and a newline", a.body, want)
	}
}

func checkHeader(t *testing.T, a answer, has []string) {
	t.Helper()
	for i := 0; i+1 < len(has); i += 2 {
		want := has[i+1]
		if want == "-" {
			want = ""
		}
		if got := a.header.Get(has[i]); got != want {
			t.Errorf("got %s %q, want %q", has[i], got, want)
		}
	}
}
