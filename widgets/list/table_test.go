package list

import (
	"encoding/json"
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/provider"
	"dashboard/provider/live"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/geometry"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

const bakery = `items: !data .p, columns: [{title: Bread, value: !data .item.name}, {title: Price, value: !data .item.price, decimals: 2, unit: €, width: fit},
 {title: Change, value: !data .item.change, format: signed, width: fit, thresholds: [{above: 0.01, color: '#f4807a', icon: mdi:arrow-up}, {below: 0, color: '#58c98b'}]}]`

func breads(n int) []any {
	names := []string{"Rye with caraway seeds", "Spelt", "Baguette", "Roll", "Sourdough"}
	var all []any
	for i := range n {
		all = append(all, map[string]any{"name": names[i%len(names)], "price": 1.2 + float64(i)*1.45, "change": float64(i-1) / 10})
	}
	return all
}

func TestTableGoldens(t *testing.T) {
	card := image.Pt(460, 300)
	walltest.ModernSheet(t, "table", []walltest.Scene{
		{Size: card, Widget: "{widget: table, title: Bakery, icon: mdi:baguette, " + bakery + "}", Feed: walltest.Published(breads(4))},
		{Size: card, Widget: "{widget: table, title: Bakery, " + bakery + "}", Feed: walltest.Published(breads(12))},
		{Size: image.Pt(280, 200), Widget: "{widget: table, header: false, columns: [{value: !data .item.day}, {value: !data .item.open, align: end, color: !data .item.color}], items: [{day: Mon – Wed, open: 9 – 18}, {day: Thursday, open: 9 – 20, color: accent}, {day: Sunday, open: closed}]}"},
		{Size: image.Pt(240, 160), Widget: "{widget: table, title: Empty, empty: Sold out, " + bakery + "}", Feed: walltest.Published([]any{})},
		{Size: image.Pt(240, 160), Widget: "{widget: table, title: No value yet, " + bakery + "}"},
		{Size: image.Pt(300, 220), Picture: image.Pt(320, 240), Widget: "{widget: table, title: Bakery, " + bakery + "}", Feed: walltest.Published(breads(9))},
		{Size: card, Locale: "he", Widget: "{widget: table, title: Bakery, " + bakery + "}", Feed: walltest.Published(breads(3))},
	})
}

// shownCells returns the texts of the shown cells, row by row.
func shownCells(w *table) string {
	var rows []string
	for i := range w.slots {
		if !w.slots[i].used {
			continue
		}
		var cells []string
		for k := range w.slots[i].cells {
			cells = append(cells, string(w.slots[i].cells[k].text.Raw)+string(w.slots[i].cells[k].tail.Raw))
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	return strings.Join(rows, ";")
}

func TestTableFollowsAList(t *testing.T) {
	const cols = "columns: [{title: A, value: !data .item.a}, {title: B, value: !data .item.b, unit: !data .item.u, map: {off: gone}}]"
	entry := func(a, b, u any) map[string]any { return map[string]any{"a": a, "b": b, "u": u} }
	for _, tc := range []struct {
		name, params string
		value        any
		want, more   string
	}{
		{"rows", "items: !data .p, " + cols, []any{entry("x", 1.5, "kg"), entry("y", "off", nil)}, "x|1.5kg;y|gone", ""},
		{"no value", "items: !data .p, " + cols, []any{entry(nil, 1, nil)}, "—|1", ""},
		{"written", "items: [{a: p, b: 2}, {a: q}], " + cols, nil, "p|2;q|—", ""},
		{"index", "items: !data .p, columns: [{value: !data .index + 1}, {value: !data .item}]", []any{"a", "b"}, "1|a;2|b", ""},
		{"limit", "limit: 1, items: !data .p, " + cols, []any{entry("x", 1, nil), entry("y", 2, nil)}, "x|1", ""},
		{"more than fit", "items: !data .p, columns: [{value: !data .item}]", []any{1, 2, 3, 4, 5, 6}, "1;2;3", "+3 more"},
		{"more than are looked at", "items: !data .p, columns: [{value: !data .item}]", make([]any, 497), "—;—;—", "+494 more"},
		{"no list", "items: !data .p, " + cols, 7, "", "—"},
		{"empty", "empty: none, items: !data .p, " + cols, []any{}, "", "none"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			walltest.ModernBubble(t, "widgets: [{widget: table, "+walltest.BareCard+tc.params+"}]", walltest.Scene{Size: image.Pt(400, 150)}, look.Calm(true), func(d *walltest.Data) {
				d.Step(0)
				d.ByName["p"].Publish(tc.value, walltest.T0)
				d.Step(time.Second)
				w := walltest.Only[*kit.Frame](d).Inner.(*table)
				if got := shownCells(w); got != tc.want {
					t.Errorf("got %q, want %q", got, tc.want)
				}
				if got := string(w.more.Raw) + w.none.Text(); got != tc.more {
					t.Errorf("below: got %q, want %q", got, tc.more)
				}
			})
		})
	}
}

func TestTableTurnsPages(t *testing.T) {
	walltest.ModernBubble(t, "widgets: [{widget: table, "+walltest.BareCard+"dwell: 10s, items: !data .p, columns: [{value: !data .item}]}]", walltest.Scene{Size: image.Pt(400, 85)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish([]any{"a", "b", "c", "d", "e"}, walltest.T0)
		for i, want := range []string{"a;b", "c;d", "d;e", "a;b"} {
			d.Step(time.Duration(i) * 10 * time.Second)
			if got := shownCells(walltest.Only[*kit.Frame](d).Inner.(*table)); got != want {
				t.Errorf("page %d: got %s, want %s", i, got, want)
			}
		}
	})
}

func TestTableDamagesOnlyRowsThatChange(t *testing.T) {
	walltest.ModernBubble(t, "widgets: [{widget: table, "+walltest.BareCard+"items: !data .p, columns: [{value: !data .item}]}]", walltest.Scene{Size: image.Pt(400, 200)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish([]any{"a", "b", "c"}, walltest.T0)
		d.Step(0)
		d.ByName["p"].Publish([]any{"a", "x", "c"}, walltest.T0)
		damage, _ := d.Step(time.Second)
		h := walltest.Only[*kit.Frame](d).Inner.(*table).look.height
		if len(damage) != 1 || damage[0] != image.Rect(0, h, 400, 2*h) {
			t.Errorf("got damage %v, want the second row", damage)
		}
	})
}

func TestTableMistakes(t *testing.T) {
	walltest.WantErrors(t, "widgets: [{widget: table, items: [a], columns: []}]", "columns")
	walltest.WantErrors(t, "widgets: [{widget: table, items: [a], columns: [{value: 1, format: sigend}]}]", "is no word for a format")
}

// manyCells returns a table of 50 rows. The function `fill` alternates between two sets of values.
func manyCells(tb testing.TB) (w *table, fill func()) {
	e := walltest.TestEnv()
	e.Picture = image.Pt(1280, 720)
	b := walltest.Builder(e)
	s := &kit.Spec{Kind: "table", Errorf: func(key, format string, args ...any) { tb.Fatalf(format, args...) }}
	size := image.Pt(600, 2400)
	p := &TableParams{Divider: true}
	list := provider.Typed[live.Rows]{Cell: provider.NewCell(nil)}
	b.Listed[kit.TableKey{Of: p, Scope: ""}] = list
	w = buildTable(b, s, p, size).(*table)
	for i := range 4 {
		w.columns = append(w.columns, tableColumn{word: b.Formatter(s, &format.Wording{}), head: piece.NewSnippet(b, w.look.note, kit.EdgeStart),
			value: cellPart{field: 2 * i}, unit: cellPart{field: 2*i + 1}, color: cellPart{field: -1}})
		w.tracks = append(w.tracks, geometry.Track{Fit: i > 0, Share: float64(1 - min(i, 1))})
	}
	w.spans, w.before = make([]geometry.Span, 4), make([]geometry.Span, 4)
	w.slots = make([]tableRow, piece.MaxListed)
	for i := range w.slots {
		for c := range w.columns {
			w.slots[i].cells = append(w.slots[i].cells, w.look.newCell(&w.columns[c]))
		}
	}
	var cells [2]*provider.Cell
	for set := range cells {
		rows := make([]live.Row, piece.MaxListed)
		for i := range rows {
			rows[i] = make(live.Row, 8)
			rows[i][0].Value = fmt.Sprint("Stop ", i)
			for c := 1; c < 4; c++ {
				rows[i][2*c].Value, rows[i][2*c+1].Value = float64(set*100+i*c), "min"
			}
		}
		cells[set] = provider.NewCell(nil)
		cells[set].Publish(live.Rows{List: rows, All: len(rows)}, walltest.T0)
	}
	n, tick := 0, render.NewTick(walltest.T0, size)
	return w, func() {
		w.items.Cell = cells[n%2]
		n++
		w.Update(tick)
	}
}

func TestTableOf50RowsRefillsWithoutAllocation(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	w, fill := manyCells(t)
	m := render.NewCanvas(image.NewRGBA(image.Rectangle{Max: w.size}))
	for range 4 {
		fill()
		w.Paint(m)
	}
	if got := strings.Count(shownCells(w), ";") + 1; got != piece.MaxListed {
		t.Fatalf("got %d rows, want %d", got, piece.MaxListed)
	}
	if got := testing.AllocsPerRun(20, func() { fill(); w.Paint(m) }); got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

// BenchmarkTableRefill fills 50 rows of four columns in which every value differs from the previous value.
func BenchmarkTableRefill(b *testing.B) {
	_, fill := manyCells(b)
	fill()
	fill()
	b.ReportAllocs()
	for b.Loop() {
		fill()
	}
}

// TestIsNumber checks that a text counts as a number only if it is a JSON number.
func TestIsNumber(t *testing.T) {
	for _, s := range []string{"", "-", "0", "-0", "01", "1.", ".5", "1.5", "1e3", "1E+3", "1e", "1e+", "12:30", "0x1", "1 ", "+1", "-12.5e-3", "Infinity", "NaN", "1.5.2"} {
		var n float64
		if want := json.Unmarshal([]byte(s), &n) == nil && !strings.Contains(s, " "); format.IsNumber(s) != want {
			t.Errorf("%q: got %v, want %v", s, !want, want)
		}
	}
}

// TestTableUnitsLeaveFirst checks that a table that is too narrow hides its units. Values stay complete, and names keep room for at least
// two letters.
func TestTableUnitsLeaveFirst(t *testing.T) {
	for width, bare := range map[int]bool{400: false, 200: true} {
		walltest.ModernBubble(t, "widgets: [{widget: table, "+strings.ReplaceAll(bakery, "€", "kronor")+"}]", walltest.Scene{Size: image.Pt(width, 200)}, look.Calm(true), func(d *walltest.Data) {
			d.ByName["p"].Publish(breads(2), walltest.T0)
			d.Step(time.Second)
			w := walltest.Only[*kit.Frame](d).Inner.(*table)
			price := &w.slots[0].cells[1]
			if price.tail.Ink.Empty() != bare {
				t.Errorf("%d px: the unit is at %v, want it left out: %v", width, price.tail.Ink, bare)
			}
			if name := &w.slots[0].cells[0]; price.text.Box.Dx() < price.text.Want() || name.text.Box.Dx() < 2*name.text.Face.Size {
				t.Errorf("%d px: the value has %d px of %d, the name %d", width, price.text.Box.Dx(), price.text.Want(), name.text.Box.Dx())
			}
		})
	}
}

// TestNarrowNumberKeepsItsDegree checks that a number without room takes a shorter form and keeps its degree sign.
func TestNarrowNumberKeepsItsDegree(t *testing.T) {
	const widget = `{widget: table, header: false, items: [{v: 123456.7}], columns: [{value: !data .item.v, unit: "°"}]}`
	e := walltest.TestEnv()
	e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(1280, 720)
	shorter := 0
	for width := 60; width < 300; width += 8 {
		words := strings.Join(walltest.ShowThemed(t, e, "calm", true, widget, image.Pt(width, 80)).Words(), " ")
		if strings.ContainsAny(words, "0123456789") && !strings.Contains(words, "°") {
			t.Errorf("%d px: got %q, want a degree sign", width, words)
		}
		if strings.Contains(words, "K") {
			shorter++
		}
	}
	if shorter == 0 {
		t.Error("no width has a shorter form")
	}
}
