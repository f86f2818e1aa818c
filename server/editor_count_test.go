package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"dashboard/internal/testing/programtest"

	"github.com/chromedp/chromedp"
)

// replaced returns the recorded body for a path, in which the fields in `with` replace fields of the body.
func replaced(t *testing.T, path string, with map[string]any) string {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal([]byte(cannedBodies[path]), &body); err != nil {
		t.Fatal(err)
	}
	for key, v := range with {
		body[key] = v
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The words of a conflict fit the numbers of changes and places.
func TestEditorWordsOfAConflict(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, c := range []struct {
		own    any
		places int
		want   string
	}{
		{map[string]any{"all": 1, "fit": 0}, 1, "One change needs you."},
		{map[string]any{"all": 1, "fit": 0}, 2, "2 changes need you."},
		{map[string]any{"all": 4, "fit": 1}, 2, "1 of 4 of your changes fits. 2 places need you."},
		{map[string]any{"all": 2, "fit": 0}, 1, "None of your 2 changes fits. One place needs you."},
		{nil, 1, "One change needs you. All others fit together."},
	} {
		e := newCannedEditor(t)
		var one struct{ Conflicts []map[string]any }
		_ = json.Unmarshal([]byte(cannedBodies["/d1/apply"]), &one)
		one.Conflicts[0]["theirs"] = "        days: 7, title: A title that is much wider than the page of a phone, and that goes on,\n"
		for k := len(one.Conflicts); k < c.places; k++ {
			next := map[string]any{}
			for key, v := range one.Conflicts[0] {
				next[key] = v
			}
			next["id"] = fmt.Sprint("c", k)
			one.Conflicts = append(one.Conflicts, next)
		}
		e.bodies = map[string]string{"/d1/apply": replaced(t, "/d1/apply", map[string]any{"own": c.own, "conflicts": one.Conflicts})}
		ctx := browser(t, 390, 844, 1)
		see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
		perform(t, ctx, []string{`choose()`, `go("form")`, `press("Days, more")`, `press("Done")`, `press("Apply")`, `press("Apply to Hall")`})
		until(t, ctx, fmt.Sprintf(`document.querySelector(".conflict .card.warn p")?.textContent.replace(/\s+/g, " ").match(/Anna's laptop saved widgets.yaml at .*?\d\d:\d\d\. (.*)$/)?.[1] === %q`, c.want))
		until(t, ctx, fmt.Sprintf(`document.querySelector(".conflict .card.warn .muted").textContent === "0 of %d"`, c.places))
		until(t, ctx, `[...document.querySelectorAll(".side, .side button")].every((e) => e.getBoundingClientRect().right <= innerWidth)`)
	}
}

// The words of a test fit the number of calendars and answers.
func TestEditorWordsOfATest(t *testing.T) {
	t.Parallel()
	needsLong(t)
	var all struct{ Calendars map[string]any }
	if err := json.Unmarshal([]byte(cannedBodies["/d1/test"]), &all); err != nil {
		t.Fatal(err)
	}
	for names, want := range map[string]string{
		"Bins": "The calendar fails.", "Anna": "1 calendar works.", "Anna Ben": "2 calendars work.", "Anna Bins": "1 of 2 calendars works.",
		"": "the answer is a web page",
	} {
		e := newCannedEditor(t)
		some := map[string]any{}
		for _, name := range strings.Fields(names) {
			some[name] = all.Calendars[name]
		}
		if one, ok := some["Bins"].(map[string]any); ok {
			one["words"] = "http://127.0.0.1:5900: the answer is a web page, not a calendar: look there"
		}
		e.bodies = map[string]string{"/d1/test": replaced(t, "/d1/test", map[string]any{"calendars": some, "details": "dial tcp: refused"})}
		ctx := browser(t, 390, 844, 1)
		see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
		perform(t, ctx, []string{`press("Data")`, `press("family")`, `press("Test")`})
		until(t, ctx, fmt.Sprintf(`document.querySelector("[aria-label=Test]").textContent.includes(%q)`, want))
		until(t, ctx, fmt.Sprintf(`(document.querySelector("[aria-label=Test] .help small")?.textContent === "dial tcp: refused") === %v`, names == ""))
		until(t, ctx, fmt.Sprintf(`(document.querySelector("[aria-label=Bins] .wrong")?.textContent.replace(/\s+/g, " ") ?? "") === %q`, map[bool]string{true: "The answer is a web page, not a calendar. Look there"}[some["Bins"] != nil]))
		until(t, ctx, `[...document.querySelectorAll(".swatches")].every((e) => e.querySelector(".muted").textContent.replace(/, .*/, "") === (e.querySelector("[aria-pressed=true]")?.ariaLabel ?? "chosen by the wall"))`)
		until(t, ctx, `document.querySelector("[aria-label='Color of Birthdays'] .muted").textContent === "warn, 9.8 : 1"`)
	}
}

// The form on a phone shows all of an upright widget. If the newest revision has errors, the line below the picture says so.
func TestEditorFormOfAnUprightWidget(t *testing.T) {
	t.Parallel()
	needsLong(t)
	e := newCannedEditor(t)
	page := e.state["tree"].(map[string]any)["children"].([]any)[0].(map[string]any)["children"].([]any)[2].(map[string]any)
	page["rect"] = []int{5, 5, 250, 560}
	e.state["revision"], e.state["drawn"] = 2, 1
	e.state["problems"] = []any{map[string]any{"id": "p", "severity": "error", "file": "widgets.yaml", "line": 3, "column": 5, "text": "not valid"}}
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
	perform(t, ctx, []string{`choose()`, `go("form")`})
	until(t, ctx, `document.querySelector(".drawn")?.textContent === "the last good draft" && !document.querySelector(".crop figcaption")?.offsetParent`)
	until(t, ctx, `(({ width, height }) => Math.abs(width / height - 250 / 560) < 0.01)(document.querySelector(".crop").getBoundingClientRect())`)
	keep(t, ctx, "upright")
}

// One button removes all devices except the device of the page, and Undo restores them.
func TestEditorRemovesOtherDevices(t *testing.T) {
	t.Parallel()
	needsLong(t)
	e := newCannedEditor(t)
	e.bodies = map[string]string{"/edit/devices": `{"devices":[{"id":"1","name":"Laptop","own":true},{"id":"2","name":"Tablet","browser":"Safari on iPad","allowed_at":"2026-05-15T10:02:00Z"},{"id":"3","name":"Phone"}]}`}
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate(serveEditor(t, e)))
	perform(t, ctx, append(slices.Clone(editorSteps["devices"]), `press("Revoke all others")`))
	until(t, ctx, `document.querySelector(".devices").textContent.includes("allowed 15 May · Safari on iPad")`)
	until(t, ctx, `document.querySelector(".toast")?.textContent.includes("2 devices may not edit any more")`)
	keep(t, ctx, "devices-removed")
	e.mu.Lock()
	if !slices.Equal(e.removed, []string{"2", "3"}) {
		t.Errorf("got %v removed, want 2 and 3", e.removed)
	}
	e.mu.Unlock()
	perform(t, ctx, []string{`press("Undo")`})
	programtest.Eventually(t, "both devices are restored", func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return len(e.removed) == 0
	})
}

// One button removes all other devices, even if one of them was removed by another page in the meantime.
func TestEditorRemovesRemovedDevice(t *testing.T) {
	t.Parallel()
	needsLong(t)
	e, f := newCannedEditor(t), newFixture(t)
	e.bodies = map[string]string{"/edit/devices": `{"devices":[{"id":"1","name":"Laptop","own":true},{"id":"2","name":"Tablet"},{"id":"3","name":"Phone"}]}`}
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case path == "/edit/" || !strings.HasPrefix(path, "/edit"):
			f.Handler().ServeHTTP(w, r)
		case path == "/edit/devices/2":
			w.WriteHeader(http.StatusNotFound)
		default:
			e.answer(t, w, r)
		}
	}))
	t.Cleanup(ts.Close)
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate(ts.URL+"/edit/"))
	perform(t, ctx, append(slices.Clone(editorSteps["devices"]), `press("Revoke all others")`))
	until(t, ctx, `document.querySelector(".toast")?.textContent.includes("2 devices may not edit any more")`)
	e.mu.Lock()
	defer e.mu.Unlock()
	if !slices.Equal(e.removed, []string{"3"}) {
		t.Errorf("got %v removed, want 3", e.removed)
	}
}
