package server

import (
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
	"time"

	"dashboard/control/fleet"
	"dashboard/control/pairing"
	"dashboard/internal/testing/programtest"

	"github.com/chromedp/chromedp"
)

// A crowd simulates a network of walls that answer without delay. A wall is identified by its host.
type crowd struct {
	dead    string // host that does not answer
	guarded http.Handler
}

// RoundTrip answers in place of the walls. Wall 1 is being updated, wall 2 has old values, and wall 3 has an e-reader. Requests for wall
// 9 go to the handler `guarded`.
func (c *crowd) RoundTrip(r *http.Request) (*http.Response, error) {
	n, host := 0, r.URL.Hostname()
	_, _ = fmt.Sscanf(host, "10.0.0.%d", &n)
	w := httptest.NewRecorder()
	switch {
	case host == c.dead:
		return nil, fmt.Errorf("no route to %s", host)
	case n == 9:
		got := httptest.NewRequest(r.Method, r.URL.RequestURI(), r.Body)
		got.Host, got.Header, got.RemoteAddr = r.URL.Host, r.Header, "10.0.0.200:4000"
		c.guarded.ServeHTTP(w, got)
	case r.URL.Path == "/healthz":
		extra := ""
		switch n {
		case 1:
			extra = `,"update":{"latest":"1.6.0","phase":"write","percent":62}`
		case 2:
			extra = `,"providers":[{"stale":true},{"stale":true}]`
		case 3:
			extra = `,"readers":{"devices":[{"name":"Fridge","seconds_since_seen":2460,"battery_percent":17,"refresh":3600}]}`
		}
		fmt.Fprintf(w, `{"success":true,"version":"1.6.0","stream":{"seconds_since_published":%d}%s}`, n%50, extra)
	case r.URL.Path == "/frame":
		m := image.NewRGBA(image.Rect(0, 0, 48, 27))
		draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{uint8(20 + n), 40, uint8(120 - n), 255}), image.Point{}, draw.Src)
		w.Header().Set("Content-Type", "image/png")
		_ = png.Encode(w, m)
	default:
		answer(w, http.StatusOK, fields{"success": true})
	}
	return w.Result(), nil
}

