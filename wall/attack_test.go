package wall

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/race"
)

// attackTime is how long TestAttack attacks the wall. docs/dev/soak.md has the results of twenty minutes:
//
//	go test -v ./wall -run 'TestAttack$' -timeout 0 -attack 20m
var attackTime = flag.Duration("attack", 0, "how long everything from outside is hostile at once")

const (
	attackMemory    = 256 << 20 // memory limit of the systemd unit
	attackListeners = 1000      // clients of /events that read
	attackMovies    = 600       // clients of /stream.mjpg that never read
	// attackStill is the maximum time for which the clock on the wall may stand still while other programs use the processor.
	attackStill = 10 * time.Second
)

// TestAttack sends every input that could cost memory or time, all at the same time, for attackTime. The wall runs in a control group
// with the memory limit of the systemd unit. The clock on the wall must tick all the time, and the kernel must kill no process.
func TestAttack(t *testing.T) {
	if *attackTime == 0 || race.Enabled {
		t.Skip("it takes both processors for as long as -attack says")
	}
	a := besiege(t)
	ctx, cancel := context.WithTimeout(t.Context(), *attackTime)
	defer cancel()
	var wg sync.WaitGroup
	for _, attack := range []func(context.Context){a.texts, a.pictures, a.sizes, a.movies, a.inspect, a.brokenFont} {
		wg.Go(func() { attack(ctx) })
	}
	for range attackListeners {
		wg.Go(func() { a.follow(ctx) })
	}
	a.watch(ctx)
	wg.Wait()
	a.report()
	if status, took := a.End(syscall.SIGTERM); status != 0 || took > 2*time.Second+attackStill {
		t.Errorf("got status %d after %v, want 0", status, took)
	}
}

// A siege contains a wall under attack and the observations of the test.
type siege struct {
	*binary
	cage    *cage
	hostile string // address of the hostile server
	font    string // path of the wall's own font

	mu      sync.Mutex
	answers map[string]int // number of answers by route and status

	ticks, longest int // number of changes of the clock, and the longest time between two of them in ms
	seconds        int
	peak           int // peak of the anonymous memory (memory without a file), in bytes
}

// besiege starts a wall and its hostile server.
func besiege(t *testing.T) *siege {
	t.Helper()
	server := httptest.NewServer(newHostile(t))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	port, dir := freePort(t), t.TempDir()
	a := &siege{hostile: server.URL, font: filepath.Join(dir, "own.ttf"), answers: map[string]int{}}
	if err := os.WriteFile(a.font, fontOf('A', 0), 0o600); err != nil {
		t.Fatal(err)
	}
	a.binary = prepare(t, port, attackedWall(port, server.URL, a.font))
	a.cage = newCage(t, attackMemory)
	a.Cmd = a.cage.command(hostileFonts(t), a.Cmd.Args)
	a.Cmd.Dir, a.Cmd.Stderr = a.dir, a.Log
	a.Run()
	a.serves("/frame?width=9&height=9", http.StatusOK)
	return a
}

// count records the result of a request.
func (a *siege) count(route string, resp *http.Response, err error) {
	what := route + " no answer"
	if err == nil {
		what = fmt.Sprintf("%s %d", route, resp.StatusCode)
	}
	a.mu.Lock()
	a.answers[what]++
	a.mu.Unlock()
}

// every calls `attack` with 0, 1, 2 and so on until ctx ends. Before each call there is a pause.
func every(ctx context.Context, pause time.Duration, attack func(i int)) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			attack(i)
		}
	}
}

// request sends a request and reads the whole answer.
func (a *siege) request(ctx context.Context, method, route, query, body string) {
	req, err := http.NewRequestWithContext(ctx, method, a.url(route+query), strings.NewReader(body))
	if err != nil {
		panic(err) // this happens only after a mistake in this file
	}
	req.Header.Set("Content-Type", "application/json")
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if ctx.Err() != nil && err != nil {
		return
	}
	a.count(route, resp, err)
	if err == nil {
		_, _ = io.Copy(io.Discard, resp.Body) // the answer may be cut off
		resp.Body.Close()
	}
}

// texts() sends notifications with texts that need 150 fonts. Each notification begins with another font.
func (a *siege) texts(ctx context.Context) {
	every(ctx, 700*time.Millisecond, func(i int) {
		text := []rune(fontLetters)
		k := i % len(text)
		a.request(ctx, "POST", "/notify", "", fmt.Sprintf(`{"widget":"t","text":%q,"duration":2}`, string(text[k:])+string(text[:k])))
	})
}

// pictures() sends notifications with one hostile picture after another.
func (a *siege) pictures(ctx context.Context) {
	every(ctx, 1500*time.Millisecond, func(i int) {
		a.request(ctx, "POST", "/notify", "", fmt.Sprintf(`{"widget":"i","url":"%s/picture/%d","duration":1}`, a.hostile, i))
	})
}

// sizes() requests frames of one size after another.
func (a *siege) sizes(ctx context.Context) {
	every(ctx, 200*time.Millisecond, func(i int) {
		a.request(ctx, "GET", "/frame", fmt.Sprintf("?width=%d&height=%d", 1920-i%1500, 1080-i%700), "")
	})
}

