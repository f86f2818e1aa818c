package widgets

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
)

// t0 is a Saturday whose date has a descender.
var t0 = time.Date(2026, 11, 21, 12, 34, 0, 0, time.UTC)

func after(d time.Duration) time.Time { return t0.Add(d) }

// testText is what was shaped for all tests, as a program has one cache for all its walls, without the machine's fonts.
var testText = sync.OnceValue(func() *text.Cache {
	cache := text.NewCache(16 << 20)
	cache.SystemFonts()
	return cache
})

// catalog is what tests build from. It is set by TestMain.
var catalog Catalog

// builder returns a builder of one tree, with more kinds.
func builder(e Env, more ...Kind) *Builder {
	c := catalog
	c.Kinds = append(slices.Clip(c.Kinds), more...)
	return newBuilder(e, c)
}

// testEnv is an environment whose pictures of text are the same on every machine.
func testEnv() Env {
	return Env{Text: testText(), Sources: sources.New(newSources(), nil), SmoothScaling: true, Location: time.UTC, Banner: provider.NewCell(nil)}
}

// strict has every mistake be an error.
func strict(s *Spec) *Spec {
	s.Tolerate = nil
	for _, c := range s.Children {
		strict(c)
	}
	return s
}

// parse reads a widgets file.
func parse(t testing.TB, yaml string) (*Spec, *config.Report) {
	t.Helper()
	r := &config.Report{}
	root := config.Parse("widgets.yaml", []byte(yaml), r, nil)
	screen := config.Tree(theme.Resolve(root, nil, r), r, nil)
	if screen == nil {
		t.Fatalf("no tree in:\n%s\n%v", yaml, r)
	}
	return strict(SpecOf(screen)), r
}

// widgetFile is a widgets file with one widget, given in YAML's flow style, on a background.
func widgetFile(background, widget string) string {
	return "background_color: '" + background + "'\nwidgets: [" + widget + "]\n"
}

// build makes the tree of a widgets file that must be right.
func build(t testing.TB, e Env, yaml string, size image.Point) *Screen {
	t.Helper()
	s, r := parse(t, yaml)
	w := builder(e).BuildScreen(s, size)
	if r.Failed() {
		t.Fatalf("errors in:\n%s\n%v", yaml, r)
	}
	return w
}

// buildOne makes a single widget, without its guard.
func buildOne[W render.Widget](t testing.TB, e Env, widget string, size image.Point) W {
	t.Helper()
	w, ok := build(t, e, "widgets: ["+widget+"]", size).child.(*guard).inner.(W)
	if !ok {
		t.Fatalf("%s: built a %T", widget, w)
	}
	return w
}

// paintOnce paints a tree as it is at a moment.
func paintOnce(w render.Widget, size image.Point, now time.Time) *image.RGBA {
	w.Update(render.NewTick(now, size))
	m := image.NewRGBA(image.Rectangle{Max: size})
	w.Paint(render.NewCanvas(m))
	return m
}

// inkOf returns the bounds of the pixels of m inside r that differ from its top left pixel.
func inkOf(m *image.RGBA, r image.Rectangle) (ink image.Rectangle) {
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

// differ returns a pixel in which two pictures differ.
func differ(a, b *image.RGBA) (image.Point, bool) {
	for i := range a.Pix {
		if a.Pix[i] != b.Pix[i] {
			return image.Pt(i%a.Stride/4, i/a.Stride), true
		}
	}
	return image.Point{}, false
}

// flow writes a value in YAML's flow style; JSON is that.
func flow(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// gifFile writes an animation of three plain frames, 100 ms each: red, green, blue.
func gifFile(t testing.TB, size image.Point) string {
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

// wantErrors builds a widgets file and checks that each wanted text is in an error of its own.
func wantErrors(t *testing.T, yaml string, want ...string) {
	t.Helper()
	s, r := parse(t, yaml)
	builder(testEnv()).BuildScreen(s, image.Pt(400, 300))
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
