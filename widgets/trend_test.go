package widgets

import (
	"image"
	"testing"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/theme/look"
)

func TestTrendRoles(t *testing.T) {
	for _, tc := range []struct {
		change       float64
		better, want string
	}{{1, "none", "muted"}, {0, "up", "muted"}, {1, "up", "good"}, {-1, "up", "bad"}, {1, "down", "bad"}, {-1, "down", "good"}} {
		if got := trendRole(tc.change, tc.better); got != tc.want {
			t.Errorf("%v, better %s: got %s, want %s", tc.change, tc.better, got, tc.want)
		}
	}
}

// A card shows the change of its value once the past is long enough to know it, and a curve of it.
func TestCardShowsItsPast(t *testing.T) {
	size := image.Pt(300, 200)
	file := "widgets: [{widget: card, margin: 0, value: !data .p, unit: °, trend: 1h, better: down, sparkline: 6h}]"
	modernBubble(t, file, scene{size: size}, look.Calm(true), func(d *data) {
		w := only[*frame](d).inner.(*card)
		for i := range 5 {
			at := time.Duration(i) * 30 * time.Minute
			d.named["p"].Publish(20+float64(i), t0.Add(at))
			d.step(at)
			if got, want := w.trend.text.raw != "", i >= 2; got != want {
				t.Errorf("value %d: got a change %v, want %v", i, got, want)
			}
		}
		if w.trend.text.raw != "2" || w.trend.mark.name != "mdi:arrow-up" || w.trend.ink != w.figure.b.role("bad") {
			t.Errorf("got %q with %s, want 2 with an arrow upward in bad", w.trend.text.raw, w.trend.mark.name)
		}
		if at := only[*frame](d).body.Min; inkOf(d.r.Frame(), w.curve.Add(at)).Dx() < w.curve.Dx()/4 {
			t.Error("got no curve")
		}
	})
}

func TestTimeInWords(t *testing.T) {
	for _, tc := range []struct {
		language     string
		hour, minute int
		want         string
	}{
		{"en", 0, 0, "midnight"}, {"en", 12, 4, "noon"}, {"en", 15, 0, "three o’clock"}, {"en", 10, 30, "half past ten"},
		{"en", 10, 35, "twenty-five to eleven"}, {"en", 11, 59, "five to twelve"}, {"en", 23, 45, "quarter to twelve"},
		{"de", 13, 0, "ein Uhr"}, {"de", 10, 30, "halb elf"}, {"de", 10, 25, "fünf vor halb elf"}, {"de", 10, 20, "zwanzig nach zehn"},
		{"de", 0, 45, "Viertel vor eins"}, {"de", 12, 5, "fünf nach zwölf"},
	} {
		if got := timeInWords(tc.language, tc.hour, tc.minute); got != tc.want {
			t.Errorf("%s, %d:%02d: got %s, want %s", tc.language, tc.hour, tc.minute, got, tc.want)
		}
	}
}

// A language without words for the time shows figures, and is told.
func TestClockWithoutWords(t *testing.T) {
	e := testEnv()
	l, err := locale.Load("fr", nil)
	if err != nil {
		t.Fatal(err)
	}
	e.Locale = l
	spec, report := parse(t, widgetFile("navy", "{widget: clock, kind: words}"))
	builder(e).BuildScreen(spec, image.Pt(300, 200))
	if report.Failed() || len(report.Warnings()) != 1 {
		t.Errorf("got %v, want one warning", report.Warnings())
	}
}

// A moving hand damages its own box and not the dial.
func TestHandsDamageTheirBoxes(t *testing.T) {
	size := image.Pt(400, 400)
	e := testEnv()
	e.Picture = image.Pt(1280, 720)
	f := buildOne[*frame](t, e, "{widget: clock, kind: analogue, margin: 0, padding: 0, date: none, seconds: step}", size)
	r := render.New(f, size)
	r.Step(t0)
	area := 0
	changed, _ := r.Step(after(time.Second))
	for _, d := range changed {
		area += d.Dx() * d.Dy()
	}
	if area == 0 || area > size.X*size.Y/10 {
		t.Errorf("a second damages %d px of %d", area, size.X*size.Y)
	}
}

func TestHeatmapCells(t *testing.T) {
	e := testEnv()
	b := builder(e)
	year := &heatmap{b: b, cols: yearWeeks, rows: 7}
	week := &heatmap{b: b, cols: 24, rows: 7, week: true}
	first := int(b.Locale.FirstDay)
	today := (int(t0.Weekday()) - first + 7) % 7
	for _, tc := range []struct {
		name string
		w    *heatmap
		ago  time.Duration
		want int
	}{
		{"today", year, 0, 52*7 + today},
		{"the week before", year, 7 * 24 * time.Hour, 51*7 + today},
		{"more than a year ago", year, 400 * 24 * time.Hour, -1},
		{"tomorrow", year, -24 * time.Hour, -1},
		{"this hour", week, 0, t0.Hour()*7 + 6},
		{"yesterday", week, 24 * time.Hour, t0.Hour()*7 + 5},
		{"a week ago", week, 7 * 24 * time.Hour, -1},
	} {
		if got := tc.w.cell(t0, t0.Add(-tc.ago)); got != tc.want {
			t.Errorf("%s: got cell %d, want %d", tc.name, got, tc.want)
		}
	}
	for v, want := range map[float64]int{0: 0, 1: 1, 50: 3, 100: 5, 900: 5} {
		if got := levelOf(v, 0, 100); got != want {
			t.Errorf("level of %v: got %d, want %d", v, got, want)
		}
	}
}

// BenchmarkHand moves a second hand.
func BenchmarkHand(b *testing.B) {
	r := roleRenderer(b, "{widget: clock, kind: analogue, seconds: step, date: none}", true, image.Pt(480, 480))
	now := warm(r)
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(time.Second)
		r.Step(now)
	}
}
