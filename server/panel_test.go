package server

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// fakePanels draws every panel in one gray. The view "plain" is not shown on a panel.
type fakePanels struct{ gray uint8 }

func (p fakePanels) Panel(_ context.Context, view string) ([]byte, image.Point, error) {
	if view == "plain" {
		return nil, image.Point{}, ErrNoPanel
	}
	m := image.NewPaletted(image.Rect(0, 0, 400, 300), color.Palette{color.Gray{p.gray}})
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{p.gray}), image.Point{}, draw.Src)
	var b bytes.Buffer
	err := png.Encode(&b, m)
	return b.Bytes(), m.Rect.Size(), err
}

// GET /panel returns the picture with its ETag to viewers with the token.
func TestPanelRoute(t *testing.T) {
	f := newFixture(t)
	f.Configure(Settings{StreamOn: true, StreamToken: pointer("eye")})
	ask := func(path, tag string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
		r.Header.Set("Authorization", "Bearer eye")
		r.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		f.Server.handler.ServeHTTP(w, r)
		return w
	}
	if w := ask("/panel", ""); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), ErrNoPanel.Error()) {
		t.Errorf("nobody draws: got %d %s", w.Code, w.Body)
	}
	f.Server.deps.Panels = fakePanels{7}
	w := ask("/panel", "")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/png" || w.Header().Get("X-Frame-Render-Size") != "400x300" || !strings.HasPrefix(w.Body.String(), "\x89PNG") {
		t.Fatalf("got %d %v", w.Code, w.Header())
	}
	tagOf := func(w *httptest.ResponseRecorder) (tag string) {
		for name, values := range w.Header() {
			if strings.EqualFold(name, "etag") {
				tag = values[0]
			}
		}
		return tag
	}
	tag := tagOf(w)
	if len(tag) < 4 {
		t.Fatalf("got the tag %s", tag)
	}
	if w := ask("/panel", tag); w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("held: got %d with %d bytes", w.Code, w.Body.Len())
	}
	f.Server.deps.Panels = fakePanels{8}
	if w := ask("/panel", tag); w.Code != http.StatusOK || tagOf(w) == tag {
		t.Errorf("another picture: got %d %v", w.Code, w.Header())
	}
	f.Configure(Settings{StreamOn: true, StreamToken: pointer("other")})
	if w := ask("/panel", ""); w.Code != http.StatusUnauthorized {
		t.Errorf("without the token: got %d", w.Code)
	}
}

// If the view has a panel, the page can show the panel's picture, and then the wall again.
func TestPageShowsThePanel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	f := newFixture(t)
	f.Server.deps.Panels = fakePanels{200}
	f.side = image.Pt(400, 300)
	f.Configure(Settings{StreamOn: true})
	f.show(t, 40)
	address, _ := f.serve(t)
	ctx := browser(t, 800, 600, 1)
	f.Server.deps.Surveyor = fakeSurveyor{}
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('canvas[data-shown]')")
	openPart(t, ctx, "Widgets")
	until(t, ctx, "document.querySelector('.toggle')?.ariaChecked === 'false'")
	// Click exactly once, because a repeated click of press() would switch the panel's picture off again.
	see(t, ctx, chromedp.Evaluate[chromedp.Void]("document.querySelector('.toggle').click()"))
	until(t, ctx, "document.querySelector('.toggle').ariaChecked === 'true' && "+greyAt(400, 300, 200))
	press(t, ctx, ".toggle")
	until(t, ctx, "((c) => Math.abs(c.getContext('2d').getImageData(9, 9, 1, 1).data[0] - 40) < 3)(document.querySelector('canvas'))")
}

// latePanels sends the first picture of the panel only after the end of `wait`.
type latePanels struct {
	fakePanels
	calls atomic.Int32
	asked chan struct{} // closed when the first request has arrived
	wait  chan struct{}
}

func (p *latePanels) Panel(ctx context.Context, view string) ([]byte, image.Point, error) {
	if p.calls.Add(1) == 1 {
		close(p.asked)
		select {
		case <-p.wait:
		case <-ctx.Done():
		}
	}
	return p.fakePanels.Panel(ctx, view)
}

// If the page loads the widgets twice and the first load ends last, the panel's picture stays on.
func TestPageKeepsThePanel(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f := newFixture(t)
	late := &latePanels{fakePanels: fakePanels{200}, asked: make(chan struct{}), wait: make(chan struct{})}
	f.Server.deps.Panels, f.Server.deps.Surveyor = late, fakeSurveyor{}
	f.side = image.Pt(400, 300)
	f.show(t, 40)
	address, _ := f.serve(t)
	ctx := browser(t, 800, 600, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('canvas[data-shown]')")
	openPart(t, ctx, "Widgets")
	<-late.asked
	see(t, ctx, chromedp.KeyEvent(kb.Escape))
	openPart(t, ctx, "Widgets")
	until(t, ctx, "document.querySelector('.toggle')?.ariaChecked === 'false'")
	see(t, ctx, chromedp.Evaluate[chromedp.Void]("document.querySelector('.toggle').click()"))
	until(t, ctx, "document.querySelector('.toggle').ariaChecked === 'true' && "+greyAt(400, 300, 200))
	const answers = "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('/panel') && e.responseEnd).length"
	before, err := chromedp.Run(ctx, chromedp.Evaluate[int](answers))
	if err != nil {
		t.Fatal(err)
	}
	close(late.wait)
	until(t, ctx, fmt.Sprintf("%s > %d", answers, before))
	// The page decodes the picture and draws itself again. Both need less than 30 frames.
	on, err := chromedp.Run(ctx, chromedp.Evaluate[string]("new Promise((go) => { let left = 30; const next = () => (left-- ? requestAnimationFrame(next) : go(document.querySelector('.toggle').ariaChecked)); next(); })", chromedp.EvalAwaitPromise))
	if err != nil || on != "true" {
		t.Errorf("the switch is on: got %q, %v", on, err)
	}
}

// An answer 304 has the headers of the answer 200 (RFC 9110, section 15.4.5). If-None-Match may consist of several lines, or be *.
func TestUnchangedContent(t *testing.T) {
	f := newFixture(t)
	f.Server.deps.Panels = fakePanels{7}
	address, _ := f.serve(t)
	for path, vary := range map[string]string{"/": "Accept-Encoding", "/panel": ""} {
		ask := func(lines string) *http.Response {
			_, r := dial(t, address, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n"+lines+"\r\n")
			got, err := http.ReadResponse(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		tag := ask("").Header.Get("ETag")
		for lines, want := range map[string]int{
			"If-None-Match: \"a\"\r\nIf-None-Match: W/\"b\", " + tag + "\r\n": 304, "If-None-Match: *\r\n": 304, "If-None-Match: \"a\"\r\n": 200,
		} {
			if got := ask(lines); got.StatusCode != want || got.Header.Get("ETag") != tag || got.Header.Get("Vary") != vary {
				t.Errorf("%s with %q: got %d %v, want %d", path, lines, got.StatusCode, got.Header, want)
			}
		}
	}
}
