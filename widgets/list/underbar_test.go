package list

import (
	"bytes"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// listOf runs f with a list of the given items and size.
func listOf(t *testing.T, items string, size image.Point, f func(w *List)) {
	t.Helper()
	file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: [" + items + "]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: size, Picture: image.Pt(1280, 720)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		f(walltest.Only[*kit.Frame](d).Inner.(*List))
	})
}

// TestBarsBelowTexts checks that a narrow list has its bars below the texts, with the whole width, if no row is hidden for them.
func TestBarsBelowTexts(t *testing.T) {
	const items = "{text: Disk, value: 21, unit: of 64 GB, max: 64, bar: true}, {text: Running, value: 3 days}"
	for _, tt := range []struct {
		name  string
		size  image.Point
		under bool
	}{{"narrow", image.Pt(246, 110), true}, {"wide", image.Pt(600, 110), false}, {"narrow and low", image.Pt(246, 80), false}} {
		listOf(t, items, tt.size, func(w *List) {
			r := w.slots[0]
			if w.pager.shown != 2 || w.look.under != tt.under || r.track.Empty() {
				t.Fatalf("%s: got %d rows, bars below texts: %v, the bar %v", tt.name, w.pager.shown, w.look.under, r.track)
			}
			if full := r.track.Dx() == tt.size.X; full != tt.under {
				t.Errorf("%s: got a bar of %d px", tt.name, r.track.Dx())
			}
			for _, ink := range []image.Rectangle{r.text.Ink, r.value.Ink, r.tail.Ink, w.slots[1].rect} {
				if r.track.Overlaps(ink) || tt.under && ink != w.slots[1].rect && ink.Max.Y > r.track.Min.Y {
					t.Errorf("%s: the bar %v touches %v", tt.name, r.track, ink)
				}
			}
			if tt.under && r.rect.Max.Y-r.track.Max.Y < r.track.Dy() {
				t.Errorf("%s: the bar %v is close to the end of the row %v", tt.name, r.track, r.rect)
			}
			if !r.track.In(r.rect) {
				t.Errorf("%s: the bar %v leaves the row %v", tt.name, r.track, r.rect)
			}
		})
	}
}

// TestGoodValuesAreCalm checks that a good value with an icon has no color, so that a bad value is conspicuous.
func TestGoodValuesAreCalm(t *testing.T) {
	for keys, want := range map[string]string{
		"icon: mdi:check, color: good": "text", "icon: mdi:check, color: accent": "text", "icon: mdi:close, color: bad": "bad",
		"icon: mdi:alert, color: warn": "warn", "color: good": "good", "icon: mdi:check": "text",
	} {
		roles := strings.NewReplacer("good", "'#5ad09a'", "warn", "'#f5b84b'", "bad", "'#ec7569'", "accent", "'#6ea8fe'") // the colors of the theme
		listOf(t, "{text: billing, value: passed, "+roles.Replace(keys)+"}", image.Pt(400, 40), func(w *List) {
			if r := w.slots[0]; r.ink != w.look.b.Role(want) {
				t.Errorf("%s: got the color %v, want %s", keys, r.ink, want)
			}
		})
	}
}

// TestSmallTextAboveBars checks that a row with a bar below its text has small text if the text does not fit beside the value. If
// small text would be cut too, the icon of the value replaces its word.
func TestSmallTextAboveBars(t *testing.T) {
	for wide := 184; wide <= 200; wide += 4 {
		listOf(t, "{text: Dishwasher today, value: 1234, bar: true}, {text: Oven, value: 3, bar: true}", image.Pt(wide, 160), func(w *List) {
			r := w.slots[0]
			if !w.look.under || string(r.text.Raw) != "Dishwasher today" || r.text.Want() > r.text.Box.Dx() || r.text.Ink.Overlaps(r.value.Ink) {
				t.Errorf("%d px: below: %v, got the text %q at %v, and the value at %v", wide, w.look.under, r.text.Raw, r.text.Ink, r.value.Ink)
			}
		})
	}
	items := "{text: Dishwasher today, value: 9, bar: true, map: {9: {text: in progress now, icon: mdi:play}}}, {text: Oven, value: 3, bar: true}"
	listOf(t, items, image.Pt(160, 160), func(w *List) {
		if r := w.slots[0]; !w.look.under || string(r.text.Raw) != "Dishwasher today" || r.mark.Name != "mdi:play" {
			t.Errorf("below: %v, got the text %q, the value %q and the icon %q", w.look.under, r.text.Raw, r.value.Raw, r.mark.Name)
		}
	})
}

