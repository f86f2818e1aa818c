package wall

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"dashboard/fb/evdev"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"
)

// A glassWall is a running wall with a touchscreen. It is 320 px wide.
type glassWall struct {
	site
	s   *Service
	l   evdev.Listener
	now int64
	log logbook
}

// startGlass runs a wall until the test ends. `more` is added to its conf.yaml.
func startGlass(t *testing.T, height int, f files, more ...string) *glassWall {
	t.Helper()
	w := &glassWall{site: site{t, t.TempDir(), freePort(t)}}
	conf := fmt.Sprintf("graphics: {resolution: [320, %d], motion: reduced}\nserver: {port: %d}\n"+
		"outputs: [{type: window, driver: virtual, device: %s/screen.raw, vsync: false, touch: glass}, {type: stream, image_format: png}]\n", height, w.port, w.dir)
	for _, m := range more {
		conf += m
	}
	f.with("conf.yaml", conf).write(t, w.dir)
	w.s = newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml", Home: w.dir}, StateDir: t.TempDir()}, stderr: &w.log, devices: outputs.ThisMachine()})
	g, report := w.s.load()
	if g == nil {
		t.Fatal(report.Errors())
	}
	w.s.begin(g)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = w.s.run(ctx, nil) }()
	t.Cleanup(func() {
		cancel()
		<-ended
		if t.Failed() {
			t.Logf("log:\n%s", &w.log)
		}
	})
	w.serves("/frame", http.StatusOK)
	if w.l = w.s.listen(evdev.Info{Name: "glass", Touch: true}); w.l == nil {
		t.Fatal("no screen for it")
	}
	return w
}

// touch puts a finger on a point and lifts it. x and y are fractions of the wall's width and height.
func (w *glassWall) touch(x, y float64) {
	for _, down := range []bool{true, false} {
		p := &evdev.Packet{At: w.now}
		if down {
			p.Down, p.Fingers[0] = 1, evdev.Finger{Down: true, X: x, Y: y}
		}
		w.l.Packet(p)
		w.now += 50_000
	}
	w.now += 5_000_000
}
