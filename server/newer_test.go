package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"dashboard/internal/testing/programtest"

	"github.com/chromedp/chromedp"
)

// update makes a server serve other scripts, as after an update of the program.
func (f *fixture) update(t *testing.T) *fixture {
	t.Helper()
	for name, a := range f.assets {
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		body, err := a.body()
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		fmt.Fprintf(z, "%s\nwindow.updated = true;\n", body)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		f.assets[name] = newAsset(name, packed.Bytes())
	}
	return f
}

// asksForScript is true if the page has requested its script again, and a few seconds have passed since then.
const asksForScript = "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('.js') && e.initiatorType === 'fetch').length > 1 && (window.looks = (window.looks ?? 0) + 1) > 60"

// untilUpdated waits until the page has loaded the other script. The function until() cannot do that, because it fails if the page is loaded again.
func untilUpdated(t *testing.T, ctx context.Context) {
	t.Helper()
	programtest.Eventually(t, "page loaded again", func() bool {
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("window.updated === true"))
		return err == nil && is
	})
}

// untilGone waits until the page has loaded again and lacks a global variable of the page before.
func untilGone(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	programtest.Eventually(t, "page loaded again", func() bool {
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf("window.updated === true && window[%q] === undefined", name)))
		return err == nil && is
	})
}

// After an update of the program, the remote loads itself again. It first waits until no text would be lost. The same part stays open.
func TestRemoteIsUpdated(t *testing.T) {
	t.Parallel()
	needsLong(t)
	c := &aCard{}
	c.set(cardStates()["offer"])
	card := func() *fixture {
		f := newFixture(t)
		f.control()
		f.Server.deps.Update = func() any { return *c.state.Load() }
		f.show(t, 90)
		return f
	}
	address, stop := card().serveAt(t, ownPort(t))
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('button[aria-label=More]') && (window.longer = 1)")
	openPart(t, ctx, "Updates")
	until(t, ctx, "[...document.querySelectorAll('main button')].length && document.querySelector('h1').innerText === 'Updates'")
	until(t, ctx, "document.body.append(Object.assign(document.createElement('input'), { id: 'typing', value: 'half a' })) ?? true")
	stop()
	c.set(map[string]any{"version": "1.6.0"})
	card().update(t).serveAt(t, address)
	until(t, ctx, asksForScript)
	until(t, ctx, "!window.updated && document.querySelector('#typing').value === 'half a' && !(document.querySelector('#typing').value = '')")
	untilUpdated(t, ctx)
	until(t, ctx, "document.querySelector('h1').innerText === 'Updates'")
}

// The remote loads itself again at most once in ten minutes. Until then it does not change its history either.
func TestRemoteReloadsAreLimited(t *testing.T) {
	t.Parallel()
	needsLong(t)
	wall := func() *fixture {
		f := newFixture(t)
		f.control()
		f.show(t, 90)
		return f
	}
	address, stop := wall().serveAt(t, ownPort(t))
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('button[aria-label=More]')")
	stop()
	_, stop = wall().update(t).serveAt(t, address)
	untilUpdated(t, ctx)
	until(t, ctx, "document.querySelector('button[aria-label=More]')")
	const minutes = "(sessionStorage['loaded again'] -= 300_000)" // five minutes pass
	until(t, ctx, minutes+" && (history.replaceState = () => { window.changed = true; }) && (window.kept = true)")
	stop()
	wall().update(t).update(t).serveAt(t, address)
	until(t, ctx, asksForScript)
	until(t, ctx, "kept && !window.changed")
	until(t, ctx, minutes)
	untilGone(t, ctx, "kept")
}

