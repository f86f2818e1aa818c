package wall

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"dashboard/fb/evdev"
	"dashboard/internal/testing/homeassistanttest"
	"dashboard/internal/testing/programtest"

	"github.com/chromedp/chromedp"
)

// touchedWall has two widgets. A tap on the first widget calls Home Assistant. A tap on the second widget toggles the widget's entity.
const touchedWall = `widgets:
  - widget: row
    margin: 0
    gap: 0
    children:
      - {widget: empty, color: red, on_tap: {action: light.turn_on, entity: light.hall}}
      - {widget: card, entity: light.hall, on_tap: toggle}
`

// touchedFiles returns the files of touchedWall. The wall connects to a Home Assistant and a broker.
func touchedFiles(conf, home, broker string) files {
	return files{
		"conf.yaml": conf + "homeassistant: {url: \"" + home + "\", token: !secret hass}\nmqtt: {url: \"mqtt://" + broker +
			"\", username: wall, password: !secret mqtt, id: a1b2}\nnotifications: card\n",
		"widgets.yaml": touchedWall, "secrets.yaml": "hass: " + homeassistanttest.Token + "\nmqtt: " + brokerPassword + "\n",
	}
}

// called() waits until Home Assistant has received the call of a service for light.hall.
func called(t *testing.T, home *homeassistanttest.Server, service string) {
	t.Helper()
	eventually(t, "Home Assistant is asked for "+service, func() bool {
		for _, m := range home.Asked("call_service") {
			target, _ := m["target"].(map[string]any)
			if fmt.Sprint(m["domain"], ".", m["service"]) == service && strings.Contains(fmt.Sprint(target["entity_id"]), "light.hall") {
				return true
			}
		}
		return false
	})
}

// TestTouchReachesTheHouse checks that a finger on the screen calls a service of Home Assistant. The call uses the existing connection of
// the wall.
func TestTouchReachesTheHouse(t *testing.T) {
	home := walkedHouse()
	srv := httptest.NewServer(home)
	defer srv.Close()
	at, serve := programtest.Mosquitto(t, brokerPassword)
	defer serve()()
	t.Chdir(t.TempDir())
	log := &logbook{}
	s, run := quiet(t, touchedFiles(touchConf, srv.URL, at), log)
	ctx, cancel := context.WithCancel(t.Context())
	wait, done := run(ctx), make(chan struct{})
	go func() { defer close(done); s.runAsked(ctx) }()
	defer func() { cancel(); <-done; wait() }()
	eventually(t, "the wall is connected and painted", func() bool { return home.Clients() == 1 && s.main().Loop.Stats().Frames > 0 })
	l := s.listen(evdev.Info{Name: "Great Glass 3000", Touch: true})
	if l == nil {
		t.Fatal("no screen for it")
	}
	now := int64(0)
	tap := func(x, y float64) {
		for _, down := range []bool{true, false} {
			p := &evdev.Packet{At: now}
			if down {
				p.Down, p.Fingers[0] = 1, evdev.Finger{Down: true, X: x, Y: y}
			}
			l.Packet(p)
			now += 50_000
		}
		now += 5_000_000
	}
	tap(0.25, 0.5)
	called(t, home, "light.turn_on")
	tap(0.75, 0.5)
	called(t, home, "homeassistant.toggle")
	eventually(t, "the log tells of touches", func() bool { return strings.Contains(log.String(), "via=touch") })
}

// TestPageReachesTheHouse checks that the buttons of a notification reach the broker and Home Assistant. Without -long it sends the
// requests of the wall's page. With -long it clicks in a browser. The tests of package server check that the page sends these requests.
func TestPageReachesTheHouse(t *testing.T) {
	t.Parallel()
	home := walkedHouse()
	srv := httptest.NewServer(home)
	defer srv.Close()
	at, serve := programtest.Mosquitto(t, brokerPassword)
	defer serve()()
	ear := earOn(t, at)
	port := freePort(t)
	b := launch(t, port, touchedFiles(wallConf(port, ""), srv.URL, at))
	b.serves("/frame", 200)
	ear.says("dashboard/a1b2/status", "online")
	ear.send("dashboard/a1b2/notify", `{"id": "door", "title": "Front door", "hold": true, "actions": [{"label": "Hall", "action": "light.turn_on", "entity": "light.hall", "clear": false},`+
		`{"label": "Open", "mqtt": "door/open", "payload": "NOW"}]}`, false)
	eventually(t, "it is shown", func() bool { return strings.Contains(b.text("/notify"), "Front door") })

	press := func(action string) {
		t.Helper()
		if status, body := b.post("/notify/door", `{"action": `+action+`}`); status != 200 {
			t.Fatalf("got %d %s", status, body)
		}
	}
	if *inFull {
		press = clicked(t, b.url("/"))
	}
	press("1")
	called(t, home, "light.turn_on")
	press("2")
	if got := ear.says("door/open", ""); got != "NOW" {
		t.Errorf("the broker was told %q", got)
	}
	eventually(t, "the notification is gone", func() bool { return !strings.Contains(b.text("/notify"), "Front door") })
}

// clicked() opens the remote of a wall. It returns a function that clicks the button with the number `action` in the only notification. The
// first button has the number 1.
func clicked(t *testing.T, page string) func(action string) {
	t.Helper()
	ctx := newChromium(t)
	if err := chromedp.Do(ctx, chromedp.Navigate(page)); err != nil {
		t.Fatal(err)
	}
	// The page grows while it loads, so a click may miss. The page ignores clicks while it has no connection. So pass on only a click
	// that hits the button of a connected page.
	const guard = `window.hits = 0; addEventListener('click', (e) => {
		if (e.isTrusted && e.target.closest(window.aim) && document.querySelector('.link .dot')) window.hits++;
		else e.stopImmediatePropagation();
	}, true); true`
	return func(action string) {
		t.Helper()
		selector := ".card.notice .buttons button:nth-child(" + action + ")"
		script := fmt.Sprintf("if (window.hits === undefined) { %s } window.aim = %q; window.hits = 0; true", guard, selector)
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script)); err != nil {
			t.Fatal(action, err)
		}
		button := chromedp.CSS(selector)
		eventually(t, "button "+action+" is hit", func() bool {
			if err := chromedp.Do(ctx, chromedp.WaitVisible(button), chromedp.Click(button)); err != nil {
				t.Fatal(action, err)
			}
			hit, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("window.hits > 0"))
			if err != nil {
				t.Fatal(action, err)
			}
			return hit
		})
	}
}

// newChromium starts a separate browser for a test.
func newChromium(t *testing.T) context.Context {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("needs chromium: apt install chromium")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*patience) // a limit for all steps; each step has a shorter limit
	t.Cleanup(cancel)
	// The allocator removes its folder itself, because processes of the browser can still write to it.
	ctx, end := chromedp.NewExecAllocator(ctx, chromedp.ExecPath(chromium), chromedp.WSURLReadTimeout(patience), chromedp.Headless, chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Flag("disable-dev-shm-usage", true))
	t.Cleanup(end)
	ctx, endTab := chromedp.NewContext(ctx)
	t.Cleanup(endTab)
	return ctx
}
