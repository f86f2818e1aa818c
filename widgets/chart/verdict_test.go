package chart

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/kit/speech"
	"dashboard/widgets/walltest"
)

// TestVerdict checks the line below the large value that compares the value with its limits.
func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		name, limits string
		values       []float64
		want, icon   string
		role         string
	}{
		{"below the limit", "{above: 300, color: bad}", []float64{200, 212}, "below 300 ms", "mdi:check", "good"},
		{"above the limit", "{above: 300, color: bad}", []float64{200, 312}, "above 300 ms", "mdi:alert", "bad"},
		{"above the limit for a while", "{above: 300, color: bad}", []float64{312, 320, 330}, "above 300 · 2 min", "mdi:alert", "bad"},
		{"own icon", "{above: 300, color: warn, icon: mdi:fire}", []float64{200, 312}, "above 300 ms", "mdi:fire", "warn"},
		{"two limits", "{above: 500, color: bad}, {above: 300, color: warn}", []float64{200, 312}, "above 300 ms", "mdi:alert", "warn"},
		{"the nearest of two limits", "{above: 500, color: bad}, {above: 300, color: warn}", []float64{200, 212}, "below 300 ms", "mdi:check", "good"},
		{"near the lower of two limits", "{above: 500, color: bad}, {below: 200, color: warn}", []float64{200, 212}, "above 200 ms", "mdi:check", "good"},
		{"lower limit", "{below: 300, color: bad}", []float64{200, 312}, "above 300 ms", "mdi:check", "good"},
		{"below the lower limit", "{below: 300, color: bad}", []float64{200, 212}, "below 300 ms", "mdi:alert", "bad"},
		{"bounds in ascending order", "{above: 200, color: warn}, {above: 250, color: bad}", []float64{100, 260}, "above 250 ms", "mdi:alert", "bad"},
		{"in a range with two ends", "{below: 40, color: good}, {above: 40, below: 80, color: warn}, {above: 80, color: bad}",
			[]float64{30, 50}, "", "", ""},
		{"below a range with two ends", "{below: 40, color: good}, {above: 40, below: 80, color: warn}, {above: 80, color: bad}",
			[]float64{50, 30}, "below 80 ms", "mdi:check", "good"},
		{"beyond a limit with the same first digits", "{above: 30, color: warn}, {above: 300, color: bad}", []float64{312, 320, 100},
			"above 30 ms", "mdi:alert", "warn"},
		{"in a good range beyond a limit", "{above: 30, color: bad}, {above: 300, color: good}", []float64{20, 320}, "", "", ""},
		{"good values", "{above: 300, color: good}", []float64{200, 212}, "", "", ""},
		{"a band", "{above: 300, below: 400, color: bad}", []float64{200, 212}, "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			roles := strings.NewReplacer("good", "'#5ad09a'", "warn", "'#f5b84b'", "bad", "'#ec7569'") // the colors of the theme
			file := "widgets: [{widget: chart, margin: 0, value: !data .p.n, unit: ms, history: 6h, thresholds: [" + roles.Replace(tt.limits) + "]}]"
			cell := walltest.Scene{Size: image.Pt(700, 300), Picture: image.Pt(1280, 720)}
			walltest.ModernBubble(t, file, cell, look.Calm(true), func(d *walltest.Data) {
				for i, n := range tt.values {
					d.ByName["p"].Publish(map[string]any{"n": n}, walltest.T0.Add(time.Duration(i)*time.Minute))
					d.Step(time.Duration(i)*time.Minute + time.Second)
				}
				w := walltest.Only[*kit.Frame](d).Inner.(*heroChart)
				v := &w.verdict
				if tt.want == "" {
					if v.text != nil && v.text.Raw != "" {
						t.Errorf("got the verdict %q", v.text.Raw)
					}
					return
				}
				if strings.ReplaceAll(v.text.Raw, piece.ThinSpace, " ") != tt.want || v.mark.Name != tt.icon || v.ink != w.b.Role(tt.role) {
					t.Errorf("got %q, %q, %v; want %q, %q, %s", v.text.Raw, v.mark.Name, v.ink, tt.want, tt.icon, tt.role)
				}
				if v.text.Ink.Overlaps(w.figure.Ink.Union(w.unit.Ink)) || v.text.Ink.Overlaps(w.extents.Ink) || w.beyond.Raw == v.text.Raw {
					t.Errorf("the verdict %v covers the value %v or the range %v, or says %q twice", v.text.Ink, w.figure.Ink, w.extents.Ink, w.beyond.Raw)
				}
				s := &speech.Speech{}
				s.Begin(w.b.Locale, time.UTC, walltest.T0, true)
				w.Speak(s)
				if said := string(s.AppendText(nil)); !strings.Contains(said, strings.ReplaceAll(v.text.Raw, " ·", ",")) {
					t.Errorf("got the description %q", said)
				}
			})
		})
	}
}

// TestUnitIsShownOnce checks that the unit of a large value is next to the value, and not at the axis too.
func TestUnitIsShownOnce(t *testing.T) {
	for _, n := range []float64{5, 12345678} {
		walltest.ModernBubble(t, "widgets: [{widget: chart, margin: 0, value: !data .p.n, unit: ms, history: 1h}]",
			walltest.Scene{Size: image.Pt(700, 300), Picture: image.Pt(1280, 720)}, look.Calm(true), func(d *walltest.Data) {
				d.ByName["p"].Publish(map[string]any{"n": n}, walltest.T0)
				d.Step(time.Second)
				w := walltest.Only[*kit.Frame](d).Inner.(*heroChart)
				if w.unit.Raw != "ms" || w.unit.Ink.Overlaps(w.figure.Ink) || w.figure.Ink.Dx() > w.figure.Box.Dx() {
					t.Errorf("%v: got the unit %q at %v, and the value at %v in %v", n, w.unit.Raw, w.unit.Ink, w.figure.Ink, w.figure.Box)
				}
				for _, c := range w.sides[0].texts {
					if c.Raw[len(c.Raw)-1] == 's' {
						t.Errorf("%v: the axis has %q", n, c.Raw)
					}
				}
			})
	}
}

