package widgets

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/notify"
	"dashboard/internal/testing/golden"
	"dashboard/provider"
	"dashboard/widgets/walltest"
)

// dataStates are the states of a widget that shows values, with their positions in the golden picture.
var dataStates = []struct {
	name string
	at   image.Rectangle
}{
	{"waiting", cellAt(0, 0, 240, 135)},
	{"usual", cellAt(250, 0, 240, 135)},
	{"long", cellAt(0, 145, 240, 135)},
	{"stale", cellAt(250, 145, 240, 135)},
	{"error", cellAt(0, 290, 240, 135)},
	{"smallest", cellAt(250, 290, 24, 16)},
	{"largest", cellAt(500, 0, 800, 480)},
}

func cellAt(x, y, w, h int) image.Rectangle { return image.Rect(x, y, x+w, y+h) }

// dataGoldens are widgets that show values. Each entry has a function that brings the widget into a state.
var dataGoldens = []struct {
	name, widget string
	feed         func(d *walltest.Data, state string)
}{
	{"rest", "{widget: rest, url: 'http://h/', format_string: 'Outside {}', color: TEXT, background_color: PANEL, corner_radius: 16}", fetchedValues(21.5, walltest.LongText)},
	{"provider", "{widget: provider, providers: [p], format_string: '{value:.1f} °C', color: TEXT, background_color: PANEL, corner_radius: 16}", providedValues(21.44, 1e30)},
	{"provider-errors", "{widget: provider, providers: [p], show_errors: true, wrap: true, stale_color: ACCENT, color: TEXT, text_size: 30, align: left}", providedValues("fine", walltest.LongText)},
	{"providertemplate", "{widget: providertemplate, providers: [p], template: T, hass_url: 'http://h', hass_token: K, color: TEXT, text_size: 40, wrap: true}", fetchedValues("Lunch", walltest.LongText)},
	{"providerbarchart", "{widget: providerbarchart, providers: [p], data_path: v, labels_data_path: l, label_color: TEXT, label_size: 13, midline: true, quartline: true, midline_color: TEXT, " +
		"quartline_color: PANEL, bar_color_thresholds: [{above: 40, color: ACCENT}, {above: 70, color: red}], bar_colors: {'12': lime}, bar_background_colors: {'00': PANEL}, max_value: 100}",
		providedValues(rain(24, 3), rain(500, 1))},
	{"providerbarchart-plain", "{widget: providerbarchart, providers: [p], data_path: v, bar_color: ACCENT, background_color: PANEL, corner_radius: 16}",
		providedValues(map[string]any{"v": []any{3, 1, nil, 4, 1.5, -2, "9", true}}, map[string]any{"v": []any{}})},
	{"httpflip", "{widget: httpflip, url: 'http://h/', transition: 2, mapping: {true: b}, " + twoTexts + "}", flipping(fetchedValues(true, "other"))},
	{"providerflip", "{widget: providerflip, providers: [p], default_widget: b, mapping: {'1.0': a}, " + twoTexts + "}", flipping(providedValues(1.0, "other"))},
	{"restimage", "{widget: restimage, url: 'http://h/', background_color: PANEL, corner_radius: 16}", fetchedPictures},
	{"providerimage", "{widget: providerimage, providers: [p], fallback_image: FILM, fit: cover}", fetchedPictures},
	{"notifiabletext", "{widget: notifiabletext, name: n, color: TEXT, padding: 6, wrap: true, children: [" + room + "]}", notifiedTexts},
	{"notifiabletext-panel", "{widget: notifiabletext, name: n, color: TEXT, padding: 6, background_color: PANEL, corner_radius: 16, children: [" + room + "]}", notifiedTexts},
	{"notifiableimage", "{widget: notifiableimage, name: n, children: [" + room + "]}", notifiedPictures},
}

const (
	twoTexts = "children: [{widget: text, name: a, text: 'child a', color: TEXT, background_color: PANEL}, {widget: text, name: b, text: 'child b', color: ACCENT}]"
	room     = "{widget: label, text: Kitchen, color: ACCENT, children: [{widget: text, text: '21.4', color: TEXT, align: center}]}"
)

