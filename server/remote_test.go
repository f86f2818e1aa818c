package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"dashboard/control"
	"dashboard/control/power"

	"dashboard/internal/testing/programtest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A caller with the stream token receives the size of the wall, but no controls. A caller without a token receives no state.
func TestStateMay(t *testing.T) {
	f := newFixture(t)
	f.Configure(Settings{StreamOn: true, HTTPControl: true, StreamToken: pointer("s"), ControlToken: pointer("c")})
	for _, tt := range []struct {
		token, may string
		status     int
	}{{"c", "control", 200}, {"s", "look", 200}, {"x", "", 401}, {"", "", 401}} {
		w := f.asks("GET", "/state", tt.token, "")
		var got struct {
			May   string
			Theme any
		}
		_ = json.Unmarshal(w.Body.Bytes(), &got)
		if w.Code != tt.status || got.May != tt.may || (got.Theme != nil) != (tt.may == "control") {
			t.Errorf("token %q: got %d %s, want %d, may %q and the theme for control only", tt.token, w.Code, w.Body, tt.status, tt.may)
		}
	}
}

// docs/http.md describes every field of the state.
func TestStateIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(page), "\n## State\n")
	part, _, _ = strings.Cut(part, "\n## ")
	f := newFixture(t)
	f.Configure(Settings{StreamOn: true, HTTPControl: true, StreamToken: pointer("s"), ControlToken: pointer("c")})
	var got map[string]any
	if err := json.Unmarshal(f.asks("GET", "/state", "c", "").Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	delete(got, "success")
	for name := range got {
		if !strings.Contains(part, "`"+name+"`") {
			t.Errorf("docs/http.md does not describe the field %s", name)
		}
	}
}

