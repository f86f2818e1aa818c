package server

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// openEditor opens the editor with recorded answers and runs steps in it.
func openEditor(t *testing.T, e *cannedEditor, width int, steps ...string) (run func(...string)) {
	t.Helper()
	ctx := browser(t, width, 844, 1)
	see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
	n := 0
	run = func(steps ...string) {
		t.Helper()
		perform(t, ctx, steps)
		checkTargets(t, ctx, width)
		n++
		keep(t, ctx, fmt.Sprintf("%d-%d", width, n))
	}
	run(steps...)
	return run
}

const (
	// fieldOrder returns the keys of the fields of the form, from top to bottom.
	fieldOrder = `[...document.querySelectorAll(".fields [id^=f-]")].map((e) => e.id).filter((id) => !id.endsWith("-w")).join(" ")`
	// enterText defines the function enter(), which types a text into a field. It sends the same event as a pressed key.
	enterText = `window.enter = (q, text) => { const f = document.querySelector(q); f.focus(); f.value = text; f.dispatchEvent(new Event("input", {bubbles: true})); }`
	// chooseEntry defines the function entry(), which chooses an entry of a list.
	chooseEntry = `window.entry = (q, value) => { const s = document.querySelector(q); s.value = value; s.dispatchEvent(new Event("change")); }`
	// mustHold defines the function must(), which fails if a condition is false.
	mustHold = `window.must = (ok, why) => { if (!ok) throw new Error(why); }`
)

// A field keeps its place when it gets its first value. When the form is opened again, the fields with values are first.
func TestEditorFieldStays(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, width := range []int{390, 1280} {
		e := newCannedEditor(t)
		run := openEditor(t, e, width, `choose()`, `go("form")`, `await soon(() => document.querySelector("#f-match"))`,
			enterText, `window.order = `+fieldOrder, `enter("#f-match", "work")`,
			`await soon(() => document.querySelector(".fields #f-match") && document.querySelector("[aria-label=Undo]").ariaDisabled === "false")`,
			mustHold, `document.activeElement.blur()`, `await soon(() => document.title.includes("1 changes"))`, `must(`+fieldOrder+` === order, `+fieldOrder+`)`)
		if got := e.lastOp(); got != "set match work" {
			t.Errorf("%d px: got %q, want set match work", width, got)
		}
		again := []string{`document.querySelector("[data-node='w0.1']").click()`, `await soon(() => document.querySelector("h2")?.textContent)`, `document.querySelector("[data-node='w0.2']").click()`}
		if width < 720 {
			again = []string{`press("Done")`, `press("Edit")`}
		}
		run(append(again, `await soon(() => { const now = `+fieldOrder+`; return now !== order && now.indexOf("f-match") < order.indexOf("f-match"); })`)...)
	}
}

// If a later save has changed the same lines, the button "Undo only this" opens a page with three texts of these lines: before the save,
// after the save, and now. The result has line numbers. When a person has chosen, the page sends the result and returns to the list of
// saves.
func TestEditorUndoAsks(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, width := range []int{390, 1280} {
		e := newCannedEditor(t)
		run := openEditor(t, e, width, append(editorSteps["versions"], `press("Undo only this")`,
			`await soon(() => document.querySelector("header h1").textContent === "Later saves changed the same lines")`,
			`await soon(() => [...document.querySelectorAll(".side h2")].map((h) => [...h.childNodes].find((n) => n.nodeType === 3).data).sort().join() === "As this save left it,Before this save,Now")`,
			`await soon(() => [...document.querySelectorAll(".result-box [data-line]")].map((l) => l.dataset.line).join() === "15,16,17,18")`)...)
		run(`document.querySelector(".side.yours button").click()`, `await soon(() => document.querySelector("[aria-label=Result] .mark-good"))`,
			`press("Apply")`, `await soon(() => document.querySelector("header h1").textContent === "Versions" && document.querySelector(".toast"))`)
		if e.mu.Lock(); fmt.Sprint(e.undone) != "[map[id:c take:yours]]" {
			t.Errorf("%d px: got %v, want the lines before the save", width, e.undone)
		}
		e.mu.Unlock()
		run(`press("Undo only this")`, `await soon(() => document.querySelector(".side"))`, `press("Cancel")`,
			`await soon(() => document.querySelector("header h1").textContent === "Versions")`)
	}
}

