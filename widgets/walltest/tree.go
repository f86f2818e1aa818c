package walltest

import (
	"encoding/json"
	"image"
	"image/color"
	"image/gif"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/provider"
	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
)

// Warm draws a frame in each of 70 seconds, so that all digits have been drawn. It returns the time of the last frame.
func Warm(r *render.Renderer) time.Time {
	now := T0
	for range 70 {
		now = now.Add(time.Second)
		r.Step(now)
	}
	return now
}

// Red is a color of test pictures.
var Red = color.RGBA{255, 0, 0, 255}

// ThreeAreas holds the parameters of a widget with three areas. Each area has one color.
const ThreeAreas = "children: [{widget: empty, name: r, color: red}, {widget: empty, name: b, color: blue}, {widget: empty, name: g, color: green}]"

// Strip returns the renderer of a wall with one widget. The wall is 100 px wide.
func Strip(t *testing.T, e kit.Env, widget string) *render.Renderer {
	t.Helper()
	size := image.Pt(100, 4)
	return render.New(Build(t, e, "widgets: ["+widget+"]", size), size)
}

// T0 is the time at which tests start. It is a Saturday whose date has a letter with a descender.
var T0 = time.Date(2026, 11, 21, 12, 34, 0, 0, time.UTC)

// After returns the time T0 plus d.
func After(d time.Duration) time.Time { return T0.Add(d) }

// testText is a text cache that does not use the fonts of the machine. All tests share this cache.
var testText = sync.OnceValue(func() *text.Cache {
	cache := text.NewCache(16 << 20)
	cache.SystemFonts()
	return cache
})

// Catalog is the catalog of the kinds that tests use. TestMain sets it.
var Catalog kit.Catalog

// Builder returns a builder for one tree. `more` are kinds in addition to the catalog.
func Builder(e kit.Env, more ...kit.Kind) *kit.Builder {
	c := Catalog
	c.Kinds = append(slices.Clip(c.Kinds), more...)
	return kit.NewBuilder(e, c)
}

// TestEnv returns an environment in which texts look the same on every machine.
func TestEnv() kit.Env {
	return kit.Env{Drawing: kit.Drawing{Text: testText(), SmoothScaling: true, Location: time.UTC}, Data: kit.Data{Sources: sources.New(NewSources(), nil)}, Wall: kit.Wall{Banner: provider.NewCell(nil)}}
}

// strict() makes problems that would be tolerated count as errors.
func strict(s *kit.Spec) *kit.Spec {
	s.Tolerate = nil
	for _, c := range s.Children {
		strict(c)
	}
	return s
}

// Parse parses a widgets file. It returns the spec of the screen and the report with the errors.
func Parse(t testing.TB, yaml string) (*kit.Spec, *config.Report) {
	t.Helper()
	r := &config.Report{}
	root := config.Parse("widgets.yaml", []byte(yaml), r, nil)
	screen := config.Tree(theme.Resolve(root, nil, r), r, nil)
	if screen == nil {
		t.Fatalf("no tree in:\n%s\n%v", yaml, r)
	}
	return strict(kit.SpecOf(screen)), r
}

// WidgetFile returns the text of a widgets file with a background and one widget. The widget is in YAML's flow style.
func WidgetFile(background, widget string) string {
	return "background_color: '" + background + "'\nwidgets: [" + widget + "]\n"
}

// Build builds the tree of a widgets file. If there are errors, the test fails.
func Build(t testing.TB, e kit.Env, yaml string, size image.Point) *screen.Screen {
	t.Helper()
	s, r := Parse(t, yaml)
	w := screen.Build(Builder(e), s, size)
	if r.Failed() {
		t.Fatalf("errors in:\n%s\n%v", yaml, r)
	}
	return w
}

// BuildOne builds a single widget and returns it without its guard.
func BuildOne[W render.Widget](t testing.TB, e kit.Env, widget string, size image.Point) W {
	t.Helper()
	w, ok := Build(t, e, "widgets: ["+widget+"]", size).Child.(*kit.Guard).Inner.(W)
	if !ok {
		t.Fatalf("%s: built a %T", widget, w)
	}
	return w
}

// PaintOnce updates and paints a tree once, at the given time.
func PaintOnce(w render.Widget, size image.Point, now time.Time) *image.RGBA {
	w.Update(render.NewTick(now, size))
	m := image.NewRGBA(image.Rectangle{Max: size})
	w.Paint(render.NewCanvas(m))
	return m
}

// InkOf returns the bounds of the pixels in r whose color differs from the color of the top left pixel of r.
func InkOf(m *image.RGBA, r image.Rectangle) (ink image.Rectangle) {
	ground := m.RGBAAt(r.Min.X, r.Min.Y)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if m.RGBAAt(x, y) != ground {
				ink = ink.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return ink
}

// Flow returns a value in YAML's flow style. It encodes the value as JSON, which is also valid YAML.
func Flow(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// GifFile writes an animation with a red, a green and a blue frame. Each frame is shown for 100 ms.
func GifFile(t testing.TB, size image.Point) string {
	t.Helper()
	g := &gif.GIF{}
	palette := color.Palette{color.RGBA{200, 0, 0, 255}, color.RGBA{0, 200, 0, 255}, color.RGBA{0, 0, 200, 255}}
	for i := range palette {
		m := image.NewPaletted(image.Rectangle{Max: size}, palette)
		for p := range m.Pix {
			m.Pix[p] = uint8(i)
		}
		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 10)
	}
	path := filepath.Join(t.TempDir(), "film.gif")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := gif.EncodeAll(f, g); err != nil {
		t.Fatal(err)
	}
	return path
}

// WantErrors builds a widgets file and checks its errors. The number of errors must be the number
// of texts in `want`, and each error must contain the text with the same index.
func WantErrors(t *testing.T, yaml string, want ...string) {
	t.Helper()
	s, r := Parse(t, yaml)
	screen.Build(Builder(TestEnv()), s, image.Pt(400, 300))
	got := r.Errors()
	if len(got) != len(want) {
		t.Errorf("got %d errors, want %d:\n%v", len(got), len(want), r)
		return
	}
	for i, w := range want {
		if !strings.Contains(got[i].String(), w) {
			t.Errorf("error %d: got %q, want it to contain %q", i, got[i], w)
		}
	}
}
