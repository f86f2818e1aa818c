package widgets

import (
	"fmt"
	"image"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/race"
	"dashboard/internal/testing/thorough"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// hostileValues returns values that no widget expects, but that a program or a service may send.
func hostileValues() map[string]any {
	list := func(n int, v func(i int) any) (all []any) {
		for i := range n {
			all = append(all, v(i))
		}
		return all
	}
	word := strings.Repeat("abcdefghij", 6000)
	return map[string]any{
		"word": word, "marks": "e" + strings.Repeat("\u0301", 20_000), "both ways": strings.Repeat("שלום abc 12 ", 2000), "quotes": strings.Repeat("> ", 30_000),
		"broken": strings.Repeat("\xff\n", 5000), "empty": "", "null": nil, "true": true, "huge": 1e300, "negative": -1e300, "nan": math.NaN(), "nothing": map[string]any{},
		"extremes": list(10_000, func(i int) any { return []any{1e300, -1e300, math.NaN(), math.Inf(1), 0.0, 5e-324}[i%6] }),
		"years":    list(1000, func(i int) any { return []any{"0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", -1e14, 1e14}[i%4] }),
		"moments": list(1000, func(i int) any {
			return map[string]any{"time": []any{"0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", i}[i%3], "value": i}
		}),
		"entries": list(500, func(i int) any {
			return map[string]any{"name": word[:4000], "text": fmt.Sprint(i, word[:400]), "badge": word[:400], "unit": word[:400], "value": i}
		}),
	}
}

// TestHostileValues checks that the values of hostileValues cause no panic. It tests all widgets that show a provider's value, in three
// sizes.
func TestHostileValues(t *testing.T) {
	thorough.Only(t)
	sizes := []image.Point{{X: 1, Y: 1}, {X: 60, Y: 40}, {X: 320, Y: 240}}
	values := hostileValues()
	kinds := 0
	for kind, k := range everyKind(t) {
		if !strings.Contains(k.Widget, "!data .p") {
			continue
		}
		if kinds++; race.Left(kinds, 5) {
			continue
		}
		for _, size := range sizes {
			synctest.Test(t, func(t *testing.T) {
				e := walltest.TestEnv()
				e.Look, e.Locale, e.Picture = look.Calm(true), walltest.TestLocale(t, ""), size
				now := ""
				e.Crashed = func(widget, _ string, v any) { t.Errorf("%s of %v, %s: %s: %v", kind, size, now, widget, v) }
				d := walltest.NewDataIn(t, e, "widgets: ["+k.Widget+"]", size)
				after := time.Duration(0)
				for name, v := range values {
					now = name
					d.ByName["p"].Publish(v, walltest.T0.Add(after))
					d.Step(after)
					after += time.Minute
				}
			})
		}
	}
}
