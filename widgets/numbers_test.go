package widgets

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"

	"dashboard/internal/testing/race"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// `numbers` are the values in the tests. They include numbers of different lengths.
var numbers = []float64{
	0, 7, -3, 42, 99.95, 100, 123.456, 999, 1000, 1240.4, -1240.4, 9999, 12345, 99999.5, 123456, 999999, 1234567, -1234567, 12345678, 123456789,
	1e9, 9.99e11, 1e15, 0.5, 0.05, 0.42, -0.42, 0.000123, 0.0000012, 3.14159,
}

// numberKinds are the widgets that show a number.
var numberKinds = map[string]string{
	"card":       `{widget: card, title: Meter, value: %v, unit: kWh}`,
	"degrees":    `{widget: card, value: %v, unit: "°C"}`,
	"ring":       `{widget: gauge, kind: ring, value: %v, unit: L, max: 100}`,
	"arc":        `{widget: gauge, value: %v, max: 100}`,
	"bar":        `{widget: progress, value: %v, unit: kWh}`,
	"percentage": `{widget: progress, kind: ring, value: %v, unit: "%%"}`,
	"list":       `{widget: list, items: [{text: A rather long name, value: %[1]v, unit: "°"}, {text: Meter, value: %[1]v, unit: kWh, icon: "mdi:flash"}]}`,
}

// numberSizes are the sizes of the cells in px.
var numberSizes = []image.Point{{40, 30}, {64, 64}, {90, 60}, {120, 90}, {160, 60}, {200, 120}, {320, 240}, {600, 300}}

// cutNumber reports whether a painted text is a number that was cut.
func cutNumber(s string) bool {
	return strings.Contains(s, "…") && strings.ContainsFunc(strings.SplitN(s, "…", 2)[0], unicode.IsDigit)
}

// TestNumbersAreNeverCut checks that a number never ends with an ellipsis, in cells of several sizes. Larger cells show a number or a
// dash.
func TestNumbersAreNeverCut(t *testing.T) {
	var painted []walltest.Text
	cache := text.NewCache(16 << 20)
	cache.SystemFonts()
	walltest.TextsOf(cache, &painted)
	for kind, widget := range numberKinds {
		for n, size := range numberSizes {
			for i, v := range numbers {
				if race.Left(i, 5) || testing.Short() && (i+n)%2 != 0 {
					continue
				}
				e := walltest.TestEnv()
				e.Text, e.Look, e.Locale, e.Picture = cache, look.Calm(true), walltest.TestLocale(t, "en"), image.Pt(1280, 720)
				painted = painted[:0]
				tree := walltest.Build(t, e, "widgets: ["+fmt.Sprintf(widget, v)+"]", size)
				render.New(tree, size).Step(walltest.T0)
				shown := false
				for _, p := range painted {
					shown = shown || strings.ContainsFunc(p.Text, func(r rune) bool { return unicode.IsDigit(r) || r == '—' })
					if cutNumber(p.Text) {
						t.Errorf("%s of %v in %v: shows %q", kind, v, size, p.Text)
					}
				}
				if needs := size.X >= 160 && size.Y > 60 && kind != "bar" && kind != "percentage" && (kind != "list" || size.X >= 200); needs && !shown {
					t.Errorf("%s of %v in %v: shows no number: %v", kind, v, size, painted)
				}
			}
		}
	}
}

// TestTableNumbersAreNeverCut checks that the numbers in a table are never cut, although its columns share the width.
func TestTableNumbersAreNeverCut(t *testing.T) {
	const widget = `{widget: table, items: !data .p, columns: [{title: Name, value: !data .item.name}, {title: V, value: !data .item.v, unit: "°"}, {title: W, value: !data .item.v, unit: kWh}]}`
	rows := []any{}
	for _, v := range numbers {
		rows = append(rows, map[string]any{"name": "A rather long name", "v": v})
	}
	var painted []walltest.Text
	for _, size := range numberSizes {
		synctest.Test(t, func(t *testing.T) {
			e := walltest.TestEnv()
			e.Text, e.Look, e.Locale, e.Picture = text.NewCache(1<<20), look.Calm(true), walltest.TestLocale(t, "en"), image.Pt(1280, 720)
			e.Text.SystemFonts()
			walltest.TextsOf(e.Text, &painted)
			d := walltest.NewDataIn(t, e, "widgets: ["+widget+"]\n", image.Pt(size.X, 2000))
			d.ByName["p"].Publish(rows, walltest.T0)
			d.Step(0)
			for _, p := range painted {
				if cutNumber(p.Text) {
					t.Errorf("%v: shows %q", size, p.Text)
				}
			}
		})
	}
	if len(painted) < 100 {
		t.Errorf("only %d texts were painted", len(painted))
	}
}
