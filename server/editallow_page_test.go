package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/control/pairing"

	"github.com/chromedp/chromedp"
)

// A twoPhones is a server for the pages of two phones. The registry, and the routes that use it, are real. All other answers are recorded.
type twoPhones struct {
	f       *fixture
	editors *pairing.Registry

	mu       sync.Mutex // guards the fields below
	id, code string     // request that the wall shows
	tom      string     // address of Tom's phone
}

// serve returns the address of the page for a phone. `from` returns the phone's IP address. `token` is its permission to edit, or "".
func (p *twoPhones) serve(t *testing.T, from func() string, token string) string {
	e := newCannedEditor(t)
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = from() + ":1000"
		if token != "" {
			r.AddCookie(&http.Cookie{Name: editCookie, Value: token})
		}
		path := r.URL.Path
		switch {
		case path == "/edit":
			got := httptest.NewRecorder()
			if p.f.Handler().ServeHTTP(got, r); got.Code == http.StatusOK {
				e.answer(t, w, r)
				return
			}
			w.WriteHeader(got.Code)
			_, _ = w.Write(got.Body.Bytes())
		case !strings.HasPrefix(path, "/edit/") || path == "/edit/" || strings.HasPrefix(path, "/edit/allow") || strings.HasPrefix(path, "/edit/devices"):
			p.f.Handler().ServeHTTP(w, r)
		default:
			e.answer(t, w, r)
		}
	}))
	t.Cleanup(ts.Close)
	return ts.URL + "/edit/"
}

// shown returns the request that the wall shows.
func (p *twoPhones) shown() (id, code string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.id, p.code
}

// lateTap presses a button after the time in which the page ignores taps, because the list has changed.
func lateTap(t *testing.T, ctx context.Context, word string) {
	t.Helper()
	perform(t, ctx, []string{`soon(() => button([` + "`" + word + "`" + `]))`, `Date.now = ((now) => () => now)(Date.now() + 5000)`, `press("` + word + `")`})
}

