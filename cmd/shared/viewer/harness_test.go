package viewer

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"dashboard/internal/testing/programtest"
)

var program, removePrograms = programtest.Builder("dashboard", "dashboard-client")

func TestMain(m *testing.M) {
	if os.Getenv("ASK_URL") != "" {
		askInside()
		return
	}
	status := m.Run()
	removePrograms()
	os.Exit(status)
}

// Size of the wall that the service draws, and size of the screen that shows the wall, in px.
var (
	wallSize   = image.Pt(320, 192)
	screenSize = image.Pt(200, 120)
)

var (
	red   = color.RGBA{255, 0, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
	black = color.RGBA{0, 0, 0, 255}
	white = color.RGBA{255, 255, 255, 255}
	amber = color.RGBA{255, 176, 32, 255}
)

// A wall is a running service with widgets and a stream.
type wall struct {
	*programtest.Process
	t    *testing.T
	dir  string
	port int
}

// startWall runs the service on a free port. The stream sends PNG, so that colors are exact. `more` is added to the end of conf.yaml.
func startWall(t *testing.T, widgets, more string) *wall {
	t.Helper()
	w := &wall{t: t, dir: t.TempDir(), port: programtest.FreePort(t)}
	programtest.Write(t, w.dir, map[string]string{
		"conf.yaml": fmt.Sprintf("graphics: {resolution: [%d, %d]}\noutputs: [{type: stream, image_format: png}]\nserver:\n  port: %d\n%s",
			wallSize.X, wallSize.Y, w.port, more),
		"widgets.yaml": widgets,
	})
	w.start()
	return w
}

func (w *wall) start() {
	w.t.Helper()
	w.Process = programtest.Start(w.t, program(w.t, "dashboard"), w.dir, nil, "--config-dir", w.dir)
	w.Says("server listening")
}

// conf returns the current content of conf.yaml.
func (w *wall) conf() string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, "conf.yaml"))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

func (w *wall) url() string { return fmt.Sprintf("http://127.0.0.1:%d", w.port) }

// change makes the wall show the given widgets.
func (w *wall) change(widgets string) {
	w.t.Helper()
	programtest.Write(w.t, w.dir, map[string]string{"widgets.yaml": widgets})
	w.Signal(syscall.SIGUSR1)
}

// plain() returns the widgets file of a wall with a single color.
func plain(color string) string { return "widgets:\n  - {widget: empty, color: " + color + "}\n" }

// A viewerProcess is a running remote screen with a virtual framebuffer.
type viewerProcess struct {
	*programtest.Process
	t     *testing.T
	dir   string
	width int // width of the screen in px, or 0 for screenSize
}

// conf returns the content of client.yaml for a virtual screen. `more` is added to its end.
func conf(url, server, more string) string {
	return fmt.Sprintf("server: {url: '%s', reconnect_delay: 0.1%s}\ngraphics: {resolution: [%d, %d]}\n"+
		"outputs: [{type: window, driver: virtual, device: screen.raw}]\n%s", url, server, screenSize.X, screenSize.Y, more)
}

// startViewer runs the remote screen.
func startViewer(t *testing.T, client string, env ...string) *viewerProcess {
	t.Helper()
	v := &viewerProcess{t: t, dir: t.TempDir()}
	programtest.Write(t, v.dir, map[string]string{"client.yaml": client})
	v.Process = programtest.Start(t, program(t, Name), v.dir, env, "--config-dir", v.dir)
	return v
}

// pixel returns the color of a pixel on the virtual framebuffer. The file has the format XRGB8888, with the bytes B, G, R, X.
func (v *viewerProcess) pixel(p image.Point) color.RGBA {
	raw, err := os.ReadFile(filepath.Join(v.dir, "screen.raw"))
	at := 4 * (p.Y*cmp.Or(v.width, screenSize.X) + p.X)
	if err != nil || len(raw) < at+4 {
		return color.RGBA{}
	}
	return color.RGBA{raw[at+2], raw[at+1], raw[at], 255}
}

// shows() waits until a pixel has the given color.
func (v *viewerProcess) shows(p image.Point, want color.RGBA) {
	v.t.Helper()
	got := color.RGBA{}
	defer func() {
		if v.t.Failed() {
			v.t.Logf("at %v: got %v, want %v", p, got, want)
		}
	}()
	programtest.Eventually(v.t, fmt.Sprintf("%v at %v", want, p), func() bool { got = v.pixel(p); return got == want })
}

// wants() checks that a pixel has the given color now.
func (v *viewerProcess) wants(p image.Point, want color.RGBA) {
	v.t.Helper()
	if got := v.pixel(p); got != want {
		v.t.Errorf("at %v: got %v, want %v", p, got, want)
	}
}

// reload writes a new client.yaml, makes the program read it, and waits until the log contains the text `says` once more.
func (v *viewerProcess) reload(client, says string) {
	v.t.Helper()
	before := v.Log.Count(says)
	programtest.Write(v.t, v.dir, map[string]string{"client.yaml": client})
	v.Signal(syscall.SIGUSR1)
	programtest.Eventually(v.t, says, func() bool { return v.Log.Count(says) > before })
}