// A stream of /state begins with the state, and sends the state again after each change. As long as nothing changes, it sends comments.
func TestStateStream(t *testing.T) {
	_, themes, address := remoteFixture(t)
	_, r := dial(t, address, "GET /state HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
	if got := nextState(t, r); got.Theme.Mode != "day" {
		t.Fatalf("got theme %q, want day", got.Theme.Mode)
	}
	if line := nextLine(t, r, ":"); line != ":" {
		t.Fatalf("got %q, want a comment", line)
	}
	_, _ = themes.SetTheme(t.Context(), "night", "")
	for nextState(t, r).Theme.Mode != "night" { // if the theme never arrives, the deadline of the connection ends this loop
	}
}

// A stream of /state ends when the tokens change. Then its slot is free for another stream.
func TestStateStreamEnds(t *testing.T) {
	f := newFixture(t)
	address, _ := f.serve(t)
	for range maxRemotes {
		_, r := dial(t, address, "GET /state HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
		nextState(t, r)
	}
	_, r := dial(t, address, "GET /state HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
	if line, _ := r.ReadString('\n'); !strings.Contains(line, "503") {
		t.Fatalf("got %q for one stream too many, want 503", line)
	}
	f.Configure(Settings{StreamOn: true, ControlToken: pointer("c")})
	programtest.Eventually(t, "the streams end", func() bool { return len(f.remotes) == 0 })
}

type sentState struct {
	Theme struct{ Mode string }
	Power struct{ On bool }
}

func nextLine(t *testing.T, r *bufio.Reader, prefix string) string {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if line = strings.TrimSpace(line); strings.HasPrefix(line, prefix) {
			return line
		}
	}
}

func nextState(t *testing.T, r *bufio.Reader) (got sentState) {
	t.Helper()
	if err := json.Unmarshal([]byte(nextLine(t, r, "data: ")[6:]), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// budgets are the maximum sizes of the pages' files in bytes, compressed with gzip. The text mode has its own budget, because it is
// loaded only when a person opens it.
var budgets = map[string]struct {
	most  int
	files []string
}{
	"the remote": {40_000, []string{"index.html", "remote.js", "remote.css"}},
	"the editor": {150_000, []string{"edit.html", "editor.js", "editor.css"}},
	"text mode":  {180_000, []string{"text.js"}},
}

// packed() returns the total size of some files, compressed with gzip.
func packed(t *testing.T, f *fixture, names ...string) int {
	t.Helper()
	n := 0
	for _, name := range names {
		if len(f.assets[name].packed) == 0 {
			t.Fatal(name)
		}
		n += len(f.assets[name].packed)
	}
	return n
}

// The sizes of the bundled files are within their budgets. The files load nothing from other
// servers. If a browser already has a file, it gets 304.
func TestWebFiles(t *testing.T) {
	f := newFixture(t)
	for name, a := range f.assets {
		w := f.asks("GET", "/web/"+name, "", "")
		body, err := a.body()
		if err != nil || w.Code != http.StatusOK || w.Header().Get("Content-Type") == "" || w.Body.Len() != len(body) {
			t.Errorf("%s: got %d, type %q, %d bytes", name, w.Code, w.Header().Get("Content-Type"), w.Body.Len())
		}
		// These addresses are allowed: an XML namespace, examples in empty fields, and the browser's own machine.
		known := strings.NewReplacer("http://www.w3.org/", "", "http://192.168.1.5:8123", "", "http://localhost", "",
			`"http://camera.local/picture"`, "", `"https://example.org"`, "")
		text := known.Replace(w.Body.String())
		if strings.HasSuffix(name, ".js") && (strings.Contains(text, "http://") || strings.Contains(text, "https://")) {
			t.Errorf("%s names another host", name)
		}
		r := httptest.NewRequest("GET", "http://localhost/web/"+name, nil)
		r.Header.Set("Accept-Encoding", "br, GZIP;q=0.8")
		zipped := httptest.NewRecorder()
		if f.Handler().ServeHTTP(zipped, r); zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Body.Len() != len(a.packed) {
			t.Errorf("%s: got encoding %q, %d bytes for a browser", name, zipped.Header().Get("Content-Encoding"), zipped.Body.Len())
		}
		r.Header.Set("If-None-Match", a.tag)
		again := httptest.NewRecorder()
		if f.Handler().ServeHTTP(again, r); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%s: got %d, %d bytes for a file that the browser has", name, again.Code, again.Body.Len())
		}
	}
	for name, b := range budgets {
		if got := packed(t, f, b.files...); got > b.most {
			t.Errorf("%s takes %d bytes gzipped, want at most %d", name, got, b.most)
		}
	}
	if policy := f.asks("GET", "/", "", "").Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") {
		t.Errorf("got policy %q", policy)
	}
}

// heldThemes keeps the theme mode that was requested last.
type heldThemes struct {
	mu    sync.Mutex
	state control.ThemeState
}

func (h *heldThemes) Theme(context.Context) (control.ThemeState, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state, nil
}

func (h *heldThemes) SetTheme(_ context.Context, mode, _ string) (control.ThemeState, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.state.Mode, h.state.FollowingSun = mode, mode == "auto"
	return h.state, nil
}

func (h *heldThemes) mode() string {
	st, _ := h.Theme(context.Background())
	return st.Mode
}

// remoteFixture returns a server for a wall with a simulated theme, a screen and a frame.
func remoteFixture(t *testing.T) (f *fixture, themes *heldThemes, address string) {
	t.Helper()
	f = newFixture(t)
	f.side = image.Pt(640, 360)
	f.show(t, 90)
	themes = &heldThemes{state: control.ThemeState{Mode: "day", Located: true}}
	f.wall.Themes, f.wall.Power = themes, power.NewOwner()
	address, _ = f.serve(t)
	return f, themes, address
}

// In a hidden tab, the browser does not call callbacks of requestAnimationFrame. The remote must show its changes without these
// callbacks.
func TestRemoteWithoutFrames(t *testing.T) {
	t.Parallel()
	needsLong(t)
	_, _, address := remoteFixture(t)
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('canvas[data-shown]')")
	until(t, ctx, "(window.requestAnimationFrame = () => 0, true)")
	press(t, ctx, `.segment[aria-label="Theme"] button:last-child`)
	until(t, ctx, `document.querySelector('.segment[aria-label="Theme"] button:last-child').ariaChecked === 'true'`)
}

// The remote shows the wall. The theme can be switched with a tap and with the keyboard. axe-core finds no problems.
func TestRemoteInBrowser(t *testing.T) {
	t.Parallel()
	needsLong(t)
	_, themes, address := remoteFixture(t)
	axe := axeCore(t)
	for _, width := range []int{360, 768, 1280} {
		_, _ = themes.SetTheme(t.Context(), "day", "")
		ctx := browser(t, width, 800, 1)
		see(t, ctx, chromedp.Navigate("http://"+address+"/"))
		until(t, ctx, "document.querySelector('canvas[data-shown]')")
		press(t, ctx, `.segment[aria-label="Theme"] button:last-child`)
		until(t, ctx, `document.querySelector('.segment[aria-label="Theme"] button:last-child').ariaChecked === 'true'`)
		if got := themes.mode(); got != "night" {
			t.Errorf("%d px: got theme %q after a tap on Night", width, got)
		}
		see(t, ctx, chromedp.SendKeys(chromedp.CSS(`.segment[aria-label="Theme"] [tabindex="0"]`), kb.ArrowLeft))
		until(t, ctx, `document.querySelector('.segment[aria-label="Theme"] button:nth-child(2)').ariaChecked === 'true'`)
		if got := themes.mode(); got != "day" {
			t.Errorf("%d px: got theme %q after an arrow key, want day", width, got)
		}
		until(t, ctx, "document.documentElement.scrollWidth <= innerWidth")
		keep(t, ctx, fmt.Sprintf("remote-%d", width))
		checkAxe(t, ctx, axe, width)
		checkTargets(t, ctx, width)
	}
}

// `settled` is a promise that is fulfilled as soon as no color or position on the page is animated.
const settled = `Promise.allSettled(document.getAnimations().filter((a) => a.effect.getTiming().iterations !== Infinity).map((a) => a.finished))`

// checkAxe runs axe-core in the page and reports its problems.
func checkAxe(t *testing.T, ctx context.Context, axe string, width int) {
	t.Helper()
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](axe+";"+settled+`.then(() => axe.run()).then((r) => r.violations.map((v) => v.id + ": " + v.help + ": " + v.nodes.map((n) => n.html).join(" ")))`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Errorf("%d px: axe-core: %s", width, v)
	}
}

// checkTargets checks that every control is at least 44 px high and wide. The lines of the editor's text are an exception.
func checkTargets(t *testing.T, ctx context.Context, width int) {
	t.Helper()
	small, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](`[...document.querySelectorAll('button, a, input, select, summary, [role=treeitem]')].filter((e) => { const b = e.getBoundingClientRect(); return b.width && (b.width < 43.9 || b.height < 43.9); }).map((e) => e.outerHTML)`))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range small {
		t.Errorf("%d px: smaller than 44 px: %s", width, s)
	}
}

