package wall

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
)

// metric returns a value of /metrics. `name` includes the labels.
func (p site) metric(name string) float64 {
	p.t.Helper()
	_, body := p.get("/metrics")
	return p.figure(body, name)
}

// figure finds the value of `name` in `body`, which is the text of /metrics.
func (p site) figure(body, name string) float64 {
	p.t.Helper()
	for line := range strings.Lines(body) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				p.t.Fatal(err)
			}
			return f
		}
	}
	p.t.Fatalf("no metric %s", name)
	return 0
}

// sizes() returns the frame sizes that the service stores.
func (p site) sizes() (list []string) {
	p.t.Helper()
	var h struct {
		Stream struct {
			Sizes []struct{ Width, Height int }
		}
	}
	_, body := p.get("/healthz")
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		p.t.Fatal(err)
	}
	for _, s := range h.Stream.Sizes {
		list = append(list, fmt.Sprintf("%dx%d", s.Width, s.Height))
	}
	return list
}

const encodes = "dashboard_stream_encodes_total"

// The service stores at most eight frame sizes. A ninth size does not remove sizes that are in use, and all requests are answered.
func TestEightSizes(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	b := launchWall(t, nil)
	ask := func(n int) {
		t.Helper()
		if status, body := b.get(fmt.Sprintf("/frame?width=%d&height=10", n)); status != http.StatusOK {
			t.Fatalf("size %d: got %d %.60q, want 200", n, status, body)
		}
	}
	for n := 1; n <= 8; n++ {
		ask(n)
	}
	ask(1)
	if got := b.metric(encodes); got != 8 {
		t.Errorf("got %v encodes for eight sizes, want 8", got)
	}
	ask(9)
	if got := strings.Join(b.sizes(), " "); got != "1x10 2x10 3x10 4x10 5x10 6x10 7x10 8x10" {
		t.Errorf("got sizes %s, want all but 9x10", got)
	}
	for n := 1; n <= 100; n++ {
		ask(n)
	}
	if got := b.sizes(); len(got) != 8 {
		t.Errorf("got sizes %v, want eight", got)
	}
}

// If many clients request the same size, the frame is scaled and encoded only once.
func TestManyAskForOneSize(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	b := launchWall(t, nil)
	var wg sync.WaitGroup
	answers := make([]answer, 40)
	for i := range answers {
		wg.Go(func() { answers[i] = b.ask("GET /frame?width=1280&height=720", nil, "") })
	}
	wg.Wait()
	for i, a := range answers {
		if a.status != http.StatusOK || a.body != answers[0].body {
			t.Errorf("answer %d: got %d and %d bytes, want that of the others", i, a.status, len(a.body))
		}
	}
	if got := b.metric(encodes); got != 1 {
		t.Errorf("got %v encodes for %d requests, want 1", got, len(answers))
	}
}

// The server also sends frames of the largest sizes. It encodes these frames strip by strip.
func TestLargestSizes(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	const most = 160 << 20 // for three requests; one frame of 7680x7680 px has 236 MB of pixels
	b := launchWall(t, nil)
	for _, size := range []string{"7680&height=7680", "7680&height=4320", "4320&height=7680"} {
		if status, body := b.get("/frame?width=" + size); status != http.StatusOK || !strings.HasSuffix(body, "IEND\xaeB`\x82") {
			t.Errorf("%s: got %d and %d bytes, want a whole PNG", size, status, len(body))
		}
	}
	peak := b.Memory("VmHWM")
	t.Logf("peak %d MB", peak>>20)
	if peak > most {
		t.Errorf("got a peak of %d MB, want at most %d", peak>>20, most>>20)
	}
}

// A serverCase is a wall with a window and a feature that may need an HTTP server.
type serverCase struct {
	name    string
	widgets string
	conf    string // text after the window output in conf.yaml
	runs    bool
}

// serverCases returns walls. A server must run for some of them.
func serverCases() []serverCase {
	push := "widgets:\n  - {widget: %s, name: n, children: [{widget: empty, color: red}]}\n"
	timer := "widgets: [{widget: grid, columns: 2, children: [{widget: empty, color: red}, {widget: timer, %sduration: 4m}]}]\n"
	return []serverCase{
		{"nothing", plainWall("red"), "", false},
		{"tokens", plainWall("red"), "server: {host: 127.0.0.1, auth: {stream_token: s}}\n", false},
		{"other outputs", plainWall("red"), "  - {type: file, output_path: out}\n", false},
		{"stream output", plainWall("red"), "  - {type: stream}\n", true},
		{"notifiabletext", fmt.Sprintf(push, "notifiabletext"), "", true},
		{"notifiableimage", fmt.Sprintf(push, "notifiableimage"), "", true},
		{"timer", fmt.Sprintf(timer, "name: tea, "), "", true},
		{"timer without a name", fmt.Sprintf(timer, ""), "", false},
		{"http_control", plainWall("red"), "appearance: {themes: {day: a.yaml, night: a.yaml}, http_control: true}\n", true},
		{"appearance alone", plainWall("red"), "appearance: {themes: {day: a.yaml, night: a.yaml}}\n", false},
	}
}