// TestBarsMove checks a list whose bars move below the texts and back again: the picture has no pixels of the earlier layout, and depends
// only on the current rows. A bar below its text never hides a note.
func TestBarsMove(t *testing.T) {
	row := func(text string, n float64, note string) any { return map[string]any{"t": text, "v": n, "n": note} }
	long, short := "Dishwasher", "Disk"
	states := map[string][]any{
		"two":   {row(long, 21, ""), row(long, 30, "")},
		"short": {row(short, 21, ""), row(short, 30, "")},
		"notes": {row(long, 21, "since Monday"), row(long, 30, "since Monday")},
		"three": {row(long, 21, "since Monday"), row(long, 30, "since Monday"), row(long, 40, "since Monday")},
	}
	for keys, changes := range map[string]string{
		"": "two three notes two notes three short three two", ", text_size: 18": "two short two three notes short notes three two",
	} {
		file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: !data .p, item: {" +
			"text: !data .item.t, value: !data .item.v, note: !data .item.n, bar: true}" + keys + "}]"
		for high := 76; high < 200; high += 8 {
			cell := walltest.Scene{Size: image.Pt(246, high), Picture: image.Pt(1280, 720)}
			alone := map[string][]byte{}
			for name, rows := range states {
				walltest.ModernBubble(t, file, cell, look.Calm(true), func(d *walltest.Data) {
					d.ByName["p"].Publish(rows, walltest.T0)
					d.Step(time.Second)
					alone[name] = slices.Clone(d.R.Frame().Pix)
				})
			}
			walltest.ModernBubble(t, file, cell, look.Calm(true), func(d *walltest.Data) {
				for i, name := range strings.Fields(changes) {
					at := time.Duration(i) * time.Minute
					d.ByName["p"].Publish(states[name], walltest.T0.Add(at))
					d.Step(at + time.Second)
					if !bytes.Equal(d.R.Frame().Pix, alone[name]) {
						t.Errorf("%d px high%s: the picture of %q, change %d, depends on earlier rows", high, keys, name, i)
					}
				}
			})
		}
	}
}

// TestPaintingBarsBelowTextsAllocatesNothing checks frames of a list with bars below its texts, and frames of a list with pages whose text
// is smaller than usual.
func TestPaintingBarsBelowTextsAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, tt := range []struct {
		list          string
		size, picture image.Point
		drawn         func(w *List) bool
	}{
		{"items: [{text: Disk, value: 21, unit: of 64 GB, max: 64, bar: true}, {text: Running, value: 3 days}]",
			image.Pt(246, 110), image.Pt(1280, 720), func(w *List) bool { return w.look.under && !w.slots[0].bar.Empty() }},
		{"dwell: 9s, weight: 500, items: [{text: La médiathèque ouvre le dimanche à partir de juin, note: Quatre après-midi}, {text: Concert}]",
			image.Pt(68, 84), image.Pt(320, 240), func(w *List) bool { return w.look.shrunk > 0 && w.slots[0].block.Block.Lines() > longLines }},
	} {
		file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, " + tt.list + "}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: tt.size, Picture: tt.picture}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			if w := walltest.Only[*kit.Frame](d).Inner.(*List); !tt.drawn(w) {
				t.Errorf("%s: got the places %v and texts that are %d px smaller", tt.list, w.look.places, w.look.shrunk)
			}
			now := walltest.T0.Add(time.Second)
			d.R.Step(now)
			if n := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); n != 0 {
				t.Errorf("%s: a frame allocated %v times", tt.list, n)
			}
		})
	}
}
