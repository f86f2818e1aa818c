package server

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image/jpeg"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/netstream"
)

const getEvents = "GET /events?width=8&height=6 HTTP/1.1\r\nHost: wall\r\n\r\n"

// eventText returns the text that a stream sends for the newest frame: one chunk.
func (f *fixture) eventText(tb testing.TB) string {
	tb.Helper()
	p, ok := f.stream.Current()
	if !ok {
		tb.Fatal("no frame")
	}
	text := fmt.Sprintf(`data: {"etag": %q, "published_at": 1795235340.354578}`, p.ETag) + "\n\n"
	return fmt.Sprintf("%x\r\n%s\r\n", len(text), text)
}

// expect reads exactly the given text. It skips pings before the text, because a busy machine may
// need longer than the time between two pings.
func expect(tb testing.TB, r *bufio.Reader, want string) {
	tb.Helper()
	for _, p := range [][]byte{ping.chunk, ping.text} {
		for begin, _ := r.Peek(4); len(begin) == 4 && bytes.HasPrefix(p, begin); begin, _ = r.Peek(4) {
			expectExactly(tb, r, string(p))
		}
	}
	expectExactly(tb, r, want)
}

func expectExactly(tb testing.TB, r io.Reader, want string) {
	tb.Helper()
	got := make([]byte, len(want))
	if _, err := io.ReadFull(r, got); err != nil || string(got) != want {
		tb.Fatalf("got %q, %v, want %q", got, err, want)
	}
}

func TestEventsOnTheWire(t *testing.T) {
	f := newFixture(t)
	f.show(t, 1)
	address, stop := f.serve(t)
	_, r := dial(t, address, getEvents)
	header := skipHeader(t, r)
	for _, want := range []string{
		"HTTP/1.1 200 OK\r\n", "Content-Type: text/event-stream; charset=utf-8\r\n", "Cache-Control: no-store\r\n",
		"X-Accel-Buffering: no\r\n", "Transfer-Encoding: chunked\r\n", "Server: dashboard/1.2.3\r\n", "Date: ",
	} {
		if !strings.Contains(header, want) {
			t.Errorf("got header %q, want %q in it", header, want)
		}
	}
	expect(t, r, f.eventText(t))
	f.show(t, 2)
	expect(t, r, f.eventText(t))
	f.show(t, 1)
	expect(t, r, f.eventText(t))
	if log := f.log.String(); !strings.Contains(log, "display connected") || !strings.Contains(log, "shows=8x6") {
		t.Errorf("got log %q, want the display and its size", log)
	}
	stop()
	expect(t, r, "0\r\n\r\n")
	if rest, err := io.ReadAll(r); len(rest) > 0 || err != nil {
		t.Errorf("after the end: got %q, %v, want nothing", rest, err)
	}
}

// Changes of the light and of the state of the wall's screen are sent as comments. A client that connects later gets them as headers.
// Before the first change, there is no comment and no header.
func TestEventsOfScreen(t *testing.T) {
	f := newFixture(t)
	f.show(t, 1)
	address, _ := f.serve(t)
	_, r := dial(t, address, getEvents)
	if h := skipHeader(t, r); strings.Contains(h, "X-Screen") {
		t.Errorf("got header %q, want nothing of the screen", h)
	}
	expect(t, r, f.eventText(t))
	comment := func(text string) string { return fmt.Sprintf("%x\r\n: screen %s\n\n\r\n", len(text)+11, text) }
	f.stream.SetLight(netstream.LightOf(0.404, 0.25))
	expect(t, r, comment("brightness 40%, warmth 25%"))
	f.stream.Dark(true)
	expect(t, r, comment("off"))
	_, late := dial(t, address, getEvents)
	if h := skipHeader(t, late); !strings.Contains(h, "X-Screen: off\r\n") || !strings.Contains(h, "X-Screen-Light: brightness 40%, warmth 25%\r\n") {
		t.Errorf("got header %q", h)
	}
	expect(t, late, f.eventText(t))
	f.stream.SetLight(netstream.LightOf(-1, 0))
	for _, each := range []*bufio.Reader{r, late} {
		expect(t, each, comment("brightness as it is, warmth 0%"))
	}
}

