package scene

import (
	"bytes"
	"errors"
	"image"
	"image/draw"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config"
	"dashboard/control/timer"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/golden"
	"dashboard/output/panel"
	"dashboard/provider/geocode"
	"dashboard/render"
	"dashboard/theme/sun"
)

// wallsMoment is the time at which the answers were recorded.
var wallsMoment = time.Date(2025, 5, 15, 10, 24, 0, 0, time.UTC)

// recordings lists files in testdata/answers. A request gets the first file whose field `part` occurs in the request's address.
var recordings = []struct{ part, file string }{
	{"api.open-meteo.com/v1/forecast", "weather.json"}, {"air-quality-api.open-meteo.com", "air.json"},
	{"api.met.no/", "metno.json"}, {"/stats/commit_activity", "commits.json"},
	{"cloud.example.org/remote.php/dav", "shopping.xml"}, {"cloud.example.org/dav", "shopping.xml"},
	{"anna", "anna.ics"}, {"einkaufen", "shopping.ics"}, {"/rooms/", "room.ics"}, {"ben", "ben.ics"}, {"birthdays", "birthdays.ics"}, {"bins", "bins.ics"},
	{"query=100 * (1 - avg(rate(node_cpu", "cpu.json"}, {"node_memory", "memory.json"}, {"node_filesystem", "disk.json"}, {"node_network", "network.json"}, {"query=up", "up.json"},
	{"api.awattar.de", "marketdata.json"}, {"GetPowerFlow", "powerflow.json"},
	{"org/news.rss", "headlines.rss"}, {"/notices.atom", "notices.rss"}, {"/avis.atom", "avis.rss"},
	{".ics", "calendar.ics"}, {".rss", "news.rss"}, {".atom", "news.rss"}, {"/actions/runs", "runs.json"}, {"/query_range", "range.json"}, {"/departures", "departures.json"},
}

// cooking is the time for which the timer named nudeln has run on each wall that has this timer.
const cooking = 4*time.Minute + 28*time.Second

// `recorded` is an HTTP transport that answers requests with recorded answers.
type recorded struct {
	house http.RoundTripper // transport to Home Assistant, or nil
}

func (f recorded) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Hostname() == "homeassistant.local" && f.house != nil {
		return f.house.RoundTrip(r)
	}
	body := []byte(`{"results":[{"name":"Berlin","latitude":52.52,"longitude":13.41}]}`)
	if !strings.HasPrefix(r.URL.Host, "geocoding") {
		query, _ := url.QueryUnescape(r.URL.RawQuery)
		asked := r.URL.Host + r.URL.Path + "?" + query
		i := slices.IndexFunc(recordings, func(x struct{ part, file string }) bool { return strings.Contains(asked, x.part) })
		if i < 0 {
			return nil, errors.New("nothing is recorded of " + r.URL.Host)
		}
		var err error
		if body, err = os.ReadFile(filepath.Join("testdata/answers", recordings[i].file)); err != nil {
			return nil, err
		}
	}
	status := http.StatusOK
	if r.Method == "PROPFIND" || r.Method == "REPORT" {
		status = http.StatusMultiStatus
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body))}, nil
}

// showWall loads the wall in `dir` and waits for all answers. Then it draws the wall in the given mode and calls the function `use` with
// the picture.
func showWall(t *testing.T, dir string, size image.Point, mode sun.Mode, use func(*image.RGBA)) {
	t.Helper()
	showWallAfter(t, dir, size, mode, true, use)
}

// showWallAfter is like showWall. If `answered` is false, it draws the wall without waiting for answers.
func showWallAfter(t *testing.T, dir string, size image.Point, mode sun.Mode, answered bool, use func(*image.RGBA)) {
	t.Helper()
	standWall(t, dir, size, mode, answered, func(_ *Scene, r *render.Renderer) { use(r.Frame()) })
}

