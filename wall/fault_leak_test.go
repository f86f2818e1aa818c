package wall

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
	"go.uber.org/goleak"
)

// everything() returns a configuration with every kind of output, source, and widget that fetches. Each n gives a different configuration.
func everything(port int, url string, n int) files {
	return files{
		"conf.yaml": wallConf(port, fmt.Sprintf("  - {type: file, output_path: out%d, render_interval: 1}\n  - {type: post, url: '%s/post%d'}\n", n, url, n)+
			"appearance: {themes: {day: day.yaml, night: night.yaml}, latitude: 51.5, longitude: 0, http_control: true}\n"),
		"day.yaml":   "colors: {wall: red}\n",
		"night.yaml": "colors: {wall: blue}\n",
		"providers.yaml": fmt.Sprintf("providers:\n  good: {type: rest, url: '%[1]s/%[2]d', update_interval: 1}\n  bad: {type: rest, url: '%[1]s/bad%[2]d'}\n"+
			"  here: {type: system}\n  sun: {type: sun, latitude: %[2]d, longitude: 2}\n", url, n),
		"widgets.yaml": "widgets:\n  - widget: grid\n    rows: 3\n    columns: 3\n    background_color: !color wall\n    children:\n" +
			"      - {widget: provider, providers: [good], data_path: v}\n      - {widget: provider, providers: [bad]}\n      - {widget: dateclock, time_format: '%T'}\n" +
			fmt.Sprintf("      - {widget: rest, url: '%[1]s/r%[2]d'}\n      - {widget: restimage, url: '%[1]s/i%[2]d'}\n      - {widget: httpflip, url: '%[1]s/f%[2]d', children: [{widget: empty}, {widget: empty}]}\n", url, n) +
			"      - {widget: notifiabletext, name: t, children: [{widget: empty}]}\n      - {widget: notifiableimage, name: i, children: [{widget: empty}]}\n" +
			"theme:\n  colors: {wall: white}\n",
	}
}

// everySource starts a server that answers the requests of the configurations from the function everything.
func everySource(t *testing.T) *everySourceServer {
	t.Helper()
	picture := noise(8)
	s := &everySourceServer{open: map[net.Conn]bool{}, asked: map[string]bool{}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path] = true
		s.mu.Unlock()
		switch {
		case strings.HasPrefix(r.URL.Path, "/bad"):
			http.Error(w, "no", 500)
		case strings.HasPrefix(r.URL.Path, "/i"):
			_, _ = w.Write(picture)
		default:
			fmt.Fprint(w, `{"v": 1}`)
		}
	}))
	s.Config.ConnState = s.state
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// An everySourceServer records which of its connections are open, and which paths were requested.
type everySourceServer struct {
	*httptest.Server
	mu    sync.Mutex
	open  map[net.Conn]bool
	asked map[string]bool
}

// served() waits until every source of configuration n has received a request. Before that, some connections are not open yet.
func (s *everySourceServer) served(t *testing.T, n int) {
	t.Helper()
	for _, path := range []string{"/", "/bad", "/r", "/i", "/f", "/post"} {
		eventually(t, "a request for "+path, func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.asked[fmt.Sprint(path, n)]
		})
	}
}

func (s *everySourceServer) state(c net.Conn, now http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[c] = true; now == http.StateClosed {
		delete(s.open, c)
	}
}

func (s *everySourceServer) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// Each of several reloads (20 with -long, otherwise 14) changes every source and output. After the last reload there are no more
// goroutines than after the first reloads. At the end of the program no goroutine is left.
func TestReloadsLeaveNoGoroutine(t *testing.T) {
	thorough.Only(t)
	all, early := 14, 4
	if *inFull {
		all, early = 20, 5
	}
	source := everySource(t)
	// The filter `sources` ignores the goroutines of the test's server, because their number depends on the server's connections.
	before := goleak.IgnoreCurrent()
	sources := goleak.IgnoreAnyFunction("net/http.(*conn).serve")
	port := freePort(t)
	p := start(t, port, everything(port, source.URL, 0))
	p.serves("/frame", 200)
	few := 0
	for n := 1; n <= all; n++ {
		p.change(everything(port, source.URL, n))
		if n == early {
			source.served(t, n)
			few = least(runtime.NumGoroutine)
		}
	}
	source.served(t, all)
	// Two more connections to the sources, with three goroutines each, may be open. If each reload left
	// a goroutine, there would be at least 10 more.
	falls(t, fmt.Sprintf("goroutines after %d reloads", all), few+6, runtime.NumGoroutine)
	// Two connections to the sources and one connection of the upload stay open. The other connections are in use at the moment.
	falls(t, fmt.Sprintf("open connections after %d reloads", all), 8, source.connections)
	if c := p.config(); !c.OK {
		t.Errorf("healthz: got %+v", c)
	}
	if status, _ := p.end(); status != 0 {
		t.Errorf("got status %d, want 0", status)
	}
	http.DefaultClient.CloseIdleConnections()
	source.CloseClientConnections()
	if err := programtest.Leaks(before, sources); err != nil {
		t.Error(err)
	}
}

// After 15 reloads (50 with -long) the program has at most two more open files than after the first reloads.
func TestReloadsLeaveNoFile(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	all, early := 15, 5
	if *inFull {
		all, early = 50, 10
	}
	source := everySource(t)
	port := freePort(t)
	b := launch(t, port, everything(port, source.URL, 0))
	b.serves("/frame", 200)
	few := 0
	for n := 1; n <= all; n++ {
		b.change(everything(port, source.URL, n))
		if n == early {
			source.served(t, n)
			few = least(b.openFiles)
		}
	}
	source.served(t, all)
	falls(t, fmt.Sprintf("open files after %d reloads", all), few+2, b.openFiles) // one more connection to the sources may be open
	eventually(t, "the last reload's picture", func() bool {
		_, err := os.Stat(fmt.Sprintf("%s/out%d", b.dir, all))
		return err == nil
	})
}

// least() returns the smallest result of thirty calls. The calls take more than a second, so at least one call does not count the
// requests that run once a second.
func least[N int | float64](look func() N) N {
	tick := time.NewTicker(40 * time.Millisecond)
	defer tick.Stop()
	few := look()
	for range 29 {
		<-tick.C
		few = min(few, look())
	}
	return few
}

// falls() waits until the result of `look` does not exceed `most`, and fails after the time limit. Running requests end during the wait,
// but a leak remains.
func falls[N int | float64](t *testing.T, what string, most N, look func() N) {
	t.Helper()
	got := look()
	defer func() {
		if got > most {
			t.Errorf("got %v %s, want at most %v", got, what, most)
		}
	}()
	eventually(t, what, func() bool { got = look(); return got <= most })
}
