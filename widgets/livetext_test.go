package widgets

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
)

const bareCard = "card: false, padding: 0, margin: 0, "

func TestTextGoldens(t *testing.T) {
	card := image.Pt(320, 180)
	modernSheet(t, "live-text", []scene{
		{size: card, widget: "{widget: text, card: true, title: Notice, icon: mdi:information-outline, text: We are closed from 24 December to 2 January.}"},
		{size: card, widget: "{widget: text, style: title, align: center, vertical_align: center, text: Back at two}"},
		{size: card, widget: "{widget: text, text: !data .p, unit: °C, style: figure, vertical_align: bottom, align: end}", feed: published(21.43)},
		{size: card, widget: "{widget: text, card: true, title: Room, text: !data .p, unit: kWh, thresholds: [{above: 5, color: '#f5b84b'}]}", feed: published(12.5)},
		{size: card, widget: "{widget: text, style: headline, text: A text that is far too long for its place and therefore shrinks until it fits}"},
		{size: image.Pt(160, 60), widget: "{widget: text, padding: 0, margin: 0, lines: 1, style: body, text: One line alone that ends in an ellipsis}"},
		{size: image.Pt(160, 60), widget: "{widget: text, padding: 0, margin: 0, text: !data .p, empty: nothing}"},
		{size: card, locale: "he", widget: "{widget: text, style: title, text: !data .p, format: relative}", feed: published(t0.Add(300 * time.Second).Format(time.RFC3339))},
	})
}

// only the newer keys, or a named theme, make a text another one than it was.
func TestTextIsClassicWithoutNewerKeys(t *testing.T) {
	for _, tc := range []struct {
		name, params  string
		themed, newer bool
	}{
		{"classic", "text: a, color: red, text_size: 20, wrap: true, align: center, padding: 4", false, false},
		{"in a theme", "text: a", true, true},
		{"style", "text: a, style: title", false, true},
		{"live", "text: !data .p", false, true},
		{"lines", "text: a, lines: 2", false, true},
		{"title", "text: a, title: b", false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := testEnv()
			e.Look, e.Themed, e.Picture = look.Calm(true), tc.themed, image.Pt(1280, 720)
			d := newDataIn(t, e, "widgets: [{widget: text, "+tc.params+"}]", image.Pt(200, 100))
			_, newer := d.tree.child.(*guard).inner.(*frame)
			if newer != tc.newer {
				t.Errorf("newer: got %v, want %v", newer, tc.newer)
			}
		})
	}
}

// saidBy is what a live text says.
func saidBy(w *liveText) string {
	if w.number {
		return w.figure.said.text + w.figure.tail.raw
	}
	return w.para.raw
}

func TestLiveTextSays(t *testing.T) {
	for _, tc := range []struct {
		name, params string
		value        any
		want         string
	}{
		{"as it is", "text: !data .p", "hello", "hello"},
		{"number", "text: !data .p", 1240.4, "1,240"},
		{"code", "text: !data .p, format: text", "007", "007"},
		{"unit", "text: !data .p, unit: kWh", 12.345, "12.3kWh"},
		{"word with a unit", "text: !data .p, unit: kWh", "off", "off"},
		{"format", "text: !data .p, format: '{value:.1f} of 20'", 3.14, "3.1 of 20"},
		{"map", "text: !data .p, map: {'on': open, else: '?'}", "on", "open"},
		{"nothing", "text: !data .p", nil, "—"},
		{"empty", "text: !data .p, empty: none", "", "none"},
		{"written number stays", "text: 1240, style: body", nil, "1240"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			modernBubble(t, "widgets: [{widget: text, "+bareCard+tc.params+"}]", scene{size: image.Pt(300, 80)}, look.Calm(true), func(d *data) {
				d.step(0)
				d.named["p"].Publish(tc.value, t0)
				d.step(time.Second)
				if got := saidBy(only[*frame](d).inner.(*liveText)); got != tc.want {
					t.Errorf("got %q, want %q", got, tc.want)
				}
			})
		})
	}
}

// sizesOf are the sizes of the texts of a row's children.
func sizesOf(d *data) (all []int) {
	for _, k := range only[*frame](d).inner.(*line).children {
		switch w := k.widget.(*guard).inner.(*frame).inner.(type) {
		case *liveText:
			all = append(all, w.para.block.Size())
		}
	}
	return all
}

func TestTextGroups(t *testing.T) {
	text := func(params string) string { return "{widget: text, " + bareCard + "style: headline, " + params + "}" }
	for _, tc := range []struct {
		name, kids string
		same       []int // which group each child is in
	}{
		{"siblings", text("text: a") + "," + text("text: internationalisation"), []int{0, 0}},
		{"none leaves", text("text: a, text_group: none") + "," + text("text: internationalisation"), []int{0, 1}},
		{"a word joins", text("text: a, text_group: g") + "," + text("text: b") + "," + text("text: internationalisation, text_group: g"), []int{0, 1, 0}},
		{"another style", text("text: a") + ",{widget: text, " + bareCard + "style: body, text: internationalisation}", []int{0, 1}},
		{"live", text("text: a") + "," + text("text: !data .p"), []int{0, 0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			modernBubble(t, "widgets: [{widget: row, margin: 0, children: ["+tc.kids+"]}]", scene{size: image.Pt(300, 80)}, look.Calm(true), func(d *data) {
				d.step(0)
				d.named["p"].Publish("internationalisation", t0)
				_, next := d.step(time.Second)
				if tc.name == "live" && next.After(t0.Add(time.Second)) {
					t.Errorf("the group's size is another one, and nobody is woken: %v", next)
				}
				d.step(2 * time.Second)
				got := sizesOf(d)
				for i := range got {
					for j := range got {
						if (got[i] == got[j]) != (tc.same[i] == tc.same[j]) {
							t.Errorf("got sizes %v, want those of %v alike", got, tc.same)
						}
					}
				}
				d.named["p"].Publish("a", t0)
				d.step(3 * time.Second)
				d.step(4 * time.Second)
				if got := sizesOf(d); tc.name == "live" && got[0] != 36 {
					t.Errorf("shorter again: got sizes %v, want that of the style", got)
				}
			})
		})
	}
}

func TestLiveTextAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	modernBubble(t, "widgets: [{widget: text, "+bareCard+"text: !data .p, unit: W}]", scene{size: image.Pt(300, 80)}, look.Calm(true), func(d *data) {
		d.named["p"].Publish(7.5, t0)
		d.step(0)
		now := t0.Add(time.Second)
		d.r.Step(now)
		if n := testing.AllocsPerRun(20, func() { d.r.Repaint(); d.r.Step(now) }); n != 0 {
			t.Errorf("got %v allocations, want 0", n)
		}
	})
}
