package arrange

import (
	"bytes"
	"image"
	"math"
	"slices"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestCardGoldens draws cards with a unit, with a limit, with widgets below the value, before the first value, with an empty value, and
// with too much content. It also draws upright, small, right-to-left and centered cards, and cards whose value rises or falls.
func TestCardGoldens(t *testing.T) {
	wide, tall, small := image.Pt(320, 200), image.Pt(200, 400), image.Pt(120, 90)
	walltest.ModernSheet(t, "card", []walltest.Scene{
		{Size: wide, Widget: "{widget: card, title: Living room, icon: mdi:sofa-outline, note: today, value: !data .p, unit: °C}", Feed: walltest.Published(21.43)},
		{Size: wide, Widget: "{widget: card, title: Power, icon: mdi:solar-power-variant, value: !data .p, unit: W}", Feed: walltest.Published(1240.0)},
		{Size: wide, Widget: "{widget: card, title: Freezer, icon: mdi:fridge-outline, value: !data .p, unit: °, thresholds: [{above: -15, color: '#f4807a', icon: mdi:fridge-alert-outline}]}", Feed: walltest.Published(-9.2)},
		{Size: wide, Widget: "{widget: card, title: Memory, value: !data .p, unit: '%', children: [{widget: progress, value: !data .p}]}", Feed: walltest.Published(31.0)},
		{Size: wide, Widget: "{widget: card, title: Bedroom, value: !data .p, unit: °}"},
		{Size: wide, Widget: "{widget: card, title: Mail, value: !data .p.x, empty: no letters}", Feed: walltest.Published(map[string]any{"x": nil})},
		{Size: wide, Widget: "{widget: card, title: A title that has no room beside its note, note: since noon, value: !data .p, unit: kilowatt hours}", Feed: walltest.Published(123456789.5)},
		{Size: tall, Widget: "{widget: card, title: Memory, value: !data .p, unit: '%', children: [{widget: progress, kind: ring, value: !data .p}, {widget: text, text: of 4 GB, size: fit}]}", Feed: walltest.Published(31.0)},
		{Size: small, Widget: "{widget: card, title: Power, value: !data .p, unit: W}", Feed: walltest.Published(1240.0)},
		{Size: wide, Locale: "he", Widget: "{widget: card, title: Power, icon: mdi:flash, note: today, value: !data .p, unit: W}", Feed: walltest.Published(1240.0)},
		{Size: wide, Widget: "{widget: card, title: Middle, align: center, vertical_align: center, value: !data .p, unit: W}", Feed: walltest.Published(1240.0)},
		{Size: wide, Locale: "he", Widget: "{widget: card, title: Power, value: !data .p, trend: 1h, better: up}", Feed: lastHours(3)},
		{Size: wide, Widget: "{widget: card, title: Power, value: !data .p, trend: 1h, better: up}", Feed: lastHours(3)},
	})
}

// lastHours returns a function that publishes the values of the last n hours, one every half hour. Each value is ten higher than the
// previous value, and the last value is 40 at T0.
func lastHours(n int) func(*walltest.Data) {
	return func(d *walltest.Data) {
		for i := -2 * n; i <= 0; i++ {
			at := time.Duration(i) * 30 * time.Minute
			d.ByName["p"].Publish(40+10*float64(i), walltest.T0.Add(at))
			d.Step(at)
		}
	}
}

// TestBoundless checks that a value of a provider is shown as a missing value if it is infinite or NaN.
func TestBoundless(t *testing.T) {
	shown := func(widget string, v any) (pixels []byte) {
		walltest.ModernBubble(t, "widgets: [{widget: "+widget+", value: !data .p}]", walltest.Scene{Size: image.Pt(200, 120)}, look.Calm(true), func(d *walltest.Data) {
			walltest.Published(v)(d)
			d.Step(0)
			pixels = slices.Clone(d.R.Frame().Pix)
		})
		return pixels
	}
	for _, widget := range []string{"card", "gauge", "progress"} {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if !bytes.Equal(shown(widget, v), shown(widget, nil)) {
				t.Errorf("%s: %v is shown otherwise than no value", widget, v)
			}
		}
	}
}

// TestFiguresShareASize checks that the figures of neighboring cards have the same size.
func TestFiguresShareASize(t *testing.T) {
	file := "widgets: [{widget: row, margin: 0, children: [{widget: card, card: false, value: 1}, {widget: card, card: false, value: 123456789}]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(300, 80)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		d.Step(time.Second)
		size := func(i int) int {
			return walltest.Only[*kit.Frame](d).Inner.(*Line).Children[i].Widget.(*kit.Guard).Inner.(*kit.Frame).Inner.(*card).figure.Main.Size
		}
		if size(0) != size(1) {
			t.Errorf("got figures of %d and %d px", size(0), size(1))
		}
	})
}
