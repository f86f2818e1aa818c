package widgets

import (
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/golden"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

// goldenSizes maps the states in which every widget is drawn to the size of the cell in px.
var goldenSizes = map[string]image.Point{
	"usual": {320, 180}, "long": {320, 180}, "smallest": {24, 16}, "largest": {800, 480},
}

var goldenStates = []string{"usual", "long", "smallest", "largest"}

// palette holds the colors of a wall by day or by night. The widgets in `goldens` have placeholders for these colors.
type palette struct{ ground, panel, text, accent string }

var palettes = []palette{
	{"#eceff4", "#d8dee9", "#2e3440", "#bf616a"},
	{"#14161b", "#242933", "#d8dee9", "#ebcb8b"},
}

// `goldens` are the widgets to draw. PANEL, TEXT and ACCENT stand for colors, WORDS for a text, and FILM for a picture.
var goldens = map[string]string{
	"text":         "{widget: text, text: WORDS, color: TEXT, background_color: PANEL, corner_radius: 20, padding: 6, align: center, vertical_align: center}",
	"text-wrap":    "{widget: text, text: WORDS, color: TEXT, text_size: 40, wrap: true, ellipsis: true, background_color: PANEL, padding: 6, align: right, vertical_align: bottom}",
	"dateclock":    "{widget: dateclock, time_color: TEXT, date_color: ACCENT, background_color: PANEL, corner_radius: 20}",
	"clock-zone":   "{widget: dateclock, color: TEXT, time_format: '%H:%M:%S', date_format: WORDS, timezone: Asia/Tokyo}",
	"label":        "{widget: label, text: WORDS, color: ACCENT, children: [{widget: text, text: '12.5 °C', color: TEXT, align: center, vertical_align: center}]}",
	"label-below":  "{widget: label, position: below, text: WORDS, color: ACCENT, children: [{widget: text, text: '12', color: TEXT, align: center}]}",
	"empty":        "{widget: empty, color: ACCENT, corner_radius: 30}",
	"image":        "{widget: image, path: FILM, corner_radius: 30, background_color: PANEL}",
	"pill":         "{widget: pill, circular_mask: true, pill_size_relative_to_circle: true, pill_background_color: PANEL, children: [{widget: image, path: FILM, fit: cover}, {widget: text, text: WORDS, color: TEXT, align: center, vertical_align: center}]}",
	"flip":         "{widget: flip, interval: 0, transition: 2, children: [{widget: text, text: WORDS, color: TEXT, background_color: PANEL}, {widget: empty, color: ACCENT}]}",
	"scheduleflip": "{widget: scheduleflip, schedule: {'8:00': day, '22:00': night}, children: [{widget: empty, name: night}, {widget: text, name: day, text: WORDS, color: TEXT}]}",
	"grid": "{widget: grid, rows: 2, columns: 2, padding: 2, row_ratios: [2, 1], corner_radius: 24, background_color: ACCENT, widget_background_color: PANEL, widget_corner_radius: 12, " +
		"widget_background_colors: {note: '#00000040'}, children: [{widget: dateclock, color: TEXT}, {widget: text, name: note, text: WORDS, color: TEXT}, {widget: image, path: FILM}]}",
	"grid-shadow": "{widget: grid, rows: 1, columns: 2, padding: 3, drop_shadow: true, children: [{widget: text, text: WORDS, color: TEXT, wrap: true}, {widget: empty, color: ACCENT, corner_radius: 20}]}",
	"grid-image":  "{widget: grid, rows: 1, columns: 1, padding: 3, image_path: FILM, children: [{widget: text, text: WORDS, color: TEXT, align: center, vertical_align: center}]}",
	"screen":      "{widget: screen, background_image: FILM, drop_shadow: true, children: [{widget: text, text: WORDS, color: TEXT, text_size: 60, wrap: true, padding: 8}]}",
	"failed":      "{widget: broken, name: WORDS}",
	"banner":      "{widget: text, text: 'the wall', color: TEXT}",
}

func TestGoldens(t *testing.T) {
	film := walltest.TestPicture(t)
	for name, widget := range goldens {
		t.Run(name, func(t *testing.T) {
			widget := strings.ReplaceAll(widget, "FILM", walltest.Flow(film))
			golden.Compare(t, name, sheet(t, name, widget))
		})
	}
}

// sheet() paints all states of a widget, with the colors of the day above and of the night below.
func sheet(t *testing.T, name, widget string) *image.RGBA {
	var width, height int
	for _, size := range goldenSizes {
		width, height = width+size.X+walltest.GoldenGap, max(height, size.Y+walltest.GoldenGap)
	}
	m := image.NewRGBA(image.Rect(0, 0, width+walltest.GoldenGap, 2*height+walltest.GoldenGap))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
	for i, l := range palettes {
		at := image.Pt(walltest.GoldenGap, walltest.GoldenGap+i*height)
		for _, state := range goldenStates {
			frame := goldenFrame(t, name, widget, state, l)
			draw.Draw(m, frame.Rect.Add(at), frame, image.Point{}, draw.Src)
			at.X += frame.Rect.Dx() + walltest.GoldenGap
		}
	}
	return m
}

// goldenFrame paints one state of a widget.
func goldenFrame(t *testing.T, name, widget, state string, l palette) *image.RGBA {
	text := "Kitchen 21.4"
	if state == "long" {
		text = walltest.LongText
	}
	widget = strings.NewReplacer("PANEL", walltest.Flow(l.panel), "TEXT", walltest.Flow(l.text), "ACCENT", walltest.Flow(l.accent), "WORDS", walltest.Flow(text)).Replace(widget)
	e := walltest.TestEnv()
	e.Banner = provider.NewCell(nil)
	if name == "banner" {
		e.Banner.Publish(kit.Banner{
			Place: "widgets.yaml:12:7", Words: "unknown widget type 'txet'; is 'text' meant? " + strings.Repeat(text+" ", len(text)/8),
		}, walltest.T0)
	}
	b := walltest.Builder(e, kit.Define("broken", "", 0, 0, func(*kit.Builder, *kit.Spec, *struct{}, image.Point) render.Widget {
		return &bomb{update: true}
	}))
	spec, report := walltest.Parse(t, walltest.WidgetFile(l.ground, widget))
	size := goldenSizes[state]
	r := render.New(screen.Build(b, spec, size), size)
	if report.Failed() {
		t.Fatal(report)
	}
	r.Step(walltest.T0)
	r.Step(walltest.After(800 * time.Millisecond)) // in the middle of a flip's slide
	return r.Frame()
}