// standWall is like showWallAfter, but calls the function `use` with the scene and the renderer. The wall's time is two seconds after
// wallsMoment.
func standWall(t *testing.T, dir string, size image.Point, mode sun.Mode, answered bool, use func(*Scene, *render.Renderer)) {
	t.Helper()
	standPage(t, dir, size, mode, answered, "", use)
}

// standPage is like standWall, but shows the page with the given name. If `name` is "", it shows the page that is due.
func standPage(t *testing.T, dir string, size image.Point, mode sun.Mode, answered bool, name string, use func(*Scene, *render.Renderer)) {
	t.Helper()
	standBuilt(t, dir, size, mode, answered, name, func(_ *Builder, sc *Scene, r *render.Renderer) { use(sc, r) })
}

// standBuilt is like standPage, but also passes the builder of the wall to the function `use`.
func standBuilt(t *testing.T, dir string, size image.Point, mode sun.Mode, answered bool, name string, use func(*Builder, *Scene, *render.Renderer)) {
	t.Helper()
	home, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(wallsMoment))
		house, end := serveHouse()
		defer end()
		b := NewBuilder(Parts{Wake: func() {}, Log: slog.New(slog.NewTextHandler(faults{t}, &slog.HandlerOptions{Level: slog.LevelError}))})
		defer b.Providers.Close()
		b.Client = fetch.NewWith(recorded{house})
		b.Atlas = geocode.NewAtlas(b.Client, geocode.Geocoder, nil)
		o := Folder{Widgets: "widgets.yaml", Home: home, Files: withoutBroker(t, home), Size: config.Size{Width: size.X, Height: size.Y}}
		if _, err := b.Atlas.Find(t.Context(), "Berlin"); err != nil {
			t.Fatal(err)
		}
		o.Home = noBroker(t, home)
		wall := Alone(func() {})(config.MainView)
		g, report := b.Load(o, func(string) Seat { return wall })
		if g == nil {
			t.Fatal(report.String())
		}
		if answered {
			b.Providers.Commit(g.Sources)
		}
		b.Timers.Commit(g.Timers)
		if _, err := b.Timers.Do("nudeln", "start", 0, wallsMoment.Add(-cooking)); err != nil && !errors.Is(err, timer.ErrUnknown) {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		sc := g.Scenes[config.MainView]
		if sc.Trees[mode] == nil {
			t.Fatalf("there is no tree of mode %v", mode)
		}
		r := sc.Renderer(mode)
		if name != "" {
			wall.Pages.Commit(sc.Trees[mode].Pages)
			r.Step(wallsMoment)
			for _, one := range strings.Fields(name) {
				if _, err := wall.Pages.Show(one, 0, wallsMoment); err != nil {
					t.Fatal(err)
				}
				r.Step(wallsMoment)
			}
		}
		// These steps give photos the time to arrive and to fade in.
		for _, at := range []time.Duration{200 * time.Millisecond, 500 * time.Millisecond, 2 * time.Second} {
			r.Step(wallsMoment.Add(at))
			time.Sleep(at)
			synctest.Wait()
		}
		r.Step(wallsMoment.Add(2 * time.Second))
		use(b, sc, r)
	})
}

// faults fails the test for each line that it receives. It receives the logged errors of a wall, such as the panic of a widget, because a
// picture with a failure card can look complete.
type faults struct{ t *testing.T }

// Write implements io.Writer.
func (f faults) Write(line []byte) (int, error) {
	f.t.Errorf("the wall logged an error: %s", line)
	return len(line), nil
}

