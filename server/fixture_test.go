package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/control"
	"dashboard/control/notify"
	"dashboard/netstream"

	"dashboard/internal/testing/programtest"
)

func TestMain(m *testing.M) { programtest.MainWithoutLeaks(andThen{m, endChromium}) }

// andThen runs the tests. Then it calls `end` to end the browser that the tests share.
type andThen struct {
	*testing.M
	end func()
}

// Run implements goleak.TestingM.
func (a andThen) Run() int {
	defer a.end()
	return a.M.Run()
}

// `published` is the time of every frame in the tests.
var published = time.Unix(1795235340, 354578000)

// A fixture is a server for tests. The stream is real, and all other parts of the program are simulated.
type fixture struct {
	*Server
	stream *netstream.Stream
	themes *fakeThemes
	notes  *fakeNotifier
	wall   *control.Wall // main wall
	parts  *control.Parts
	log    *programtest.Log
	side   image.Point
}

// control creates the verbs again. Call it after a change of f.parts.
func (f *fixture) control() { f.deps.Walls = control.New(*f.parts) }

// newFixture returns a server with every feature and without tokens.
func newFixture(tb testing.TB) *fixture {
	tb.Helper()
	f := &fixture{
		stream: netstream.New(func() time.Time { return published }), log: &programtest.Log{}, side: image.Pt(64, 48),
		themes: &fakeThemes{state: control.ThemeState{Mode: "day"}}, notes: &fakeNotifier{},
	}
	log := slog.New(slog.NewTextHandler(f.log, nil))
	f.wall = &control.Wall{Themes: f.themes, Notices: f.notes}
	f.parts = &control.Parts{Log: log, Wall: func(view string) *control.Wall {
		if view == "" {
			return f.wall
		}
		return nil
	}}
	f.Server = New(Deps{
		Streams: func(string) *netstream.Stream { return f.stream }, Walls: control.New(*f.parts), Version: "1.2.3",
		Health:   func() (map[string]any, bool) { return map[string]any{"frames": 7}, true },
		Measures: func(yield func(string, float64) bool) { yield(MetricName("dashboard_age_seconds", "of", `a"b`), 2.5) },
	}, log)
	f.headerTime, f.bodyTime = programtest.Patience, programtest.Patience // a busy machine may stop the caller of a test for a while
	f.Configure(Settings{StreamOn: true, HTTPControl: true})
	tb.Cleanup(f.Close)
	return f
}

// show publishes a frame in which all pixels have the same gray.
func (f *fixture) show(tb testing.TB, grey uint8) {
	tb.Helper()
	m := image.NewRGBA(image.Rectangle{Max: f.side})
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{grey}), image.Point{}, draw.Src)
	if err := f.stream.DrawFrame(m, []image.Rectangle{m.Rect}); err != nil {
		tb.Fatal(err)
	}
}

// serve runs the server on a free port. It returns the address, and a function that ends the server.
func (f *fixture) serve(tb testing.TB) (address string, stop func()) {
	tb.Helper()
	return f.serveAt(tb, "127.0.0.1:0")
}

// serveAt is like serve, but listens on the given address.
func (f *fixture) serveAt(tb testing.TB, at string) (address string, stop func()) {
	tb.Helper()
	l, err := net.Listen("tcp", at)
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { f.Serve(ctx, l) })
	stop = sync.OnceFunc(func() { cancel(); wg.Wait() })
	tb.Cleanup(stop)
	return l.Addr().String(), stop
}

// ownPort returns an address whose port no other test uses. So a test can stop its server, and start another server at the same address.
func ownPort(tb testing.TB) string { return fmt.Sprintf("127.0.0.1:%d", programtest.FreePort(tb)) }

// dial sends a raw request and returns the connection.
func dial(tb testing.TB, address, request string) (net.Conn, *bufio.Reader) {
	tb.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close() })
	_ = c.SetReadDeadline(time.Now().Add(programtest.Patience)) // a test that hangs fails after this time
	if _, err := io.WriteString(c, request); err != nil {
		tb.Fatal(err)
	}
	return c, bufio.NewReader(c)
}

// skipHeader reads the header of an answer.
func skipHeader(tb testing.TB, r *bufio.Reader) string {
	tb.Helper()
	var b strings.Builder
	for {
		l, err := r.ReadString('\n')
		if err != nil {
			tb.Fatal(err)
		}
		if l == "\r\n" {
			return b.String()
		}
		b.WriteString(l)
	}
}

// fakeNotifier shows notifications on one widget, "note".
type fakeNotifier struct {
	none bool
	got  []byte
}

func (n *fakeNotifier) Any() bool { return !n.none }

func (n *fakeNotifier) Names() []string { return []string{"note"} }

func (n *fakeNotifier) Notify(_ context.Context, body []byte, _ bool) (string, error) {
	n.got = body
	switch s := string(body); {
	case strings.Contains(s, `"full"`):
		return "", notify.ErrFull
	case strings.Contains(s, `"gone"`):
		return "", notify.ErrNone
	case strings.Contains(s, `"panic"`):
		panic("a widget's fault")
	case strings.Contains(s, `"text":1`):
		return "", errors.New("notify: text must be a string")
	case strings.Contains(s, `"id":"a"`):
		return "a", nil
	case strings.Contains(s, `"note"`):
		return "", nil
	}
	return "", notify.ErrUnknown
}

func (n *fakeNotifier) List() []notify.Entry {
	return []notify.Entry{{ID: "a", Widget: "note", State: notify.Showing, Text: "hello", Priority: 3, Count: 1, Posted: time.Unix(0, 0).UTC(), Left: 2.5}}
}

func (n *fakeNotifier) Delete(id, widget string) (int, error) {
	switch {
	case widget != "" && widget != "note":
		return 0, notify.ErrUnknown
	case id != "" && id != "a":
		return 0, notify.ErrGone
	}
	return 1, nil
}

func (n *fakeNotifier) Choice(id string, at int) (notify.Choice, error) {
	switch {
	case id != "a":
		return notify.Choice{}, notify.ErrGone
	case at != 0:
		return notify.Choice{}, notify.ErrNoAction
	}
	return notify.Choice{Label: "Open", Do: []byte(`{"page": "door"}`)}, nil
}

// fakeThemes accepts every mode. If err is set, its methods return err.
type fakeThemes struct {
	state control.ThemeState
	err   error
}

func (f *fakeThemes) Theme(context.Context) (control.ThemeState, error) { return f.state, f.err }

func (f *fakeThemes) SetTheme(_ context.Context, mode, hold string) (control.ThemeState, error) {
	st := f.state
	st.FollowingSun = mode == "auto"
	if mode != "auto" {
		st.Mode = mode
		if hold == "next" {
			st.HeldUntil = st.NextChange
		}
	}
	return st, f.err
}

// noise is a picture of random pixels, which cannot be compressed.
type noise struct {
	m    *image.RGBA
	seed uint32
}

func newNoise(w, h int) *noise { return &noise{image.NewRGBA(image.Rect(0, 0, w, h)), 1} }

func (n *noise) all() []image.Rectangle { return []image.Rectangle{n.m.Rect} }

// next() fills the picture with new noise. xorshift32 is random enough for this.
func (n *noise) next() {
	for i := range n.m.Pix {
		n.seed ^= n.seed << 13
		n.seed ^= n.seed >> 17
		n.seed ^= n.seed << 5
		n.m.Pix[i] = byte(n.seed) | byte(i&3/3*255) // the alpha channel is 255
	}
}
