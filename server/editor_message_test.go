package server

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A message with a drawing of areas keeps its lines, and the columns of the drawing are aligned. On a phone the button of a card with an
// error is below the message, so that the message has the width of the card.
func TestEditorMessage(t *testing.T) {
	t.Parallel()
	needsLong(t)
	const text = "there is no area 'door':\n  | clock | weather |\n  | .     | weather |"
	for _, width := range []int{390, 1280} {
		e := newCannedEditor(t)
		e.state["problems"] = []any{map[string]any{"id": "p", "severity": "error", "file": "widgets.yaml", "line": 17, "column": 9, "text": text, "node": "w0.2"}}
		ctx := browser(t, width, 844, 1)
		see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
		lines := func(card string) {
			t.Helper()
			until(t, ctx, `(() => { const d = document.querySelector("`+card+` .drawing"), s = d && getComputedStyle(d); return d?.innerText === "| clock | weather |\n| .     | weather |" && s.fontFamily.includes("mono") && d.clientHeight < 3 * parseFloat(s.lineHeight); })()`)
		}
		box := `((c) => { const words = c.querySelector(".name").getBoundingClientRect(), button = c.querySelector("button").getBoundingClientRect(); return ` +
			`innerWidth < 720 ? button.top >= words.bottom && words.width > 270 : button.left >= words.right; })(document.querySelector(".error-card"))`
		lines(".error-card")
		until(t, ctx, box)
		keep(t, ctx, "wall")
		if width >= 720 { // a phone shows the same cards on its first screen
			perform(t, ctx, []string{`press("1 error")`, `await soon(() => document.querySelector("h1").textContent === "Errors and warnings")`})
			lines(".error-card")
			until(t, ctx, box)
			perform(t, ctx, []string{`press("Back")`})
		}
		perform(t, ctx, []string{`choose()`})
		lines(".problem")
		perform(t, ctx, []string{`innerWidth < 720 && press("Choose nothing")`, `press("Files", "More")`, `innerWidth < 720 && press("Files")`, `await soon(() => document.querySelector(".text-pane .error-card"))`})
		lines(".text-pane .error-card")
		until(t, ctx, box)
		keep(t, ctx, "files")
	}
}