// Tom's phone waits for a code, and Anna's phone answers: it allows the request, it refuses the next one, and it allows a third one that the
// wall refuses afterwards.
func TestPhoneAllowsAnotherPhone(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f, _ := editFixture(t, nil)
	p := &twoPhones{f: f, editors: pairing.New(), tom: "192.168.1.77"}
	_, secret, err := p.editors.Ask("Anna's phone", "192.168.1.5", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.editors.Allow(p.editors.Asking(time.Now())[0].ID, time.Now()); err != nil {
		t.Fatal(err)
	}
	_, token, _, err := p.editors.Collect(secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	f.deps.Editors = p.editors
	f.deps.ShowCode = func(id, code, _ string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if code != "" || p.id == id {
			p.id, p.code = id, code
		}
	}
	f.Configure(Settings{EditCodes: true})
	anna, tom := browser(t, 390, 844, 1), browser(t, 390, 844, 1)
	see(t, anna, chromedp.Navigate(p.serve(t, func() string { return "192.168.1.5" }, token)))
	see(t, tom, chromedp.Navigate(p.serve(t, func() string { p.mu.Lock(); defer p.mu.Unlock(); return p.tom }, "")))
	perform(t, anna, append(editorSteps["devices"][:2:2], `soon(() => document.querySelector("main").textContent.includes("this one"))`))
	const (
		name   = `await soon(() => { const e = document.querySelector("#device"); if (!e) return; e.value = "Tom’s Pixel"; e.dispatchEvent(new Event("input")); return true; })`
		asks   = `document.querySelector(".asks")?.textContent.includes("Tom’s Pixel asks nowChrome on Linux · 192.168.1.")`
		frozen = `Date.now = ((now) => () => now)(Date.now())`
		guest  = `!document.querySelector(".asks") && [...document.querySelectorAll(".row")].some((e) => /Tom’s Pixel.*ends in 50 days/s.test(e.textContent))`
		none   = `!document.querySelector(".asks") && !document.querySelector("main").textContent.includes("Tom’s")`
	)
	// A tap just after the list has changed does nothing.
	perform(t, anna, []string{frozen})
	perform(t, tom, []string{name, `press("Show the code")`, `await soon(() => document.querySelector("#digits"))`})
	until(t, anna, asks)
	perform(t, anna, []string{`press("Allow")`, `press("Refuse")`})
	until(t, anna, asks+` && !document.querySelector(".asks").textContent.includes("Yes, allow")`)
	keep(t, anna, "asks-390")
	checkAxe(t, anna, axeCore(t), 390)
	see(t, anna, chromedp.EmulateViewport(1280, 800))
	keep(t, anna, "asks-1280")
	see(t, anna, chromedp.EmulateViewport(390, 844))
	lateTap(t, anna, "Allow")
	perform(t, anna, []string{`press("Yes, allow")`}) // the second tap of a double tap
	until(t, anna, `document.querySelector(".asks").textContent.includes("Allow Tom’s Pixel?192.168.1.77 can then change the wall")`)
	keep(t, anna, "sure-390")
	lateTap(t, anna, "Cancel")
	until(t, anna, asks)
	if all := p.editors.Asking(time.Now()); len(all) != 1 || all[0].Confirmed() {
		t.Fatalf("got %+v, want one waiting request", all)
	}
	lateTap(t, anna, "Allow")
	lateTap(t, anna, "As a guest")
	until(t, anna, `document.querySelector(".asks [role=switch]").ariaChecked === "true"`)
	keep(t, anna, "guest-390")
	lateTap(t, anna, "Yes, allow")
	until(t, tom, `document.querySelector("[role=tree]")`)
	until(t, anna, guest)
	keep(t, anna, "allowed-390")
	if _, code := p.shown(); code != "" {
		t.Errorf("the wall still shows %s", code)
	}
	lateTap(t, anna, "Revoke Tom’s")
	until(t, anna, none+` && document.querySelector(".toast").textContent.includes("Tom’s Pixel may not edit any more")`)
	keep(t, anna, "undo-390")
	if n := len(p.editors.Devices()); n != 1 {
		t.Errorf("got %d devices that may edit after the removal, want 1", n)
	}
	lateTap(t, anna, "Undo")
	until(t, anna, guest)
	lateTap(t, anna, "Revoke Tom’s")
	until(t, anna, none)

	// Anna's phone refuses.
	see(t, tom, chromedp.Reload())
	perform(t, tom, []string{name, `press("Show the code")`, `await soon(() => document.querySelector("#digits"))`})
	until(t, anna, asks)
	lateTap(t, anna, "Refuse")
	until(t, tom, `document.querySelector("#code-w")?.textContent.includes("The request was refused") && !document.querySelector("#digits")`)
	keep(t, tom, "refused-390")
	until(t, anna, none)
	if _, code := p.shown(); code != "" {
		t.Errorf("the wall still shows %s", code)
	}

	// Anna's phone allows, and the wall refuses before Tom's page can be seen again.
	p.mu.Lock()
	p.tom = "192.168.1.78"
	p.mu.Unlock()
	perform(t, tom, []string{`press("Show the code")`, `await soon(() => document.querySelector("#digits"))`, `Object.defineProperty(document, "hidden", { value: true, configurable: true })`})
	until(t, anna, asks)
	lateTap(t, anna, "Allow")
	lateTap(t, anna, "Yes, allow")
	until(t, anna, `!document.querySelector(".asks") && [...document.querySelectorAll(".row")].some((e) => /Tom’s Pixel\s*allowed, waits for its page/.test(e.textContent))`)
	keep(t, anna, "waits-390")
	id, code := p.shown()
	if code == "" {
		t.Error("the wall does not show the code any more")
	}
	if _, err := p.editors.Refuse(id, time.Now()); err != nil {
		t.Error(err)
	}
	perform(t, tom, []string{`delete document.hidden`})
	until(t, tom, `document.querySelector("#code-w")?.textContent.includes("The request was refused")`)
	until(t, anna, none)
	if n := len(p.editors.Devices()); n != 1 {
		t.Errorf("got %d devices that may edit, want 1", n)
	}

	// Anna's phone switches the six digits off. Tom's phone cannot ask again.
	lateTap(t, anna, "Ask with six digits")
	until(t, anna, `document.querySelector("[role=switch]").ariaChecked === "false"`)
	keep(t, anna, "digits-390")
	see(t, tom, chromedp.Reload())
	until(t, tom, `document.querySelector("h1")?.textContent === "This wall is edited on its own machine"`)
}
