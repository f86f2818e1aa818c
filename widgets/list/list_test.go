package list

import (
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
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

const roomItems = `items: [{icon: mdi:sofa-outline, text: Living room, value: 21.43, unit: °}, {icon: mdi:bed-outline, text: Bedroom with a name that is long, value: 18.9, unit: °C},
 {icon: mdi:gauge, text: Battery, value: 64, unit: '%', bar: true}, {icon: mdi:lock-outline, text: Front door, value: open, map: {open: {text: unlocked, color: '#f4807a', icon: mdi:lock-open-variant-outline}}},
 {text: Hall, value: 4.2, unit: °, thresholds: [{below: 5, color: '#5bb8e8', icon: mdi:snowflake}]}]`

const busItem = `items: !data .p.stops, item: {badge: !data .item.line, text: !data .item.to, value: !data .item.min, unit: min, strike: !data .item.off, note: !data .item.note, color: !data .item.color}`

// stops() returns the value of a provider with n departures.
func stops(n int) map[string]any {
	all := []any{}
	for i := range n {
		all = append(all, map[string]any{"line": fmt.Sprint("U", i+1), "to": fmt.Sprint("Stop ", i+1), "min": float64(3 * i), "off": i == 2, "color": []string{"accent", "good", "warn"}[i%3]})
	}
	return map[string]any{"stops": all}
}

func TestListGoldens(t *testing.T) {
	card, portrait := image.Pt(420, 300), image.Pt(360, 420)
	walltest.ModernSheet(t, "list", []walltest.Scene{
		{Size: card, Widget: "{widget: list, title: Rooms, icon: mdi:home-outline, " + roomItems + "}"},
		{Size: card, Widget: "{widget: list, title: Mill Street, note: 4 min, " + busItem + "}", Feed: walltest.Published(stops(9))},
		{Size: portrait, Widget: "{widget: list, title: Notes, items: [{text: New bridge opens to cyclists on Monday and the old one closes, note: The detour ends at six., lines: 2}, {text: Pool, note: Open until nine, value: 8 min}]}"},
		{Size: image.Pt(240, 160), Widget: "{widget: list, title: Empty, empty: Nothing to buy, items: !data .p.none}", Feed: walltest.Published(map[string]any{"none": []any{}})},
		{Size: image.Pt(240, 160), Widget: "{widget: list, title: Before the first value, " + busItem + "}"},
		{Size: image.Pt(300, 220), Picture: image.Pt(320, 240), Widget: "{widget: list, title: Rooms, " + roomItems + "}"},
		{Size: image.Pt(420, 340), Locale: "he", Widget: "{widget: list, title: Rooms, " + roomItems + "}"},
	})
}

// listIn returns the list of a wall.
func listIn(d *walltest.Data) *List { return walltest.Only[*kit.Frame](d).Inner.(*List) }

// shownRows returns the texts of the shown rows in the form "text|value".
func shownRows(w *List) []string {
	var all []string
	for _, r := range w.slots {
		if r.used {
			all = append(all, string(r.text.Raw)+"|"+string(r.value.Raw)+string(r.tail.Raw))
		}
	}
	return all
}

// TestLinesOfRows checks rows with several lines, for texts that fill the lines and for shorter texts. The first line is at the height of
// the value, like the text of a row with one line. The content is vertically centered in the row.
func TestLinesOfRows(t *testing.T) {
	for _, size := range []image.Point{{X: 330, Y: 400}, {X: 640, Y: 900}} {
		file := "widgets: [{widget: list, items: [{text: H, value: 8}, {text: HHHH HHHH HHHH HHH, lines: 2, value: 8, unit: kWh}, {text: H, lines: 2, value: 8}]}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: size, Picture: size.Mul(2)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			w := listIn(d)
			one := w.slots[0].text.Ink.Min.Y - w.slots[0].value.At.Y
			for i, r := range w.slots[1:3] {
				ink := r.block.Block.Ink().Add(r.text.Box.Min).Add(image.Pt(0, r.look.drop))
				if got := ink.Min.Y - r.value.At.Y; got != one {
					t.Errorf("%v, row %d: the first line begins %d px from the value's line, want %d", size, i+1, got, one)
				}
				above, below := ink.Min.Y-r.rect.Min.Y, r.rect.Max.Y-ink.Max.Y
				if above-below > r.look.body.Size/3 || below-above > r.look.body.Size/3 {
					t.Errorf("%v, row %d: %d px above and %d below", size, i+1, above, below)
				}
			}
			if got := w.slots[1]; got.lines != 2 || len(got.tail.Raw) == 0 {
				t.Errorf("%v: %d lines and unit %q of a text that has room in two", size, got.lines, got.tail.Raw)
			}
		})
	}
}