// A tap on the number of warnings opens a list with the text and the line of each warning. The button "Go there" of a warning opens the
// form at the key that causes the warning.
func TestEditorWarnings(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, width := range []int{390, 800, 1280} {
		e := newCannedEditor(t)
		e.state["problems"] = []any{map[string]any{"id": "p", "severity": "warning", "file": "widgets.yaml", "line": 17, "column": 9, "text": "'days' is longer than the calendar", "node": "w0.2"}}
		openEditor(t, e, width, `await soon(() => button(["1 warning"]))`)(`press("1 warning")`,
			`await soon(() => document.querySelector("main").textContent.replace(/\s+/g, " ").includes("widgets.yaml, line 17'days' is longer than the calendar"))`)
		openEditor(t, e, width, `press("1 warning")`, `press("Go there")`, `await soon(() => document.activeElement.id === "f-days")`)
	}
}

// The reminder of a calendar is chosen from a list of times. A person can also type another time. If the typed time is not valid, the page
// shows the reason.
func TestEditorReminder(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, width := range []int{390, 1280} {
		e := newCannedEditor(t)
		run := openEditor(t, e, width, `press("Data")`, `press("family")`, enterText, chooseEntry,
			`await soon(() => document.querySelector("#c-remind-0")?.selectedOptions[0].text === "15 minutes" && document.querySelector("#c-remind-2").selectedOptions[0].text === "no reminder")`,
			`entry("#c-remind-0", "1h")`, `await soon(() => document.title.includes("1 changes"))`)
		if got := e.lastOp(); got != "set calendars.0.remind 1h" {
			t.Errorf("%d px: got %q", width, got)
		}
		run(`entry("#c-remind-1", "other")`, `await soon(() => document.activeElement.id === "c-other-1")`,
			`enter("#c-other-1", "soon")`, `await soon(() => document.querySelector("#c-remind-w-1")?.textContent.includes("is not a time"))`)
		if got := e.lastOp(); got != "set calendars.0.remind 1h" {
			t.Errorf("%d px: a wrong time was written: %q", width, got)
		}
		run(`enter("#c-other-1", "45m")`, `await soon(() => document.title.includes("2 changes"))`)
		if got := e.lastOp(); got != "set calendars.1.remind 45m" {
			t.Errorf("%d px: got %q", width, got)
		}
	}
}

// The form of a source begins with the keys that people need. The keys for certificates and times appear only after a press of the button
// for more fields.
func TestEditorSourceForm(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, width := range []int{390, 1280} {
		for source, want := range map[string]string{"weather": "location entity key", "solar": "url update_interval"} {
			openEditor(t, newCannedEditor(t), width, `press("Data")`, `press("`+source+`")`, `await soon(() => document.querySelector(".fields [id^=f-]"))`,
				`await soon(() => document.querySelector(".fields .more"))`,
				mustHold, fmt.Sprintf(`must(%s.replaceAll("f-", "").startsWith(%q) && !document.querySelector("#f-ca_file, #f-jitter"), %s)`, fieldOrder, want, fieldOrder),
				`document.querySelector(".fields .more").click()`, `await soon(() => [...document.querySelectorAll(".fields label")].pop().textContent === "CA file")`)
		}
	}
}

// The form has the keys with values first, then the source, and then the other keys. A unit is next to its number. If there is only one
// source, the form has no list of sources.
func TestEditorFormOrder(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, width := range []int{390, 1280} {
		openEditor(t, newCannedEditor(t), width, `choose()`, `go("form")`,
			`await soon(() => [...document.querySelectorAll("section.fields")].map((e) => e.ariaLabel).join() === "Keys,From,More keys")`,
			`await soon(() => [...document.querySelectorAll("[aria-label=Keys] [id^=f-]")].map((e) => e.id).join() === "f-title,f-icon,f-days" && !document.querySelector("#f-provider"))`,
			`await soon(() => { const unit = document.querySelector(".unit span").getBoundingClientRect(), all = document.querySelector(".unit").getBoundingClientRect(); return Math.abs(unit.left - all.left - all.width / 2) < 8; })`)
	}
}

