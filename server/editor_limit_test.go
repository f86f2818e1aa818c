package server

import (
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// heldLimits is a script that holds the time limits of a page's requests. The test ends these limits with endLimits(), so it does not wait for
// them.
const heldLimits = `(() => {
	const held = [];
	window.limits = [];
	AbortSignal.timeout = (ms) => { const c = new AbortController(); limits.push(ms); held.push(c); return c.signal; };
	window.endLimits = () => held.splice(0).forEach((c) => c.abort(new DOMException('', 'TimeoutError')));
})()`

// TestEditorTimeLimit checks a change that the wall does not answer. Later requests wait for this change, so the page ends it after 60 s. The
// field then shows the reason, and the next change reaches the wall.
func TestEditorTimeLimit(t *testing.T) {
	t.Parallel()
	needsLong(t)
	e := newCannedEditor(t)
	silent := make(chan bool)
	e.silent = silent
	ctx := browser(t, 1280, 800, 1)
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: heldLimits}); err != nil {
		t.Fatal(err)
	}
	see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
	perform(t, ctx, []string{`choose()`, `go("form")`, `press("Days, more")`})
	<-silent // the wall has received the change
	until(t, ctx, "limits.includes(60000)")
	perform(t, ctx, []string{`endLimits()`, `soon(() => document.querySelector('.wrong')?.textContent.includes('does not answer'))`})
	<-silent // the request has ended
	perform(t, ctx, []string{`press("Days, more")`, `soon(() => !document.querySelector('.wrong'))`})
	if got := e.lastOp(); got != "set days 4" && got != "set days 5" {
		t.Errorf("after the change without an answer, the page sent %q", got)
	}
}

// TestEditorFreePlace checks that the name of a free place stays inside the place.
func TestEditorFreePlace(t *testing.T) {
	t.Parallel()
	needsLong(t)
	e := newCannedEditor(t)
	tree := e.state["tree"].(map[string]any)
	tree["children"] = append(tree["children"].([]any), map[string]any{"id": "w0.9", "kind": "widget", "widget": "space", "area": "living_room_window", "title": "Free place", "rect": []any{1180, 600, 90, 100}})
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
	until(t, ctx, `(() => {
		const place = document.querySelector('.free-place'), name = place?.querySelector('span');
		if (!name) return false;
		const p = place.getBoundingClientRect(), n = name.getBoundingClientRect();
		return n.left >= p.left && n.right <= p.right && getComputedStyle(name).textOverflow === 'ellipsis';
	})()`)
	keep(t, ctx, "free-place-390")
}
