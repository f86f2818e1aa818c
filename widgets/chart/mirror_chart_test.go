package chart

import (
	"image"
	"slices"
	"strings"
	"testing"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// chartIn draws a chart once on a wall in the given language, and returns it.
func chartIn(t *testing.T, tag, widget string, size image.Point) *chart {
	t.Helper()
	e := walltest.TestEnv()
	e.Picture, e.Locale = image.Pt(1280, 720), walltest.TestLocale(t, tag)
	f := walltest.BuildOne[*kit.Frame](t, e, widget, size)
	render.New(f, size).Step(walltest.T0)
	return f.Inner.(*chart)
}

// TestChartIsMirrored checks a chart in a right-to-left language. The time runs to the left, each axis is on the other side, and the
// first name of the legend is on the right.
func TestChartIsMirrored(t *testing.T) {
	size := image.Pt(600, 300)
	widget := "{widget: chart, margin: 0, series: [{text: one, values: " + walltest.Curve(48, 1200, 0) + "}, {text: two, axis: right, values: " + walltest.Curve(48, 30, 5) + "}]}"
	en, he := chartIn(t, "en", widget, size), chartIn(t, "he", widget, size)
	if en.xAt(en.x.from) >= en.xAt(en.x.to) || he.xAt(he.x.from) <= he.xAt(he.x.to) {
		t.Errorf("got time from %v to %v in English, %v to %v in Hebrew", en.xAt(en.x.from), en.xAt(en.x.to), he.xAt(he.x.from), he.xAt(he.x.to))
	}
	for i, beside := range []func(c *kit.Caption, plot image.Rectangle) bool{
		func(c *kit.Caption, plot image.Rectangle) bool { return c.Ink.Min.X >= plot.Max.X },
		func(c *kit.Caption, plot image.Rectangle) bool { return c.Ink.Max.X <= plot.Min.X },
	} {
		if len(he.sides[i].texts) < 2 {
			t.Fatalf("axis %d has %d numbers", i, len(he.sides[i].texts))
		}
		for _, c := range he.sides[i].texts {
			if !beside(c, he.plot) || !c.Ink.In(image.Rectangle{Max: size}) {
				t.Errorf("axis %d: %q at %v is beside the wrong side of %v", i, c.Raw, c.Ink, he.plot)
			}
		}
	}
	if he.legend[0].Ink.Min.X <= he.legend[1].Ink.Max.X {
		t.Errorf("got the first name at %v, the second at %v: want the first at the right", he.legend[0].Ink, he.legend[1].Ink)
	}
	labels := append(slices.Clone(he.bottom[1:he.shownBottom]), he.bottom[0]) // the label "now" was placed first
	for i, c := range labels {
		if i > 0 && c.Ink.Max.X > labels[i-1].Ink.Min.X {
			t.Errorf("%q at %v is not left of %q", c.Raw, c.Ink, labels[i-1].Raw)
		}
		if !c.Ink.In(image.Rectangle{Max: size}) {
			t.Errorf("%q leaves the chart", c.Raw)
		}
	}
}

// TestNamesOfAMirroredChart checks that a right-to-left chart omits the same names below the plot as a left-to-right chart.
func TestNamesOfAMirroredChart(t *testing.T) {
	size := image.Pt(440, 200)
	widget := "{widget: chart, margin: 0, kind: bar, labels: [Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday], values: [1, 2, 3, 4, 5, 6, 7]}"
	en, he := chartIn(t, "en", widget, size), chartIn(t, "he", widget, size)
	if en.shownBottom < 2 || en.shownBottom > 4 || he.shownBottom != en.shownBottom {
		t.Fatalf("got %d names in Hebrew, %d in English", he.shownBottom, en.shownBottom)
	}
	for i := range en.shownBottom {
		if got, want := he.bottom[i].Raw, en.bottom[i].Raw; got != want {
			t.Errorf("name %d: got %q, want %q", i, got, want)
		}
	}
}

// TestHeatmapIsMirrored checks a heatmap in a right-to-left language. The newest week is on the left. The hours start on the right, next
// to the names of the days.
func TestHeatmapIsMirrored(t *testing.T) {
	size := image.Pt(600, 300)
	for _, kind := range []string{"year", "week"} {
		e := walltest.TestEnv()
		e.Picture, e.Locale = image.Pt(1280, 720), walltest.TestLocale(t, "he")
		f := walltest.BuildOne[*kit.Frame](t, e, "{widget: heatmap, margin: 0, kind: "+kind+", max: 3, values: ["+strings.Repeat("0, ", 150)+"9]}", size)
		render.New(f, size).Step(walltest.T0)
		w := f.Inner.(*heatmap)
		hot := w.levels[heatLevels].Bounds()
		if kind == "year" && hot.Max.X > size.X/2 {
			t.Errorf("year: got today at %v, want it at the left", hot)
		}
		if kind == "week" && w.labels[0].Ink.Min.X < hot.Max.X {
			t.Errorf("week: got %q at %v, want it right of the cell at %v", w.labels[0].Raw, w.labels[0].Ink, hot)
		}
		for _, l := range w.labels[:w.shown] {
			if !l.Ink.In(image.Rectangle{Max: size}) {
				t.Errorf("%s: %q at %v leaves %v", kind, l.Raw, l.Ink, size)
			}
		}
	}
}
