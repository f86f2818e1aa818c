package server

import (
	"context"
	"image"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// fakeSurveyor lists a text that takes notifications, with a value, in the upper left quarter.
type fakeSurveyor struct{}

func (fakeSurveyor) Survey(context.Context, string) ([]Widget, error) {
	return []Widget{
		{Kind: "notifiabletext", Name: "note", File: "widgets.yaml", FirstLine: 2, LastLine: 9, Bounds: image.Rect(0, 0, 400, 300)},
		{
			Kind: "provider", Name: "provider", File: "widgets.yaml", FirstLine: 7, LastLine: 7, Bounds: image.Rect(0, 0, 200, 150),
			Sources: []Source{{Name: "meter", Value: `{"power":"<b>412</b>"}`, Age: 75, Stale: true, Error: "GET http://meter.lan/: refused"}},
		},
	}, nil
}

// pointAt moves the pointer to a place on the page.
func pointAt(t *testing.T, ctx context.Context, x, y float64) {
	t.Helper()
	see(t, ctx, chromedp.MouseEvent(chromedp.MouseMoved, x, y))
}

// toolsPage serves a grey wall to a browser, whose tools the token "lever" brings.
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

// The page's tools appear with the control token and work.
func TestPageTools(t *testing.T) {
	needsLong(t)
	t.Parallel()
	f, address, ctx := toolsPage(t)
	see(t, ctx, chromedp.Navigate("http://"+address+"/tools"))
	until(t, ctx, greyAt(400, 300, 40)+" && !$('unlock').hidden && $('inspect').hidden && $('theme').hidden && $('ring').hidden")

	see(t, ctx, chromedp.Click(chromedp.CSS("#unlock")), chromedp.SendKeys(chromedp.CSS("#control"), "lever\r"))
	until(t, ctx, "$('unlock').hidden && !$('inspect').hidden && !$('theme').hidden && !$('ring').hidden")
	see(t, ctx, chromedp.Click(chromedp.CSS("#theme [data-mode=night]")))
	until(t, ctx, "document.querySelector('[data-mode=night]').getAttribute('aria-pressed') === 'true'")
	see(t, ctx, chromedp.Click(chromedp.CSS("#ring")))
	until(t, ctx, "$('told').textContent === 'Sent'")
	if got := string(f.notes.got); !strings.Contains(got, `"widget":"note"`) || !strings.Contains(got, `"text":"Test notification"`) {
		t.Errorf("the notification was %s", got)
	}

	see(t, ctx, chromedp.Click(chromedp.CSS("#inspect")))
	pointAt(t, ctx, 100, 100)
	until(t, ctx, `$('about').innerText.includes('provider') && $('about').innerText.includes('widgets.yaml, line 7') && $('about').innerText.includes('meter: 75 s ago, stale')
		&& $('about').innerText.includes('refused') && $('about').innerText.includes('{"power":"<b>412</b>"}')`)
	until(t, ctx, "$('outline').style.width === '400px' && $('outline').style.height === '300px'")
	keep(t, ctx, "inspect")
	pointAt(t, ctx, 600, 400)
	until(t, ctx, "$('about').innerText.includes('notifiabletext “note”') && $('about').innerText.includes('lines 2 to 9') && $('outline').style.width === '800px'")
	until(t, ctx, "$('state').innerText.includes('night') && $('state').innerText.includes('changed')")
	see(t, ctx, chromedp.Click(chromedp.CSS("#inspect")))
	until(t, ctx, "$('about').hidden && $('outline').hidden")
}

// The code on an appliance's screen brings the token behind the #, and it does not stay in the address.
func TestPageTakesTheTokenOfTheCode(t *testing.T) {
	needsLong(t)
	t.Parallel()
	_, address, ctx := toolsPage(t)
	see(t, ctx, chromedp.Navigate("http://"+address+"/tools#token=lever"))
	until(t, ctx, greyAt(400, 300, 40)+" && $('unlock').hidden && !$('theme').hidden && location.hash === ''")
}
