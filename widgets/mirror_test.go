package widgets

import (
	"image"
	"os"
	"strings"
	"testing"

	"dashboard/render"
)

// mirroredWords are the words of a wall in a language that runs from right to left: sun, house, rain, snow, limit, and the
// days of a week.
var mirroredWords = map[string][6]string{
	"ar": {"شمس", "بيت", "مطر", "ثلج", "الحد", "الاثنين, الثلاثاء, الأربعاء, الخميس, الجمعة, السبت, الأحد"},
	"he": {"שמש", "בית", "גשם", "שלג", "גבול", "שני, שלישי, רביעי, חמישי, שישי, שבת, ראשון"},
}

// dejavu has Arabic letters, which the built-in fonts lack (package fonts-dejavu-core).
const dejavu = "/usr/share/fonts/truetype/dejavu"

// mirroredScenes are charts of such a wall.
func mirroredScenes(tag string) []scene {
	wide, small, w := image.Pt(420, 240), image.Pt(260, 180), mirroredWords[tag]
	sun, house, rain, snow, limit, week := w[0], w[1], w[2], w[3], w[4], w[5]
	scenes := []scene{
		{size: wide, locale: tag, widget: "{widget: chart, title: " + sun + ", icon: mdi:weather-sunny, unit: W, series: [{text: " + sun + ", kind: area, values: " + curve(24, 900, 0) +
			"}, {text: " + house + ", values: " + curve(24, 400, 3) + "}]}"},
		{size: small, locale: tag, widget: "{widget: chart, kind: area, marks: [max, last], values: " + curve(40, 220, 1) + ", thresholds: [{above: 300, text: " + limit + "}]}"},
		{size: wide, locale: tag, widget: "{widget: chart, kind: bar, unit: mm, labels: [" + week + "], series: [{text: " + rain + ", values: [2, 0, 5.5, 8, 1, null, 3]}, {text: " + snow +
			", values: [1, 2, 3, 0, 0, 4, 1]}]}"},
		{size: small, locale: tag, widget: "{widget: chart, kind: area, values: " + priced() + "}"},
		{size: wide, locale: tag, widget: "{widget: chart, series: [{text: " + sun + ", kind: step, values: [12, 14, 19, 21, 17]}, {text: " + rain +
			", kind: points, axis: right, values: [0, 140, 30, 0, 90]}]}"},
		{size: wide, locale: tag, widget: "{widget: heatmap, title: " + house + ", values: " + daily(371) + "}"},
		{size: wide, locale: tag, widget: "{widget: heatmap, kind: week, values: " + daily(168) + "}"},
		{size: image.Pt(320, 300), locale: tag, widget: "{widget: sunpath, location: {latitude: 31.8, longitude: 35.2}}"},
	}
	if tag == "ar" {
		for i := range scenes {
			scenes[i].fonts = dejavu
		}
	}
	return scenes
}

// Charts are mirrored where the language runs from right to left: time too, like the hours of weather and the days of a week.
func TestMirroredGoldens(t *testing.T) {
	for _, tag := range []string{"ar", "he"} {
		t.Run(tag, func(t *testing.T) {
			if _, err := os.Stat(dejavu); err != nil && tag == "ar" {
				t.Skip("SKIPPED, Arabic charts NOT checked: ", err)
			}
			modernSheet(t, "mirrored-"+tag, mirroredScenes(tag))
		})
	}
}

// chartIn is a chart of a wall in a language, drawn once.
func chartIn(t *testing.T, tag, widget string, size image.Point) *chart {
	t.Helper()
	e := testEnv()
	e.Picture, e.Locale = image.Pt(1280, 720), testLocale(t, tag)
	f := buildOne[*frame](t, e, widget, size)
	render.New(f, size).Step(t0)
	return f.inner.(*chart)
}

