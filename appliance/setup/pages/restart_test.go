package pages

import (
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"dashboard/appliance/setup/flow"
)

// A correction that restarts the board leads to a page that waits for the board, and shows what to do if the board does not return. If the
// board does not restart, the page goes on after the same time.
func TestRestart(t *testing.T) {
	f := newFixture(t)
	looks := 0
	f.Problem = func() string { looks++; return "" }
	f.Machine.Warn(misspelled, true)
	form := url.Values{"number": {"14"}, "was": {"wifi_passwort = ••••••••"}, "choice": {"own"}, "line": {"update = off"}}
	has(t, "restart", f.sends(t, guest, "fix", form), "The line is fixed.", "Restarting", `data-poll="1"`, `data-limit="3"`, "within 3 minutes", "#"+iconNow)
	if looks > 0 {
		t.Error("the page of the restart waits for the wall, although the board stops soon")
	}
	f.Machine.Warn(wrongRole, true)
	f.now += flow.RestartTime - time.Second
	has(t, "until the limit", f.asks(guest, "/"+token, nil).Body.String(), "Restarting")
	f.now += time.Second
	has(t, "at the limit", f.asks(guest, "/"+token, nil).Body.String(), "role = chef")
	if looks == 0 {
		t.Error("the page after the limit does not show the wall's errors")
	}
}

// The page of a restart counts the seconds although nothing answers. At its limit, it stresses what to do. When the board answers again,
// the page goes on by itself.
func TestRestartOnAPhone(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a browser")
	}
	ctx, _ := phone(t)
	f := newFixture(t)
	base, stop := f.serveAt(t, "127.0.0.1:0")
	f.Machine.Warn(misspelled, true)
	f.Machine.Opened("127.0.0.1", false)
	f.Machine.Fix("update = off")
	see(t, ctx, chromedp.Navigate(base))
	const seconds = `document.querySelector("[data-limit]")?.textContent.match(/^for (\d+) s$/)?.[1]`
	await(t, ctx, seconds+` && !document.querySelector("#late.alert")`)
	before := lists(t, ctx, "["+seconds+"]")[0]
	stop()
	await(t, ctx, seconds+` > `+before+` || document.querySelector("[data-limit]").textContent.includes("min")`)
	lists(t, ctx, `[document.querySelector("[data-limit]").dataset.limit = "0.01"]`)
	await(t, ctx, `document.querySelector("#late.alert[role=alert]")?.offsetHeight > 40`)
	after := newFixture(t)
	after.serveAt(t, base[len("http://"):len(base)-len("/"+token)])
	await(t, ctx, `document.body?.dataset.page === "language"`) // while the page loads, it has no body
}
