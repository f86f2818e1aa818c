package server

import (
	"fmt"
	"testing"
)

// Duplicate of a widget in a layout asks for a place, because a copy without an area would be an error. The copy replaces a free place, or
// gets a new row. No press before the choice of a place changes the draft.
func TestEditorDuplicatePlace(t *testing.T) {
	t.Parallel()
	needsLong(t)
	const places = `{"places":[{"number":1,"parent":"w0","index":5,"area":"weather","rect":[543,5,732,433]},{"number":2,"parent":"w0","index":5,"area":"new","row":true,"words":"A new row below all"}]}`
	for _, width := range []int{390, 1280} {
		for k, want := range []string{
			"[add w0.2 w0 1 weather] [remove w0.1 <nil> <nil> <nil>]",
			"[layout w0 <nil> <nil> <nil>] [add w0.2 w0 5 calendar]",
		} {
			e := newCannedEditor(t)
			e.bodies = map[string]string{"/d1/places": places}
			weather := e.state["tree"].(map[string]any)["children"].([]any)[0].(map[string]any)["children"].([]any)[1].(map[string]any)
			weather["widget"], weather["title"] = "space", "space"
			run := openEditor(t, e, width, `choose()`, `press("Duplicate")`,
				`await soon(() => document.querySelector("header h1").textContent === "Duplicate Calendar" && document.querySelectorAll(".places .row").length === 2)`)
			if got := e.lastOp(); got != "" {
				t.Errorf("%d px: one press of Duplicate changes the draft: %s", width, got)
			}
			run(fmt.Sprintf(`document.querySelectorAll(".places .row")[%d].click()`, k), `await soon(() => document.querySelector(".toast"))`)
			e.mu.Lock()
			got := ""
			for _, op := range e.ops {
				got += fmt.Sprintf(" %v", []any{op["op"], op["node"], op["parent"], op["index"], op["area"]})
			}
			if got != " "+want {
				t.Errorf("%d px: got%s, want %s", width, got, want)
			}
			e.mu.Unlock()
		}
	}
}