// If the wall does not answer, the page reports this. When the wall answers again, the page continues without a reload.
func TestRemoteOffline(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f := newFixture(t)
	f.show(t, 90)
	f.wall.Power = power.NewOwner()
	address, stop := f.serveAt(t, ownPort(t))
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('canvas[data-shown]') && document.querySelector('[aria-label=Screen]')")
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("window.same = true"))
	if err != nil {
		t.Fatal(err)
	}
	stop()
	until(t, ctx, "document.querySelector('.link.lost')")
	until(t, ctx, "/Screen.*unknown/s.test(document.querySelector('[aria-label=Before]')?.textContent)")
	keep(t, ctx, "remote-offline")
	again := newFixture(t)
	again.show(t, 120)
	again.serveAt(t, address)
	until(t, ctx, "document.querySelector('.dot') && window.same")
}

// On each page, the form for the token shows or hides the typed text. It cannot be sent while its field is empty.
// A wrong token stays in the field.
func TestRemoteTokenForm(t *testing.T) {
	t.Parallel()
	needsLong(t)
	axe := axeCore(t)
	f := newFixture(t)
	f.show(t, 90)
	f.Configure(Settings{StreamOn: true, HTTPControl: true, StreamToken: pointer("sesame"), ControlToken: pointer("sesame")})
	address, _ := f.serve(t)
	const open = "document.querySelector('form .main').getAttribute('aria-disabled')"
	const field = "document.activeElement.ariaLabel === '%s the token' && document.querySelector('#token[type=%s]').value === 'wrong'"
	for k, page := range []string{"/", "/", "/text", "/walls"} {
		width := []int{1280, 360}[min(k, 1)]
		ctx := browser(t, width, 800, 1)
		see(t, ctx, chromedp.Navigate("http://"+address+page), chromedp.SendKeys(chromedp.CSS("#token"), "\r"))
		until(t, ctx, open+" === 'true' && document.getElementById('wrong').hidden")
		for _, scheme := range []string{"dark", "light"} {
			emulateScheme(t, ctx, scheme)
			keep(t, ctx, fmt.Sprintf("token-%d-%s", k, scheme))
			checkAxe(t, ctx, axe, width)
		}
		see(t, ctx, chromedp.SendKeys(chromedp.CSS("#token"), "wrong"))
		until(t, ctx, open+" === 'false'")
		see(t, ctx, chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(" "))
		until(t, ctx, fmt.Sprintf(field, "Hide", "text"))
		keep(t, ctx, fmt.Sprintf("token-%d-shown", k))
		checkAxe(t, ctx, axe, width)
		checkTargets(t, ctx, width)
		until(t, ctx, "document.documentElement.scrollWidth <= innerWidth")
		see(t, ctx, chromedp.KeyEvent(kb.Enter))
		until(t, ctx, fmt.Sprintf(field, "Show", "password"))
		see(t, ctx, chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
		until(t, ctx, "!document.getElementById('wrong').hidden && document.getElementById('token').value === 'wrong'")
	}
}

// The page asks for the token only once. It reports a wrong token and stores the right token.
func TestRemoteToken(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f := newFixture(t)
	f.show(t, 90)
	f.Configure(Settings{StreamOn: true, HTTPControl: true, StreamToken: pointer("sesame"), ControlToken: pointer("sesame")})
	address, _ := f.serve(t)
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	// The page is named Wall, because its host is an IP address and not a name.
	until(t, ctx, "document.querySelector('h1')?.textContent === 'Wall' && document.title === 'Wall'")
	// The measures are from the drawing of this page.
	until(t, ctx, `document.activeElement.id === 'token' && document.querySelector('form .main').offsetHeight === 56 && document.querySelector('.picture .icon').clientHeight === 44 &&
		document.querySelector('.headline').getBoundingClientRect().left === 20 && [...document.querySelectorAll('.ask .row')].every((r) => Math.abs(r.querySelector('.icon').getBoundingClientRect().top - r.querySelector('p').getBoundingClientRect().top) < 2)`)
	see(t, ctx, chromedp.SendKeys(chromedp.CSS("#token"), "wrong\r"))
	until(t, ctx, "document.getElementById('wrong')?.textContent.startsWith('This is not the token')")
	keep(t, ctx, "remote-token")
	see(t, ctx, chromedp.SetValue(chromedp.CSS("#token"), "sesame"), chromedp.SendKeys(chromedp.CSS("#token"), "\r"))
	until(t, ctx, "document.querySelector('canvas[data-shown]')")
	see(t, ctx, chromedp.Reload())
	until(t, ctx, "document.querySelector('canvas[data-shown]')")
}
