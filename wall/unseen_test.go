package wall

import (
	"context"
	"encoding/json"
	"fmt"
	"image/color"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control"
	"dashboard/control/verb"
	"dashboard/render"
	"dashboard/wall/view"
)

// unseenFiles is a wall with a clock that shows seconds. Its only output is a stream.
var unseenFiles = files{
	"conf.yaml":    "graphics: {resolution: [64, 32], fps-limit: 10, motion: reduced}\noutputs: [{type: stream, image_format: png}]\nnotifications: {kind: card}\n",
	"widgets.yaml": "widgets:\n  - {widget: clock, name: c, seconds: full}\n",
}

// frames() returns the number of frames that the main view has painted.
func (s *Service) frames() uint64 { return s.main().Loop.Stats().Frames }

// unseen() runs the wall of unseenFiles until the bubble ends.
func unseen(t *testing.T) (*Service, context.Context) {
	s, run := quiet(t, unseenFiles, io.Discard)
	ctx, cancel := context.WithCancel(t.Context())
	wait := run(ctx)
	t.Cleanup(func() { cancel(); wait() })
	return s, ctx
}

// Without viewers, main is painted once at the start and once after each reload. During requests and for a minute after them, main is
// painted as usual. The loop continues its passes all the time, because /healthz and the watchdog need them.
func TestMainIsPaintedForSomebody(t *testing.T) {
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		s, ctx := unseen(t)
		wants := func(when string, from, to uint64) {
			t.Helper()
			synctest.Wait()
			if n := s.frames(); n < from || n > to {
				t.Errorf("%s: %d frames, want %d to %d", when, n, from, to)
			}
			if report, ok := s.health(); !ok {
				t.Errorf("%s: not well: %v", when, report["painting"])
			}
		}
		time.Sleep(time.Hour)
		wants("an hour after the start", 1, 1)
		if st := s.main().Loop.Stats(); st.Passes < 3600/uint64(render.MaxSleep.Seconds()) {
			t.Errorf("%d passes within an hour", st.Passes)
		}
		for n := range uint64(3) {
			g, report := s.load()
			if g == nil {
				t.Fatal(report.Errors())
			}
			if err := s.main().Replace(ctx, g); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
			wants("after a reload", 2+n, 2+n)
		}
		before := s.frames()
		if s.stream("") != s.main().Stream || s.stream("none") != nil {
			t.Error("the stream as it is is another one")
		}
		time.Sleep(time.Minute)
		wants("a minute after the stream was looked for without a frame", before, before)
		began := time.Now()
		if s.streams("") == nil || s.frames() == before {
			t.Error("whoever asks first gets an old frame")
		}
		if waited := time.Since(began); waited >= view.FirstFrame {
			t.Errorf("the first request waited for %v", waited)
		}
		time.Sleep(view.Lingers)
		wants("a minute after somebody asked", before+55, before+65)
		time.Sleep(2 * time.Minute)
		wants("when nobody has asked for long", before+55, before+65)
		before = s.frames()
		sub := s.streams("").Subscribe()
		time.Sleep(10 * time.Minute)
		wants("while somebody listens", before+590, before+610)
		sub.Close()
	})
}

// Several requests at the same time wait for the same frame. None of them receives an old frame.
func TestAllWaitForTheFirstFrame(t *testing.T) {
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		s, _ := unseen(t)
		time.Sleep(time.Hour)
		synctest.Wait()
		old := s.main().Stream.Stats().Published
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if n := s.streams("").Stats().Published; n == old {
					t.Error("got the frame of an hour ago")
				}
			})
		}
		all.Wait()
	})
}

// If the loop of a view hangs, each caller waits for at most FirstFrame.
func TestFirstFrameIsWaitedForBriefly(t *testing.T) {
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		s, ctx := unseen(t)
		time.Sleep(time.Hour)
		free, held := make(chan struct{}), make(chan struct{})
		go func() { _ = s.main().Loop.Do(ctx, func(*render.Renderer) { close(held); <-free }) }()
		<-held
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				began := time.Now()
				s.streams("")
				if waited := time.Since(began); waited != view.FirstFrame {
					t.Errorf("waited for %v, want %v", waited, view.FirstFrame)
				}
			})
		}
		all.Wait()
		close(free)
	})
}

// A notification on main ends on time without viewers. After that it causes no more painting. A
// held notification stays although no viewer sees it.
func TestNotificationsRunOutUnseen(t *testing.T) {
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		s, ctx := unseen(t)
		time.Sleep(time.Hour)
		for _, body := range []string{`{"text":"gone","duration":20}`, `{"text":"kept","hold":true}`} {
			if _, err := s.verbs.Do(ctx, control.Action{By: control.Caller{Via: "http"}, Verb: "notify", Args: verb.Args{"body": json.RawMessage(body)}}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if all := s.main().Notes.List(); len(all) != 1 || all[0].Text != "kept" {
			t.Errorf("got %v, want the one that is held alone", all)
		}
		before := s.frames()
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := s.frames(); n != before {
			t.Errorf("%d frames were painted for nobody", n-before)
		}
	})
}

// first() requests a frame of a view that may have no viewers. The frame must have the color of the current wall. If the answer took
// FirstFrame or longer, it may be an old frame, and first sends the request again.
func (p site) first(path string, want color.RGBA) (a answer) {
	p.t.Helper()
	eventually(p.t, fmt.Sprintf("%v at %s", want, path), func() bool {
		began := time.Now()
		a = p.ask("GET "+path, nil, "")
		return time.Since(began) < view.FirstFrame || a.status == http.StatusOK && pixel(p.t, a.body, 1, 1) == want
	})
	return a
}

// The program runs without a screen. Its first request is answered with a current picture, although the program paints nothing without
// viewers. This is also true after a reload. GET /pages returns the current page.
func TestUnseenWallAnswers(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	conf := strings.Replace(wallConf(port, ""), "  - {type: window, driver: virtual, device: screen.raw, vsync: false}\n", "", 1)
	wall := "widgets:\n  - widget: pages\n    name: p\n    children:\n      - {widget: empty, name: a, color: red, dwell: 1s}\n      - {widget: empty, name: b, color: red, dwell: 1s}\n"
	p := start(t, port, files{"conf.yaml": conf, "widgets.yaml": wall})
	eventually(t, "a first pass", func() bool { return strings.Contains(p.text("/healthz"), `"frames":1`) })
	if report := p.text("/healthz"); !strings.Contains(report, `"watched":false`) {
		t.Errorf("somebody is said to look: %s", report)
	}
	for _, want := range []string{"red", "blue"} {
		p.change(files{"widgets.yaml": strings.ReplaceAll(wall, "red", want)})
		color := map[string]color.RGBA{"red": red, "blue": blue}[want]
		if a := p.first("/frame", color); a.status != http.StatusOK || pixel(t, a.body, 80, 48) != color {
			t.Errorf("%s: got %d, %d bytes", want, a.status, len(a.body))
		}
	}
	first := p.text("/pages")
	eventually(t, "another page in turn", func() bool { return p.text("/pages") != first })
}
