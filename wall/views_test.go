package wall

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"dashboard/wall/scene"
)

// viewsWall returns a wall with three views that show values of one provider. `fetches` counts the requests of the provider.
func viewsWall(t *testing.T, port int, views string) (f files, fetches *atomic.Int32) {
	fetches = &atomic.Int32{}
	source := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fetches.Add(1)
		fmt.Fprint(w, `{"v": 1}`)
	}))
	t.Cleanup(source.Close)
	wall := func(color string) string {
		return "widgets:\n  - widget: grid\n    columns: 2\n    children: [{widget: empty, color: " + color + "}, {widget: provider, providers: [p], data_path: v}]\n"
	}
	return files{
		"conf.yaml":      wallConf(port, views),
		"providers.yaml": "providers:\n  p: {type: rest, url: '" + source.URL + "', update_interval: 3600}\n",
		"widgets.yaml":   wall("red"), "kitchen.yaml": wall("blue"), "hall.yaml": wall("white"),
	}, fetches
}

const twoViews = "views:\n  kitchen: {widgets: kitchen.yaml, resolution: [80, 48]}\n  hall: {widgets: hall.yaml, locale: de}\n"

// Views are separate walls with the same providers. Each view has its size and its frames, but a
// source is requested only once for all views.
func TestViews(t *testing.T) {
	port := freePort(t)
	f, fetches := viewsWall(t, port, twoViews)
	p := start(t, port, f)
	p.shows(1, 1, red)
	p.serves("/frame", http.StatusOK)
	for view, want := range map[string]struct {
		size  string
		color color.RGBA
	}{"": {"160x96", red}, "main": {"160x96", red}, "kitchen": {"80x48", blue}, "hall": {"160x96", white}} {
		a := p.first("/frame?view="+view, want.color)
		if a.status != http.StatusOK || a.header.Get("X-Frame-Render-Size") != want.size {
			t.Fatalf("%s: got %d %s, want a frame of %s at the first request", view, a.status, a.header.Get("X-Frame-Render-Size"), want.size)
		}
		if got := pixel(t, a.body, 1, 1); got != want.color {
			t.Errorf("%s: got %v, want %v", view, got, want.color)
		}
	}
	eventually(t, "the source is asked", func() bool { return fetches.Load() > 0 })
	if n := fetches.Load(); n != 1 {
		t.Errorf("the source was asked %d times, want once for all views", n)
	}
	a := p.ask("GET /frame?view=kitchn", nil, "")
	if a.status != http.StatusNotFound || !strings.Contains(a.body, `"views":["main","hall","kitchen"]`) {
		t.Errorf("got %d %s, want 404 and the views there are", a.status, a.body)
	}
	if status := p.ask("GET /events?view=kitchn", nil, "").status; status != http.StatusNotFound {
		t.Errorf("events of no view: got %d", status)
	}
}

// A reload with an error in one view changes no view. A successful reload adds new views, ends removed views, and shows all other views
// again.
func TestViewsReload(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	f, _ := viewsWall(t, port, twoViews)
	p := start(t, port, f)
	color := func(view string) (string, any) {
		a := p.ask("GET /frame?view="+view, nil, "")
		if a.status != http.StatusOK {
			return fmt.Sprint(a.status), nil
		}
		return "", pixel(t, a.body, 1, 1)
	}
	p.shows(1, 1, red)
	p.serves("/frame", http.StatusOK)
	color("hall")
	p.change(files{"widgets.yaml": strings.ReplaceAll(f["widgets.yaml"], "red", "white"), "kitchen.yaml": "widgets: {\n"})
	if _, got := color(""); got != red {
		t.Errorf("a mistake in another view: got %v, want the wall as it was", got)
	}
	f["conf.yaml"] = wallConf(port, "views:\n  cellar: {widgets: kitchen.yaml}\n  hall: {widgets: kitchen.yaml}\n")
	p.change(f)
	for view, want := range map[string]any{"": red, "cellar": blue, "hall": blue} {
		eventually(t, "the view "+view, func() bool { _, got := color(view); return got == want })
	}
	if status, _ := color("kitchen"); status != "404" {
		t.Errorf("a view that is gone: got %s", status)
	}
}