// After an update of the program, the page of all walls loads itself again, but not while walls are chosen.
func TestWallsAreUpdated(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f, _ := crowdFixture(t, 4)
	address, stop := f.serveAt(t, ownPort(t))
	ctx := browser(t, 1280, 844, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/walls"))
	press(t, ctx, ".tile:nth-child(2) .check")
	stop()
	g, _ := crowdFixture(t, 4)
	g.update(t).serveAt(t, address)
	until(t, ctx, asksForScript)
	until(t, ctx, "!window.updated && document.querySelector('.dock b').textContent === '1 chosen'")
	press(t, ctx, ".dock .quiet")
	untilUpdated(t, ctx)
	until(t, ctx, "document.querySelector('.tile')")
}

// After an update of the program, the editor offers to load the page again. The draft stays.
func TestEditorIsUpdated(t *testing.T) {
	t.Parallel()
	needsLong(t)
	axe := axeCore(t)
	for _, width := range []int{390, 1280} {
		e := newCannedEditor(t)
		var now atomic.Pointer[fixture]
		now.Store(newFixture(t))
		ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/edit/" || !strings.HasPrefix(r.URL.Path, "/edit") {
				now.Load().Handler().ServeHTTP(w, r)
				return
			}
			e.answer(t, w, r)
		}))
		t.Cleanup(ts.Close)
		ctx := browser(t, width, 844, 1)
		see(t, ctx, chromedp.Navigate(ts.URL+"/edit/"))
		until(t, ctx, "document.querySelector('[data-node]') && !document.querySelector('[aria-label=\"New version\"]')")
		until(t, ctx, "performance.getEntriesByType('resource').some((e) => e.name.endsWith('editor.js') && e.initiatorType === 'fetch')")
		now.Store(newFixture(t).update(t))
		ts.CloseClientConnections()
		until(t, ctx, "document.querySelector('[aria-label=\"New version\"]')?.innerText.includes('keeps the draft') && !window.updated")
		until(t, ctx, "document.documentElement.scrollWidth <= innerWidth")
		checkTargets(t, ctx, width)
		checkAxe(t, ctx, axe, width)
		keep(t, ctx, fmt.Sprintf("editor-updated-%d", width))
		press(t, ctx, "[aria-label='New version'] button")
		untilUpdated(t, ctx)
		until(t, ctx, "document.querySelector('[data-node]') && sessionStorage.dashboard_draft === 'd1' && !document.querySelector('[aria-label=\"New version\"]')")
	}
}

// The editor does not reload while the wall refuses a typed text. After the text is saved, it reloads.
func TestEditorKeepsItsTextAtAReload(t *testing.T) {
	t.Parallel()
	needsLong(t)
	e := newCannedEditor(t)
	var now atomic.Pointer[fixture]
	now.Store(newFixture(t))
	var refuses atomic.Bool
	refuses.Store(true)
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/edit/" || !strings.HasPrefix(r.URL.Path, "/edit"):
			now.Load().Handler().ServeHTTP(w, r)
		case r.Method == http.MethodPut && refuses.Load():
			w.WriteHeader(http.StatusConflict)
		default:
			e.answer(t, w, r)
		}
	}))
	t.Cleanup(ts.Close)
	ctx := browser(t, 1280, 844, 1)
	see(t, ctx, chromedp.Navigate(ts.URL+"/edit/"))
	perform(t, ctx, editorSteps["words"])
	until(t, ctx, "performance.getEntriesByType('resource').some((e) => e.name.endsWith('editor.js') && e.initiatorType === 'fetch')")
	now.Store(newFixture(t).update(t))
	ts.CloseClientConnections()
	until(t, ctx, "document.querySelector('[aria-label=\"New version\"]')")
	see(t, ctx, chromedp.KeyEvent("#"))
	until(t, ctx, "document.querySelector('.wrong')?.textContent.includes('changed elsewhere')")
	perform(t, ctx, []string{`press("Reload")`, `soon(() => document.querySelector(".toast")?.textContent.includes("does not have all your texts"))`})
	until(t, ctx, "!window.updated && document.querySelector('.text-host').shadowRoot.querySelector('.cm-content').textContent.includes('#')")
	refuses.Store(false)
	see(t, ctx, chromedp.KeyEvent("#"))
	until(t, ctx, "!document.querySelector('.wrong')")
	until(t, ctx, "document.querySelector('[aria-label=\"New version\"] button').click() ?? true")
	untilUpdated(t, ctx)
}
