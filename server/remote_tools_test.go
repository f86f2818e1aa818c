package server

import (
	"context"
	"image"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// fakeSurveyor lists two widgets. The first is a text that shows notifications. The second is a value of a provider, in the upper left
// quarter of the picture.
type fakeSurveyor struct{}

func (fakeSurveyor) Survey(context.Context, string) ([]Widget, []Handle, error) {
	return []Widget{
			{Kind: "notifiabletext", Name: "note", File: "widgets.yaml", FirstLine: 2, LastLine: 9, Bounds: image.Rect(0, 0, 400, 300)},
			{
				Kind: "provider", Name: "provider", File: "widgets.yaml", FirstLine: 7, LastLine: 7, Bounds: image.Rect(0, 0, 200, 150),
				Sources: []Source{{Name: "meter", Value: `{"power":"<b>412</b>"}`, Age: 75, Stale: true, Error: "GET http://meter.lan/: refused"}},
			},
		}, []Handle{
			{
				Label: "Hall", State: "on", Icon: "mdi:square", Path: "M3 3L21 3L21 21Z", At: image.Pt(100, 75), Toggles: true,
				Entity: "light.hall", Slider: &Slider{Value: 40, Max: 100, Step: 1, Unit: "%"},
			},
			{Label: "Scene", At: image.Pt(300, 150)},
		}, nil
}

// toolsPage opens a browser and serves the page of a gray wall. The page has tools, because the wall has the control token "lever".
func toolsPage(t *testing.T) (f *fixture, address string, ctx context.Context) {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	f = newFixture(t)
	f.Server.deps.Surveyor = fakeSurveyor{}
	f.side = image.Pt(400, 300)
	f.Configure(Settings{StreamOn: true, HTTPControl: true, ControlToken: pointer("lever")})
	f.show(t, 40)
	address, _ = f.serve(t)
	return f, address, browser(t, 800, 600, 1)
}

// The page shows the names, lines and values of the widgets: after a tap on the picture, in a list, and with the keyboard.
func TestRemoteInspect(t *testing.T) {
	needsLong(t)
	t.Parallel()
	_, address, ctx := toolsPage(t)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"), chromedp.SendKeys(chromedp.CSS("#token"), "lever\r"))
	until(t, ctx, "document.querySelector('canvas[data-shown]')")
	openPart(t, ctx, "Widgets")
	until(t, ctx, "document.querySelectorAll('.list button').length === 2")
	until(t, ctx, "(document.querySelector('canvas').dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: canvasAt(0.1, 0).x, clientY: canvasAt(0, 0.1).y })), true)")
	const about = "document.querySelector('.about').innerText"
	until(t, ctx, about+".includes('provider') && "+about+".includes('widgets.yaml, line 7') && "+about+".includes('meter: 75 s ago, out of date') && "+
		about+`.includes('refused') && `+about+`.includes('{"power":"<b>412</b>"}')`)
	until(t, ctx, "Math.abs(document.querySelector('.outline').offsetWidth - document.querySelector('canvas').clientWidth / 2) < 2")
	keep(t, ctx, "inspect")
	see(t, ctx, chromedp.Focus(chromedp.CSS(".list button")), chromedp.KeyEvent(kb.Enter))
	until(t, ctx, about+".includes('notifiabletext “note”') && "+about+".includes('lines 2 to 9')")
	see(t, ctx, chromedp.KeyEvent(kb.Escape))
	until(t, ctx, "!document.querySelector('.about')")
}

// openPart opens a part of the remote from its menu.
func openPart(t *testing.T, ctx context.Context, part string) {
	t.Helper()
	press(t, ctx, "button[aria-label=More]")
	until(t, ctx, "(window.canvasAt = (x, y) => { const b = document.querySelector('canvas')?.getBoundingClientRect(); return b && { x: b.left + x * b.width, y: b.top + y * b.height }; },"+
		"[...document.querySelectorAll('button')].some((b) => b.textContent.includes('"+part+"') && (b.click(), true)))")
}

// The QR code on the screen of an appliance contains an address with the token after the #. The page stores the token and removes it from
// the address.
func TestPageTakesTheTokenOfTheCode(t *testing.T) {
	needsLong(t)
	t.Parallel()
	_, address, ctx := toolsPage(t)
	see(t, ctx, chromedp.Navigate("http://"+address+"/#token=lever"))
	until(t, ctx, "document.querySelector('canvas[data-shown]') && document.querySelector('.segment[aria-label=\"Theme\"]') && location.hash === ''")
}