// TestRingDigits checks that the digits of a number in a ring have different widths, although the number is small, and that its unit is
// readable.
func TestRingDigits(t *testing.T) {
	e := walltest.TestEnv()
	e.Picture = image.Pt(1280, 720)
	ring := "{widget: gauge, card: false, margin: 0, padding: 0, kind: ring, value: 31}"
	w := walltest.BuildOne[*kit.Frame](t, e, ring, image.Pt(110, 110)).Inner.(*gauge)
	f := w.round.Face()
	if px := w.figure.Tail.Face.Size; px != w.b.Face("label").Size {
		t.Errorf("got a unit of %d px, want the size of a label", px)
	}
	if one, zero := w.b.TextWidth(f, "11"), w.b.TextWidth(f, "00"); f.Size >= kit.BigType || one >= zero {
		t.Errorf("at %d px: got %d px for 11, and %d px for 00", f.Size, one, zero)
	}
}

// TestVerdictOfTheSameNumber checks that the verdict, the time beyond the limit, and the unit are judged again if the printed number
// stays the same.
func TestVerdictOfTheSameNumber(t *testing.T) {
	const file = "widgets: [{widget: chart, margin: 0, value: !data .p.n, unit: !data .p.unit, history: 6h, decimals: 0, thresholds: [" +
		"{above: 300, color: '#ec7569'}]}]"
	cell := walltest.Scene{Size: image.Pt(700, 300), Picture: image.Pt(1280, 720)}
	walltest.ModernBubble(t, file, cell, look.Calm(true), func(d *walltest.Data) {
		for i, tt := range []struct {
			n             float64
			unit, verdict string
			role          string
		}{
			{299.7, "ms", "below 300 ms", "good"}, {300.4, "ms", "above 300 ms", "bad"}, {300.4, "ms", "above 300 · 1 min", "bad"},
			{300.4, "ms", "above 300 · 2 min", "bad"}, {300.4, "s", "above 300 · 3 min", "bad"},
		} {
			d.ByName["p"].Publish(map[string]any{"n": tt.n, "unit": tt.unit}, walltest.T0.Add(time.Duration(i)*time.Minute))
			d.Step(time.Duration(i)*time.Minute + time.Second)
			w := walltest.Only[*kit.Frame](d).Inner.(*heroChart)
			if w.figure.Raw != "300" {
				t.Fatalf("got the value %q", w.figure.Raw)
			}
			got := strings.ReplaceAll(w.verdict.text.Raw, piece.ThinSpace, " ")
			if got != tt.verdict || w.verdict.ink != w.b.Role(tt.role) || w.unit.Raw != tt.unit || tt.role == "bad" && w.ink != w.b.Role("bad") {
				t.Errorf("%d: got %q, %v, the unit %q and the color %v; want %q, %s, %q", i, got, w.verdict.ink, w.unit.Raw, w.ink, tt.verdict, tt.role, tt.unit)
			}
		}
	})
}

// TestUnitOfFutureValues checks that the axis has the unit if the chart shows no last value, because it contains future times.
func TestUnitOfFutureValues(t *testing.T) {
	walltest.ModernBubble(t, "widgets: [{widget: chart, margin: 0, values: !data .p.list, unit: ms}]",
		walltest.Scene{Size: image.Pt(700, 300), Picture: image.Pt(1280, 720)}, look.Calm(true), func(d *walltest.Data) {
			var list []any
			for i := range 5 {
				list = append(list, []any{float64(walltest.T0.Add(time.Duration(i-2) * time.Hour).Unix()), float64(i)})
			}
			d.ByName["p"].Publish(map[string]any{"list": list}, walltest.T0)
			d.Step(time.Second)
			w := walltest.Only[*kit.Frame](d).Inner.(*heroChart)
			texts := w.sides[0].texts
			if !w.future || w.unit.Raw != "" || len(texts) == 0 || !strings.HasSuffix(texts[len(texts)-1].Raw, "ms") {
				t.Errorf("future: %v; got the unit %q and an axis with %d labels without it", w.future, w.unit.Raw, len(texts))
			}
		})
}

// TestPaintingAVerdictAllocatesNothing checks the frames of a chart with a verdict about a good value and about a bad value.
func TestPaintingAVerdictAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	const file = "widgets: [{widget: chart, margin: 0, value: !data .p.n, unit: ms, history: 6h, thresholds: [{above: 300, color: '#ec7569'}]}]"
	for _, n := range []float64{212, 312} {
		cell := walltest.Scene{Size: image.Pt(700, 300), Picture: image.Pt(1280, 720)}
		walltest.ModernBubble(t, file, cell, look.Calm(true), func(d *walltest.Data) {
			d.ByName["p"].Publish(map[string]any{"n": n}, walltest.T0)
			d.Step(time.Second)
			if v := &walltest.Only[*kit.Frame](d).Inner.(*heroChart).verdict; v.text.Raw == "" || v.mark.Name == "" {
				t.Errorf("%v: got no verdict", n)
			}
			now := walltest.T0.Add(2 * time.Second)
			d.R.Step(now)
			if got := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); got != 0 {
				t.Errorf("%v: a frame allocated %v times", n, got)
			}
		})
	}
}
