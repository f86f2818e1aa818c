package server

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/control"
	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/pairing"
	"dashboard/control/power"
	"dashboard/control/timer"
	"dashboard/internal/testing/programtest"

	cdp "github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// takenNotices is a board on which requests can post notifications.
type takenNotices struct {
	boardNotices
	t *testing.T
}

func (n takenNotices) Notify(_ context.Context, body []byte, _ bool) (string, error) {
	var in struct{ ID, Text string }
	if err := json.Unmarshal(body, &in); err != nil {
		return "", err
	}
	postNotice(n.t, n.Board, notify.Notification{ID: in.ID, Text: in.Text})
	return in.ID, nil
}

// A wholeWall is a server for a wall that has everything that the remote can control.
type wholeWall struct {
	*fixture
	board   *notify.Board
	pages   *page.Pages
	mu      sync.Mutex // guards the field touched
	touched []string   // positions of touches, and values that were set
}

// touches() returns all touches so far.
func (w *wholeWall) touches() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.touched...)
}

func (w *wholeWall) page() string { return w.pages.List(time.Now())[0].Page }

func newWholeWall(t *testing.T) *wholeWall {
	t.Helper()
	f, b, _ := noticed(t)
	w := &wholeWall{fixture: f, board: b, pages: page.New(func() {})}
	set := w.pages.Begin()
	outer := set.Add("", []page.Page{{Name: "House", Dwell: time.Hour}, {Name: "Garden", Dwell: time.Hour}, {Name: "Door", Dwell: time.Hour}})
	w.pages.Commit(set)
	outer.Step(time.Now(), []page.Condition{{When: true}, {When: true}, {When: true}})
	timers := timer.New(func() {})
	kitchen := timers.Begin()
	kitchen.Timer("Pasta", "Pasta", 9*time.Minute)
	kitchen.Timer("Tea", "Tea", 190*time.Second) // as text this is 3 min
	timers.Commit(kitchen)
	f.side = image.Pt(640, 360)
	f.show(t, 60)
	f.wall.Pages, f.wall.Power, f.wall.Notices = w.pages, power.NewOwner(), takenNotices{boardNotices{b}, t}
	f.wall.Themes = &heldThemes{state: control.ThemeState{Mode: "day", Located: true}}
	f.parts.Timers = timers
	f.parts.Own = map[string]control.Effect{"touch": func(_ context.Context, a control.Action) (control.Result, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.touched = append(w.touched, fmt.Sprintf("%.2f %.2f", a.Args.Float("x"), a.Args.Float("y")))
		return nil, nil
	}}
	f.parts.Own["adjust"] = func(_ context.Context, a control.Action) (control.Result, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.touched = append(w.touched, fmt.Sprintf("%s %v", a.Args.Text("entity"), a.Args.Float("value")))
		return nil, nil
	}
	f.control()
	f.Server.deps.Surveyor, f.deps.Pairing = fakeSurveyor{}, pairing.New()
	f.Server.deps.Views = func() []string { return []string{"main", "hall"} }
	f.Configure(Settings{StreamOn: true, StreamToken: pointer("lever"), ControlToken: pointer("lever")}) // the setting http_control is off
	// The request must stay valid longer than a slow test takes.
	_, _, _ = f.deps.Pairing.Ask("Tablet", "10.0.0.7", time.Now().Add(time.Hour))
	return w
}

// enter opens the remote with its token in the address, as in the QR code on the wall.
func enter(t *testing.T, ctx context.Context, address string) {
	t.Helper()
	see(t, ctx, chromedp.Navigate("http://"+address+"/#token=lever"))
	until(t, ctx, "document.querySelector('canvas[data-shown]') && document.querySelector('[aria-label=\"On this page\"]')")
}

