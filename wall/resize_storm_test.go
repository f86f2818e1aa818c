package wall

import (
	"flag"
	"fmt"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"dashboard/internal/testing/thorough"
)

// resizes is the number of size changes in TestResizeStorm. With -long there are at least 25.
var resizes = flag.Int("resizes", 6, "how often the wall's size is changed by a reload")

// stormSize returns the size of the wall after reload i. stormColor returns the color of the wall
// after reload i. No two reloads of a test have the same color.
func stormSize(i int) (w, h int) { return 100 + i%7, 80 + i%5 }

func stormColor(i int) color.RGBA { return color.RGBA{uint8(i), uint8(i >> 8), 77, 255} }

// The size of the wall changes with each reload while clients request ten sizes. Every picture has the requested size and only one color.
// Pictures with the same tag have the same color. The log contains no panic, error or warning.
func TestResizeStorm(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	times := *resizes
	if *inFull {
		times = max(times, 25)
	}
	b := launchWall(t, nil)
	s := &storm{site: b.site, colors: map[string]color.RGBA{}}
	var wg sync.WaitGroup
	for _, size := range []string{
		"", "?width=100&height=80", "?width=50&height=40", "?width=103&height=82", "?width=1&height=1",
		"?width=300&height=7", "?width=7&height=300", "?width=640&height=400", "?width=99&height=81", "?width=1920&height=1080",
	} {
		wg.Go(func() {
			for !s.ended.Load() {
				s.look(size)
			}
		})
	}
	for i := 1; i <= times && !t.Failed(); i++ {
		f := files{"conf.yaml": wallConf(b.port, ""), "widgets.yaml": ""}
		stormFiles(f, i)
		b.change(f)
	}
	s.ended.Store(true)
	wg.Wait()
	t.Logf("%d changes, %d pictures, %d tags", times, s.seen.Load(), len(s.colors))
	for _, word := range []string{"panic", "level=ERROR", "level=WARN"} {
		if b.Log.Count(word) > 0 {
			t.Errorf("the log says %q", word)
		}
	}
	if n := b.Log.Count("configuration reloaded"); n < times {
		t.Errorf("got %d reloads, want %d", n, times)
	}
}

// stormFiles sets the files of reload i.
func stormFiles(f files, i int) {
	w, h := stormSize(i)
	c := stormColor(i)
	f["conf.yaml"] = strings.Replace(f["conf.yaml"], "[160, 96]", fmt.Sprintf("[%d, %d]", w, h), 1)
	f["widgets.yaml"] = plainWall(fmt.Sprintf("\"#%02x%02x%02x\"", c.R, c.G, c.B))
}

// A storm records the pictures that clients have received.
type storm struct {
	site
	ended  atomic.Bool
	seen   atomic.Int64
	mu     sync.Mutex
	colors map[string]color.RGBA // color of the frame for each tag
}

// look fetches a picture and compares its color with the color of earlier pictures that have the same tag.
func (s *storm) look(query string) {
	a := s.ask("GET /frame"+query, nil, "")
	if a.status != http.StatusOK {
		s.t.Errorf("%s: got %d %.80s", query, a.status, a.body)
		s.ended.Store(true)
		return
	}
	img, err := png.Decode(strings.NewReader(a.body))
	if err != nil {
		s.t.Errorf("%s: %v", query, err)
		return
	}
	r := img.Bounds()
	if want := strings.NewReplacer("?width=", "", "&height=", "x").Replace(query); want != "" && fmt.Sprintf("%dx%d", r.Dx(), r.Dy()) != want {
		s.t.Errorf("%s: got %v", query, r)
	}
	c := color.RGBAModel.Convert(img.At(0, 0)).(color.RGBA)
	for _, p := range [][2]int{{r.Max.X - 1, 0}, {0, r.Max.Y - 1}, {r.Max.X - 1, r.Max.Y - 1}, {r.Max.X / 2, r.Max.Y / 2}} {
		if got := color.RGBAModel.Convert(img.At(p[0], p[1])); got != c {
			s.t.Errorf("%s: %v at %v and %v at 0,0", query, got, p, c)
		}
	}
	base, _, _ := strings.Cut(strings.Trim(a.header.Get("ETag"), `"`), "-")
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, known := s.colors[base]; known && old != c {
		s.t.Errorf("%s: %v under the tag of %v", query, c, old)
	}
	s.colors[base] = c
	s.seen.Add(1)
}