// What a chart shows from right to left is the mirror of what it shows from left to right.
func TestChartIsMirrored(t *testing.T) {
	size := image.Pt(600, 300)
	widget := "{widget: chart, margin: 0, series: [{text: one, values: " + curve(48, 1200, 0) + "}, {text: two, axis: right, values: " + curve(48, 30, 5) + "}]}"
	en, he := chartIn(t, "en", widget, size), chartIn(t, "he", widget, size)
	if en.xAt(en.x.from) >= en.xAt(en.x.to) || he.xAt(he.x.from) <= he.xAt(he.x.to) {
		t.Errorf("got time from %v to %v in English, %v to %v in Hebrew", en.xAt(en.x.from), en.xAt(en.x.to), he.xAt(he.x.from), he.xAt(he.x.to))
	}
	for i, beside := range []func(c *caption, plot image.Rectangle) bool{
		func(c *caption, plot image.Rectangle) bool { return c.ink.Min.X >= plot.Max.X },
		func(c *caption, plot image.Rectangle) bool { return c.ink.Max.X <= plot.Min.X },
	} {
		if len(he.sides[i].texts) < 2 {
			t.Fatalf("axis %d has %d numbers", i, len(he.sides[i].texts))
		}
		for _, c := range he.sides[i].texts {
			if !beside(c, he.plot) || !c.ink.In(image.Rectangle{Max: size}) {
				t.Errorf("axis %d: %q at %v is beside the wrong side of %v", i, c.raw, c.ink, he.plot)
			}
		}
	}
	if he.legend[0].ink.Min.X <= he.legend[1].ink.Max.X {
		t.Errorf("got the first name at %v, the second at %v: want the first at the right", he.legend[0].ink, he.legend[1].ink)
	}
	for i, c := range he.bottom[:he.shownBottom] {
		if i > 0 && c.ink.Max.X > he.bottom[i-1].ink.Min.X {
			t.Errorf("%q at %v is not left of %q", c.raw, c.ink, he.bottom[i-1].raw)
		}
		if !c.ink.In(image.Rectangle{Max: size}) {
			t.Errorf("%q leaves the chart", c.raw)
		}
	}
}

// Names below a chart leave one by one, in even steps, in both directions.
func TestNamesOfAMirroredChart(t *testing.T) {
	size := image.Pt(440, 200)
	widget := "{widget: chart, margin: 0, kind: bar, labels: [Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday], values: [1, 2, 3, 4, 5, 6, 7]}"
	en, he := chartIn(t, "en", widget, size), chartIn(t, "he", widget, size)
	if en.shownBottom < 2 || en.shownBottom > 4 || he.shownBottom != en.shownBottom {
		t.Fatalf("got %d names in Hebrew, %d in English", he.shownBottom, en.shownBottom)
	}
	for i := range en.shownBottom {
		if got, want := he.bottom[i].raw, en.bottom[i].raw; got != want {
			t.Errorf("name %d: got %q, want %q", i, got, want)
		}
	}
}

// The newest week of a heatmap is at the left, its hours begin at the right, beside the names of the days.
func TestHeatmapIsMirrored(t *testing.T) {
	size := image.Pt(600, 300)
	for _, kind := range []string{"year", "week"} {
		e := testEnv()
		e.Picture, e.Locale = image.Pt(1280, 720), testLocale(t, "he")
		f := buildOne[*frame](t, e, "{widget: heatmap, margin: 0, kind: "+kind+", max: 3, values: ["+strings.Repeat("0, ", 150)+"9]}", size)
		render.New(f, size).Step(t0)
		w := f.inner.(*heatmap)
		hot := w.levels[heatLevels].Bounds()
		if kind == "year" && hot.Max.X > size.X/2 {
			t.Errorf("year: got today at %v, want it at the left", hot)
		}
		if kind == "week" && w.labels[0].ink.Min.X < hot.Max.X {
			t.Errorf("week: got %q at %v, want it right of the cell at %v", w.labels[0].raw, w.labels[0].ink, hot)
		}
		for _, l := range w.labels[:w.shown] {
			if !l.ink.In(image.Rectangle{Max: size}) {
				t.Errorf("%s: %q at %v leaves %v", kind, l.raw, l.ink, size)
			}
		}
	}
}
