package list

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// lines() returns entries that contain lists.
func lines(stops ...int) map[string]any {
	all := []any{}
	for i, n := range stops {
		of := []any{}
		for k := range n {
			of = append(of, map[string]any{"stop": fmt.Sprintf("%c%d", 'a'+i, k+1), "min": float64(3 + 4*k)})
		}
		all = append(all, map[string]any{"line": fmt.Sprintf("Line %c", 'A'+i), "stops": of})
	}
	return map[string]any{"all": all}
}

const (
	nestedRows    = `item: {widget: list, size: 236, title: !data .item.line, items: !data .item.stops, item: {text: !data .item.stop, note: !data '"\(.index + 1). stop"', value: !data .item.min}}`
	nestedOwnKeys = `item: {widget: list, size: 236, title: !data .item.line, items: !data '.item.stops | map({text: .stop, value: .min})'}`
	nestedTable   = `item: {widget: table, size: 236, title: !data .item.line, header: false, items: !data .item.stops, columns: [{value: !data .item.stop}, {value: !data .item.min}]}`
	nestedWidgets = `item: {widget: list, size: 310, title: !data .item.line, items: !data .item.stops, item: {widget: card, size: 80, title: !data .item.stop, value: !data .item.min}}`
)

// nestedIn describes the content that each entry of the outer list shows.
func nestedIn(d *walltest.Data) string {
	var all []string
	for _, k := range walltest.Only[*kit.Frame](d).Inner.(*widgetList).kids {
		if k.Rect.Empty() {
			continue
		}
		f := k.Widget.(*kit.Guard).Inner.(*kit.Frame)
		all = append(all, f.Head.TitleIn.Text()+": "+innerRows(f.Inner))
	}
	return strings.Join(all, "; ")
}

func innerRows(w any) string {
	switch w := w.(type) {
	case *List:
		return strings.Join(shownRows(w), ", ")
	case *table:
		return shownCells(w)
	case *widgetList:
		var all []string
		for _, k := range w.kids {
			if !k.Rect.Empty() {
				f := k.Widget.(*kit.Guard).Inner.(*kit.Frame)
				all = append(all, f.Head.TitleIn.Text())
			}
		}
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%T", w)
}

// TestNestedLists checks a list or a table inside an entry of another list. In the parameter `items` of the inner list, .item is the
// outer entry. In the rows of the inner list, .item is the inner entry. The inner list and its rows change with the provider's value. A
// step without changes allocates no memory.
func TestNestedLists(t *testing.T) {
	for _, tc := range []struct{ name, item, want, then string }{
		{"rows", nestedRows, "Line A: a1|3, a2|7; Line B: b1|3", "Line A: ; Line B: b1|3, b2|7"},
		{"entries with keys of their own", nestedOwnKeys, "Line A: a1|3, a2|7; Line B: b1|3", "Line A: ; Line B: b1|3, b2|7"},
		{"a table", nestedTable, "Line A: a1|3;a2|7; Line B: b1|3", "Line A: ; Line B: b1|3;b2|7"},
		{"widgets", nestedWidgets, "Line A: a1, a2; Line B: b1", "Line A: ; Line B: b1, b2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: !data .p.all, " + tc.item + "}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 660)}, look.Calm(true), func(d *walltest.Data) {
				d.ByName["p"].Publish(lines(2, 1), walltest.T0)
				d.Step(0)
				if got := nestedIn(d); got != tc.want {
					t.Errorf("got %q, want %q", got, tc.want)
				}
				d.ByName["p"].Publish(lines(0, 2), walltest.T0.Add(time.Second))
				d.Step(time.Second)
				if got := nestedIn(d); got != tc.then {
					t.Errorf("then got %q, want %q", got, tc.then)
				}
				now := walltest.T0.Add(2 * time.Second)
				d.Step(2 * time.Second)
				if got := testing.AllocsPerRun(20, func() { d.R.Step(now) }); got != 0 && !walltest.RaceEnabled {
					t.Errorf("a step in which nothing changes: %v allocations", got)
				}
			})
		})
	}
}

// TestNestedMistakes checks that unknown names are also reported in inner lists, and that lists of widgets can be nested two levels deep.
func TestNestedMistakes(t *testing.T) {
	for want, item := range map[string]string{
		"no provider is named 'itme'":      "{widget: list, items: !data .itme.stops, item: {text: !data .item.stop}}",
		"no provider is named 'q'":         "{widget: list, items: !data .item.stops, item: {widget: text, text: !data .q}}",
		"whose entries are widgets go 2 d": "{widget: list, items: !data .item.a, item: {widget: list, items: !data .item.b, item: {widget: text, text: !data .item}}}",
	} {
		if got := complaints(t, "widgets: [{widget: list, items: !data .p, item: "+item+"}]"); strings.Count(got, want) != 1 {
			t.Errorf("%s: got %q, want %q once", item, got, want)
		}
	}
}

func TestNestedListGoldens(t *testing.T) {
	var scenes []walltest.Scene
	for _, item := range []string{nestedRows, nestedTable, nestedWidgets} {
		scenes = append(scenes, walltest.Scene{Size: image.Pt(360, 660), Widget: "{widget: list, card: false, items: !data .p.all, " + item + "}", Feed: walltest.Published(lines(2, 1))})
	}
	walltest.ModernSheet(t, "list-nested", scenes)
}