// The HTTP server runs only if a feature needs it. The key `server` alone does not start it.
func TestServerOnlyWhenAskedFor(t *testing.T) {
	for i, tc := range serverCases() {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			port := freePort(t)
			server := fmt.Sprintf("server: {port: %d}\n", port)
			if strings.Contains(tc.conf, "server:") {
				server, tc.conf = strings.Replace(tc.conf, "{", fmt.Sprintf("{port: %d, ", port), 1), ""
			}
			conf := fmt.Sprintf("graphics:\n  resolution: [%d, %d]\n%soutputs:\n  - {type: window, driver: virtual, device: screen.raw}\n%s", testW, testH, server, tc.conf)
			b := launch(t, port, files{"conf.yaml": conf, "widgets.yaml": tc.widgets, "a.yaml": "colors: {}\n"})
			b.shows(1, 1, red)
			if tc.runs {
				b.serves("/healthz", http.StatusOK)
				if tc.name != "http_control" && tc.name != "timer" { // the clients of these two cases are probably programs on this machine
					b.Says("only this machine can reach")
				}
				return
			}
			b.Says("no HTTP server")
			if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
				c.Close()
				t.Error("something listens")
			}
			b.change(files{"conf.yaml": conf + "  - {type: stream}\n"}) // valid only if outputs is the last key of conf
			if tc.name == "nothing" {
				b.serves("/frame", http.StatusOK)
			}
		})
	}
}

