package arrange

import (
	"image"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestSignIsBesideTheValue checks the icon of an outdated value. If the title line has no room for the icon, the icon is at the end of
// the value's line or in a corner. `want` is a rectangle around the icon. If no place is free, `want` is empty.
func TestSignIsBesideTheValue(t *testing.T) {
	for _, test := range []struct {
		card   string
		size   image.Point
		locale string
		want   image.Rectangle
	}{
		{"value: !data .p", image.Pt(120, 36), "en", image.Rect(98, 10, 110, 26)},
		{"title: Pond, value: !data .p", image.Pt(120, 36), "en", image.Rect(98, 10, 110, 26)},
		{"value: !data .p", image.Pt(120, 36), "he", image.Rect(10, 10, 22, 26)},
		{"value: !data .p", image.Pt(66, 36), "en", image.Rect(52, 2, 64, 14)},
		{"title: Pond, value: !data .p, unit: °", image.Pt(58, 80), "en", image.Rect(44, 66, 56, 78)},
		{"title: Thermometer, value: !data .p", image.Pt(110, 80), "en", image.Rect(88, 40, 100, 54)},
		{"title: Pond, value: !data .p", image.Pt(200, 80), "en", image.Rect(60, 8, 190, 24)}, // here, the title line has room for the icon
		{"title: Pond, value: !data .p, children: [{widget: progress, value: 3}]", image.Pt(58, 120), "en", image.Rectangle{}},
	} {
		for _, old := range []bool{true, false} {
			scene := walltest.Scene{Size: test.size, Picture: image.Pt(320, 240), Locale: test.locale}
			file := "background_color: '#0b0f16'\nwidgets: [{widget: card, margin: 0, " + test.card + "}]"
			walltest.ModernBubble(t, file, scene, look.Calm(true), func(d *walltest.Data) {
				want := image.Rectangle{}
				if old {
					want = test.want
					d.ByName["p"].Promise(time.Minute)
				}
				d.ByName["p"].Publish(21.5, walltest.T0.Add(-40*time.Minute))
				d.Step(0)
				if got := yellow(d.R.Frame()); got.Empty() != want.Empty() || !got.In(want) {
					t.Errorf("%s, %v, old: %v: got an icon in %v, want %v", test.card, test.size, old, got, want)
				}
			})
		}
	}
}

// TestStateHasASignWithoutATitle checks a card without a title and with a threshold that has an icon. The card shows the icon only while
// the value is above the threshold.
func TestStateHasASignWithoutATitle(t *testing.T) {
	const file = "background_color: '#0b0f16'\nwidgets: [{widget: card, value: !data .p, thresholds: [{above: 30, icon: mdi:fire, color: '#ffcc00'}]}]"
	scene := walltest.Scene{Size: image.Pt(300, 120), Picture: image.Pt(1280, 720)}
	walltest.ModernBubble(t, file, scene, look.Calm(true), func(d *walltest.Data) {
		for i, v := range []float64{20, 40, 20} {
			d.ByName["p"].Publish(v, walltest.T0)
			d.Step(time.Duration(i) * time.Second)
			got := yellow(d.R.Frame().SubImage(image.Rect(150, 0, 300, 120)).(*image.RGBA))
			if got.Empty() != (v == 20) {
				t.Errorf("%v: got an icon in %v", v, got)
			}
		}
	})
}

// TestGaugeHasASign checks that a gauge shows the icon of a threshold while the value is above the threshold. If the title line has no
// room for the icon, the icon is outside of the ring.
func TestGaugeHasASign(t *testing.T) {
	const file = "background_color: '#0b0f16'\nwidgets: [{widget: gauge, margin: 0, title: Memory, value: 72, " +
		"thresholds: [{above: 70, icon: mdi:alert, color: '#ffffff'}]}]"
	scene := walltest.Scene{Size: image.Pt(94, 83), Picture: image.Pt(320, 240)}
	walltest.ModernBubble(t, file, scene, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		corner := d.R.Frame().SubImage(image.Rect(78, 68, 91, 80)).(*image.RGBA)
		if ink := walltest.InkOf(corner, corner.Rect); ink.Empty() {
			t.Error("got no icon in the lower corner")
		}
	})
}

// TestIconReplacesACutTitle checks that a card shows only the title's icon if the only word of the title would be cut.
func TestIconReplacesACutTitle(t *testing.T) {
	for wide, want := range map[int]string{24: "", 34: "", 60: "Nudeln", 120: "Nudeln"} {
		if got, ink := titleIn("Nudeln", wide); got != want || want == "" && ink.Empty() {
			t.Errorf("%d px: the title is %q, want %q, ink %v", wide, got, want, ink)
		}
	}
}

// TestIconLeavesALongTitle checks that the icon does not replace a title that has a separator: its beginning is clear.
func TestIconLeavesALongTitle(t *testing.T) {
	for title, want := range map[string]bool{"Nudelsalat": false, "Nudel-Salat": true, "Nudel/Salat": true} {
		cut := false
		for wide := 30; wide < 120; wide++ {
			got, _ := titleIn(title, wide)
			cut = cut || got != "" && got != title
		}
		if cut != want {
			t.Errorf("%s: the beginning is shown in some width: %v, want %v", title, cut, want)
		}
	}
}

// titleIn paints a title line with an icon on a small wall. It returns the text and the rectangle around the painted pixels.
func titleIn(title string, wide int) (got string, ink image.Rectangle) {
	e, words := walltest.TestEnv(), []walltest.Text(nil)
	e.Picture = image.Pt(320, 240)
	walltest.TextsOf(e.Text, &words)
	m := image.NewRGBA(image.Rect(0, 0, wide, 20))
	f := &kit.Framed{Title: &config.Live[string]{Plain: title}, Icon: &config.Live[value.Icon]{Plain: value.Icon{Name: "pasta"}}}
	walltest.Builder(e).NewHead(nil, f, m.Rect).Paint(render.NewCanvas(m))
	for _, p := range words {
		got += p.Text
	}
	return got, walltest.InkOf(m, m.Rect)
}

// yellow returns the rectangle around all yellow pixels.
func yellow(m *image.RGBA) (r image.Rectangle) {
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			if c := m.RGBAAt(x, y); int(c.R) > int(c.B)+40 {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}