// With taps, a person changes the page, and touches widgets in the wall's picture and in the list of widgets. The person also starts a
// timer, sends a message, and deletes the message.
func TestRemoteByTouch(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, width := range []int{360, 768, 1280} {
		w := newWholeWall(t)
		address, _ := w.serve(t)
		ctx := browser(t, width, 800, 1)
		see(t, ctx, chromedp.EmulateViewport(int64(width), 800, chromedp.EmulateTouch))
		enter(t, ctx, address)
		until(t, ctx, `((rows) => rows.length === 2 && rows.every((r) => r.firstElementChild.matches('svg')) && rows[0].querySelector('path').getAttribute('d') === 'M3 3L21 3L21 21Z')
			([...document.querySelectorAll('[aria-label="On this page"] button.row')])`)
		until(t, ctx, `(document.querySelector('[aria-label="On this page"]').scrollIntoView({ block: 'center' }), true)`)
		keep(t, ctx, fmt.Sprintf("taps-%d", width))
		tap(t, ctx, ".pages [role=radio]:nth-child(3)")
		programtest.Eventually(t, "the page is turned", func() bool { return w.page() == "Door" })
		tap(t, ctx, "canvas")
		programtest.Eventually(t, "the picture is touched", func() bool { return len(w.touches()) == 1 })
		tap(t, ctx, `[aria-label="On this page"] [role=switch]`)
		programtest.Eventually(t, "the switch is touched", func() bool { return len(w.touches()) == 2 })
		tap(t, ctx, `[aria-label="Hall, more"]`)
		programtest.Eventually(t, "the number is set", func() bool { return len(w.touches()) == 3 })
		if got := strings.Join(w.touches(), ", "); got != "0.50 0.50, 0.16 0.21, light.hall 50" {
			t.Errorf("%d px: touched at %s", width, got)
		}
		tap(t, ctx, `[aria-label="Theme"] [role=radio]:last-child`)
		programtest.Eventually(t, "the theme is set without http_control", func() bool { return w.wall.Themes.(*heldThemes).mode() == "night" })
		tap(t, ctx, `[aria-label="Pasta, 9 min"]`)
		until(t, ctx, `document.querySelector('[aria-label="Pasta, stop"]')`)
		tap(t, ctx, `[aria-label="Pasta, 3 min"]`) // starts the running timer again
		until(t, ctx, "document.querySelector('.toast')?.textContent.includes('Pasta starts again with 3 min')")
		if left := w.parts.Timers.List(time.Now())[0].Duration; left != 3*time.Minute {
			t.Errorf("%d px: the timer has %v, want 3 minutes", width, left)
		}
		until(t, ctx, `['Pasta, 9 min', 'Tea, 3 min'].every((name) => document.querySelectorAll('[aria-label="'+name+'"]').length === 1)`)
		tap(t, ctx, ".toast button")
		programtest.Eventually(t, "the time is restored", func() bool { return w.parts.Timers.List(time.Now())[0].Left > 8*time.Minute })
		tap(t, ctx, `[aria-label="Pasta, stop"]`)
		tap(t, ctx, `[aria-label="Pasta, other time"]`)
		until(t, ctx, "(document.querySelector('.own input')?.select(), !!document.querySelector('.own input'))")
		keep(t, ctx, fmt.Sprintf("own-%d", width))
		see(t, ctx, chromedp.SendKeys(chromedp.CSS(".own input"), "2"))
		// Wait 2.5 s. The page is drawn again every second, and must keep the typed text.
		until(t, ctx, "performance.now() > (window.typed ??= performance.now()) + 2500")
		see(t, ctx, chromedp.SendKeys(chromedp.CSS(".own input"), "5"+kb.Enter))
		until(t, ctx, `document.querySelector('.timer .figure')?.textContent.startsWith('2') && !document.querySelector('.own')`)
		until(t, ctx, `((f) => f.getClientRects().length === 1 && f.getBoundingClientRect().right <= document.querySelector('.timer').getBoundingClientRect().right && new Set([...document.querySelectorAll('.timer > button')].map((b) => b.offsetTop)).size === 1)(document.querySelector('.timer .figure'))`) // on one line, and so are the buttons
		if left := w.parts.Timers.List(time.Now())[0].Duration; left != 25*time.Minute {
			t.Errorf("%d px: the timer has %v, want 25 minutes", width, left)
		}
		w.wall.Power.AskLevel(0.6)
		tap(t, ctx, `[aria-label="Brightness, more"]`)
		programtest.Eventually(t, "the brightness is set", func() bool { return w.wall.Power.State().Want == 0.7 })
		until(t, ctx, "document.querySelector('[aria-label=Screen]').textContent.includes('Set by hand.')")
		see(t, ctx, chromedp.SendKeys(chromedp.CSS(".write input"), "Dinner"))
		until(t, ctx, `document.querySelector('.write button').getAttribute('aria-disabled') === 'false'`)
		tap(t, ctx, ".write button")
		until(t, ctx, "document.querySelector('.toast')?.textContent.includes('On the wall for 5 min')")
		keep(t, ctx, fmt.Sprintf("sent-%d", width))
		tap(t, ctx, ".toast button")
		programtest.Eventually(t, "the message is taken back", func() bool { return len(w.board.List()) == 0 })
	}
}

