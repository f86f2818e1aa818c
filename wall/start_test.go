package wall

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"dashboard/wall/daemon"
)

// Parts that a busy machine delays must also end before the test does, because the folders of a test are removed at its end.
func init() { daemon.StopTime = 15 * time.Second }

func TestFirstFrame(t *testing.T) {
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")})
	p.shows(testW/2, testH/2, red)
	p.serves("/frame", http.StatusOK)
	p.serves("/healthz", http.StatusOK)
	if status, body := p.get("/"); status != http.StatusOK || !strings.Contains(body, "<html") {
		t.Errorf("GET /: got %d %.60q, want a page", status, body)
	}
	if _, body := p.get("/metrics"); !strings.Contains(body, "dashboard_frames_total 1") {
		t.Errorf("metrics: got %s, want one frame", body)
	}
}

// hanging() starts a server that accepts requests and never answers.
func hanging(t *testing.T) string {
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(release); s.Close() })
	return s.URL
}

func TestSlowSourcesDoNotDelayTheFirstFrame(t *testing.T) {
	for name, url := range map[string]string{"hanging": hanging(t), "dead": fmt.Sprintf("http://127.0.0.1:%d/", freePort(t))} {
		t.Run(name, func(t *testing.T) {
			port := freePort(t)
			p := start(t, port, files{
				"conf.yaml":      wallConf(port, ""),
				"providers.yaml": "providers:\n  p: {type: rest, url: '" + url + "', timeout: 600}\n", // frames do not wait for provider p
				"widgets.yaml": "widgets:\n  - widget: grid\n    rows: 2\n    background_color: red\n    children:\n" +
					"      - {widget: provider, providers: [p]}\n      - {widget: rest, url: '" + url + "/x'}\n",
			})
			p.shows(1, 1, red)
			if status, took := p.end(); status != 0 || took > endsWithin {
				t.Errorf("got status %d after %v, want 0 soon", status, took)
			}
		})
	}
}

func TestFramebufferThatComesLater(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	conf := strings.Replace(wallConf(port, ""), "device: screen.raw", "device: later/screen.raw", 1)
	p := start(t, port, files{"conf.yaml": conf, "widgets.yaml": plainWall("red")})
	p.serves("/frame", http.StatusOK) // the other output is not affected
	eventually(t, "the reason why there is no screen", func() bool { return strings.Contains(p.text("/healthz"), "no such file") })
	if err := os.Mkdir(filepath.Join(p.dir, "later"), 0o755); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the screen is painted", func() bool {
		raw, _ := os.ReadFile(filepath.Join(p.dir, "later", "screen.raw"))
		return len(raw) == 4*testW*testH && raw[2] == 255
	})
}

func TestBusyPort(t *testing.T) {
	t.Parallel()
	port := freePort(t) // from freePort, so that no other program gets the port when the listener is closed
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, port, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")})
	p.shows(1, 1, red)
	eventually(t, "it says so", func() bool { return strings.Contains(p.log.String(), "server not listening") })
	l.Close()
	p.serves("/frame", http.StatusOK)
}

// TestEnd ends a program while all of its connections are in use. Then it checks that nothing hung and that no goroutine is left.
func TestEnd(t *testing.T) {
	var good, held atomic.Int32
	sources := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/good" {
			good.Add(1)
			fmt.Fprint(w, `{"v": 1}`)
			return
		}
		io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client has disconnected
		held.Add(1)
		<-r.Context().Done()
	}))
	defer sources.Close()
	hung := sources.URL + "/hung"
	before := runtime.NumGoroutine()
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml": wallConf(port, "  - {type: file, output_path: out, render_interval: 1}\n  - {type: post, url: '"+hung+"'}\n"),
		"providers.yaml": "providers:\n  good: {type: rest, url: '" + sources.URL + "/good', update_interval: 1}\n  hung: {type: rest, url: '" + hung + "'}\n" +
			"  here: {type: system}\n  sun: {type: sun, latitude: 1, longitude: 2}\n",
		"widgets.yaml": "widgets:\n  - widget: grid\n    rows: 2\n    columns: 2\n    children:\n      - {widget: provider, providers: [good], data_path: v}\n" +
			"      - {widget: provider, providers: [hung]}\n      - {widget: dateclock, time_format: '%T'}\n      - {widget: rest, url: '" + hung + "/x'}\n",
	})
	p.serves("/frame?width=80&height=48", http.StatusOK)
	var open []net.Conn
	for _, path := range []string{"/events", "/events", "/stream.mjpg"} {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		open = append(open, c)
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
		if _, err := c.Read(make([]byte, 12)); err != nil {
			t.Fatal(err)
		}
	}
	// A connection that is established too late for its request stays open in net/http for a while,
	// so wait until all requests have arrived.
	eventually(t, "all sources are asked", func() bool { return good.Load() > 0 && held.Load() > 2 })
	status, took := p.end()
	if status != 0 || took > endsWithin {
		t.Errorf("got status %d after %v, want 0 soon", status, took)
	}
	if p.log.Count("a part of it did not stop") > 0 {
		t.Error("something hung at the end")
	}
	for _, c := range open {
		c.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	sources.CloseClientConnections()
	t.Cleanup(func() {
		if t.Failed() {
			stacks := make([]byte, 1<<20)
			t.Logf("%s", stacks[:runtime.Stack(stacks, true)])
		}
	})
	eventually(t, "no goroutine is left", func() bool {
		return runtime.NumGoroutine() <= before+1 // 1 is the goroutine in this test's cleanup
	})
}

func TestSignals(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			port := freePort(t)
			b := launch(t, port, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")})
			b.Says("server listening")
			b.Signal(syscall.SIGUSR1)
			b.Says("configuration reloaded")
			if status, took := b.End(sig); status != 0 || took > endsWithin {
				t.Errorf("got status %d after %v, want 0 soon", status, took)
			}
		})
	}
}

// TestEarlyReload starts a program and sends SIGUSR1 as soon as the program handles this signal, and then repeatedly until the program
// reloads.
func TestEarlyReload(t *testing.T) {
	port := freePort(t)
	b := launch(t, port, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")})
	caught := func() bool { // SigCgt in proc(5) contains the signals that do not end the program any more
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", b.Pid()))
		_, after, _ := strings.Cut(string(status), "SigCgt:\t")
		var mask uint64
		_, _ = fmt.Sscanf(after, "%x", &mask)
		return mask&(1<<(syscall.SIGUSR1-1)) != 0
	}
	for end := time.Now().Add(patience); !caught() && time.Now().Before(end); {
		runtime.Gosched()
	}
	eventually(t, "it reloads, sooner or later", func() bool {
		b.Signal(syscall.SIGUSR1)
		return strings.Contains(b.Log.String(), "configuration reloaded")
	})
	if status, _ := b.End(syscall.SIGTERM); status != 0 {
		t.Errorf("got status %d, want 0", status)
	}
}