// A sound is sent once to the clients that have requested sounds. It is not sent to other or later clients. The event is valid JSON for any
// name.
func TestEventsOfSounds(t *testing.T) {
	f := newFixture(t)
	f.show(t, 1)
	address, _ := f.serve(t)
	f.Sound(f.stream, "nobody listens yet")
	dialed := func(path string) *bufio.Reader {
		_, r := dial(t, address, "GET "+path+" HTTP/1.0\r\n\r\n")
		skipHeader(t, r)
		expectText(t, r, f)
		return r
	}
	plain, ear := dialed("/events"), dialed("/events?sounds=1")
	f.Sound(f.stream, "door\"bell\n\ndata: x")
	expect(t, ear, "event: sound\ndata: {\"name\":\"door\\\"bell\\n\\ndata: x\"}\n\n")
	late := dialed("/events?sounds=1")
	f.show(t, 2)
	for _, each := range []*bufio.Reader{plain, ear, late} {
		expectText(t, each, f)
	}
	f.Sound(f.stream, "gong")
	for _, each := range []*bufio.Reader{ear, late} {
		expect(t, each, "event: sound\ndata: {\"name\":\"gong\"}\n\n")
	}
}

// expectText reads an event that is not in chunked coding, and compares it with the event of the newest frame.
func expectText(t *testing.T, r *bufio.Reader, f *fixture) {
	t.Helper()
	p, ok := f.stream.Current()
	if !ok {
		t.Fatal("no frame")
	}
	expect(t, r, string(p.AppendEvent(nil)))
}

// A client that connects before the first frame does not receive the status 503. It waits for the event of the first frame.
func TestEventsBeforeTheFirstFrame(t *testing.T) {
	f := newFixture(t)
	address, _ := f.serve(t)
	_, r := dial(t, address, getEvents)
	skipHeader(t, r)
	f.show(t, 9)
	expect(t, r, f.eventText(t))
}

// A caller with HTTP/1.0 receives no chunks and reads until the end of the connection.
func TestEventsForHTTP10(t *testing.T) {
	f := newFixture(t)
	f.show(t, 1)
	address, stop := f.serve(t)
	_, r := dial(t, address, "GET /events HTTP/1.0\r\n\r\n")
	if h := skipHeader(t, r); strings.Contains(h, "chunked") {
		t.Errorf("got header %q, want no chunks", h)
	}
	expectText(t, r, f)
	stop()
	if rest, _ := io.ReadAll(r); strings.ReplaceAll(string(rest), string(ping.text), "") != "" {
		t.Errorf("got %q, want nothing after the event", rest)
	}
}

// A recorder is the socket of a line. Its field `room` is the number of bytes that the socket still accepts.
type recorder struct {
	net.Conn
	began  time.Time
	room   int
	told   []string
	closed bool
}

func (r *recorder) try(p []byte) (int, error) {
	n := min(r.room, len(p))
	r.room -= n
	if n > 0 {
		r.told = append(r.told, fmt.Sprintf("%v %q", time.Since(r.began), p[:min(n, 9)]))
	}
	return n, nil
}

func (r *recorder) Close() error {
	r.closed = true
	r.told = append(r.told, fmt.Sprintf("%v closed", time.Since(r.began)))
	return nil
}

// line returns a line whose socket is a recorder.
func (f *fixture) line(r *recorder) *line {
	v := &subscriber{kind: "events"}
	f.hub.join(v)
	r.began = time.Now()
	return &line{subscriber: v, conn: r, out: r, chunked: true, at: time.Now()}
}

func TestPings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		r := &recorder{room: 1e6}
		f.broadcasters.add(f.stream, f.line(r))
		time.Sleep(25 * time.Second) // in a synctest bubble, this takes no real time
		f.show(t, 1)
		time.Sleep(41 * time.Second)
		f.Close()
		want := `[20s "8\r\n: ping" 25s "47\r\ndata:" 45s "8\r\n: ping" 1m5s "8\r\n: ping" 1m6s "0\r\n\r\n" 1m6s closed]`
		if got := fmt.Sprint(r.told); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// A client that receives no chunks gets its pings at the same times as a client that receives chunks.
func TestPingsWithoutChunks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		r := &recorder{room: 1e6}
		l := f.line(r)
		l.chunked = false
		f.broadcasters.add(f.stream, l)
		time.Sleep(25 * time.Second)
		f.show(t, 1)
		time.Sleep(41 * time.Second)
		f.Close()
		want := `[20s ": ping\n\n" 25s "data: {\"e" 45s ": ping\n\n" 1m5s ": ping\n\n" 1m6s closed]`
		if got := fmt.Sprint(r.told); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// If the socket of a client is full, the client receives the newest frame later. If the socket stays full, the client is disconnected. A
