package format_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"dashboard/widgets/kit/format"
	"dashboard/widgets/walltest"
)

// TestPlainTextOfMuch checks that a list or a mapping is written as JSON. Only the beginning of a long value is read. A list of 20,000
// entries therefore takes about as long as a list of 1,000.
func TestPlainTextOfMuch(t *testing.T) {
	var list []any
	mapping := map[string]any{}
	for i := range 20_000 {
		list = append(list, map[string]any{"title": strings.Repeat("<x>", 20), "n": i})
		mapping[fmt.Sprintf("key %06d", i)] = []any{nil, true, 1.5, "é"}
	}
	for name, v := range map[string]any{
		"list": list, "mapping": mapping, "short": list[:2], "empty": []any{}, "nothing": map[string]any{}, "one": map[string]any{"b": "é", "a": []any{1.0, 1e300}},
		"word": []any{strings.Repeat("ab\"é", 50_000)}, "nested": []any{[]any{[]any{list}}},
	} {
		whole, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := format.PlainText(v), format.Short(string(whole)); got != want {
			t.Errorf("%s: got %d bytes, %.80q, want %d, %.80q", name, len(got), got, len(want), want)
		}
	}
	if got := format.PlainText([]any{math.NaN()}); got != "" {
		t.Errorf("nan: got %q", got)
	}
	if walltest.RaceEnabled {
		return
	}
	for name, v := range map[string]any{"list": list, "nested": []any{list}} {
		few := testing.AllocsPerRun(5, func() { format.PlainText(list[:1000]) })
		if got := testing.AllocsPerRun(5, func() { format.PlainText(v) }); got > 2*few+100 {
			t.Errorf("%s: got %v allocations, of a hundredth of it %v", name, got, few)
		}
	}
}