// An output shows the view that it names. If this view has no other viewers, it is painted for the output.
func TestOutputsOfViews(t *testing.T) {
	t.Parallel()
	port, shots := freePort(t), t.TempDir()
	f, _ := viewsWall(t, port, "  - {type: file, view: kitchen, output_path: "+shots+", image_format: png, render_interval: 1}\n"+twoViews)
	p := start(t, port, f)
	eventually(t, "a picture of the kitchen", func() bool {
		all, err := filepath.Glob(filepath.Join(shots, "*.png"))
		if err != nil || len(all) == 0 {
			return false
		}
		data, err := os.ReadFile(all[0])
		if err != nil {
			return false
		}
		m, err := png.Decode(bytes.NewReader(data))
		return err == nil && m.Bounds().Dx() == 80 && m.Bounds().Dy() == 48 && color.RGBAModel.Convert(m.At(1, 1)) == blue
	})
	if n := p.measure(`dashboard_view_frames_total{view="hall"}`); n != 0 {
		t.Errorf("%v frames of the hall were painted for nobody", n)
	}
}

// A view without viewers is not painted. A view with viewers sends an event for each frame.
func TestViewsPaintForSomebody(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	f, _ := viewsWall(t, port, twoViews)
	f["kitchen.yaml"] = "widgets:\n  - {widget: clock, seconds: full}\n"
	p := start(t, port, f)
	p.shows(1, 1, red)
	p.serves("/frame", http.StatusOK)
	frames := func(view string) float64 {
		return p.measure(`dashboard_view_frames_total{view="` + view + `"}`)
	}
	eventually(t, "passes", func() bool { return p.measure(`dashboard_view_passes_total{view="kitchen"}`) > 0 })
	if n := frames("kitchen"); n != 0 {
		t.Errorf("%v frames were painted for nobody", n)
	}
	before := frames("kitchen")
	eventually(t, "frames while somebody asks", func() bool {
		p.ask("HEAD /frame?view=kitchen", nil, "")
		return frames("kitchen") > before+1
	})
	if n := frames("hall"); n != 0 {
		t.Errorf("hall: %v frames", n)
	}
}

// A wall with sixteen views besides main does not start, because MaxViews includes main.
func TestViewsAreBounded(t *testing.T) {
	views := "views:\n"
	for n := range 16 {
		views += fmt.Sprintf("  v%d: {widgets: kitchen.yaml}\n", n)
	}
	port := freePort(t)
	f, _ := viewsWall(t, port, views)
	p := start(t, port, f)
	if status := <-p.ended; status != 1 || !strings.Contains(p.log.String(), "17 views") {
		t.Errorf("got status %d and %s", status, p.log)
	}
	p.ended <- 1
}

// pixel returns the color of a pixel in a PNG.
func pixel(t *testing.T, data string, x, y int) color.RGBA {
	t.Helper()
	m, err := png.Decode(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, a := m.At(x, y).RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}
}

// measure returns a value of /metrics, or 0 if it is missing.
func (p site) measure(name string) (value float64) {
	_, body := p.get("/metrics")
	for line := range strings.Lines(body) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			value, _ = strconv.ParseFloat(strings.TrimSpace(rest), 64)
		}
	}
	return value
}

// A view ends correctly even if it has never been run. The program may end, or the next reload may come, before a view runs.
func TestViewThatNeverRanIsShut(t *testing.T) {
	t.Chdir(t.TempDir())
	s, _ := quiet(t, files{"conf.yaml": yearConf, "day.yaml": "{}\n", "night.yaml": "{}\n", "widgets.yaml": plainWall("red")}, io.Discard)
	s.add("other", scene.NewSeat())
	s.shut(s.main().Shown.Load().Gen)
	if names := s.names(); len(names) != 1 {
		t.Errorf("got the views %v, want main alone", names)
	}
	s.main().Close()
	s.builder.Providers.Close()
}
