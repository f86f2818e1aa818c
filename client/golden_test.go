package client

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden pictures anew; look at each before committing it")

// goldenTolerance is how far a channel may be off, of 255: compilers may fuse multiplications with additions, which
// moves coverage by single steps.
const goldenTolerance = 8

var (
	goldenSizes = []image.Point{{320, 240}, {800, 480}, {1366, 768}, {1920, 1080}, {480, 800}}
	goldenTime  = time.Date(2026, 3, 29, 12, 34, 56, 0, time.UTC)
	goldenDelay = latency{
		published:  goldenTime,
		noticed:    goldenTime.Add(3 * time.Millisecond),
		asked:      goldenTime.Add(3 * time.Millisecond),
		downloaded: goldenTime.Add(45 * time.Millisecond),
		decoded:    goldenTime.Add(1062 * time.Millisecond),
	}
)

// goldens are what a screen can show. The offline screen of the second has no frame under it.
var goldens = map[string]func(o *Options, f *frame) (warns bool){
	"triangle": func(o *Options, f *frame) bool {
		f.setWhole(grey(o.Size))
		return true
	},
	"offline": func(o *Options, f *frame) bool {
		f.setWhole(stripes(o.Size))
		o.Offline = defaultOffline()
		return true
	},
	"start": func(o *Options, f *frame) bool {
		o.Offline = defaultOffline()
		o.Offline.Message = "A message that is much longer than the screen is wide, so that it has to shrink"
		return true
	},
	"latency": func(o *Options, f *frame) bool {
		f.setWhole(stripes(o.Size))
		f.setLatency(goldenDelay)
		o.Latency = true
		o.Corner = BottomLeft
		return true
	},
}

func defaultOffline() *Offline {
	return &Offline{Message: "Dashboard server unavailable", ClockFormat: "%H:%M", Dim: 0.75}
}

func TestGolden(t *testing.T) {
	for name, prepare := range goldens {
		for _, size := range goldenSizes {
			name := fmt.Sprintf("%s-%dx%d", name, size.X, size.Y)
			t.Run(name, func(t *testing.T) {
				o := testOptions(size)
				f := newFrame(size)
				warns := prepare(&o, f)
				s := newScreen(&o, f)
				s.update(goldenTime, warns)
				s.paint()
				compare(t, name, s.shown)
			})
		}
	}
}

// testOptions are those of a client that shows nothing to anybody.
func testOptions(size image.Point) Options {
	o := Options{
		URL: "http://wall.test", Size: size, ReconnectDelay: 2 * time.Second, StaleAfter: 30 * time.Second,
		Display: &display{}, Location: time.UTC,
	}
	if err := o.check(); err != nil {
		panic(err)
	}
	return o
}

// grey is a flat frame.
func grey(size image.Point) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{200}), image.Point{}, draw.Src)
	return m
}

// stripes is a frame of bands of light and dark colours.
func stripes(size image.Point) *image.RGBA {
	m := grey(size)
	bands := []color.RGBA{{40, 60, 90, 255}, {235, 203, 139, 255}, {20, 24, 30, 255}, {163, 190, 140, 255}}
	for i, c := range bands {
		r := image.Rect(i*size.X/len(bands), size.Y/8, (i+1)*size.X/len(bands)-size.X/40, size.Y-size.Y/8)
		draw.Draw(m, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	return m
}

// compare checks a picture against its golden one. What differs is left where the test keeps its artifacts.
func compare(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".png")
	if *update {
		writePNG(t, path, got)
		return
	}
	want := readPNG(t, path)
	if want.Rect != got.Rect {
		t.Fatalf("%s: got a picture of %v, want %v", name, got.Rect.Size(), want.Rect.Size())
	}
	diff, wrong, most := image.NewGray(got.Rect), 0, 0
	for i := range got.Pix {
		d := max(int(got.Pix[i])-int(want.Pix[i]), int(want.Pix[i])-int(got.Pix[i]))
		most = max(most, d)
		if d > goldenTolerance {
			wrong++
			diff.Pix[i/4] = 255
		}
	}
	if wrong > 0 {
		dir := t.ArtifactDir()
		writePNG(t, filepath.Join(dir, name+"-got.png"), got)
		writePNG(t, filepath.Join(dir, name+"-diff.png"), diff)
		t.Errorf("%s: %d channels differ by more than %d, the worst by %d; see %s (with -artifacts to keep it)", name, wrong, goldenTolerance, most, dir)
	}
}

func readPNG(t *testing.T, path string) *image.RGBA {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(fmt.Errorf("%w; make it with -update", err))
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	rgba := image.NewRGBA(m.Bounds())
	draw.Draw(rgba, rgba.Rect, m, m.Bounds().Min, draw.Src)
	return rgba
}

func writePNG(t *testing.T, path string, m image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}