// If the draft of a new wall has only the first conf.yaml, the editor shows no changes. The form of the weather requires a town, unless
// conf.yaml has the location. If a free place is selected, the key A adds a widget that replaces the free place.
func TestEditorBegins(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, width := range []int{390, 1280} {
		e := newCannedEditor(t)
		e.state["tree"], e.state["changes"], e.state["drawn"] = nil, 1, -1
		run := openEditor(t, e, width, `await soon(() => /no changes/i.test(document.querySelector("header").textContent) && document.querySelector("header > .main").ariaDisabled === "true")`)
		run(`press("Data")`, `press("Add")`, `press("Weather")`, `await soon(() => document.querySelector("#t-town").placeholder === "Lisbon" && document.querySelector("form .main").ariaDisabled === "true")`)
		e.mu.Lock()
		e.text = "location: Lisbon\n"
		e.mu.Unlock()
		openEditor(t, e, width, `press("Data")`, `press("Add")`, `press("Weather")`, `await soon(() => document.querySelector("form .main").ariaDisabled === "false")`)
	}
	e := newCannedEditor(t)
	for _, c := range e.state["tree"].(map[string]any)["children"].([]any)[0].(map[string]any)["children"].([]any) {
		if c := c.(map[string]any); c["id"] == "w0.2" {
			c["widget"] = "space"
		}
	}
	openEditor(t, e, 1280, `choose()`, `document.querySelector("[data-node='w0.2']").dispatchEvent(new KeyboardEvent("keydown", {key: "a", bubbles: true}))`,
		`press("Clock")`, `await soon(() => document.querySelector("[role=tree]"))`)
	if got := e.lastOp(); got != "remove <nil> <nil>" {
		t.Errorf("A on a free place: got %q, want that the place is replaced", got)
	}
}

// Enter on a free place opens the gallery. After a choice, the tree has the focus, and the search of the next gallery is empty. A message
// without an action disappears when another screen opens. A message with the button Undo stays. It disappears with the next change,
// because the button would revert that change.
func TestEditorMessages(t *testing.T) {
	t.Parallel()
	needsLong(t)
	e := newCannedEditor(t)
	for _, c := range e.state["tree"].(map[string]any)["children"].([]any)[0].(map[string]any)["children"].([]any) {
		if c := c.(map[string]any); c["id"] == "w0.2" {
			c["widget"] = "space"
		}
	}
	const key = `document.querySelector("[data-node='%s']").dispatchEvent(new KeyboardEvent("keydown", {key: "%s", bubbles: true, altKey: %v}))`
	run := openEditor(t, e, 1280, mustHold, enterText, `choose()`, fmt.Sprintf(key, "w0.2", "Enter", false), `await soon(() => document.title && /gallery/.test(location.hash))`,
		`await soon(() => document.querySelectorAll(".gallery li").length > 1)`, `enter("[type=search]", "clock")`, `await soon(() => document.querySelectorAll(".gallery li").length === 1)`, `press("Clock")`,
		`await soon(() => document.activeElement.closest("[role=treeitem]"))`, `press("Add")`, `await soon(() => document.querySelector("[type=search]")?.value === "")`,
		`history.back()`, `await soon(() => document.querySelector("[data-node='w0.1']"))`, `document.querySelector("[data-node='w0.1']").click()`,
		`await soon(() => document.querySelector("#f-days"))`, fmt.Sprintf(key, "w0.1", "ArrowDown", true), `await soon(() => document.querySelector(".toast button")?.textContent === "Undo")`,
		`document.querySelector(".toast button").focus()`, // a message with the focus does not disappear after a time
		`press("Layout")`, `await soon(() => /layout/.test(location.hash))`, `must(document.querySelector(".toast"), "Undo has left with the screen")`,
		`press("Wall")`, `await soon(() => document.querySelector("#f-days"))`, `document.querySelector("[aria-label='Days, more']").click()`, `await soon(() => !document.querySelector(".toast"))`)
	e.mu.Lock()
	e.bad = true
	e.mu.Unlock()
	run(fmt.Sprintf(key, "w0.1", "ArrowDown", true), `await soon(() => document.querySelector(".toast"))`, `press("Layout")`,
		`await soon(() => /layout/.test(location.hash) && !document.querySelector(".toast"))`)
}