// If another program uses the port, the wall works without its HTTP server. This is logged once.
// When the port becomes free, the server uses it.
func TestBusyPortOfTheBinary(t *testing.T) {
	t.Parallel()
	port := freePort(t) // from freePort, because other tests may get any port that the kernel chooses
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	b := launch(t, port, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")})
	b.shows(1, 1, red)
	b.Says("server not listening")
	b.change(files{"widgets.yaml": plainWall("blue")})
	b.shows(1, 1, blue)
	l.Close()
	b.serves("/frame", http.StatusOK)
	if n := strings.Count(b.Log.String(), "server not listening"); n != 1 {
		t.Errorf("said %d times, want once", n)
	}
}

// Neither a successful reload nor a failed reload disconnects a client. /frame has the status 200 all the time.
func TestReloadCutsNobody(t *testing.T) {
	t.Parallel()
	b := launchWall(t, nil)
	good := wallConf(b.port, "")
	events, stop := b.listen(), b.watch()
	movie, _ := b.open("GET /stream.mjpg")
	parts := bufio.NewReader(movie.Body)
	seen := func(f files) { // waits for an event, because the stream skips older frames
		t.Helper()
		before := events.events.Load()
		b.change(f)
		eventually(t, "an event", func() bool { return events.events.Load() > before })
	}
	eventually(t, "the first event", func() bool { return events.events.Load() > 0 })
	seen(files{"widgets.yaml": plainWall("blue")})
	b.change(files{"widgets.yaml": "widgets: ["})
	seen(files{"widgets.yaml": plainWall("white")})
	for _, conf := range []string{
		strings.Replace(good, "image_format: png", "image_format: jpeg", 1),
		strings.Replace(good, "image_format: png", "image_format: bmp, debounce_ms: 20", 1),
		"outputs: []",
		strings.Replace(good, "[160, 96]", "[200, 120]", 1),
		good,
	} {
		b.change(files{"conf.yaml": conf})
	}
	seen(files{"conf.yaml": good, "widgets.yaml": plainWall("red")})
	b.shows(1, 1, red)
	uncut(t, events, stop)
	if _, err := parts.Peek(1); err != nil {
		t.Errorf("the moving picture ended: %v", err)
	}
}

// busyWall changes with every frame if motion is full.
const busyWall = "widgets:\n  - widget: flip\n    interval: 2\n    transition: 2\n    children:\n" +
	"      - {widget: text, text: 'one', background_color: red}\n      - {widget: text, text: 'two', background_color: blue}\n"

// If a client connects and reads nothing, it loses frames, and other clients do not. In this test
// the client stays connected. TestSlowClients waits until it is disconnected.
func TestStuckClients(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	// slowest is half of the time after which the server disconnects a client that reads nothing.
	const clients, slowest, most = 30, 5 * time.Second, 200 << 20
	b := launchWall(t, func(f files) {
		format("jpeg")(f)
		f["conf.yaml"] = strings.NewReplacer("[160, 96]", "[800, 480]", "motion: reduced", "motion: full").Replace(f["conf.yaml"])
	})
	b.change(files{"widgets.yaml": busyWall})
	frames, got := b.metric("dashboard_frames_total"), 0
	// A busy machine delays frames too, but not in every round. If stuck clients delayed the other
	// clients, frames would be late in every round.
	eventually(t, "frames for others while clients are stuck, and lost frames", func() bool {
		worst := b.besideStuck(clients, slowest)
		if got == 0 {
			got = b.Memory("VmHWM")
		}
		t.Logf("slowest frame %v, peak %d MB", worst, got>>20)
		return worst <= slowest && b.metric("dashboard_stream_lost_frames_total") > 0
	})
	eventually(t, "the wall goes on", func() bool { return b.metric("dashboard_frames_total")-frames >= 20 })
	if got > most {
		t.Errorf("got a peak of %d MB, want at most %d", got>>20, most>>20)
	}
}

// besideStuck requests twenty frames while stuck clients are connected. It returns the longest time that a frame took. It ends early if
// this time exceeds the parameter `most`.
func (b *binary) besideStuck(clients int, most time.Duration) (worst time.Duration) {
	b.t.Helper()
	for i := range clients {
		path := []string{"GET /stream.mjpg?width=1600&height=1200", "GET /events", "GET /stream.mjpg"}[i%3]
		_, c := b.openStuck(path)
		defer c.Close()
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for i := 0; i < 20 && worst <= most; i++ {
		begin := time.Now()
		if status, body := b.get("/frame?width=320&height=200"); status != http.StatusOK {
			b.t.Fatalf("got %d %.60q", status, body)
		}
		worst = max(worst, time.Since(begin))
		<-tick.C
	}
	return worst
}

// inFull is the flag that `make long` sets.
var inFull = flag.Bool("long", false, "everything that is shortened, whole: docs/dev/tests.md")

// Requests without a token keep the memory of the process below the limit of its systemd unit. They
// request one frame size after another, and moving pictures in many sizes that no client reads.
func TestMemoryUnderSizes(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	const most = 256 << 20
	sizes, movies := 10, 150
	if *inFull {
		sizes, movies = 60, 1900
	}
	b := launchWall(t, func(f files) {
		format("jpeg")(f)
		f["conf.yaml"] = strings.Replace(f["conf.yaml"], "[160, 96]", "[1920, 1080]", 1)
	})
	b.change(files{"widgets.yaml": busyWall})
	for i := range sizes {
		if status, body := b.get(fmt.Sprintf("/frame?width=%d&height=%d", 1920-i, 1080)); status != http.StatusOK {
			t.Fatalf("got %d %.60q", status, body)
		}
	}
	t.Logf("after %d sizes a peak of %d MB", sizes, (b.Memory("VmHWM")-b.Memory("RssFile"))>>20)
	for i := range movies {
		b.openStuck(fmt.Sprintf("GET /stream.mjpg?width=%d&height=%d", 1920-i%1900, 1080-i%7))
	}
	if status, _ := b.get("/healthz"); status != http.StatusOK {
		t.Errorf("got %d, want the wall to be well", status)
	}
	got := b.Memory("VmHWM") - b.Memory("RssFile") // without the pages of files, which the kernel can drop and read again
	t.Logf("after %d moving pictures a peak of %d MB", movies, got>>20)
	if got > most {
		t.Errorf("got a peak of %d MB, want at most %d", got>>20, most>>20)
	}
}

// Limits for idle subscribers. The target for each subscriber is 4 kB of heap and stacks. A test of package server measures it. This test
// measures from outside, so the limit includes the garbage between two collections.
const (
	idleClients   = 1000
	idleBytes     = 16 << 10
	mostStreams   = 5000 // maxStreams of the server
	streamsRefuse = `{"error":"too many streams are open","success":false}`
)

func TestManyIdleClients(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	b := launchWall(t, nil)
	join := func() net.Conn {
		resp, c := b.open("GET /events")
		nextEvent(t, bufio.NewReader(resp.Body))
		return c
	}
	join()
	before := b.Memory("VmRSS")
	for range idleClients {
		join()
	}
	each := func() int { return (b.Memory("VmRSS") - before) / idleClients }
	t.Logf("%d bytes for each of %d", each(), idleClients)
	falls(t, "bytes for each idle client", idleBytes, each)
	if *inFull {
		fillUp(t, b, join)
	}
	if status, took := b.End(syscall.SIGTERM); status != 0 || took > endsWithin {
		t.Errorf("got status %d after %v, want 0 soon", status, took)
	}
}

// fillUp opens streams up to the limit of the server. Another stream is then refused, but frames
// are not. When a stream ends, another stream can begin.
func fillUp(t *testing.T, b *binary, join func() net.Conn) {
	t.Helper()
	var last net.Conn
	for range mostStreams - idleClients - 1 {
		last = join()
	}
	checkRow(t, b, row{request: "GET /events", status: 503, body: streamsRefuse, has: append([]string{"Retry-After", "10"}, asJSON...)}, frameTag{})
	checkRow(t, b, row{request: "GET /stream.mjpg", status: 503, body: streamsRefuse}, frameTag{})
	checkRow(t, b, row{request: "GET /frame", status: 200, body: "PNG"}, frameTag{})
	last.Close()
	colors := []string{"blue", "white"}
	eventually(t, "there is room again", func() bool { // the server detects a closed connection only when it cannot send the second event
		slices.Reverse(colors)
		b.change(files{"widgets.yaml": plainWall(colors[0])})
		return b.ask("HEAD /events", nil, "").status == http.StatusOK
	})
}
