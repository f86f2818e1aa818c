package server

import (
	"bufio"
	"image"
	"image/color"
	"image/draw"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dashboard/control"
	"dashboard/netstream"
)

// TestHaltPaintsNothing changes the stream token. This ends all streams of all views, but does not make any view paint a frame.
func TestHaltPaintsNothing(t *testing.T) {
	f := newFixture(t)
	f.deps.Stream = func(string) *netstream.Stream { return f.stream }
	f.deps.Streams = func(view string) *netstream.Stream {
		t.Errorf("view %q is asked for", view)
		return f.stream
	}
	f.deps.Views = func() []string { return []string{"main", "hall"} }
	f.show(t, 1)
	s := New(f.deps, slog.New(slog.DiscardHandler))
	s.Configure(Settings{StreamOn: true, StreamToken: new("a")})
	sub := f.stream.Subscribe()
	defer sub.Close()
	<-sub.C() // event of the present frame
	s.Configure(Settings{StreamOn: true, StreamToken: new("b")})
	if _, ok := <-sub.C(); ok {
		t.Error("whoever listens goes on with the old token")
	}
}

// TestStreamsOfViews checks that /frame, /events and /stream.mjpg show the view that the request names, and no frames of other views.
func TestStreamsOfViews(t *testing.T) {
	f := newFixture(t)
	hall := netstream.New(func() time.Time { return published })
	f.deps.Streams = func(view string) *netstream.Stream {
		return map[string]*netstream.Stream{"": f.stream, "main": f.stream, "hall": hall}[view]
	}
	f.deps.Views = func() []string { return []string{"main", "hall"} }
	f.show(t, 1)
	m := image.NewRGBA(image.Rect(0, 0, 40, 30))
	draw.Draw(m, m.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	if err := hall.DrawFrame(m, []image.Rectangle{m.Rect}); err != nil {
		t.Fatal(err)
	}
	address, _ := f.serve(t)
	_, main := dial(t, address, "GET /events?view=main HTTP/1.1\r\nHost: wall\r\n\r\n")
	_, other := dial(t, address, "GET /events?view=hall HTTP/1.1\r\nHost: wall\r\n\r\n")
	skipHeader(t, main)
	skipHeader(t, other)
	of := func(stream *netstream.Stream) string { return (&fixture{stream: stream}).eventText(t) }
	expect(t, main, of(f.stream))
	expect(t, other, of(hall))
	f.show(t, 2)
	expect(t, main, of(f.stream))
	m.SetRGBA(0, 0, color.RGBA{255, 0, 0, 255})
	if err := hall.DrawFrame(m, []image.Rectangle{m.Rect}); err != nil {
		t.Fatal(err)
	}
	expect(t, other, of(hall)) // no other event comes before this one
	for target, size := range map[string]string{"/frame": "64x48", "/frame?view=hall": "40x30"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", target, nil)
		r.Host = "wall"
		if f.Handler().ServeHTTP(w, r); w.Code != 200 || w.Header().Get("X-Frame-Render-Size") != size {
			t.Errorf("%s: got %d of %s, want %s", target, w.Code, w.Header().Get("X-Frame-Render-Size"), size)
		}
	}
	resp, err := http.Get("http://" + address + "/stream.mjpg?view=hall")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	movie := bufio.NewReader(resp.Body)
	for line := ""; !strings.HasPrefix(line, "Content-Type"); {
		if line, err = movie.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	for line := "x"; strings.TrimSpace(line) != ""; {
		if line, err = movie.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	c, _, err := image.DecodeConfig(movie)
	if err != nil || c.Width != 40 || c.Height != 30 {
		t.Errorf("the movie of the hall: got %dx%d, %v", c.Width, c.Height, err)
	}
}

// TestViewsOfVerbs checks that notifications and themes apply to the view that the query or the body names.
func TestViewsOfVerbs(t *testing.T) {
	f := newFixture(t)
	hall, bare := &fakeThemes{state: control.ThemeState{Mode: "night"}}, &fakeNotifier{none: true}
	notes := &fakeNotifier{}
	walls := map[string]*control.Wall{"": f.wall, "main": f.wall, "hall": {Themes: hall, Notices: notes}, "bare": {Notices: bare}}
	f.parts.Wall = func(view string) *control.Wall { return walls[view] }
	f.deps.Views = func() []string { return []string{"main", "bare", "hall"} }
	f.control()
	for _, tt := range []struct {
		request, body string
		status        int
		want          string
	}{
		{"GET /theme?view=hall", "", 200, `"mode":"night"`},
		{"GET /theme", "", 200, `"mode":"day"`},
		{"GET /theme?view=bare", "", 400, "only one theme"},
		{"GET /theme?view=attic", "", 404, `"views":["main","bare","hall"]`},
		{"POST /theme?view=hall", `{"mode":"toggle"}`, 200, `"mode":"day"`},
		{"POST /theme", `{"mode":"night","view":"attic"}`, 404, "no view of this name"},
		{"POST /theme", `{"mode":"night","view":"hall"}`, 200, `"mode":"night"`},
		{"GET /notify?view=hall", "", 200, `"widgets":["note"]`},
		{"GET /notify?view=bare", "", 404, noNotifiable[10:40]},
		{"GET /notify?view=attic", "", 404, "no view of this name"},
		{"POST /notify", `{"widget":"note","text":"for main"}`, 200, "true"},
		{"POST /notify", `{"widget":"note","text":"for hall","view":"hall"}`, 200, "true"},
		{"POST /notify", `{"widget":"note","text":"x","view":"attic"}`, 404, "no view of this name"},
		{"POST /notify", `{"widget":"note","text":"x","view":7}`, 404, "no view of this name"},
		{"POST /notify?view=bare", `{"widget":"note","text":"x"}`, 404, noNotifiable[10:40]},
		{"POST /notify?view=hall", `{"widget":"nobody","text":"x"}`, 400, `"widgets":["note"]`},
		{"DELETE /notify?view=hall", "", 200, `"deleted":1`},
		{"DELETE /notify/b?view=hall", "", 404, "no notification has this id"},
		{"DELETE /notify?view=attic", "", 404, "no view of this name"},
		{"GET /pages?view=" + strings.Repeat("x", 3000), "", 404, "no view of this name"},
		{"POST /theme?view=" + strings.Repeat("x", 3000), `{"mode":"day"}`, 400, "at most 255 bytes"},
	} {
		method, target, _ := strings.Cut(tt.request, " ")
		r := httptest.NewRequest(method, target, strings.NewReader(tt.body))
		r.Host = "wall"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		f.Handler().ServeHTTP(w, r)
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%.60s %s: got %d %s, want %d %s", tt.request, tt.body, w.Code, w.Body, tt.status, tt.want)
		}
	}
	if got := string(f.notes.got); !strings.Contains(got, "for main") {
		t.Errorf("main was told %s", got)
	}
	f.notes.none = true // from now on, only the view hall shows notifications
	r := httptest.NewRequest("POST", "/notify", strings.NewReader(`{"widget":"note","text":"late","view":"hall"}`))
	r.Host = "wall"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if f.Handler().ServeHTTP(w, r); w.Code != 200 || !strings.Contains(string(notes.got), "late") {
		t.Errorf("a view whose main wall shows nothing: got %d %s", w.Code, w.Body)
	}
}
