package server

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"dashboard/control"
	"dashboard/internal/testing/programtest"
)

// aCard simulates the updates of a card. The test sets their state. aCard records the requests.
type aCard struct {
	state atomic.Pointer[map[string]any]
	mu    sync.Mutex
	asked []string
}

func (c *aCard) set(f map[string]any) {
	all := map[string]any{
		"version": "1.5.2", "channel": "stable", "window": "03:00-04:00", "source": true, "asked": published, "next": published.Add(6 * 3600e9),
	}
	for k, v := range f {
		all[k] = v
	}
	c.state.Store(&all)
}

func (c *aCard) do(_ context.Context, a control.Action) (control.Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, a.Args.Text("action")+a.Args.Text("window"))
	return nil, nil
}

func (c *aCard) last() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.asked) == 0 {
		return ""
	}
	return c.asked[len(c.asked)-1]
}

// cardStates returns the states of the card that the page of updates shows, by name.
func cardStates() map[string]map[string]any {
	notes := []string{"Moon and tides on the weather card", "Calendars with 12 colors", "Fixed: clock after a time change"}
	offer := map[string]any{"latest": "1.6.0", "ready": true, "size": 1_800_000, "notes": notes, "back": "1.5.1"}
	with := func(more map[string]any) map[string]any {
		all := map[string]any{}
		for _, m := range []map[string]any{offer, more} {
			for k, v := range m {
				all[k] = v
			}
		}
		return all
	}
	return map[string]map[string]any{
		"offer":   offer,
		"newest":  {"back": "1.5.1"},
		"writes":  with(map[string]any{"phase": "write", "percent": 62}),
		"trial":   with(map[string]any{"phase": "trial", "percent": 100}),
		"failed":  with(map[string]any{"ready": false, "failed": "1.6.0", "why": "showed no picture in time", "waits": "the release was tried and given up", "back": ""}),
		"refused": {"problem": "the manifest is not signed with a key of this board, or was changed later"},
		"frozen":  with(map[string]any{"warning": "The newest release was signed on 2 May 2026: the server may hold newer ones back"}),
		"off":     {"channel": "off", "back": "1.5.1"},
		"nowhere": {"source": false},
		"long": with(map[string]any{
			"latest": "0.1.0~20261124.d4f8a1b2c3e4-dirty", "version": "0.1.0~20261123.0a1b2c3d4e5f",
			"notes": []string{"Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen and other words that are longer than a line of a phone"},
		}),
	}
}

// updatesPage opens the page of updates in a browser.
func updatesPage(t *testing.T, c *aCard, width, height int) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	f := newFixture(t)
	f.parts.Own = map[string]control.Effect{"update": c.do}
	f.control()
	f.Server.deps.Update = func() any { return *c.state.Load() }
	f.show(t, 40)
	address, _ := f.serve(t)
	ctx := browser(t, width, height, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('button[aria-label=More]')")
	openPart(t, ctx, "Updates")
	until(t, ctx, "document.querySelector('h1').innerText === 'Updates'")
	return ctx
}

// In every state and at three widths, nothing on the page is cut, and axe-core finds no problems.
func TestUpdatesPage(t *testing.T) {
	needsLong(t)
	t.Parallel()
	axe := axeCore(t)
	c := &aCard{}
	for _, size := range [][2]int{{390, 844}, {360, 640}, {1280, 800}} {
		c.set(nil)
		ctx := updatesPage(t, c, size[0], size[1])
		for name, state := range cardStates() {
			c.set(state)
			until(t, ctx, pageShows(state))
			until(t, ctx, "document.documentElement.scrollWidth <= innerWidth")
			checkAxe(t, ctx, axe, size[0])
			checkTargets(t, ctx, size[0])
			keep(t, ctx, "updates-"+name+"-"+strconv.Itoa(size[0]))
		}
	}
}

// pageShows returns an expression that is true if the page of updates shows the given state.
func pageShows(state map[string]any) string {
	text := "document.querySelector('main').innerText"
	switch {
	case state["problem"] != nil:
		return text + ".includes('Not taken')"
	case state["phase"] == "write":
		return text + ".includes('62 %')"
	case state["phase"] == "trial":
		return text + ".includes('restarts into it')"
	case state["warning"] != nil:
		return text + ".includes('2 May 2026')"
	case state["failed"] != nil:
		return text + ".includes('Still on 1.5.2') && " + text + ".includes('Try it once more')"
	case state["source"] == false:
		return text + ".includes('update_url')"
	case state["channel"] == "off":
		return text + ".includes('Nothing is fetched')"
	case state["latest"] != nil:
		return text + ".includes('Update now') && " + text + ".includes(" + strconv.Quote(state["latest"].(string)+" is here") + ")"
	}
	return text + ".includes('It is the newest')"
}

// The page installs a release. It asks for a confirmation before it returns to the earlier version.
// It also sets a channel and the hours for updates.
func TestUpdatesPageAsks(t *testing.T) {
	needsLong(t)
	t.Parallel()
	c := &aCard{}
	c.set(cardStates()["offer"])
	ctx := updatesPage(t, c, 390, 844)
	press := func(label string) {
		t.Helper()
		until(t, ctx, "[...document.querySelectorAll('main button')].some((b) => b.innerText.trim() === "+strconv.Quote(label)+" && (b.click(), true))")
	}
	asked := func(want string) {
		t.Helper()
		programtest.Eventually(t, "asked "+want, func() bool { return c.last() == want })
	}
	until(t, ctx, `/Asked \d+ d ago/.test(document.querySelector('main').innerText)`)
	press("Update now")
	asked("install")
	press("Beta")
	asked("beta")
	press("Ask now")
	asked("check")
	press("Go back")
	until(t, ctx, "document.querySelector('main').innerText.includes('1.5.1 for good?')")
	keep(t, ctx, "updates-sure")
	press("Keep 1.5.2")
	until(t, ctx, "!document.querySelector('main').innerText.includes('for good?')") // this waits until the page has drawn the change
	press("Go back")
	until(t, ctx, "document.querySelector('main').innerText.includes('Updates are off until you turn them on')")
	if c.last() != "check" {
		t.Fatalf("it went back without asking: %q", c.last())
	}
	press("Go back")
	asked("back")
	until(t, ctx, "[...document.querySelectorAll('main button.row')].some((b) => b.innerText.includes('By itself') && (b.click(), true))")
	keep(t, ctx, "updates-hours")
	press("Save")
	asked("03:00-04:00")
}
