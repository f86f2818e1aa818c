package pages

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"dashboard/appliance/setup/flow"
)

// browserTime limits a test of all steps in a browser. The browser starts slowly on a busy machine.
const browserTime = 10 * time.Minute

// phone opens a browser. If no browser is installed, it skips the test.
func phone(t *testing.T) (ctx context.Context, axe string) {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("SKIPPED, THE PAGES ARE NOT TESTED: there is no chromium here (Debian: apt install chromium)")
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "web", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Skip("SKIPPED: axe-core is missing: npm ci --prefix web")
	}
	ctx, cancel := context.WithTimeout(t.Context(), browserTime)
	t.Cleanup(cancel)
	ctx, cancelAlloc := chromedp.NewExecAllocator(ctx, chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.Headless,
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Flag("disable-dev-shm-usage", true))
	ctx, cancelTab := chromedp.NewContext(ctx)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits until the browser has ended
		cancelTab()
		cancelAlloc()
	})
	return ctx, string(data)
}

func see(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// lists() evaluates an expression in the page and returns the resulting list of strings.
func lists(t *testing.T, ctx context.Context, expression string) []string {
	t.Helper()
	all, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const (
	violations = `axe.run().then((r) => r.violations.map((v) => v.id + ": " + v.help + ": " + v.nodes.map((n) => n.html).join(" ")))`
	small      = `[...document.querySelectorAll("button, a, input:not([type=hidden]):not([type=radio]):not([type=checkbox]), select, label.row")]
		.filter((e) => { const b = e.getBoundingClientRect(); return b.width && (b.width < 43.9 || b.height < 43.9); }).map((e) => e.outerHTML)`
	wide = `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5).map((e) => e.outerHTML.slice(0, 80))`
	foot = `[document.querySelector("footer").getBoundingClientRect().bottom > innerHeight ? "the foot is cut" : ""].filter(Boolean)`
)

// check tests a page in one size: axe-core finds no problems, targets are large enough, nothing is too wide, and the bottom of the page
// is visible.
func check(t *testing.T, ctx context.Context, axe, name string, w, h int, dark bool) {
	t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err != nil {
		t.Fatal(err)
	}
	see(t, ctx, chromedp.EmulateViewport(int64(w), int64(h)))
	for what, expression := range map[string]string{"axe-core": axe + ";" + violations, "small": small, "wide": wide, "foot": foot} {
		for _, found := range lists(t, ctx, expression) {
			t.Errorf("%s %dx%d %s: %s: %s", name, w, h, scheme, what, found)
		}
	}
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(t.ArtifactDir(), fmt.Sprintf("%s-%dx%d-%s.png", name, w, h, scheme)), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

// serve serves the fixture to a browser on this machine. The fixture treats the browser as a phone that has joined the access point.
func (f *fixture) serve(t *testing.T) string {
	base, _ := f.serveAt(t, "127.0.0.1:0")
	return base
}

// serveAt is like serve. `stop` closes the server.
func (f *fixture) serveAt(t *testing.T, address string) (base string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	f.Point = netip.MustParsePrefix("127.0.0.0/8")
	f.Server.Place = func() flow.Place {
		return flow.Place{Token: token, Address: l.Addr().String(), Host: "dashboard", Port: "5000"}
	}
	srv := &http.Server{Handler: f.Server}
	go srv.Serve(l) // Serve returns when the server is closed
	stop = func() { srv.Close() }
	t.Cleanup(stop)
	return "http://" + l.Addr().String() + "/" + token, stop
}

// TestPagesOnAPhone draws every page of the set-up in three sizes: the sizes of two phones, and the size that a visible keyboard leaves.
// The first size is also drawn in the colors of the night theme.
func TestPagesOnAPhone(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a browser")
	}
	ctx, axe := phone(t)
	f := newFixture(t)
	base := f.serve(t)
	network := flow.Network{Name: "Sonnenallee 12", Password: "Kirschbaum-0815"}
	found := []flow.Found{
		{Name: network.Name, Signal: -50, Security: flow.WPA3}, {Name: "FRITZ!Box 7590 KL", Signal: -65, Security: flow.WPA2},
		{Name: "Vodafone-5C21", Signal: -78, Security: flow.WPA2}, {Name: "Café Mira guest", Signal: -79}, {Name: "eduroam", Signal: -80, Security: flow.Enterprise},
	}
	m := f.Machine
	const from = "127.0.0.1"
	const wrongWall = "widgets.yaml:12:15: widgets[3].widget: there is no widget \"weahter\"; near: weather (and 2 more)"
	found = append(found, flow.Found{Name: "Library", Signal: -62, Security: flow.Enhanced})
	for _, p := range []struct {
		name, query string
		do          func()
	}{
		{"fix-conf", "", func() { m.Warn(wrongConf, true) }},
		{"fix-value", "", func() { m.Warn(wrongRole, true) }},
		{"fix", "", func() { m.Warn(misspelled, true); m.Opened(from, false) }},
		{"fix-restarts", "", func() { m.Fix("update = off") }},
		{"1-language", "", func() { f.now += flow.RestartTime; m.Skip() }},
		{"2-list", "", func() { m.Speak("en", "DE"); m.Slow = true; m.Heard(found); f.now += 20 * time.Second }},
		{"2-first", "?network=" + url.QueryEscape(network.Name), func() {}},
		{"2-open", "?network=" + url.QueryEscape("Café Mira guest"), func() {}},
		{"2-enhanced", "?network=Library", func() {}},
		{"2-hidden", "?hidden=1", func() {}},
		{"2-trying", "", func() { m.Try(network, true); m.At(flow.Accepted) }},
		{"2-refused", "", func() { m.End(flow.Refused); m.Opened(from, false) }},
		{"3-place", "", func() { m.Try(network, true); m.At(flow.Reached); m.Opened(from, false) }},
		{"4-wall", "", func() { m.Settle("kitchen", "Europe/Berlin", ""); m.Prefer("family") }},
		{"4-wall-trouble", "", func() { f.Problem = func() string { return wrongWall } }},
		{"5-done-trouble", "", m.Finish},
		{"5-done", "", func() { f.Problem = nil }},
		{"other", "", func() { m.Take("10.1.1.99") }},
	} {
		f.Lock.Lock()
		p.do()
		f.Lock.Unlock()
		for _, dark := range []bool{false, true} {
			see(t, ctx, chromedp.Navigate(base+p.query))
			check(t, ctx, axe, p.name, 390, 844, dark)
			if !dark {
				check(t, ctx, axe, p.name, 360, 640, dark)
				check(t, ctx, axe, p.name+"-keyboard", 390, 460, dark)
			}
		}
	}
}

// A page in Arabic is laid out from right to left, and nothing is too wide.
func TestPagesInArabic(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a browser")
	}
	ctx, axe := phone(t)
	f := newFixture(t)
	base := f.serve(t)
	f.Machine.Opened("127.0.0.1", false)
	f.Machine.Speak("ar", "EG")
	f.Machine.Heard([]flow.Found{{Name: "Sonnenallee 12", Signal: -50, Security: flow.WPA3}})
	see(t, ctx, chromedp.Navigate(base))
	check(t, ctx, axe, "arabic", 360, 640, false)
	const arrows = `[...document.querySelectorAll(".flip")].map((e) => e.textContent + getComputedStyle(e).display)`
	if got := lists(t, ctx, arrows); !slices.Equal(got, []string{"←inline-block"}) { // CSS cannot mirror an arrow with display: inline
		t.Errorf("got mirrored arrows %q", got)
	}
}

// A password that is too short stays in the field with the reason, and is not tried. Networks count its bytes.
func TestShortPassword(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a browser")
	}
	ctx, _ := phone(t)
	f := newFixture(t)
	base := f.serve(t)
	f.Machine.Opened("127.0.0.1", false)
	f.Machine.Speak("en", "DE")
	f.Machine.Heard([]flow.Found{{Name: "home", Signal: -50, Security: flow.WPA2}})
	see(t, ctx, chromedp.Navigate(base+"?network=home"))
	const send = `(() => { const input = document.getElementById("password");
		input.value = %q;
		document.querySelector("button.main").click();
		return [input.value, document.getElementById("why").textContent]; })()`
	if got := lists(t, ctx, fmt.Sprintf(send, "1234567")); !slices.Equal(got, []string{"1234567", "A password has 8 to 63 characters."}) {
		t.Errorf("got %q", got)
	}
	lists(t, ctx, fmt.Sprintf(send, "🔑🔑"))
	for {
		f.Lock.Lock()
		v := f.Machine.View("127.0.0.1")
		f.Lock.Unlock()
		if v.State == flow.Trying {
			if v.Try.Password != "🔑🔑" {
				t.Errorf("got %q", v.Try.Password)
			}
			return
		}
		select {
		case <-ctx.Done():
			t.Fatal("the password of 8 bytes is not tried")
		case <-time.After(10 * time.Millisecond): // a pause between two checks
		}
	}
}

// The form for the code in a home network has the style of the other pages.
func TestAskOnAPhone(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a browser")
	}
	ctx, axe := phone(t)
	f := newFixture(t)
	base := f.serve(t)
	f.Point = netip.MustParsePrefix("10.1.1.0/24") // the browser is not in the access point
	see(t, ctx, chromedp.Navigate(base[:len(base)-len(token)]))
	check(t, ctx, axe, "ask", 360, 640, false)
	const wide = `[String(document.querySelector("main").offsetWidth), getComputedStyle(document.querySelector("button.main")).minHeight]`
	if got := lists(t, ctx, wide); !slices.Equal(got, []string{"360", "52px"}) {
		t.Errorf("got the width and the button's height %q", got)
	}
}

// await waits until an expression is true in the page.
func await(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	for {
		if len(lists(t, ctx, "["+expression+"].filter(Boolean).map(String)")) == 1 {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s stays false", expression)
		case <-time.After(10 * time.Millisecond): // a pause between two checks
		}
	}
}