// TestNarrowList checks that the values are complete if there is no room for texts.
func TestNarrowList(t *testing.T) {
	for _, size := range []image.Point{{X: 64, Y: 300}, {X: 96, Y: 400}} {
		file := "widgets: [{widget: list, margin: 0, items: [{icon: mdi:battery, text: Car, value: 64, unit: '%'}, {text: Room, value: 21.4, unit: °}]}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			for i, r := range listIn(d).slots {
				if r.used && (r.value.Want() > r.value.Box.Dx() || !r.value.Ink.In(r.rect)) {
					t.Errorf("%v, row %d: the value %q is cut to %v", size, i, r.value.Raw, r.value.Box)
				}
			}
		})
	}
}

func TestListFollowsAList(t *testing.T) {
	for _, tc := range []struct {
		name, widget string
		value        any
		want         []string
		more         string
	}{
		{"template", busItem, stops(2), []string{"Stop 1|0min", "Stop 2|3min"}, ""},
		{"texts", "items: !data .p", []any{"milk", 7, nil}, []string{"milk|", "7|", "|"}, ""},
		{"own keys", "items: !data .p", []any{map[string]any{"text": "milk", "value": 2}, "bread"}, []string{"milk|2", "bread|"}, ""},
		{"limit", "limit: 1, items: !data .p", []any{"a", "b"}, []string{"a|"}, ""},
		{"more than fit", busItem, stops(9), []string{"Stop 1|0min", "Stop 2|3min", "Stop 3|6min"}, "+6 more"},
		{"more than are looked at", "items: !data .p", make([]any, 497), []string{"|", "|", "|"}, "+494 more"},
		{"when of more", "items: !data .p, item: {text: x, when: !data .index > 40}", make([]any, 497), []string{"x|", "x|", "x|"}, "+6 more"},
		{"when", "items: !data .p, item: {text: !data .item.t, when: !data .item.on}", []any{map[string]any{"t": "a", "on": true}, map[string]any{"t": "b"}}, []string{"a|"}, ""},
		{"limit and when", "limit: 2, items: !data .p, item: {text: !data .item, when: !data .item > 3}", []any{1, 2, 3, 4, 5, 6}, []string{"4|", "5|"}, ""},
		{"when of more than fit", "items: !data .p, item: {text: !data .item, when: !data .item > 1}", []any{1, 2, 3, 4, 5, 6, 7, 1}, []string{"2|", "3|", "4|"}, "+3 more"},
		{"all fit close together", "items: !data .p", []any{1, 2, 3, 4, 5}, []string{"1|", "2|", "3|", "4|", "5|"}, ""},
		{"limit of more than fit", "limit: 6, items: !data .p", []any{1, 2, 3, 4, 5, 6, 7}, []string{"1|", "2|", "3|"}, "+3 more"},
		{"own when", "limit: 2, items: !data .p", []any{map[string]any{"text": "a", "when": false}, map[string]any{"text": "b", "when": true}, map[string]any{"text": "c"}, "d"}, []string{"b|", "c|"}, ""},
		{"limit of written rows", "limit: 2, items: [a, {text: b, when: !data .p == 1}, c, d]", nil, []string{"a|", "c|"}, ""},
		{"map", "items: !data .p, item: {text: x, value: !data .item, map: {'1': one, else: other}}", []any{1, 2}, []string{"x|one", "x|other"}, ""},
		{"no list", "items: !data .p", 7, nil, "—"},
		{"nothing in it", "empty: all done, items: !data .p", []any{}, nil, "all done"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			walltest.ModernBubble(t, "widgets: [{widget: list, card: false, padding: 0, margin: 0, "+tc.widget+"}]", walltest.Scene{Size: image.Pt(400, 170)}, look.Calm(true), func(d *walltest.Data) {
				d.Step(0)
				d.ByName["p"].Publish(tc.value, walltest.T0)
				d.Step(time.Second)
				if got := shownRows(listIn(d)); strings.Join(got, ";") != strings.Join(tc.want, ";") {
					t.Errorf("got %q, want %q", got, tc.want)
				}
				if got := string(listIn(d).more.Raw) + listIn(d).none.Text(); got != tc.more {
					t.Errorf("below: got %q, want %q", got, tc.more)
				}
			})
		})
	}
}

