package wall

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/fetch"
	"dashboard/render"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"
	"dashboard/wall/view"
)

// fuzzFiles is a wall with nested widgets for both kinds of notifications, in two themes.
var fuzzFiles = files{
	"conf.yaml": "graphics: {resolution: [160, 96]}\noutputs: [{type: stream}]\n" +
		"appearance: {themes: {day: day.yaml, night: night.yaml}, latitude: 51.5, longitude: 0, http_control: true}\n",
	"widgets.yaml": "widgets:\n  - widget: notifiabletext\n    name: t\n    children:\n      - widget: notifiableimage\n        name: i\n        children:\n" +
		"          - widget: notifiabletext\n            name: n\n            wrap: true\n            background_color: !color wall\n            children:\n" +
		"              - {widget: empty, color: !color wall}\ntheme:\n  colors: {wall: white}\n",
	"day.yaml":   "colors: {wall: red}\n",
	"night.yaml": "colors: {wall: blue}\n",
}

// A fuzzWall is a whole dashboard without a network. Requests go directly to the server's handler, and the address of a picture contains
// the picture's bytes. With each reading of the clock, the time jumps two days forward or back, so that no notification lasts.
type fuzzWall struct {
	*Service
	*view.View
	stop    func()
	looks   atomic.Int64
	callers int
	book    logbook
}

func newFuzzWall(t *testing.T) *fuzzWall {
	dir, err := os.MkdirTemp("", "dashboard-fuzz-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	fuzzFiles.write(t, dir)
	w := &fuzzWall{}
	w.Service = newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml"}}, stderr: &w.book, devices: outputs.ThisMachine()})
	w.View = w.Service.main()
	g := loadIn(t, w.Service, dir)
	began := time.Now()
	w.Loop.Now = func() time.Time { return began.Add(time.Duration(w.looks.Add(1)%2) * 48 * time.Hour) }
	w.Service.begin(g)
	w.Loop.SetInterval(0)
	seen := w.View.Stream.Subscribe() // this client watches the view
	w.Notes.Poster.SetClient(fetch.NewWith(echo{}))
	ctx, cancel := context.WithCancel(context.Background())
	wait := w.Service.launch(ctx)
	w.stop = func() { seen.Close(); cancel(); wait(ctx); w.View.Close(); w.web.server.Close() }
	return w
}

// loadIn loads the configuration in `dir`. It changes the working folder only for this load, because the fuzzing engine uses relative
// paths.
func loadIn(t *testing.T, s *Service, dir string) *scene.Generation {
	back, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(back)
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	g, report := s.load()
	if g == nil {
		t.Fatal(report.Errors())
	}
	return g
}

// echo is an HTTP client for pictures. It answers with the bytes in the address, or with a small picture.
type echo struct{}

func (echo) RoundTrip(r *http.Request) (*http.Response, error) {
	body := []byte(strings.TrimPrefix(r.URL.Path, "/"))
	if raw, err := url.PathUnescape(r.URL.RawQuery); err == nil && raw != "" {
		body = []byte(raw)
	}
	if len(body) == 0 {
		var b bytes.Buffer
		_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 2))) // writing to a buffer never fails
		body = b.Bytes()
	}
	return &http.Response{StatusCode: 200, Body: io.NopCloser(bytes.NewReader(body))}, nil
}

// post sends a body. Each call counts as another caller.
func (w *fuzzWall) post(path string, body []byte) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
	r.Host = "wall"
	r.Header.Set("Content-Type", "application/json")
	w.callers++
	r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:1", w.callers>>16&255, w.callers>>8&255, w.callers&255)
	rec := httptest.NewRecorder()
	w.web.server.Handler().ServeHTTP(rec, r)
	return rec
}

// paints() requests a whole frame and checks that it was painted without a failure.
func (w *fuzzWall) paints(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	before := w.Loop.Stats()
	// When the second call of Do returns, the pass after the first call has painted its frame.
	for _, do := range []func(*render.Renderer){(*render.Renderer).Repaint, func(*render.Renderer) {}} {
		if err := w.Loop.Do(ctx, do); err != nil {
			t.Fatalf("the wall stands still: %v\n%s", err, &w.book)
		}
	}
	after := w.Loop.Stats()
	if after.Frames == before.Frames || after.Crashes > 0 || strings.Contains(w.book.String(), "a widget failed") {
		t.Fatalf("%d frames, %d crashes\n%s", after.Frames-before.Frames, after.Crashes, &w.book)
	}
	w.book.Reset()
}

// FuzzControl sends bodies to the handlers of a running dashboard. Every answer has a status below 500 and describes the result in JSON.
// After each request, the wall still paints a frame.
func FuzzControl(f *testing.F) {
	for _, tt := range notifyRows {
		f.Add(false, []byte(tt.body))
	}
	for _, tt := range themeRows {
		f.Add(true, []byte(tt.body))
	}
	for _, u := range []string{"", "GIF89a", "?%89PNG%0d%0a%1a%0a", "?<svg xmlns='http://www.w3.org/2000/svg'><circle r='9'/></svg>", "?BM", "?%ff%d8%ff"} {
		f.Add(false, fmt.Appendf(nil, `{"widget":"i","url":"http://x/%s","duration":0.1}`, u))
	}
	var w *fuzzWall
	f.Cleanup(func() {
		if w != nil {
			w.stop()
		}
	})
	f.Fuzz(func(t *testing.T, theme bool, body []byte) {
		if w == nil {
			w = newFuzzWall(t)
		}
		path := "/notify"
		if theme {
			path = "/theme"
		}
		rec := w.post(path, body)
		var says struct {
			Success *bool
			Error   string
		}
		err := json.Unmarshal(rec.Body.Bytes(), &says)
		good := rec.Code == http.StatusOK
		if rec.Code >= 500 || err != nil || says.Success == nil || *says.Success != good || (says.Error == "") != good {
			t.Fatalf("%s %q: got %d %s", path, body, rec.Code, rec.Body)
		}
		w.paints(t)
	})
}