// crowdFixture returns a server whose page shows n walls. Some walls have long names, names that are written from right to left, or
// special states.
func crowdFixture(t *testing.T, n int) (*fixture, *guarded) {
	t.Helper()
	b := guardedWall(t)
	b.now = func() time.Time { return dawn } // this clock stands still, so the code for pairing stays valid on a slow machine
	b.show(t, 90)
	c := &crowd{dead: "10.0.0.4", guarded: b.Handler()}
	f := newFixture(t)
	f.deps.Fleet = fleet.New(fleet.Parts{
		Client: &http.Client{Transport: c}, Name: func() string { return "Kitchen" },
		Now: func() time.Time { return dawn }, // this clock stands still, so wall 4 is not silent and first on a slow machine
	})
	f.deps.Peers = pairing.New()
	names := map[int]string{1: "Hall", 2: "Bus stop", 3: "Pantry", 4: "Bathroom", 5: "غرفة المعيشة في الطابق الثاني", 6: "Besprechungszimmer Donaudampfschifffahrtsgesellschaft", 9: "Cellar"}
	var all []fleet.Address
	for i := 1; i <= n; i++ {
		name := names[i]
		if name == "" {
			name = fmt.Sprintf("Wall %02d", i)
		}
		all = append(all, fleet.Address{Name: name, URL: fmt.Sprintf("http://10.0.0.%d:5000", i), Listed: true})
	}
	f.deps.Fleet.Configure(all)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { f.deps.Fleet.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	return f, b
}

// TestManyWallsInBrowser checks a page with a hundred walls. One of them does not answer. The page shows and filters the walls at the
// width of a phone and of a desktop. Names of any length and direction fit in their tiles. The page can be used with only the keyboard,
// and axe-core finds no problems.
func TestManyWallsInBrowser(t *testing.T) {
	t.Parallel()
	needsLong(t)
	axe := axeCore(t)
	for _, width := range []int{390, 1280} {
		for _, scheme := range []string{"dark", "light"} {
			f, _ := crowdFixture(t, 100)
			address, _ := f.serve(t)
			ctx := browser(t, width, 844, 1)
			emulateScheme(t, ctx, scheme)
			see(t, ctx, chromedp.Navigate("http://"+address+"/walls"))
			until(t, ctx, "document.querySelectorAll('.tile').length === 101 && document.querySelectorAll('.tile img').length >= 98")
			until(t, ctx, "document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll('.age')].some((e) => e.textContent.includes(' d ago'))") // dawn is long ago
			until(t, ctx, "[...document.querySelectorAll('.tile')].every((t) => [...t.children].every((c) => c.getBoundingClientRect().right <= t.getBoundingClientRect().right + 1))")
			press(t, ctx, ".chip.updating")
			until(t, ctx, "document.querySelectorAll('.tile').length === 1 && document.querySelector('.tile progress').value === 62 && (innerWidth < 560) === (document.querySelector('.tile .long').offsetWidth > 5)")
			press(t, ctx, ".chip.all")
			until(t, ctx, "document.querySelectorAll('.tile').length === 101 && document.querySelector('.tile .title').textContent === 'Hall'")
			keep(t, ctx, fmt.Sprintf("many-%d-%s", width, scheme))
			checkAxe(t, ctx, axe, width)
			see(t, ctx, chromedp.Focus(chromedp.CSS(".tile:nth-child(1) .check")), chromedp.KeyEvent(" "), chromedp.Focus(chromedp.CSS(".tile:nth-child(3) .check")), chromedp.KeyEvent(" "))
			until(t, ctx, "document.querySelector('.dock b')?.textContent === '2 chosen'")
			checkTargets(t, ctx, width)
			keep(t, ctx, fmt.Sprintf("many-%d-%s-chosen", width, scheme))
			see(t, ctx, chromedp.Focus(chromedp.CSS(".action:nth-of-type(3)")), chromedp.KeyEvent("\r"))
			until(t, ctx, "document.querySelector('.menu')?.textContent.includes('Hall')")
			checkAxe(t, ctx, axe, width)
			see(t, ctx, chromedp.KeyEvent("\x1b"), chromedp.KeyEvent("\x1b"))
			until(t, ctx, "!document.querySelector('.dock')")
		}
	}
}

// A mute transport passes requests on until it is switched off.
type mute struct {
	http.RoundTripper
	off atomic.Bool
}

func (m *mute) RoundTrip(r *http.Request) (*http.Response, error) {
	if m.off.Load() {
		return nil, fmt.Errorf("no route to %s", r.URL.Host)
	}
	return m.RoundTripper.RoundTrip(r)
}

// TestRestartInBrowser checks that a wall that restarts for an update is not marked as silent. Another wall without an answer is.
func TestRestartInBrowser(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f, net := newFixture(t), &mute{RoundTripper: &crowd{}}
	var passed atomic.Int64
	f.deps.Fleet = fleet.New(fleet.Parts{
		Client: &http.Client{Transport: net}, Name: func() string { return "Kitchen" },
		Now: func() time.Time { return dawn.Add(time.Duration(passed.Load())) },
	})
	f.deps.Fleet.Configure([]fleet.Address{{Name: "Hall", URL: "http://10.0.0.1:5000", Listed: true}, {Name: "Bathroom", URL: "http://10.0.0.5:5000", Listed: true}})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { f.deps.Fleet.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	address, _ := f.serve(t)
	page := browser(t, 390, 844, 1)
	see(t, page, chromedp.Navigate("http://"+address+"/walls"))
	until(t, page, "document.querySelectorAll('.tile img').length === 2 && document.querySelector('main').innerText.includes('62 %')")
	net.off.Store(true)
	passed.Store(int64(fleet.Silent + 20*time.Second))
	until(t, page, "document.querySelector('.tile.silent .title')?.innerText === 'Bathroom' && document.querySelectorAll('.tile.silent').length === 1 && "+
		"document.querySelector('.tile:not(.silent) .state .info').innerText.trim() === 'restarts'")
	keep(t, page, "walls-restarting")
}

// TestActionsInBrowser checks that the actions on the chosen walls are in one row at every width.
func TestActionsInBrowser(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f, _ := crowdFixture(t, 4)
	address, _ := f.serve(t)
	ctx := browser(t, 1280, 844, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/walls"))
	press(t, ctx, ".tile:nth-child(2) .check")
	for _, width := range []int64{320, 390, 559, 560, 640, 759, 760, 768, 999, 1000, 1280} {
		see(t, ctx, chromedp.EmulateViewport(width, 844))
		const row = `innerWidth === %d && (() => { const all = [...document.querySelectorAll(".action")].map((a) => a.getBoundingClientRect()); document.body.dataset.state = JSON.stringify(all);
			return all.length === 6 && all.every((a) => a.top === all[0].top && a.left >= 0 && a.right <= innerWidth && a.height >= 44); })()`
		until(t, ctx, fmt.Sprintf(row, width))
		keep(t, ctx, fmt.Sprintf("actions-%d", width))
	}
}

// TestPairInBrowser pairs this wall with a locked wall. It enters the digits that the locked wall shows. Then it opens the form to add a
// wall.
func TestPairInBrowser(t *testing.T) {
	t.Parallel()
	needsLong(t)
	axe := axeCore(t)
	for _, width := range []int{390, 1280} {
		f, b := crowdFixture(t, 10)
		code := make(chan string, 8)
		b.deps.ShowPeer = func(digits, _ string) { code <- digits }
		address, _ := f.serve(t)
		ctx := browser(t, width, 844, 1)
		emulateScheme(t, ctx, "light")
		see(t, ctx, chromedp.Navigate("http://"+address+"/walls"))
		press(t, ctx, ".tile .state .quiet")
		shown := ""
		select {
		case shown = <-code:
		case <-time.After(programtest.Patience):
			t.Fatal("the wall shows no code")
		}
		until(t, ctx, "document.querySelector('#code')?.disabled === false")
		checkAxe(t, ctx, axe, width)
		checkTargets(t, ctx, width)
		wrong := strings.Map(func(r rune) rune { return '0' + (r-'0'+1)%10 }, shown)
		see(t, ctx, chromedp.SendKeys(chromedp.CSS("#code"), wrong))
		until(t, ctx, "document.querySelector('.error:not([hidden])')?.textContent.includes('This is not the code on the wall')")
		keep(t, ctx, fmt.Sprintf("pair-%d", width))
		see(t, ctx, chromedp.SendKeys(chromedp.CSS("#code"), shown))
		until(t, ctx, "document.querySelectorAll('.tile').length === 11 && !document.querySelector('.tile .state .quiet')")
		press(t, ctx, ".walls-top .add")
		until(t, ctx, "document.querySelector('.adding') && document.querySelectorAll('.adding .row').length >= 0")
		keep(t, ctx, fmt.Sprintf("add-%d", width))
		checkAxe(t, ctx, axe, width)
	}
}

// TestSourceInBrowser checks the page about the source of the wall's files. The page shows the current revision. It also shows a refused
// revision with the position of the error. A button on the page fetches the files immediately.
func TestSourceInBrowser(t *testing.T) {
	t.Parallel()
	needsLong(t)
	axe := axeCore(t)
	for _, width := range []int{390, 1280} {
		f := newFixture(t)
		f.deps.Source = func() map[string]any {
			return map[string]any{
				"url": "https://git.lan/walls/main.zip", "token": true, "token_end": "4xq", "folder": "kitchen", "every": 900, "jitter": 112.5,
				"revision": "8f3c2a1", "since": "2026-05-14T18:40:00Z", "asked": "2026-05-15T10:20:00Z", "next": "2026-05-15T10:38:00Z",
				"refused": "b71d09e", "problem": "widgets.yaml:41: colour is unknown, did you mean color?",
			}
		}
		f.show(t, 90)
		address, _ := f.serve(t)
		ctx := browser(t, width, 844, 1)
		emulateScheme(t, ctx, "light")
		see(t, ctx, chromedp.Navigate("http://"+address+"/"))
		press(t, ctx, "[aria-label=More]")
		until(t, ctx, "[...document.querySelectorAll('button.row')].some((b) => b.textContent.includes('Files from an address') && (b.click(), true))")
		until(t, ctx, "document.body.textContent.includes('b71d09e is not taken over') && document.body.textContent.includes('8f3c2a1 is on the wall')")
		until(t, ctx, "document.querySelector('.bad-card b')?.textContent === 'widgets.yaml:41'")
		keep(t, ctx, fmt.Sprintf("source-%d", width))
		checkAxe(t, ctx, axe, width)
		checkTargets(t, ctx, width)
		press(t, ctx, ".at-foot button")
		until(t, ctx, "document.querySelector('[role=status].toast, .toast')?.textContent.trim() !== ''")
	}
}
