package list

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

// printers() returns n entries of a list.
func printers(n int) map[string]any {
	all := []any{}
	for i := range n {
		all = append(all, map[string]any{"name": fmt.Sprint("Printer ", i+1), "ink": float64(90 - 25*i), "on": i != 2})
	}
	return map[string]any{"all": all}
}

const printerItem = `items: !data .p.all, item: {widget: progress, padding: 0, title: !data .item.name, note: !data '"\(.index + 1)."', value: !data .item.ink, unit: '%', thresholds: [{below: 20, color: '#f4807a'}], size: 84}`

func TestListItemGoldens(t *testing.T) {
	walltest.ModernSheet(t, "list-item", []walltest.Scene{
		{Size: image.Pt(360, 380), Widget: "{widget: list, title: Ink, icon: mdi:printer-outline, " + printerItem + "}", Feed: walltest.Published(printers(3))},
		{Size: image.Pt(360, 380), Widget: "{widget: list, title: Ink, " + printerItem + "}", Feed: walltest.Published(printers(9))},
		{Size: image.Pt(360, 380), Widget: "{widget: list, card: false, items: !data .p.all, item: {widget: card, title: !data .item.name, value: !data .item.ink, unit: '%', size: 120}}", Feed: walltest.Published(printers(3))},
		{Size: image.Pt(240, 160), Widget: "{widget: list, title: None, empty: No printer, " + printerItem + "}", Feed: walltest.Published(printers(0))},
		{Size: image.Pt(240, 160), Widget: "{widget: list, title: Texts, items: [Milk, Bread, 12]}"},
		{Size: image.Pt(360, 300), Locale: "he", Widget: "{widget: list, title: Ink, " + printerItem + "}", Feed: walltest.Published(printers(3))},
	})
}

// shownEntries returns the titles of the shown widgets.
func shownEntries(d *walltest.Data) string {
	w := walltest.Only[*kit.Frame](d).Inner.(*widgetList)
	var all []string
	for _, k := range w.kids {
		if !k.Rect.Empty() {
			f := k.Widget.(*kit.Guard).Inner.(*kit.Frame)
			all = append(all, f.Head.TitleIn.Text()+" "+f.Head.NoteIn.Text())
		}
	}
	return strings.Join(all, ", ") + "|" + string(w.more.Raw)
}

// TestListItemFollows checks that each widget shows its entry and is removed together with the
// entry. A condition can hide a widget. The last line counts the entries that do not fit.
func TestListItemFollows(t *testing.T) {
	const list = "widgets: [{widget: list, card: false, padding: 0, margin: 0, gap: 0, "
	wanted := strings.Replace(printerItem, "size: 84", "size: 84, when: !data .item.on", 1)
	for _, tc := range []struct {
		name, widget string
		n            []int
		want         []string
	}{
		{"comes and goes", printerItem, []int{0, 2, 1}, []string{"|—", "Printer 1 1., Printer 2 2.|", "Printer 1 1.|"}},
		{"more than fit", printerItem, []int{9}, []string{"Printer 1 1., Printer 2 2., Printer 3 3.|+6 more"}},
		{"more than are looked at", printerItem, []int{497}, []string{"Printer 1 1., Printer 2 2., Printer 3 3.|+494 more"}},
		{"limit", "limit: 1, " + printerItem, []int{3}, []string{"Printer 1 1.|"}},
		{"limit beyond the room", "limit: 5, " + printerItem, []int{9}, []string{"Printer 1 1., Printer 2 2., Printer 3 3.|+2 more"}},
		{"limit of those whose condition holds", "limit: 3, " + wanted, []int{9}, []string{"Printer 1 1., Printer 2 2., Printer 4 4.|"}},
		{"more whose condition holds than fit", wanted, []int{9}, []string{"Printer 1 1., Printer 2 2., Printer 4 4.|+5 more"}},
		{"when", wanted, []int{3}, []string{"Printer 1 1., Printer 2 2.|"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			walltest.ModernBubble(t, list+tc.widget+"}]", walltest.Scene{Size: image.Pt(300, 280)}, look.Calm(true), func(d *walltest.Data) {
				for i, n := range tc.n {
					d.ByName["p"].Publish(printers(n), walltest.T0)
					d.Step(time.Duration(i) * time.Second)
					if got := shownEntries(d); got != tc.want[i] {
						t.Errorf("%d entries: got %q, want %q", n, got, tc.want[i])
					}
				}
			})
		})
	}
}