// A message is sent completely, even if a person presses Enter before the browser has drawn the last letter.
func TestRemoteSendsAtOnce(t *testing.T) {
	t.Parallel()
	needsLong(t)
	w := newWholeWall(t)
	address, _ := w.serve(t)
	ctx := browser(t, 360, 800, 1)
	enter(t, ctx, address)
	until(t, ctx, `(() => {
		const field = document.querySelector('.write input[aria-label=Message]');
		field.form.requestSubmit(); // an empty message is not sent
		field.value = 'Dinner';
		field.dispatchEvent(new Event('input', { bubbles: true }));
		field.form.requestSubmit();
		return true;
	})()`)
	until(t, ctx, "document.querySelector('.toast')?.textContent.includes('On the wall for 5 min')")
	if got := w.board.List(); len(got) != 1 || got[0].Text != "Dinner" {
		t.Errorf("got %+v", got)
	}
}

// A person can use the remote with only the keyboard. The keys of the wall work. The person reaches each control with Tab, and presses it
// with Enter or the space bar.
func TestRemoteByKeyboard(t *testing.T) {
	t.Parallel()
	needsLong(t)
	w := newWholeWall(t)
	address, _ := w.serve(t)
	ctx := browser(t, 768, 800, 1)
	enter(t, ctx, address)
	for _, one := range []struct{ key, want string }{{kb.ArrowRight, "Garden"}, {kb.ArrowLeft, "House"}, {"3", "Door"}, {"1", "House"}} {
		see(t, ctx, chromedp.KeyEvent(one.key))
		programtest.Eventually(t, one.want+" is shown", func() bool { return w.page() == one.want })
	}
	see(t, ctx, chromedp.KeyEvent(" "))
	programtest.Eventually(t, "the screen is off", func() bool { return !w.wall.Power.On() })
	see(t, ctx, chromedp.KeyEvent("?"))
	until(t, ctx, "document.querySelector('.keys')")
	see(t, ctx, chromedp.KeyEvent(kb.Escape))
	until(t, ctx, "!document.querySelector('.keys')")
	steps := []struct {
		label, key string
		touches    int // number of touches after this step. The test waits for them, because concurrent requests may arrive in any order
	}{
		{"Hall", kb.Enter, 1}, {"Hall, less", kb.Enter, 2}, {"Scene", " ", 3}, {"Pasta, 9 min", kb.Enter, 3}, {"More", kb.Enter, 3}, {"Devices", kb.Enter, 3},
		{"Refuse", kb.Enter, 3},
	}
	for _, s := range steps {
		tabTo(t, ctx, s.label)
		see(t, ctx, chromedp.KeyEvent(s.key))
		programtest.Eventually(t, s.label+" is pressed", func() bool { return len(w.touches()) >= s.touches })
	}
	programtest.Eventually(t, "the screen that asked is refused", func() bool { return len(w.deps.Pairing.Waiting(time.Now())) == 0 })
	if got := strings.Join(w.touches(), ", "); got != "0.16 0.21, light.hall 30, 0.47 0.42" {
		t.Errorf("touched at %s", got)
	}
}

// tabTo presses Tab until a control whose name begins with `label` has the focus.
func tabTo(t *testing.T, ctx context.Context, label string) {
	t.Helper()
	until(t, ctx, fmt.Sprintf("[...document.querySelectorAll('button')].some((b) => (b.ariaLabel || b.textContent).trim().startsWith(%q))", label))
	const most = 80 // maximum number of presses
	for range most {
		see(t, ctx, chromedp.KeyEvent(kb.Tab))
		there, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf("((e) => (e.ariaLabel || e.textContent).trim().startsWith(%q))(document.activeElement) && document.activeElement !== document.body", label)))
		if err != nil {
			t.Fatal(err)
		}
		if there {
			return
		}
	}
	t.Fatalf("Tab does not reach %q", label)
}