func TestListTurnsPages(t *testing.T) {
	walltest.ModernBubble(t, "widgets: [{widget: list, card: false, padding: 0, margin: 0, dwell: 10s, items: !data .p}]", walltest.Scene{Size: image.Pt(400, 85)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish([]any{"a", "b", "c", "d", "e"}, walltest.T0)
		for i, want := range []string{"a|;b|", "c|;d|", "d|;e|", "a|;b|"} {
			_, next := d.Step(time.Duration(i) * 10 * time.Second)
			if got := strings.Join(shownRows(listIn(d)), ";"); got != want {
				t.Errorf("page %d: got %s, want %s", i, got, want)
			}
			if want := walltest.T0.Add(time.Duration(i+1) * 10 * time.Second); next.After(want) {
				t.Errorf("page %d: wakes at %v, want %v", i, next, want)
			}
		}
		d.ByName["p"].Publish([]any{"x"}, walltest.T0)
		d.Step(45 * time.Second)
		if got := strings.Join(shownRows(listIn(d)), ";"); got != "x|" {
			t.Errorf("fewer rows: got %s", got)
		}
	})
}

// TestPagesOfALongList checks that a list with pages shows entries after the fiftieth, and counts the entries that no page shows.
func TestPagesOfALongList(t *testing.T) {
	for _, kind := range []string{"list", "table"} {
		for _, c := range []struct{ entries, pages, seen int }{{120, 61, 120}, {400, 152, 300}} {
			params := ""
			if kind == "table" {
				params = ", columns: [{value: !data .item}]"
			}
			file := "widgets: [{widget: " + kind + ", card: false, padding: 0, margin: 0, dwell: 10s, items: !data .p" + params + "}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 85)}, look.Calm(true), func(d *walltest.Data) {
				var all []any
				for i := range c.entries {
					all = append(all, fmt.Sprint("entry ", i+1))
				}
				d.ByName["p"].Publish(all, walltest.T0)
				seen, more := map[string]bool{}, ""
				for i := range c.pages {
					d.Step(time.Duration(i) * 10 * time.Second)
					rows := pageOf(d)
					for _, r := range rows {
						if strings.HasPrefix(r, "entry ") {
							seen[r] = true
						} else {
							more = r
						}
					}
				}
				want := ""
				if c.seen < c.entries {
					want = fmt.Sprintf("+%d more", c.entries-c.seen)
				}
				if len(seen) != c.seen || more != want {
					t.Errorf("%s: %d of %d entries in %d pages, and %q; want %d and %q", kind, len(seen), c.entries, c.pages, more, c.seen, want)
				}
			})
		}
	}
}

// pageOf returns the texts of the rows of a list or a table, and the line below them.
func pageOf(d *walltest.Data) (all []string) {
	var more string
	switch w := walltest.Only[*kit.Frame](d).Inner.(type) {
	case *List:
		for _, r := range w.slots {
			if r.used {
				all = append(all, string(r.text.Raw))
			}
		}
		more = string(w.more.Raw)
	case *table:
		for i := range w.slots {
			if w.slots[i].used {
				all = append(all, string(w.slots[i].cells[0].text.Raw))
			}
		}
		more = string(w.more.Raw)
	}
	if more != "" {
		all = append(all, more)
	}
	return all
}

func TestListDamagesOnlyRowsThatChange(t *testing.T) {
	walltest.ModernBubble(t, "widgets: [{widget: list, card: false, padding: 0, margin: 0, "+busItem+"}]", walltest.Scene{Size: image.Pt(400, 200)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish(stops(3), walltest.T0)
		d.Step(0)
		next := stops(3)
		next["stops"].([]any)[1].(map[string]any)["min"] = 99.0
		d.ByName["p"].Publish(next, walltest.T0)
		damage, _ := d.Step(time.Second)
		if row := listIn(d).slots[1].rect; len(damage) != 1 || damage[0] != row {
			t.Errorf("got damage %v, want the second row", damage)
		}
		d.ByName["p"].Publish(stops(3), walltest.T0)
		d.Step(2 * time.Second)
		if damage, _ := d.Step(3 * time.Second); len(damage) != 0 {
			t.Errorf("unchanged: got damage %v", damage)
		}
	})
}