// inspect requests the reports about the wall.
func (a *siege) inspect(ctx context.Context) {
	every(ctx, time.Second, func(i int) {
		a.request(ctx, "GET", []string{"/widgets", "/healthz", "/metrics"}[i%3], "", "")
	})
}

// movies() opens streams of many sizes and never reads them.
func (a *siege) movies(ctx context.Context) {
	var open []net.Conn
	every(ctx, 40*time.Millisecond, func(i int) {
		c, err := (&net.Dialer{Control: narrow}).Dial("tcp", fmt.Sprintf("127.0.0.1:%d", a.port))
		if err != nil {
			a.count("/stream.mjpg", nil, err)
			return
		}
		_, _ = fmt.Fprintf(c, "GET /stream.mjpg?width=%d&height=%d HTTP/1.1\r\nHost: wall\r\n\r\n", 1920-i%1900, 1080-i%7)
		a.count("/stream.mjpg", &http.Response{}, nil)
		if open = append(open, c); len(open) > attackMovies {
			open[0].Close()
			open = open[1:]
		}
	})
	for _, c := range open {
		c.Close()
	}
}

// follow listens to /events. When the stream ends, it connects again.
func (a *siege) follow(ctx context.Context) {
	for ctx.Err() == nil {
		a.request(ctx, "GET", "/events", "", "")
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// brokenFont reloads the wall again and again, alternately with a broken font and with a good font.
func (a *siege) brokenFont(ctx context.Context) {
	every(ctx, 7*time.Second, func(i int) {
		_ = os.WriteFile(a.font, fontOf('A', (i+1)%2*(i+1)), 0o600) // ignore the error, because a partly written font is broken too
		_ = a.Cmd.Process.Signal(syscall.SIGUSR1)                   // if the process has ended, watch reports it
	})
}

// watch observes the clock and the memory of the wall until ctx ends.
func (a *siege) watch(ctx context.Context) {
	screen, err := os.Open(filepath.Join(a.dir, "screen.raw"))
	if err != nil {
		a.t.Fatal(err)
	}
	defer screen.Close()
	began, changed, last := time.Now(), time.Now(), clockOf(screen)
	every(ctx, 50*time.Millisecond, func(i int) {
		if now := clockOf(screen); now != last {
			last, changed = now, time.Now()
			a.ticks++
		}
		a.longest = max(a.longest, int(time.Since(changed).Milliseconds()))
		a.seconds = int(time.Since(began).Seconds())
		if i%20 != 0 {
			return
		}
		if a.peak = max(a.peak, a.Memory("RssAnon")); a.peak > attackMemory {
			a.t.Fatalf("%d MiB after %d s", a.peak>>20, a.seconds)
		}
		if i%1200 == 0 {
			a.t.Logf("%4d s: %d ticks, %d MiB", a.seconds, a.ticks, a.Memory("RssAnon")>>20)
		}
	})
}

// clockOf returns every eighth row of the first cell, which contains the clock.
func clockOf(screen *os.File) string {
	const width, w, h = 1920, 1920 / 4, 1080 / 3
	rows := make([]byte, 0, 4*w*h/8)
	for y := 0; y < h; y += 8 {
		row := make([]byte, 4*w)
		_, _ = screen.ReadAt(row, int64(4*width*y)) // before the first frame there is nothing to read
		rows = append(rows, row...)
	}
	return string(rows)
}

// report logs the observations. It fails the test if a limit was exceeded.
func (a *siege) report() {
	a.t.Helper()
	for _, name := range []string{
		"dashboard_frames_total", "dashboard_notification_pictures_failed_total", "dashboard_system_fonts_refused_total",
		"dashboard_http_refused_connections_total", "dashboard_stream_lost_frames_total", "dashboard_stream_encodes_total",
	} {
		a.t.Logf("%s %.0f", name, a.metric(name))
	}
	a.t.Logf("%d s: %d ticks of the clock, longest pause %d ms, peak %d MiB, %d with the program's files; %s", a.seconds, a.ticks, a.longest, a.peak>>20, a.Memory("VmHWM")>>20, a.cage.says())
	a.t.Logf("answers: %v", a.answers)
	_, health := a.get("/healthz")
	a.t.Logf("providers failing: %d; %d reloads, %d refused", strings.Count(health, `"error":"`), a.Log.Count("configuration reloaded"), a.Log.Count("reload refused"))
	if a.peak > attackMemory {
		a.t.Errorf("got a peak of %d MiB, want at most %d", a.peak>>20, attackMemory>>20)
	}
	if still := int(attackStill.Milliseconds()); a.longest > still || a.ticks < a.seconds/2 {
		a.t.Errorf("the clock ticked %d times in %d s and stood still for %d ms", a.ticks, a.seconds, a.longest)
	}
	if n := a.metric("dashboard_paint_crashes_total") + a.metric("dashboard_http_panics_total"); n != 0 || a.Log.Count("panic") > 0 {
		a.t.Errorf("%v panics", n)
	}
}