// On every part of the remote, axe-core finds no problems, touch targets are large, and nothing is
// wider than the window. This is checked at three widths and in both color schemes.
func TestRemoteScreens(t *testing.T) {
	t.Parallel()
	needsLong(t)
	axe := axeCore(t)
	w := newWholeWall(t)
	postNotice(t, w.board, notify.Notification{ID: "wash", Title: "Laundry is done", Actions: []notify.Choice{{Label: "Later", Do: []byte(`{"page":"Door"}`)}}})
	if _, err := w.parts.Timers.Do("Pasta", "start", 0, time.Now()); err != nil {
		t.Fatal(err)
	}
	w.wall.Power.AskLevel(0.6)
	address, _ := w.serve(t)
	for _, width := range []int{360, 390, 768, 1280} {
		ctx := browser(t, width, 800, 1)
		enter(t, ctx, address)
		for part, button := range map[string]string{"remote": "", "message": "Icon, duration", "devices": "Devices", "widgets": "Widgets", "keys": "Keys", "more": "More"} {
			if button != "" && part != "message" {
				tabClick(t, ctx, "More")
			}
			if button != "" && part != "more" {
				tabClick(t, ctx, button)
			}
			for _, scheme := range []string{"dark", "light"} {
				emulateScheme(t, ctx, scheme)
				until(t, ctx, settled+".then(() => true)")
				if part == "remote" { // wait until the buttons of the notification have another color than its card
					until(t, ctx, "(() => { const color = (q) => getComputedStyle(document.querySelector(q)).backgroundColor; return color('.notice .buttons button:not(.main)') !== color('.notice'); })()")
				}
				keep(t, ctx, fmt.Sprintf("%s-%d-%s", part, width, scheme))
				checkAxe(t, ctx, axe, width)
			}
			checkTargets(t, ctx, width)
			until(t, ctx, "document.documentElement.scrollWidth <= innerWidth")
			if part == "remote" { // on wide pages, the notification and the message are below the wall
				place := map[bool]string{true: ".wall .pages ~ .below", false: ".panel"}[width >= 720]
				until(t, ctx, fmt.Sprintf("['Notification', 'Message'].every((name) => document.querySelector('%s > [aria-label=' + name + ']'))", place))
			}
			if button != "" {
				see(t, ctx, chromedp.KeyEvent(kb.Escape))
				until(t, ctx, "document.querySelector('[aria-label=More]')")
			}
		}
	}
}

// tabClick clicks the button whose name begins with `label`.
func tabClick(t *testing.T, ctx context.Context, label string) {
	t.Helper()
	until(t, ctx, fmt.Sprintf("[...document.querySelectorAll('button')].some((b) => (b.ariaLabel || b.textContent).trim().startsWith(%q) && (b.click(), true))", label))
	until(t, ctx, "new Promise((go) => setTimeout(() => go(true), 150))")
}

// On a phone, a person scans the QR code. Then one tap is enough to make the wall show another page. This should take less than 10 s if
// each answer of the network takes 100 ms. The test only logs the time, because a busy machine takes longer.
func TestRemoteWalk(t *testing.T) {
	t.Parallel()
	needsLong(t)
	w := newWholeWall(t)
	address, _ := w.serve(t)
	ctx := browser(t, 390, 844, 2)
	see(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateTouch))
	const mbit = 1e6 / 8
	_, err := chromedp.Call(ctx, cdp.EmulateNetworkConditionsByRule, cdp.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*cdp.Conditions{{Latency: 100, DownloadThroughput: 10 * mbit, UploadThroughput: 5 * mbit}},
	})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	see(t, ctx, chromedp.Navigate("http://"+address+"/#token=lever"))
	until(t, ctx, "(addEventListener('click', (e) => { window.taps = (window.taps ?? 0) + e.isTrusted; }, true), true)")
	tap(t, ctx, ".pages [role=radio]:nth-child(2)")
	programtest.Eventually(t, "the page is turned", func() bool { return w.page() == "Garden" })
	t.Logf("from the address to the page: %v", time.Since(began).Round(10*time.Millisecond))
	until(t, ctx, "document.querySelector('.pages [aria-checked=true]').textContent.trim() === 'Garden'")
	if taps, err := chromedp.Run(ctx, chromedp.Evaluate[int]("window.taps")); err != nil || taps != 1 {
		t.Errorf("it took %d taps, want 1 (%v)", taps, err)
	}
}

