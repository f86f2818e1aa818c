package draft

import "testing"

const fullWall = `widgets:
  - widget: layout # the hall
    areas: ["clock free", "text text"]
    children:
      - widget: clock # a comment
        name: hall
        area: clock
        size: fit
      - {widget: space, area: free}
      - {widget: text, text: Hello, area: text}
`

// A copy of a widget in a layout gets the area of the place that a person has chosen, so that the draft has no error. The copy replaces a
// free place, or gets a new row.
func TestDuplicateIntoArea(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"widgets.yaml": fullWall, "conf.yaml": testConf})
	for name, one := range map[string]struct {
		node, area string
		index      int
		also       func(all map[string]*Node) map[string]any
		want       string
	}{
		"a free place": {"hall", "free", 1, func(all map[string]*Node) map[string]any {
			return map[string]any{"op": "remove", "node": all["space"].ID, "hash": all["space"].Hash}
		}, `widgets:
  - widget: layout # the hall
    areas: ["clock free", "text text"]
    children:
      - widget: clock # a comment
        name: hall
        area: clock
        size: fit
      - {widget: clock, area: free, size: fit}
      - {widget: text, text: Hello, area: text}
`},
		"a new row": {"Hello", "text2", 3, func(all map[string]*Node) map[string]any {
			return map[string]any{"op": "layout", "node": all["layout"].ID, "hash": all["layout"].Hash, "areas": []string{"clock free", "text text", "text2 text2"}}
		}, `widgets:
  - widget: layout # the hall
    areas: ["clock free", "text text", "text2 text2"]
    children:
      - widget: clock # a comment
        name: hall
        area: clock
        size: fit
      - {widget: space, area: free}
      - {widget: text, text: Hello, area: text}
      - {widget: text, text: Hello, area: text2}
`},
	} {
		id, state := b.open()
		all := nodes(state)
		copied := map[string]any{"op": "add", "node": all[one.node].ID, "parent": all["layout"].ID, "hash": all["layout"].Hash, "index": one.index, "area": one.area}
		after := b.call(200, "ops", id, map[string]any{"ops": []map[string]any{copied, one.also(all)}})
		if got := after["problems"].([]Problem); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
		if got := b.text(id); got != one.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, one.want)
		}
		b.call(204, "close", id, nil)
	}
}

// A copy of a use of an anchor is a widget of its own.
func TestDuplicateOfAnchor(t *testing.T) {
	t.Parallel()
	text := "anchors:\n  c: &c {widget: clock, name: hall, area: clock}\n" +
		"widgets:\n  - widget: layout\n    areas: [\"clock free\"]\n    children:\n      - *c\n"
	b := newBench(t, map[string]string{"conf.yaml": testConf, "widgets.yaml": text})
	id, state := b.open()
	all := nodes(state)
	copied := map[string]any{"op": "add", "node": all["hall"].ID, "parent": all["layout"].ID, "hash": all["layout"].Hash, "index": 1, "area": "free"}
	after := b.call(200, "ops", id, map[string]any{"ops": []map[string]any{copied}})
	if got, want := b.text(id), text+"      - {widget: clock, area: free}\n"; got != want || len(after["problems"].([]Problem)) > 0 {
		t.Errorf("got\n%s\nwant\n%s%v", got, want, after["problems"])
	}
}