// client with a full socket does not delay other clients.
func TestSlowLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		slow, stuck := &recorder{room: 10}, &recorder{room: 10}
		f.broadcasters.add(f.stream, f.line(slow))
		f.broadcasters.add(f.stream, f.line(stuck))
		for i := range 5 {
			f.show(t, uint8(i))
			time.Sleep(time.Second)
		}
		time.Sleep(retryEvery / 2)
		f.broadcaster().mu.Lock()
		slow.room = 1e6
		f.broadcaster().mu.Unlock()
		time.Sleep(10*time.Second - retryEvery/2)
		last, _ := f.stream.Current()
		if got := f.stats.lost.Get(); got != 2*3 {
			t.Errorf("got %d lost events, want 6: of each five one was begun and one was the last", got)
		}
		if events, _ := f.hub.count(); events != 1 {
			t.Errorf("%d subscribers are left, want the slow one", events)
		}
		f.Close()
		want := `[0s "47\r\ndata:" 5.05s "{\"etag\": " 5.05s "47\r\ndata:" 15s "0\r\n\r\n" 15s closed]`
		if got := fmt.Sprint(slow.told); got != want {
			t.Errorf("slow: got  %s\nwant %s", got, want)
		}
		want = `[0s "47\r\ndata:" 10s closed]`
		if got := fmt.Sprint(stuck.told); got != want {
			t.Errorf("stuck: got  %s\nwant %s", got, want)
		}
		if f.broadcaster().last.last.Load().of != last {
			t.Error("the last frame was not told")
		}
	})
}

func TestHaltEndsEvents(t *testing.T) {
	tests := []struct {
		name string
		next Settings
		ends bool
	}{
		{"same", Settings{StreamOn: true, StreamToken: pointer("s"), HTTPControl: true}, false},
		{"other control token", Settings{StreamOn: true, StreamToken: pointer("s"), ControlToken: pointer("c")}, false},
		{"other stream token", Settings{StreamOn: true, StreamToken: pointer("t")}, true},
		{"no stream token", Settings{StreamOn: true}, true},
		{"no stream", Settings{StreamToken: pointer("s")}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.Configure(Settings{StreamOn: true, StreamToken: pointer("s")})
			f.show(t, 1)
			address, _ := f.serve(t)
			_, r := dial(t, address, "GET /events HTTP/1.1\r\nHost: wall\r\nAuthorization: Bearer s\r\n\r\n")
			skipHeader(t, r)
			expect(t, r, f.eventText(t))
			f.Configure(tt.next)
			if tt.ends {
				expect(t, r, "0\r\n\r\n")
				return
			}
			f.show(t, 2)
			expect(t, r, f.eventText(t))
		})
	}
}

func TestMJPEG(t *testing.T) {
	f := newFixture(t)
	f.show(t, 1)
	address, stop := f.serve(t)
	resp, err := http.Get("http://" + address + "/stream.mjpg?width=32&height=24")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	parts := multipart.NewReader(resp.Body, "frame")
	for i := range 3 {
		// The client can read each part to its end before the next frame exists, because the boundary was already sent.
		p, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := p.Header.Get("Content-Length"), fmt.Sprint(len(data)); got != want {
			t.Errorf("part %d: got length %s, want %s", i, got, want)
		}
		m, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil || m.Bounds().Dx() != 32 || m.Bounds().Dy() != 24 {
			t.Fatalf("part %d: got %v, %v, want 32x24", i, m, err)
		}
		f.show(t, uint8(100+i))
	}
	stop()
}

// A lineListener is a listener whose connections record the deadlines that the server sets.
type lineListener struct {
	net.Listener
	last *timedConn
}

type timedConn struct {
	*net.TCPConn
	mu       sync.Mutex
	deadline time.Time
}

func (l *lineListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.last = &timedConn{TCPConn: c.(*net.TCPConn)}
	return l.last, nil
}

func (c *timedConn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = t
	return c.TCPConn.SetWriteDeadline(t)
}

// The deadline for reading the header of a request does not end the stream that answers the request.
func TestEventsOutliveTheirHeader(t *testing.T) {
	f := newFixture(t)
	f.show(t, 1)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &lineListener{Listener: tcp}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() { f.Serve(ctx, l) })
	_, r := dial(t, l.Addr().String(), getEvents)
	skipHeader(t, r)
	expect(t, r, f.eventText(t))
	l.last.mu.Lock()
	defer l.last.mu.Unlock()
	if !l.last.deadline.IsZero() {
		t.Errorf("got a deadline %v, want none", l.last.deadline)
	}
}