// A phone opens a view of the wall in the phone's size. When this view has ended, the page returns to the original view.
func TestRemoteFitsThePhone(t *testing.T) {
	t.Parallel()
	needsLong(t)
	w := newWholeWall(t)
	const fitted = "~main-780x1188"
	var there atomic.Bool
	w.parts.Own["phone"] = func(_ context.Context, a control.Action) (control.Result, error) {
		if a.Args.Int("width") != 390 || a.Args.Float("scale") != 2 {
			t.Errorf("asked for %v", a.Args)
		}
		there.Store(true)
		return control.Result{"view": fitted}, nil
	}
	main := w.parts.Wall
	w.parts.Wall = func(name string) *control.Wall {
		if name == fitted && !there.Load() {
			return nil
		}
		return main("")
	}
	w.control()
	w.Server.deps.Views = func() []string { return []string{"main", fitted} }
	address, _ := w.serve(t)
	ctx := browser(t, 390, 844, 2)
	see(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateTouch))
	enter(t, ctx, address)
	if views, err := chromedp.Run(ctx, chromedp.Evaluate[string]("[...document.querySelectorAll('[aria-label=Views] .row')].map((r) => r.textContent.trim()).join('|')")); err != nil || strings.Contains(views, "~") {
		t.Errorf("views: got %s, %v", views, err)
	}
	tap(t, ctx, "[aria-label=Views] button")
	arrives(t, ctx, "location.search === '?view=' + encodeURIComponent('"+fitted+"') && document.querySelector('.picture.fitted canvas[data-shown]')")
	keep(t, ctx, "fitted")
	there.Store(false)
	arrives(t, ctx, "location.search === '?view=main' && document.querySelector('canvas[data-shown]')")
}

// arrives() waits until an expression is true. Errors are ignored, because the browser opens another page during the wait.
func arrives(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	programtest.Eventually(t, expression, func() bool {
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		return ok && err == nil
	})
}

// The page of a message has four icons and a button that shows the other icons. After a press of this button, the first of the other
// icons has the focus. If a person chooses one of the other icons, this icon stays visible. The parts of the card fit on a small phone.
func TestRemoteIcons(t *testing.T) {
	t.Parallel()
	needsLong(t)
	w := newWholeWall(t)
	address, _ := w.serve(t)
	for _, width := range []int{320, 360, 390, 1280} {
		ctx := browser(t, width, 844, 1)
		enter(t, ctx, address)
		tabClick(t, ctx, "Icon, duration")
		const shown = "[...document.querySelectorAll('.icons button')].map((b) => b.textContent.trim() || b.ariaLabel).join(' ')"
		until(t, ctx, shown+" === 'Pasta Bell Door Heart More'")
		until(t, ctx, "(() => { const b = [...document.querySelectorAll('.icons button')].pop(); return document.documentElement.scrollWidth <= innerWidth &&"+
			" Math.abs(b.getBoundingClientRect().right - document.querySelector('textarea').getBoundingClientRect().right) < 1 &&"+
			" b.clientHeight === 48; })()")
		tabTo(t, ctx, "More icons")
		see(t, ctx, chromedp.KeyEvent(kb.Enter))
		until(t, ctx, "document.activeElement.ariaLabel === 'Meal' && "+shown+".endsWith('Meal Washing machine Dog Timer')")
		press(t, ctx, ".icons [aria-label=Dog]")
		until(t, ctx, "document.querySelector('.icons [aria-label=Dog]').ariaPressed === 'true'")
		keep(t, ctx, fmt.Sprintf("icons-%d", width))
	}
}
