package wall

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dashboard/output/panel"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// Each upload contains the view that its output names. If the output names no view, the upload contains main.
func TestUploadsOfViews(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	port := freePort(t)
	conf := wallConf(port, "  - {type: post, url: '"+e.URL+"/main', min_interval: 0.1}\n  - {type: post, url: '"+e.URL+"/hall', view: hall, min_interval: 0.1}\nviews:\n  hall: {widgets: hall.yaml}\n")
	b := launch(t, port, files{"conf.yaml": conf, "widgets.yaml": plainWall("red"), "hall.yaml": plainWall("blue")})
	b.shows(1, 1, red)
	e.ends(t, "/main", red)
	e.ends(t, "/hall", blue)
}

// A second window shows the view that its output names, in the view's size. After a reload it shows
// another view. The first window does not change.
func TestWindowsOfViews(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	conf := func(view string) string {
		return wallConf(port, "  - {type: window, driver: virtual, device: second.raw, vsync: false, view: "+view+"}\n"+
			"views:\n  kitchen: {widgets: kitchen.yaml, resolution: [80, 48]}\n  hall: {widgets: hall.yaml}\n")
	}
	p := start(t, port, files{"conf.yaml": conf("kitchen"), "widgets.yaml": plainWall("red"), "kitchen.yaml": plainWall("blue"), "hall.yaml": plainWall("white")})
	second := func(size image.Point, want color.RGBA) {
		t.Helper()
		eventually(t, fmt.Sprintf("%v on the second screen", want), func() bool {
			data, err := os.ReadFile(filepath.Join(p.dir, "second.raw"))
			at := 4 * (size.X*(size.Y-1) + size.X - 1) // offset of the last pixel
			return err == nil && len(data) >= at+4 && color.RGBA{data[at+2], data[at+1], data[at], 255} == want
		})
	}
	p.shows(1, 1, red)
	second(image.Pt(80, 48), blue)
	p.change(files{"conf.yaml": conf("hall")})
	second(image.Pt(testW, testH), white)
	p.shows(1, 1, red)
	p.change(files{"hall.yaml": plainWall("black"), "widgets.yaml": plainWall("blue")})
	second(image.Pt(testW, testH), black)
	p.shows(1, 1, blue)
	eventually(t, "a view whose window is gone is not painted", func() bool { return p.measure(`dashboard_view_watched{view="kitchen"}`) == 0 })
}

// A panel shows the view that its output names. Its pins receive the pixels of this view, in the view's size.
func TestPanelsOfViews(t *testing.T) {
	t.Chdir(t.TempDir())
	files{
		"conf.yaml": "graphics: {resolution: [16, 9], motion: reduced}\noutputs:\n  - {type: window, driver: virtual, device: screen.raw, vsync: false}\n" +
			"  - {type: panel, model: ssd1306, view: hall}\nviews:\n  hall: {widgets: hall.yaml, resolution: [128, 64]}\n",
		"widgets.yaml": plainWall("black"), "hall.yaml": plainWall("white"),
	}.write(t, ".")
	s := newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml"}}, stderr: io.Discard, devices: outputs.ThisMachine()})
	defer s.builder.Providers.Close()
	g, report := s.load()
	if g == nil {
		t.Fatal(report.Errors())
	}
	bus := &oled{sent: make(chan []byte, 100)}
	s.devices.Board = func(*panel.Model) (*panel.Wires, error) { return &panel.Wires{I2C: bus}, nil }
	s.begin(g)
	ctx, cancel := context.WithCancel(t.Context())
	wait := s.launch(ctx)
	defer func() {
		cancel()
		wait(ctx)
		for _, v := range s.all() {
			v.Close()
		}
	}()
	lit := 0
	for late := time.After(patience); lit < 128*64/8; {
		select {
		case sent := <-bus.sent:
			for _, b := range sent {
				if b == 0xff {
					lit++
				}
			}
		case <-late:
			t.Fatalf("%d bytes of lit pixels reached the panel, want %d", lit, 128*64/8)
		}
	}
	eventually(t, "main painted for its window", func() bool { return s.main().Loop.Stats().Frames > 0 })
}

// oled is an SSD1306 on a bus that records the sent bytes.
type oled struct {
	i2c.Bus
	sent chan []byte
}

func (o *oled) String() string                  { return "oled" }
func (o *oled) SetSpeed(physic.Frequency) error { return nil }
func (o *oled) Tx(_ uint16, w, _ []byte) error  { o.sent <- slices.Clone(w); return nil }
