package viewer

import (
	"bufio"
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"dashboard/internal/testing/programtest"
)

// A grydgets is a server with only the protocol of the dashboard program Grydgets. Its answers have the same bytes as the answers of
// Flask's server. It sends whole frames and closes the connection after each answer.
type grydgets struct {
	t        *testing.T
	listener net.Listener
	done     sync.WaitGroup

	mu    sync.Mutex
	etag  string // ETag of the frame without a size, or "" before the first frame
	file  []byte
	conns map[net.Conn]chan string // channel for the next event, by the connection of /events
	asked []string                 // statuses of the answers to requests for /frame
}

func startGrydgets(t *testing.T) *grydgets {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &grydgets{t: t, listener: l, conns: map[net.Conn]chan string{}}
	g.done.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			g.done.Go(func() { g.answer(c) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		g.drop()
		g.done.Wait()
	})
	return g
}

func (g *grydgets) url() string { return "http://" + g.listener.Addr().String() }

// drop ends all streams of events.
func (g *grydgets) drop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for c := range g.conns {
		c.Close()
	}
}

// publish makes a picture with only the color c the newest frame.
func (g *grydgets) publish(etag string, size image.Point, c color.Color) {
	g.t.Helper()
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	var file bytes.Buffer
	if err := png.Encode(&file, m); err != nil {
		g.t.Fatal(err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.etag, g.file = etag, file.Bytes()
	for _, tell := range g.conns {
		tell <- g.eventLocked()
	}
}

func (g *grydgets) eventLocked() string {
	return fmt.Sprintf("data: {\"etag\": \"%s\", \"published_at\": 1795235340.3545783}\n\n", g.etag)
}

// head returns the beginning of every answer with the given status.
func head(status string) string {
	return "HTTP/1.1 " + status + "\r\nServer: Werkzeug/2.2.3 Python/3.11.2\r\nDate: Sat, 21 Nov 2026 12:00:00 GMT\r\n"
}

func (g *grydgets) answer(c net.Conn) {
	defer c.Close()
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	switch r.URL.Path {
	case "/frame":
		g.frame(c, r)
	case "/events":
		g.events(c)
	}
}

func (g *grydgets) frame(c net.Conn, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	tag := fmt.Sprintf(`"%s-%sx%s"`, g.etag, r.URL.Query().Get("width"), r.URL.Query().Get("height"))
	known := "ETag: " + tag + "\r\nCache-Control: no-store\r\nX-Frame-Published-At: 1795235340.354578\r\nConnection: close\r\n"
	switch {
	case g.etag == "":
		g.asked = append(g.asked, "503")
		const text = `{"error":"no frame has been published yet","success":false}` + "\n"
		fmt.Fprintf(c, "%sContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", head("503 SERVICE UNAVAILABLE"), len(text), text)
	case r.Header.Get("If-None-Match") == tag:
		g.asked = append(g.asked, "304")
		fmt.Fprint(c, head("304 NOT MODIFIED"), known, "\r\n")
	default:
		g.asked = append(g.asked, "200")
		fmt.Fprintf(c, "%s%sContent-Type: image/png\r\nContent-Length: %d\r\n\r\n%s", head("200 OK"), known, len(g.file), g.file)
	}
}

func (g *grydgets) events(c net.Conn) {
	tell := make(chan string, 16) // more than the number of events in any test
	g.mu.Lock()
	g.conns[c] = tell
	if g.etag != "" {
		tell <- g.eventLocked()
	}
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.conns, c)
	}()
	fmt.Fprint(c, head("200 OK"), "Content-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-store\r\n"+
		"X-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
	gone := make(chan struct{})
	g.done.Go(func() {
		_, _ = c.Read(make([]byte, 1)) // returns when the client closes the connection, because the client sends nothing more
		close(gone)
	})
	for {
		select {
		case <-gone:
			return
		case text := <-tell:
			fmt.Fprintf(c, "%x\r\n%s\r\n", len(text), text)
		}
	}
}

// answers() returns the statuses of all answers to requests for frames until now.
func (g *grydgets) answers() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Join(g.asked, " ")
}

// TestGrydgets shows the frames of a Grydgets server. They are whole frames, each on a separate
// connection. Their size may differ from the requested size.
func TestGrydgets(t *testing.T) {
	t.Parallel()
	g := startGrydgets(t)
	v := startViewer(t, conf(g.url(), ", stale_after: 1", "logging: {level: debug}\n"))
	v.Says("the service has no frame yet")
	v.Says("msg=connected")
	far := image.Pt(190, 110)
	g.publish("1f0c8f6d5b1f0a33", screenSize, red)
	v.shows(far, red)
	g.publish("1f0c8f6d5b1f0a34", image.Pt(64, 64), blue) // another size, because this version of Grydgets ignores the requested size
	v.shows(far, blue)
	g.drop() // as a reload of Grydgets does
	programtest.Eventually(t, "connected again", func() bool { return v.Log.Count("msg=connected") == 2 })
	// When the client has connected again, it requests a frame that the screen already shows. The next event may announce the same frame.
	// The answers to these requests are 304.
	const before = "503 200 200 304"
	programtest.Eventually(t, "asked again", func() bool { return g.answers() == before || g.answers() == before+" 304" })
	g.publish("1f0c8f6d5b1f0a35", screenSize, red)
	v.shows(far, red)
	if n := v.Log.Count("tiles=true") + v.Log.Count("cannot be used"); n > 0 {
		t.Errorf("got %d frames that are no whole ones", n)
	}
	if got := g.answers(); !strings.HasPrefix(got, before) || strings.Count(got, "200") != 3 {
		t.Errorf("got answers %s", got)
	}
}