func TestListMistakes(t *testing.T) {
	walltest.WantErrors(t, "widgets: [{widget: list, items: [{text: a}], item: {text: b}}]", "needs items: !data PROGRAM")
	walltest.WantErrors(t, "widgets: [{widget: list, items: [{icon: mdi:sofaa}]}]", "there is no icon 'mdi:sofaa'")
	walltest.WantErrors(t, "widgets: [{widget: list}]", "'items' is required")
}

// manyRows returns a list of 50 rows. The function `fill` alternates between two sets of values.
func manyRows(tb testing.TB) (w *List, fill func()) {
	p := &ListParams{Items: nil, Divider: true}
	e := walltest.TestEnv()
	e.Picture = image.Pt(1280, 720)
	size := image.Pt(600, 2400)
	b := walltest.Builder(e)
	s := &kit.Spec{Kind: "list", Errorf: func(key, format string, args ...any) { tb.Fatalf(format, args...) }}
	w = buildList(b, s, p, size).(*List)
	item := &RowItem{Wording: format.Wording{Format: ""}}
	w.src = &rowSource{item: item, word: b.Formatter(s, &item.Wording), rows: make([]rowValues, 0, piece.MaxListed), tall: make([]bool, piece.MaxListed), words: make([]*format.Formatter, 0, piece.MaxListed), items: make([]*RowItem, 0, piece.MaxListed)}
	for i := range w.src.field {
		w.src.field[i] = i
	}
	for range piece.MaxListed {
		w.slots = append(w.slots, w.look.newRow())
	}
	w.slots = w.slots[:piece.MaxListed]
	w.rules = make([]image.Rectangle, 0, piece.MaxListed)
	var cells [2]*provider.Cell
	for set := range cells {
		rows := make([]live.Row, piece.MaxListed)
		for i := range rows {
			row := make(live.Row, parts)
			row[partIcon].Value, row[partText].Value = "mdi:bus", fmt.Sprint("Stop ", i)
			row[partValue].Value, row[partUnit].Value = float64(set*100+i), "min"
			rows[i] = row
		}
		cells[set] = provider.NewCell(nil)
		cells[set].Publish(live.Rows{List: rows, All: len(rows)}, walltest.T0)
	}
	n := 0
	tick := render.NewTick(walltest.T0, size)
	return w, func() {
		w.src.list.Cell = cells[n%2]
		n++
		w.Update(tick)
	}
}

func TestListOf50RowsRefillsWithoutAllocation(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	w, fill := manyRows(t)
	for range 4 {
		fill()
	}
	if got := len(shownRows(w)); got != piece.MaxListed {
		t.Fatalf("got %d rows, want %d", got, piece.MaxListed)
	}
	m := image.NewRGBA(image.Rectangle{Max: w.size})
	c := render.NewCanvas(m)
	w.Paint(c)
	fill()
	w.Paint(c)
	if got := testing.AllocsPerRun(20, func() { fill(); w.Paint(c) }); got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

// BenchmarkListRefill fills 50 rows in which every value differs from the previous value.
func BenchmarkListRefill(b *testing.B) {
	_, fill := manyRows(b)
	fill()
	fill()
	b.ReportAllocs()
	for b.Loop() {
		fill()
	}
}

// TestStateColorsTheText checks that a state's color is also the color of the text if the row has no value. Other colors are only for the
// icon.
func TestStateColorsTheText(t *testing.T) {
	for _, tc := range []struct{ keys, want string }{
		{"color: good", "good"}, {"color: bad", "bad"}, {"color: accent", "text"}, {"color: good, value: 3", "text"}, {"color: muted, value: 3", "muted"},
	} {
		e := walltest.TestEnv()
		e.Picture = image.Pt(1280, 720)
		row := "{widget: list, card: false, padding: 0, margin: 0, items: [{text: Open, icon: mdi:check-circle, " + tc.keys + "}]}"
		m := walltest.ShowThemed(t, e, "calm", true, row, image.Pt(300, 40)).Frame
		want, n := walltest.Builder(e).Role(tc.want), 0
		for x := 40; x < 150; x++ { // the text is here, between the icon and the value
			for y := range 40 {
				if m.RGBAAt(x, y) == want {
					n++
				}
			}
		}
		if n < 20 {
			t.Errorf("%s: %d pixels of the text have the color %s", tc.keys, n, tc.want)
		}
	}
}
