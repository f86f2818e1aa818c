package writing

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/arrange"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

func TestTextGoldens(t *testing.T) {
	card := image.Pt(320, 180)
	walltest.ModernSheet(t, "live-text", []walltest.Scene{
		{Size: card, Widget: "{widget: text, card: true, title: Notice, icon: mdi:information-outline, text: We are closed from 24 December to 2 January.}"},
		{Size: card, Widget: "{widget: text, style: title, align: center, vertical_align: center, text: Back at two}"},
		{Size: card, Widget: "{widget: text, text: !data .p, unit: °C, style: figure, vertical_align: bottom, align: end}", Feed: walltest.Published(21.43)},
		{Size: card, Widget: "{widget: text, card: true, title: Room, text: !data .p, unit: kWh, thresholds: [{above: 5, color: '#f5b84b'}]}", Feed: walltest.Published(12.5)},
		{Size: card, Widget: "{widget: text, style: headline, text: A text that is far too long for its place and therefore shrinks until it fits}"},
		{Size: image.Pt(160, 60), Widget: "{widget: text, padding: 0, margin: 0, lines: 1, style: body, text: One line alone that ends in an ellipsis}"},
		{Size: image.Pt(160, 60), Widget: "{widget: text, padding: 0, margin: 0, text: !data .p, empty: nothing}"},
		{Size: card, Locale: "he", Widget: "{widget: text, style: title, text: !data .p, format: relative}", Feed: walltest.Published(walltest.T0.Add(300 * time.Second).Format(time.RFC3339))},
	})
}

// TestTextIsClassicWithoutNewerKeys checks that a text differs from the classic text only if the file sets a newer key or a named theme.
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
			e := walltest.TestEnv()
			e.Look, e.Themed, e.Picture = look.Calm(true), tc.themed, image.Pt(1280, 720)
			d := walltest.NewDataIn(t, e, "widgets: [{widget: text, "+tc.params+"}]", image.Pt(200, 100))
			_, newer := d.Tree.Child.(*kit.Guard).Inner.(*kit.Frame)
			if newer != tc.newer {
				t.Errorf("newer: got %v, want %v", newer, tc.newer)
			}
		})
	}
}

// saidBy returns the text that a widget shows.
func saidBy(w *liveText) string {
	if w.number {
		return w.figure.Said.Text + w.figure.Tail.Raw
	}
	return w.para.Raw
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
			walltest.ModernBubble(t, "widgets: [{widget: text, "+walltest.BareCard+tc.params+"}]", walltest.Scene{Size: image.Pt(300, 80)}, look.Calm(true), func(d *walltest.Data) {
				d.Step(0)
				d.ByName["p"].Publish(tc.value, walltest.T0)
				d.Step(time.Second)
				if got := saidBy(walltest.Only[*kit.Frame](d).Inner.(*liveText)); got != tc.want {
					t.Errorf("got %q, want %q", got, tc.want)
				}
			})
		})
	}
}

// sizesOf returns the text sizes of the children of a row.
func sizesOf(d *walltest.Data) (all []int) {
	for _, k := range walltest.Only[*kit.Frame](d).Inner.(*arrange.Line).Children {
		switch w := k.Widget.(*kit.Guard).Inner.(*kit.Frame).Inner.(type) {
		case *liveText:
			all = append(all, w.para.Block.Size())
		}
	}
	return all
}

// TestTextWithoutRoom checks that a text is omitted if even one line would be too small to read, as below the value of a very small card.
func TestTextWithoutRoom(t *testing.T) {
	e := walltest.TestEnv()
	e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(320, 240)
	for high, want := range map[int]int{3: 0, 5: 0, 9: 1, 30: 1} {
		if got := walltest.ShowThemed(t, e, "calm", true, "{widget: text, padding: 0, margin: 0, style: body, text: Closed}", image.Pt(120, high)).Words(); len(got) != want {
			t.Errorf("%d px: got %q, want %d texts", high, got, want)
		}
	}
}

func TestTextGroups(t *testing.T) {
	text := func(params string) string {
		return "{widget: text, " + walltest.BareCard + "style: headline, " + params + "}"
	}
	for _, tc := range []struct {
		name, kids string
		same       []int // for each child, the number of its group
	}{
		{"siblings", text("text: a") + "," + text("text: internationalisation"), []int{0, 0}},
		{"none leaves", text("text: a, text_group: none") + "," + text("text: internationalisation"), []int{0, 1}},
		{"a word joins", text("text: a, text_group: g") + "," + text("text: b") + "," + text("text: internationalisation, text_group: g"), []int{0, 1, 0}},
		{"another style", text("text: a") + ",{widget: text, " + walltest.BareCard + "style: body, text: internationalisation}", []int{0, 1}},
		{"live", text("text: a") + "," + text("text: !data .p"), []int{0, 0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			walltest.ModernBubble(t, "widgets: [{widget: row, margin: 0, children: ["+tc.kids+"]}]", walltest.Scene{Size: image.Pt(300, 80)}, look.Calm(true), func(d *walltest.Data) {
				d.Step(0)
				d.ByName["p"].Publish("internationalisation", walltest.T0)
				_, next := d.Step(time.Second)
				if tc.name == "live" && next.After(walltest.T0.Add(time.Second)) {
					t.Errorf("the group's size is another one, and nobody is woken: %v", next)
				}
				d.Step(2 * time.Second)
				got := sizesOf(d)
				for i := range got {
					for j := range got {
						if (got[i] == got[j]) != (tc.same[i] == tc.same[j]) {
							t.Errorf("got sizes %v, want those of %v alike", got, tc.same)
						}
					}
				}
				d.ByName["p"].Publish("a", walltest.T0)
				d.Step(3 * time.Second)
				d.Step(4 * time.Second)
				if got := sizesOf(d); tc.name == "live" && got[0] != 36 {
					t.Errorf("shorter again: got sizes %v, want that of the style", got)
				}
			})
		})
	}
}

func TestLiveTextAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	walltest.ModernBubble(t, "widgets: [{widget: text, "+walltest.BareCard+"text: !data .p, unit: W}]", walltest.Scene{Size: image.Pt(300, 80)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish(7.5, walltest.T0)
		d.Step(0)
		now := walltest.T0.Add(time.Second)
		d.R.Step(now)
		if n := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); n != 0 {
			t.Errorf("got %v allocations, want 0", n)
		}
	})
}
