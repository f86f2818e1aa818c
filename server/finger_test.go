package server

import (
	"context"
	"fmt"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// `steady` is a script for every page of the tests. A busy machine may stop a page or a test for many seconds. So the script makes two
// kinds of times longer: the time after which a connection counts as lost, and the time for which a toast is shown. The page of all walls
// keeps its times, because it only polls.
//
// The script also contains the function aimAt, which chooses a point of an element. After that, only one click reaches the page, and only
// if it hits this point of the element. This is necessary because the page may move between the search for the element and the click.
const steady = `(() => {
	const slow = [5000, 6000, 10000, 60000], real = window.setTimeout;
	window.longer = 60;
	window.setTimeout = (run, ms, ...more) => {
		if (ms === 5000 && window.longer === 1) window.shortSilences = (window.shortSilences ?? 0) + 1;
		return real(run, slow.includes(ms) && !location.pathname.endsWith('/walls') ? ms * window.longer : ms, ...more);
	};
	let aim = null;
	window.aimAt = (id, selector, x, y) => {
		const e = document.querySelector(selector);
		if (aim?.id === id && aim.hit || !e) return [];
		aim = { id, selector, x, y, hit: false };
		e.scrollIntoView({ block: 'center', behavior: 'instant' });
		const b = e.getBoundingClientRect();
		return [b.x + b.width * x, b.y + b.height * y];
	};
	window.wasHit = (id) => aim?.id !== id || aim.hit;
	const hits = (e) => {
		const aimed = document.querySelector(aim.selector), b = aimed?.getBoundingClientRect();
		return aimed?.contains(e.target) && (e.type !== 'click' || Math.abs(b.x + b.width * aim.x - e.clientX) < 2 && Math.abs(b.y + b.height * aim.y - e.clientY) < 2);
	};
	for (const type of ['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'touchend', 'click', 'contextmenu']) addEventListener(type, (e) => {
		if (!aim || !e.isTrusted || type === 'click' && e.detail === 0) return; // keys click without detail
		if (!aim.hit && type !== 'contextmenu' && hits(e)) {
			aim.hit = type === 'click';
			return;
		}
		e.stopImmediatePropagation();
		e.preventDefault();
	}, { capture: true, passive: false });
})()`

// steadied() runs the script steady in every page of a window.
func steadied(t *testing.T, ctx context.Context) {
	t.Helper()
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: steady}); err != nil {
		t.Fatal(err)
	}
}

// tap touches the middle of an element with a finger.
func tap(t *testing.T, ctx context.Context, selector string) {
	t.Helper()
	strike(t, ctx, selector, .5, .5, chromedp.TapXY)
}

// press clicks the middle of an element with the mouse.
func press(t *testing.T, ctx context.Context, selector string) {
	t.Helper()
	strike(t, ctx, selector, .5, .5, func(x, y float64) chromedp.Action[chromedp.Void] { return chromedp.MouseClickXY(x, y) })
}

// strike clicks a point of an element with a finger or the mouse. x and y are shares of the element's width and height. The page does not
// receive the click if the element moves before the click, or if the finger rests too long for a tap. In these cases, strike tries again.
func strike(t *testing.T, ctx context.Context, selector string, x, y float64, with func(x, y float64) chromedp.Action[chromedp.Void]) {
	t.Helper()
	until(t, ctx, fmt.Sprintf("document.querySelector(%q)", selector))
	id := time.Now().UnixNano()
	programtest.Eventually(t, selector+" is hit", func() bool {
		at, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](fmt.Sprintf("aimAt('%d', %q, %v, %v)", id, selector, x, y)))
		if err != nil {
			t.Fatal(err)
		}
		if len(at) == 2 {
			see(t, ctx, with(at[0], at[1]))
		}
		const wait = "new Promise((go) => { const end = Date.now() + 2000, look = () => wasHit('%[1]d') || Date.now() > end ? go(wasHit('%[1]d')) : setTimeout(look, 20); look(); })"
		hit, err := chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(wait, id), chromedp.EvalAwaitPromise))
		return hit || err != nil // after an error the click has probably opened another page
	})
}
