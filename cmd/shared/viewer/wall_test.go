package viewer

import (
	"fmt"
	"image"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
)

// Points on the screen. At inTriangle, the warning triangle is amber in each test. The triangle does not cover middle and corner.
var (
	inTriangle = image.Pt(182, 112)
	middle     = image.Pt(100, 60)
	corner     = image.Pt(2, 2)
)

// TestWall shows a wall that changes. The first frame is shown without an event. Whole frames and tiles follow.
func TestWall(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	v := startViewer(t, conf(w.url(), "", "logging: {level: debug}\n"))
	left, right := image.Pt(10, 110), image.Pt(190, 110) // points below the panel with the latencies
	v.shows(left, red)
	v.Says("msg=connected")
	w.Says("shows=200x120")
	w.change(plain("blue"))
	v.shows(left, blue)
	w.change(busy("blue"))
	programtest.Eventually(t, "the third frame", func() bool { return v.Log.Count("msg=frame") >= 3 })
	w.change(busy("red"))
	v.shows(right, red)
	v.wants(left, blue)
	v.Says("tiles=true")
	for _, s := range []string{"latency_ms.notice=", "latency_ms.download=", "latency_ms.display=", "latency_ms.total="} {
		if v.Log.Count(s) == 0 {
			t.Errorf("the log never says %s", s)
		}
	}
	if got := v.pixel(image.Pt(10, 6)); got == v.pixel(corner) {
		t.Errorf("got %v in the upper left corner, want a panel", got)
	}
	if v.Log.Count("cannot be used") > 0 {
		t.Error("a frame could not be used")
	}
}

// busy() returns the widgets file of a wall with many widgets. The lower left cell is blue, and the lower right cell has the given color.
func busy(color string) string {
	text := "      - {widget: text, text: 'Wall 12:34'}\n"
	return "widgets:\n  - widget: grid\n    columns: 4\n    rows: 4\n    children:\n" + // the cells are filled column by column
		strings.Repeat(text, 3) + "      - {widget: empty, color: blue}\n" +
		strings.Repeat(text, 11) + "      - {widget: empty, color: " + color + "}\n"
}

// outage ends the service as a power failure does.
func outage(w *wall) { w.End(syscall.SIGKILL) }

// outages() returns the number of outages in the log of the remote screen.
func (v *viewerProcess) outages() int {
	return v.Log.Count("the service ended the connection") + v.Log.Count(`"no connection"`)
}

func TestTriangle(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	w := startWall(t, plain("red"), "")
	v := startViewer(t, conf(w.url(), ", stale_after: 1", ""))
	v.shows(middle, red)
	v.Says("msg=connected")
	began := time.Now()
	outage(w)
	v.shows(inTriangle, amber)
	if took := time.Since(began); took < time.Second {
		t.Errorf("the triangle came after %v, want stale_after, 1 s", took)
	}
	v.wants(middle, red)
	v.wants(corner, red)
	programtest.Write(t, w.dir, map[string]string{"widgets.yaml": plain("blue")})
	w.start()
	v.shows(inTriangle, blue)
	v.shows(middle, blue) // a frame may be partly written when the file is read, so wait
	if n := v.outages(); n != 1 {
		t.Errorf("the log tells of %d outages, want 1", n)
	}
}

func TestOffline(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	v := startViewer(t, conf(w.url(), ", stale_after: 1", "offline: {enabled: true, dim: 0.5, message: gone}\n"))
	v.shows(middle, red)
	v.Says("msg=connected")
	outage(w)
	dimmed := red
	dimmed.R = 127
	v.shows(corner, dimmed)
	v.shows(inTriangle, dimmed)
	w.start()
	v.shows(corner, red)
	v.shows(middle, red)
}

// TestNoServiceAtStart checks that the screen shows a clock on black until the first frame arrives.
func TestNoServiceAtStart(t *testing.T) {
	t.Parallel()
	v := startViewer(t, conf(fmt.Sprintf("http://127.0.0.1:%d", programtest.FreePort(t)), ", stale_after: 1", "offline: {enabled: true}\n"))
	v.showsWords()
	v.wants(corner, black)
}

// showsWords waits until the middle of the screen contains bright text.
func (v *viewerProcess) showsWords() {
	v.t.Helper()
	programtest.Eventually(v.t, "white text", func() bool {
		for x := range screenSize.X {
			for y := screenSize.Y / 4; y < screenSize.Y*3/4; y += 3 {
				if p := v.pixel(image.Pt(x, y)); p.R > 220 && p.G > 220 && p.B > 220 {
					return true
				}
			}
		}
		return false
	})
}

// counted() starts a proxy for a wall. `asked` counts the requests to the proxy.
func counted(t *testing.T, w *wall) (address string, asked *atomic.Int64) {
	to, err := url.Parse(w.url())
	if err != nil {
		t.Fatal(err)
	}
	asked = new(atomic.Int64)
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.FlushInterval, proxy.ErrorLog = -1, log.New(io.Discard, "", 0)
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		proxy.ServeHTTP(rw, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL, asked
}

// TestView checks that the screen shows the view that client.yaml names, and that view's changes. After a reload of client.yaml it shows
// the main view.
func TestView(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	programtest.Write(t, w.dir, map[string]string{"hall.yaml": plain("blue"), "conf.yaml": w.conf() + "views: {hall: {widgets: hall.yaml}}\n"})
	w.Signal(syscall.SIGUSR1)
	w.Says("configuration reloaded")
	v := startViewer(t, conf(w.url(), ", stale_after: 60, view: hall", ""))
	v.shows(middle, blue)
	programtest.Write(t, w.dir, map[string]string{"hall.yaml": plain("black")})
	w.Signal(syscall.SIGUSR1)
	v.shows(middle, black)
	v.reload(conf(w.url(), ", stale_after: 60", ""), "configuration reloaded")
	v.shows(middle, red)
}

// TestToken checks a wrong token. The screen shows the problem at once, and the service receives no
// more requests. After a reload with the right token, the screen shows the wall at once.
func TestToken(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "  auth: {stream_token: right}\n")
	url, asked := counted(t, w)
	v := startViewer(t, conf(url, ", stale_after: 60, token: wrong", ""))
	v.Says("rejects the token")
	v.showsWords()
	pause := time.NewTimer(time.Second) // ten times reconnect_delay
	defer pause.Stop()
	<-pause.C
	if n := asked.Load(); n != 1 {
		t.Errorf("got %d requests, want 1", n)
	}
	v.reload(conf(url, ", stale_after: 60, token: right", ""), "configuration reloaded")
	v.shows(middle, red)
	v.shows(inTriangle, red)
}
