package widgets

import (
	"bytes"
	"image"
	"math"
	"slices"
	"testing"
	"time"

	"dashboard/theme/look"
)

// TestCardGoldens: a card with a value, with a unit, a limit, widgets below it, nothing yet, nothing in it, too much for its place,
// upright, small, from right to left, in the middle, and with its change both ways.
func TestCardGoldens(t *testing.T) {
	wide, tall, small := image.Pt(320, 200), image.Pt(200, 400), image.Pt(120, 90)
	modernSheet(t, "card", []scene{
		{size: wide, widget: "{widget: card, title: Living room, icon: mdi:sofa-outline, note: today, value: !data .p, unit: °C}", feed: published(21.43)},
		{size: wide, widget: "{widget: card, title: Power, icon: mdi:solar-power-variant, value: !data .p, unit: W}", feed: published(1240.0)},
		{size: wide, widget: "{widget: card, title: Freezer, icon: mdi:fridge-outline, value: !data .p, unit: °, thresholds: [{above: -15, color: '#f4807a', icon: mdi:fridge-alert-outline}]}", feed: published(-9.2)},
		{size: wide, widget: "{widget: card, title: Memory, value: !data .p, unit: '%', children: [{widget: progress, value: !data .p}]}", feed: published(31.0)},
		{size: wide, widget: "{widget: card, title: Bedroom, value: !data .p, unit: °}"},
		{size: wide, widget: "{widget: card, title: Mail, value: !data .p.x, empty: no letters}", feed: published(map[string]any{"x": nil})},
		{size: wide, widget: "{widget: card, title: A title that has no room beside its note, note: since noon, value: !data .p, unit: kilowatt hours}", feed: published(123456789.5)},
		{size: tall, widget: "{widget: card, title: Memory, value: !data .p, unit: '%', children: [{widget: progress, kind: ring, value: !data .p}, {widget: text, text: of 4 GB, size: fit}]}", feed: published(31.0)},
		{size: small, widget: "{widget: card, title: Power, value: !data .p, unit: W}", feed: published(1240.0)},
		{size: wide, locale: "he", widget: "{widget: card, title: Power, icon: mdi:flash, note: today, value: !data .p, unit: W}", feed: published(1240.0)},
		{size: wide, widget: "{widget: card, title: Middle, align: center, vertical_align: center, value: !data .p, unit: W}", feed: published(1240.0)},
		{size: wide, locale: "he", widget: "{widget: card, title: Power, value: !data .p, trend: 1h, better: up}", feed: lastHours(3)},
		{size: wide, widget: "{widget: card, title: Power, value: !data .p, trend: 1h, better: up}", feed: lastHours(3)},
	})
}

// lastHours publishes a value that rises by ten in each half hour, up to 40 now.
func lastHours(n int) func(*data) {
	return func(d *data) {
		for i := -2 * n; i <= 0; i++ {
			at := time.Duration(i) * 30 * time.Minute
			d.named["p"].Publish(40+10*float64(i), t0.Add(at))
			d.step(at)
		}
	}
}

// TestBoundless: what jq calls nan and infinite is no value, and shown as what is not there.
func TestBoundless(t *testing.T) {
	shown := func(widget string, v any) (pixels []byte) {
		modernBubble(t, "widgets: [{widget: "+widget+", value: !data .p}]", scene{size: image.Pt(200, 120)}, look.Calm(true), func(d *data) {
			published(v)(d)
			d.step(0)
			pixels = slices.Clone(d.r.Frame().Pix)
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

// The figures of cards that stand next to each other share a size.
func TestFiguresShareASize(t *testing.T) {
	file := "widgets: [{widget: row, margin: 0, children: [{widget: card, card: false, value: 1}, {widget: card, card: false, value: 123456789}]}]"
	modernBubble(t, file, scene{size: image.Pt(300, 80)}, look.Calm(true), func(d *data) {
		d.step(0)
		d.step(time.Second)
		size := func(i int) int {
			return only[*frame](d).inner.(*line).children[i].widget.(*guard).inner.(*frame).inner.(*card).figure.main.size
		}
		if size(0) != size(1) {
			t.Errorf("got figures of %d and %d px", size(0), size(1))
		}
	})
}
