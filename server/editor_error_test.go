package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"dashboard/internal/testing/programtest"
)

// The text mode underlines the word with an error. The card below the text names the line, and shows the wrong word and its correction as
// code. On a phone the card's button is below its message, and the name of the open file is visible.
func TestEditorTextError(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, width := range []int{390, 1280} {
		e := newCannedEditor(t)
		e.text = "widgets:\n  - widget: agenda\n    day: 3\n"
		e.state["problems"] = []any{map[string]any{"id": "p", "severity": "error", "file": "widgets.yaml", "line": 3, "column": 5, "text": "unknown key 'day', did you mean 'days'?", "node": "w0.2"}}
		ctx := browser(t, width, 844, 1)
		see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
		perform(t, ctx, editorSteps["words"])
		const root = "document.querySelector('.text-host').shadowRoot"
		until(t, ctx, "(() => { const w = "+root+".querySelector('.cm-lintRange-error'), s = getComputedStyle(w); return w.textContent === 'day' && s.textDecorationStyle === 'wavy' &&"+
			" s.textDecorationColor === getComputedStyle(document.querySelector('.error-card .icon')).color && s.backgroundImage === 'none'; })()")
		until(t, ctx, "document.querySelector('.error-card .what').textContent === 'Line 3: unknown key day, did you mean days?' && document.querySelectorAll('.error-card code').length === 2")
		until(t, ctx, "(() => { const r = document.querySelector('.file-list [aria-current=true]').getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth; })()")
		below := "document.querySelector('.error-card button').getBoundingClientRect().top >= document.querySelector('.error-card .name').getBoundingClientRect().bottom"
		until(t, ctx, fmt.Sprintf("(%s) === %t", below, width < 720))
		keep(t, ctx, fmt.Sprintf("error-%d", width))
		press(t, ctx, ".error-card button")
		until(t, ctx, root+".querySelector('.cm-content').innerText.includes('days: 3')")
	}
}

// If a widget needs a source, the editor offers the form of this source, because the user may not know the file providers.yaml. The first
// field of the form gets the focus. The form of Home Assistant also lists the Home Assistants in the network.
func TestEditorMissingSource(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, one := range []struct {
		width                int
		kind, heading, field string
		shows                string
	}{
		{390, "weather", "Weather", "t-town", "Town"},
		{1280, "weather", "Weather", "t-town", "Town"},
		{390, "homeassistant", "Home Assistant", "t-url", "http://192.168.1.5:8123"},
	} {
		e := newCannedEditor(t)
		text := "needs a provider of type " + one.kind + ", and there is none in providers.yaml"
		e.state["problems"] = []any{map[string]any{"id": "p", "severity": "error", "file": "widgets.yaml", "line": 3, "column": 5, "text": text, "node": "w0.2"}}
		ctx := browser(t, one.width, 844, 1)
		see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
		perform(t, ctx, []string{"choose()"})
		until(t, ctx, "[...document.querySelectorAll('button')].some((b) => b.textContent.trim() === 'Add the source')")
		keep(t, ctx, fmt.Sprintf("missing-source-%s-%d", one.kind, one.width))
		perform(t, ctx, []string{`press("Add the source")`})
		until(t, ctx, fmt.Sprintf("document.querySelector('header').textContent.includes(%q) && document.activeElement.id === %q", one.heading, one.field))
		until(t, ctx, fmt.Sprintf("document.querySelector('form').textContent.includes(%q)", one.shows))
	}
}

// A draft with an error has no theme. The form of the calendar, which shows colors of the theme, then asks for it at most once for each
// change, and shows no message.
func TestEditorErrorTheme(t *testing.T) {
	t.Parallel()
	needsLong(t)
	e := newCannedEditor(t)
	e.noTheme = true
	ctx := browser(t, 1280, 800, 1)
	see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
	perform(t, ctx, []string{`(window.toasts = 0, new MutationObserver(() => { if (document.querySelector('.toast')) toasts++; }).observe(document, {subtree: true, childList: true}))`,
		`choose()`, `press("Days, more")`, `await soon(() => document.querySelector("#f-days").value === "4")`,
		`press("Days, more")`, `await soon(() => document.querySelector("#f-days").value === "5")`}) // the page sends requests one after another
	if n, err := chromedp.Run(ctx, chromedp.Evaluate[int]("toasts")); err != nil || n > 0 {
		t.Errorf("a message was shown %d times, %v", n, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.themes < 1 || e.themes > 3 {
		t.Errorf("the page asked %d times for the theme, want once for each of 3 states of the draft", e.themes)
	}
}

// A double press of Delete or Duplicate acts once. The second press would delete the widget that is selected after the first one.
func TestEditorDoublePress(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for word, node := range map[string]string{"Delete": "w0.2", "Duplicate": "w0.4.0"} {
		e := newCannedEditor(t)
		ctx := browser(t, 1280, 800, 1)
		see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
		twice := fmt.Sprintf(`[...document.querySelectorAll(".actions button")].filter((b) => b.textContent.trim() === %q).forEach((b) => { b.click(); b.click(); })`, word)
		perform(t, ctx, []string{`choose()`, `document.querySelector("[data-node='` + node + `']").click()`, twice, `await soon(() => document.querySelector(".toast"))`, `choose()`, `press("Days, more")`})
		programtest.Eventually(t, "the change after it is sent", func() bool { return strings.HasPrefix(e.lastOp(), "set days") })
		if len(e.ops) != 2 || e.ops[0]["op"] == "set" {
			t.Errorf("a double press of %s and a change sent %v, want one operation and one set", word, e.ops)
		}
	}
}

// While the draft has an error, the button Apply of each screen does nothing. The header shows the number of errors beside it, and its
// title says when Apply is possible. After the correction the button opens the list of changes.
func TestEditorApplyWithAnError(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, width := range []int{390, 768, 1280} {
		e := newCannedEditor(t)
		e.state["changes"], e.state["can_undo"] = 1, true
		e.state["problems"] = []any{map[string]any{"id": "p", "severity": "error", "file": "widgets.yaml", "line": 17, "column": 9, "text": "days is 1 to 400", "node": "w0.2"}}
		const refuses = `await soon(() => { const apply = document.querySelector("header .main"); apply.click(); return location.hash !== "#apply" && apply.textContent === "Apply" &&
			apply.getAttribute("aria-disabled") === "true" && apply.title === "Apply is possible when there is no error." && document.querySelector("header").textContent.includes("1 error"); })`
		steps := []string{refuses}
		if width >= 720 {
			steps = append(steps, `press("Files")`, refuses, `press("Wall")`)
		}
		run := openEditor(t, e, width, append(steps, `await soon(() => document.documentElement.scrollWidth <= innerWidth)`)...)
		e.mu.Lock()
		e.state["problems"] = nil
		e.mu.Unlock()
		run(`choose()`, `go("form")`, `press("Days, more")`, `document.querySelector("header .main").textContent === "Done" && press("Done")`, `press("Apply")`,
			`await soon(() => document.querySelector("h1").textContent === "Apply 1 change")`)
	}
}
