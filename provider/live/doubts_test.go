package live

import (
	"strings"
	"testing"
	"time"

	"dashboard/internal/extract"
	"dashboard/provider"
)

// TestDoubts: a missing key is reported with the existing keys and the most similar key. A key that only some entries have is not
// reported.
func TestDoubts(t *testing.T) {
	entries := []any{map[string]any{"name": "milk", "note": "2"}, map[string]any{"name": "bread"}}
	for _, tc := range []struct {
		items  string
		fields []string
		want   string
	}{
		{".shop.itmes", nil, ".shop has no key 'itmes': it has items, none; is 'items' meant?"},
		{".shop.itmes | map(.name)", nil, "is 'items' meant?"},
		{".shop.none", nil, ""},
		{".page.x", nil, `.page is a text and has no key 'x': it is a web page instead of data: "<html> Log in</html>"`},
		{".cut.x", nil, `it is broken JSON: "{\"x\": 1"`},
		{".void.x", nil, "it is empty"},
		{".long.x", nil, `it is: "` + strings.Repeat("ä", excerptRunes) + `…"`},
		{".later.x", nil, ""},
		{".shop.items | length", nil, ""},
		{".shop.items + 1", nil, "jq: "},
		{".shop.itmes", []string{".item.name"}, "is 'items' meant?"},
		{".shop.items", []string{".item.name", ".item.note"}, ""},
		{".shop.items", []string{".item.name", ".item.nam"}, "item: !data .item.nam: .item has no key 'nam': it has name; is 'name' meant?"},
		{".shop.items", []string{".item | objects | .text", `.item | if type == "object" then .text else . end`}, "write item: {text: !data .item.KEY} with one of its keys: name, note"},
		{".shop.items | map(.name)", []string{".item | objects | .text", `.item | if type == "object" then .text else . end`}, ""},
	} {
		w := newWall(t, "shop", "later", "page", "cut", "void", "long")
		w.cells["shop"].Publish(map[string]any{"items": entries, "none": nil}, time.Now())
		for name, text := range map[string]string{"page": "<html>\n Log in</html>", "cut": `{"x": 1`, "void": "", "long": strings.Repeat("ä", 100)} {
			w.cells[name].Publish(text, time.Now())
		}
		if tc.fields == nil {
			w.program(tc.items)
		} else {
			var fields []*extract.Program
			for _, f := range tc.fields {
				fields = append(fields, compiled(t, f))
			}
			if _, err := w.AddRows(compiled(t, tc.items), 10, fields, nil, provider.Place{}); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		for _, d := range w.Doubts() {
			got += d.Err.Error()
		}
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s %q: got %q, want %q", tc.items, tc.fields, got, tc.want)
		}
	}
}