// TestListItemTurnsPages checks that the next widgets are shown after the time in the key `dwell`.
func TestListItemTurnsPages(t *testing.T) {
	walltest.ModernBubble(t, "widgets: [{widget: list, card: false, padding: 0, margin: 0, gap: 0, dwell: 10s, "+printerItem+"}]", walltest.Scene{Size: image.Pt(300, 180)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish(printers(5), walltest.T0)
		for i, want := range []string{"Printer 1 1., Printer 2 2.|", "Printer 3 3., Printer 4 4.|", "Printer 4 4., Printer 5 5.|", "Printer 1 1., Printer 2 2.|"} {
			d.Step(time.Duration(i) * 10 * time.Second)
			if got := shownEntries(d); got != want {
				t.Errorf("page %d: got %s, want %s", i, got, want)
			}
		}
	})
}

// TestListItemAllocs checks that a list of widgets allocates no memory in a frame without changes, or when it is painted again.
func TestListItemAllocs(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	walltest.ModernBubble(t, "widgets: [{widget: list, "+printerItem+"}]", walltest.Scene{Size: image.Pt(400, 500)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish(printers(4), walltest.T0)
		d.Step(0)
		d.Step(3 * time.Second)
		now := walltest.T0.Add(3 * time.Second)
		if got := testing.AllocsPerRun(20, func() { d.R.Step(now) }); got != 0 {
			t.Errorf("a step in which nothing changes: %v allocations", got)
		}
		if got := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); got != 0 {
			t.Errorf("painted anew: %v allocations", got)
		}
	})
}

// TestListItemMistakes checks that invalid parameters are reported only once.
func TestListItemMistakes(t *testing.T) {
	for want, widget := range map[string]string{
		"it needs items: !data PROGRAM":  "widget: list, items: [a], item: {widget: text, text: x}",
		"only a list shows its entries":  "widget: ticker, items: !data .p, item: {widget: text, text: x}",
		"unknown widget type 'tekst'":    "widget: list, items: !data .p, item: {widget: tekst}",
		"unknown key 'colour'":           "widget: list, items: !data .p, item: {widget: text, text: !data .item, colour: red}",
		".item is only there in a row":   "widget: text, text: !data .item.x",
		"no provider is named 'q'":       "widget: list, items: !data .p, item: {widget: text, text: !data .q.x}",
		"must be a mapping, not a list":  "widget: list, items: [[a]]",
		"unknown key 'txet'; near: text": "widget: list, items: [{txet: a}]",
	} {
		got := complaints(t, "widgets: [{"+widget+"}]")
		if strings.Count(got, want) != 1 {
			t.Errorf("%s: got %q, want %q once", widget, got, want)
		}
	}
}

var _ render.Widget = (*widgetList)(nil)

// complaints() returns the messages about a file.
func complaints(t *testing.T, file string) string {
	t.Helper()
	e := walltest.TestEnv()
	made := sources.New(walltest.NewSources("p"), nil)
	e.Sources, e.Programs, e.Look = made, made, look.Calm(true)
	s, report := walltest.Parse(t, file)
	walltest.Builder(e).Build(s, image.Pt(300, 200))
	return report.String()
}

// TestPagesOfManyWidgets checks a list of widgets with pages, at several heights. The pages show every entry that has a widget. One page
// shows the number of the other entries.
func TestPagesOfManyWidgets(t *testing.T) {
	for _, high := range []int{100, 168, 180, 200, 280} {
		for _, entries := range []int{50, 51, 200} {
			file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, gap: 0, dwell: 10s, " + printerItem + "}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(300, high)}, look.Calm(true), func(d *walltest.Data) {
				d.ByName["p"].Publish(printers(entries), walltest.T0)
				seen, more := map[string]bool{}, ""
				for i := range 120 {
					d.Step(time.Duration(i) * 10 * time.Second)
					rows, left, _ := strings.Cut(shownEntries(d), "|")
					for _, r := range strings.Split(rows, ", ") {
						seen[r] = true
					}
					more = max(more, left)
				}
				want := ""
				if entries > piece.MaxListed {
					want = fmt.Sprintf("+%d more", entries-piece.MaxListed)
				}
				if len(seen) != piece.MaxListed || more != want {
					t.Errorf("%d px, %d entries: %d were shown and %q, want %d and %q", high, entries, len(seen), more, piece.MaxListed, want)
				}
			})
		}
	}
}