// rain() returns n values from about 0 to 100, with the hours as labels. The second label is replaced by a text of the given number of
// letters.
func rain(n, letters int) map[string]any {
	var values, labels []any
	for i := range n {
		values = append(values, math.Round(50+45*math.Sin(float64(i)*6.5/float64(n))-float64(i*37%11)))
		labels = append(labels, fmt.Sprintf("%02d", i%24))
	}
	labels[1] = strings.Repeat("m", letters)
	return map[string]any{"v": values, "l": labels}
}

// into() publishes the value or the failure that belongs to a state. `usual` and `long` are the values of the states with these names.
func into(c *provider.Cell, state string, usual, long any) {
	switch state {
	case "usual", "smallest", "largest":
		c.Publish(usual, walltest.T0)
	case "long":
		c.Publish(long, walltest.T0)
	case "stale":
		c.Promise(time.Minute)
		c.Publish(usual, walltest.T0.Add(-time.Hour))
		c.Fail(walltest.ErrDown, walltest.T0)
	case "error":
		c.Fail(walltest.ErrDown, walltest.T0)
	}
}

func providedValues(usual, long any) func(*walltest.Data, string) {
	return func(d *walltest.Data, state string) {
		into(d.ByName["p"], state, usual, long)
	}
}

func fetchedValues(usual, long any) func(*walltest.Data, string) {
	return func(d *walltest.Data, state string) { into(d.Fetched(d.T), state, usual, long) }
}

// flipping() returns a function that brings a flip widget into a state. Except in the state "smallest", this function first selects
// another child, so that the widget slides.
func flipping(feed func(*walltest.Data, string)) func(*walltest.Data, string) {
	return func(d *walltest.Data, state string) {
		if state != "smallest" {
			feed(d, "long")
			d.Step(-time.Second)
		}
		feed(d, state)
	}
}

func fetchedPictures(d *walltest.Data, state string) {
	into(d.Fetched(d.T), state, walltest.ShownPicture(d, 0), walltest.ShownPicture(d, 90))
}

// notifiedTexts posts the notification that belongs to a state. In the state "stale", the notification has its own colors. In the state
// "error", the notification has already ended.
func notifiedTexts(d *walltest.Data, state string) {
	n := &notify.Notification{Text: "Doorbell", Duration: time.Minute}
	switch state {
	case "waiting":
		return
	case "long":
		n.Text = walltest.LongText
	case "stale":
		n.Color, n.Background = &color.NRGBA{255, 255, 255, 255}, &color.NRGBA{180, 30, 40, 200}
	case "error":
		n.Duration = time.Millisecond
	}
	d.Post(n)
}

func notifiedPictures(d *walltest.Data, state string) {
	n := &notify.Notification{Picture: walltest.ShownPicture(d, 0), Box: d.Size, Duration: time.Minute}
	switch state {
	case "waiting":
		return
	case "long":
		n.Picture = walltest.ShownPicture(d, 90)
	case "stale": // a picture that was decoded for the smaller cell of another theme
		whole := d.Size
		d.Size = image.Pt(100, 100)
		n.Picture, n.Box = walltest.ShownPicture(d, 0), d.Size
		d.Size = whole
	case "error":
		n.Duration = time.Millisecond
	}
	d.Post(n)
}

func TestDataGoldens(t *testing.T) {
	for _, g := range dataGoldens {
		t.Run(g.name, func(t *testing.T) {
			widget := strings.ReplaceAll(g.widget, "FILM", walltest.Flow(walltest.TestPicture(t)))
			const width, height = 1320, 500
			sheet := image.NewRGBA(image.Rect(0, 0, width, 2*height+walltest.GoldenGap))
			draw.Draw(sheet, sheet.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
			for i, l := range palettes {
				file := walltest.WidgetFile(l.ground, strings.NewReplacer("PANEL", walltest.Flow(l.panel), "TEXT", walltest.Flow(l.text), "ACCENT", walltest.Flow(l.accent)).Replace(widget))
				for _, s := range dataStates {
					r := s.at.Add(image.Pt(walltest.GoldenGap, walltest.GoldenGap+i*height))
					synctest.Test(t, func(t *testing.T) {
						d := walltest.NewData(t, file, r.Size())
						d.Step(-time.Second)
						g.feed(d, s.name)
						d.Step(0)
						d.Step(700 * time.Millisecond) // during a slide
						draw.Draw(sheet, r, d.R.Frame(), image.Point{}, draw.Src)
					})
				}
			}
			golden.Compare(t, g.name, sheet)
		})
	}
}
