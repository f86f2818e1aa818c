package wall

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
)

// faults are the ways in which a source of values can fail, by name.
var faults = map[string]http.HandlerFunc{
	"error":     func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "broken", 500) },
	"hangs":     func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	"no-json":   func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>Maintenance</html>") },
	"truncated": truncated,
	"drips":     drips,
	"endless":   endless,
	"cut":       func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	"elsewhere": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://nowhere.invalid/", http.StatusFound)
	},
	"circle": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) },
}

// truncated() announces more bytes than it sends.
func truncated(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	fmt.Fprint(w, `{"value": 3`)
}

// drips() sends a byte from time to time and never ends.
func drips(w http.ResponseWriter, r *http.Request) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
			fmt.Fprint(w, " ")
			http.NewResponseController(w).Flush()
		}
	}
}

// endless() sends data without end, as fast as the client reads.
func endless(w http.ResponseWriter, r *http.Request) {
	zeros := bytes.Repeat([]byte("0"), 64<<10)
	for r.Context().Err() == nil {
		if _, err := w.Write(zeros); err != nil {
			return
		}
	}
}

// A moody server sends good answers while `ill` is false. While `ill` is true, it fails in the way that the path of the request names.
type moody struct {
	value atomic.Int64 // value in good answers
	ill   atomic.Bool
	asked atomic.Int64 // number of requests while `ill` was true
}

func (m *moody) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !m.ill.Load() {
		fmt.Fprintf(w, `{"value": %d}`, m.value.Load())
		return
	}
	m.asked.Add(1)
	faults[strings.TrimPrefix(r.URL.Path, "/")](w, r)
}

// faultyWall returns a wall with a cell for each fault. Two more cells follow: a source on an unknown host, and a clock that changes each
// second.
func faultyWall(url string) (f files, names []string) {
	for name := range faults {
		names = append(names, name)
	}
	var sources, cells strings.Builder
	sources.WriteString("providers:\n  unknown-host: {type: rest, url: \"http://nowhere.invalid/\", update_interval: 1, timeout: 2}\n")
	cells.WriteString("widgets:\n  - widget: grid\n    columns: 4\n    rows: 3\n    children:\n")
	for _, name := range names {
		fmt.Fprintf(&sources, "  %s: {type: rest, url: \"%s/%s\", jq_expression: .value, update_interval: 1, timeout: 2}\n", name, url, name)
		fmt.Fprintf(&cells, "      - {widget: provider, providers: [%s], color: white, stale_color: white, fallback_text: ' '}\n", name)
	}
	cells.WriteString("      - {widget: provider, providers: [unknown-host], fallback_text: none}\n      - {widget: dateclock, time_format: \"%S\"}\n")
	return files{"providers.yaml": sources.String(), "widgets.yaml": cells.String()}, names
}

// cell returns the pixels of cell i of faultyWall. The cells are numbered column by column.
func (p site) cell(i int) string {
	p.t.Helper()
	_, body := p.get("/frame")
	img, err := png.Decode(strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	w, h := testW/4, testH/3
	r := image.Rect(0, 0, w, h).Add(image.Pt(i/3*w, i%3*h))
	var b bytes.Buffer
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			fmt.Fprint(&b, img.At(x, y))
		}
	}
	return b.String()
}

// Sources fail in every possible way. The wall continues, keeps the last good values, and shows new values when they arrive.
func TestSourcesFail(t *testing.T) {
	t.Parallel()
	m := &moody{}
	m.value.Store(1)
	source := httptest.NewServer(m)
	defer source.Close()
	defer source.CloseClientConnections()
	f, names := faultyWall(source.URL)
	port := freePort(t)
	p := start(t, port, f.with("conf.yaml", wallConf(port, "")))
	p.serves("/frame", 200)
	blank := p.cell(3*4 - 1) // an empty cell
	good := make([]string, len(names))

	for i, name := range names {
		eventually(t, name+" shows its value", func() bool { good[i] = p.cell(i); return good[i] != blank })
	}
	m.ill.Store(true)
	failing := func() int {
		_, body := p.get("/healthz")
		return strings.Count(body, `"error":"`)
	}
	eventually(t, "every fault is told on /healthz", func() bool { return failing() >= len(names)+1 })
	seconds := p.cell(len(names) + 1)
	eventually(t, "the clock goes on", func() bool { return p.cell(len(names)+1) != seconds })
	for i, name := range names {
		if p.cell(i) != good[i] {
			t.Errorf("%s: the last good value is not shown any more", name)
		}
	}
	if status, _ := p.get("/healthz"); status != 200 {
		t.Errorf("/healthz: got %d, want 200: frames are painted", status)
	}
	m.value.Store(2)
	m.ill.Store(false)
	for i, name := range names {
		eventually(t, name+" shows its new value", func() bool { return p.cell(i) != good[i] })
	}
}

// killings is the number of times that TestKilled kills the program.
const killings = 6

// The program is killed at a random time. Then all of its files are complete, only a few files are left, and the program can start again.
func TestKilled(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	port, shots := freePort(t), t.TempDir()
	conf := wallConf(port, "  - {type: file, output_path: "+shots+", image_format: png, render_interval: 1, keep_images: 3}\n")
	f := files{"conf.yaml": conf, "widgets.yaml": "widgets:\n  - {widget: dateclock, time_format: \"%H:%M:%S\"}\n"}
	pictures := func() int {
		list, _ := filepath.Glob(filepath.Join(shots, "grydgets_*.png"))
		return len(list)
	}
	for n := range killings {
		b := launch(t, port, f)
		b.serves("/frame", 200)
		eventually(t, "the files of the program that was killed are removed", func() bool { return pictures() <= 3 })
		time.Sleep(time.Duration(rand.IntN(1200)) * time.Millisecond) // a random time, so the program may be in any state
		b.End(syscall.SIGKILL)
		left, err := os.ReadDir(shots)
		if err != nil {
			t.Fatal(err)
		}
		if most := 3 + 1 + 1 + 1; len(left) > most { // the 3 kept files, a new file, the link, and an unfinished file or link
			t.Errorf("killed %d times: %d files are left, want %d at most: %v", n+1, len(left), most, left)
		}
		for _, e := range left {
			if filepath.Ext(e.Name()) != ".png" {
				continue
			}
			if err := wholePNG(filepath.Join(shots, e.Name())); err != nil {
				t.Errorf("killed %d times: %s: %v", n+1, e.Name(), err)
			}
		}
	}
}

func wholePNG(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = png.Decode(f)
	return err
}