// noBroker copies a wall whose broker has a host name. In the copy, an IP address replaces the
// name, because a name would need a DNS request.
func noBroker(t *testing.T, home string) string {
	t.Helper()
	conf, err := os.ReadFile(filepath.Join(home, "conf.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(mqtts?://)[a-z][a-z.-]*`)
	if !named.Match(conf) {
		return home
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(home)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "conf.yaml"), named.ReplaceAll(conf, []byte("${1}127.0.0.1")), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestWalls checks that the walls of the reference load unchanged and without a problem.
func TestWalls(t *testing.T) {
	t.Parallel()
	all, err := os.ReadDir("testdata/walls")
	if err != nil || len(all) < 9 {
		t.Fatal(len(all), err)
	}
	for _, w := range all {
		t.Run(w.Name(), func(t *testing.T) {
			b := NewBuilder(Parts{Wake: func() {}, Log: slog.New(slog.DiscardHandler)})
			defer b.Providers.Close()
			home, err := filepath.Abs(filepath.Join("testdata/walls", w.Name()))
			if err != nil {
				t.Fatal(err)
			}
			g, report := b.Load(Folder{Widgets: "widgets.yaml", Home: home, Strict: true}, Alone(func() {}))
			for _, e := range report.Errors() {
				t.Errorf("%s", e.String())
			}
			if g == nil {
				t.Fatalf("%s does not load", w.Name())
			}
			if lines := len(written(t, home)); lines > mostLines && w.Name() != "tour" {
				t.Errorf("%d lines of widgets and providers, want %d at most", lines, mostLines)
			}
		})
	}
}

// loads() reports whether this program supports all keys of a wall.
func loads(t *testing.T, dir string) bool {
	t.Helper()
	home, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	b := NewBuilder(Parts{Wake: func() {}, Log: slog.New(slog.DiscardHandler)})
	defer b.Providers.Close()
	g, _ := b.Load(Folder{Widgets: "widgets.yaml", Home: home, Strict: true}, Alone(func() {}))
	return g != nil
}

// TestWallPictures draws every wall of the reference from recorded answers: a small picture by night and a larger picture by day. With
// -long it draws day and night in four sizes. If a wall shows no values of this machine, its picture is compared with a golden picture.
func TestWallPictures(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it draws large pictures")
	}
	dirs, err := filepath.Glob("testdata/walls/*")
	if err != nil {
		t.Fatal(err)
	}
	compared := map[string]image.Point{"hat": {X: 320, Y: 240}, "epaper": {X: 800, Y: 480}}
	sizes := []image.Point{{X: 320, Y: 240}, {X: 800, Y: 480}}
	if *inFull {
		sizes = append(sizes, image.Pt(1280, 720), image.Pt(1080, 1920))
	}
	for _, dir := range dirs {
		name := filepath.Base(dir)
		if !loads(t, dir) {
			t.Errorf("%s does not load", name)
			continue
		}
		for _, size := range sizes {
			for mode, word := range map[sun.Mode]string{sun.Day: "day", sun.Night: "night"} {
				if larger := size.X > 320; larger == (mode == sun.Night) && compared[name] != size && !*inFull {
					continue
				}
				showWall(t, dir, size, mode, func(m *image.RGBA) {
					if m.Rect.Size() != size || oneColor(m) {
						t.Errorf("%s %v by %s: the picture is plain, or of size %v", name, size, word, m.Rect.Size())
					}
					if compared[name] == size {
						golden.Compare(t, "wall-"+name+"-"+word, m)
					}
					if p, ok := panel.Named("waveshare-7in5-v2"); ok && name == "epaper" && p.Fits(size) {
						golden.Compare(t, "panel-"+name+"-"+word, onGlass(p, m))
					}
				})
			}
		}
	}
}

// onGlass returns the picture that a panel shows for a frame without photos.
func onGlass(p *panel.Model, frame *image.RGBA) *image.RGBA {
	q := p.Quantizer(frame.Rect.Size())
	inks, looks := q.NewPicture(), image.NewRGBA(frame.Rect)
	q.Quantize(inks, frame, nil)
	draw.Draw(looks, looks.Rect, inks, image.Point{}, draw.Src)
	return looks
}

// oneColor reports whether all pixels of a picture have the same color.
func oneColor(m *image.RGBA) bool {
	for i := 4; i < len(m.Pix); i += 4 {
		if !bytes.Equal(m.Pix[i:i+4], m.Pix[:4]) {
			return false
		}
	}
	return true
}
