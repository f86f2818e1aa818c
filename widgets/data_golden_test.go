package widgets

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/notify"
	"dashboard/internal/testing/golden"
	"dashboard/provider"
	"dashboard/render/picture"
)

// dataStates are the states of a widget that shows values, and where each stands on its sheet.
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

// dataGoldens are the widgets, and how their states come about.
var dataGoldens = []struct {
	name, widget string
	feed         func(d *data, state string)
}{
	{"rest", "{widget: rest, url: 'http://h/', format_string: 'Outside {}', color: TEXT, background_color: PANEL, corner_radius: 16}", fetchedValues(21.5, longText)},
	{"provider", "{widget: provider, providers: [p], format_string: '{value:.1f} °C', color: TEXT, background_color: PANEL, corner_radius: 16}", providedValues(21.44, 1e30)},
	{"provider-errors", "{widget: provider, providers: [p], show_errors: true, wrap: true, stale_color: ACCENT, color: TEXT, text_size: 30, align: left}", providedValues("fine", longText)},
	{"providertemplate", "{widget: providertemplate, providers: [p], template: T, hass_url: 'http://h', hass_token: K, color: TEXT, text_size: 40, wrap: true}", fetchedValues("Lunch", longText)},
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

// rain is n values from 0 to 100 with the hours as labels, the first of them so many letters longer.
func rain(n, letters int) map[string]any {
	var values, labels []any
	for i := range n {
		values = append(values, math.Round(50+45*math.Sin(float64(i)*6.5/float64(n))-float64(i*37%11)))
		labels = append(labels, fmt.Sprintf("%02d", i%24))
	}
	labels[1] = strings.Repeat("m", letters)
	return map[string]any{"v": values, "l": labels}
}

// into lets a cell come into a state.
func into(c *provider.Cell, state string, usual, long any) {
	switch state {
	case "usual", "smallest", "largest":
		c.Publish(usual, t0)
	case "long":
		c.Publish(long, t0)
	case "stale":
		c.Promise(time.Minute)
		c.Publish(usual, t0.Add(-time.Hour))
		c.Fail(errDown, t0)
	case "error":
		c.Fail(errDown, t0)
	}
}

func providedValues(usual, long any) func(*data, string) {
	return func(d *data, state string) {
		into(d.named["p"], state, usual, long)
	}
}

func fetchedValues(usual, long any) func(*data, string) {
	return func(d *data, state string) { into(d.fetched(d.t), state, usual, long) }
}

// flipping has the other child shown before, except in the smallest cell.
func flipping(feed func(*data, string)) func(*data, string) {
	return func(d *data, state string) {
		if state != "smallest" {
			feed(d, "long")
			d.step(-time.Second)
		}
		feed(d, state)
	}
}

func fetchedPictures(d *data, state string) {
	into(d.fetched(d.t), state, shownPicture(d, 0), shownPicture(d, 90))
}

// shownPicture is the landscape as it is shown in a widget, turned by degrees.
func shownPicture(d *data, degrees int) *picture.Picture {
	data, err := os.ReadFile(testPicture(d.t))
	if err != nil {
		d.t.Fatal(err)
	}
	if degrees != 0 {
		data = []byte(fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 30"><rect width="10" height="30" fill="#4090d0"/><circle cx="5" cy="%d" r="4" fill="white"/></svg>`, degrees/10))
	}
	p, err := picture.Decode(data, d.size, picture.Contain, true)
	if err != nil {
		d.t.Fatal(err)
	}
	return p
}

// notifiedTexts has no stale state: that shows a notification with colors of its own. In the error state it is over.
func notifiedTexts(d *data, state string) {
	n := &notify.Notification{Text: "Doorbell", Duration: time.Minute}
	switch state {
	case "waiting":
		return
	case "long":
		n.Text = longText
	case "stale":
		n.Color, n.Background = &color.NRGBA{255, 255, 255, 255}, &color.NRGBA{180, 30, 40, 200}
	case "error":
		n.Duration = time.Millisecond
	}
	d.post(n)
}

func notifiedPictures(d *data, state string) {
	n := &notify.Notification{Picture: shownPicture(d, 0), Box: d.size, Duration: time.Minute}
	switch state {
	case "waiting":
		return
	case "long":
		n.Picture = shownPicture(d, 90)
	case "stale": // decoded for the smaller cell of another theme
		whole := d.size
		d.size = image.Pt(100, 100)
		n.Picture, n.Box = shownPicture(d, 0), d.size
		d.size = whole
	case "error":
		n.Duration = time.Millisecond
	}
	d.post(n)
}

func (d *data) post(n *notify.Notification) {
	if err := d.board.Post("n", n); err != nil {
		d.t.Fatal(err)
	}
}

func TestDataGoldens(t *testing.T) {
	for _, g := range dataGoldens {
		t.Run(g.name, func(t *testing.T) {
			widget := strings.ReplaceAll(g.widget, "FILM", flow(testPicture(t)))
			const width, height = 1320, 500
			sheet := image.NewRGBA(image.Rect(0, 0, width, 2*height+goldenGap))
			draw.Draw(sheet, sheet.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
			for i, l := range palettes {
				file := widgetFile(l.ground, strings.NewReplacer("PANEL", flow(l.panel), "TEXT", flow(l.text), "ACCENT", flow(l.accent)).Replace(widget))
				for _, s := range dataStates {
					r := s.at.Add(image.Pt(goldenGap, goldenGap+i*height))
					synctest.Test(t, func(t *testing.T) {
						d := newData(t, file, r.Size())
						d.step(-time.Second)
						g.feed(d, s.name)
						d.step(0)
						d.step(700 * time.Millisecond) // a part of a slide
						draw.Draw(sheet, r, d.r.Frame(), image.Point{}, draw.Src)
					})
				}
			}
			golden.Compare(t, g.name, sheet)
		})
	}
}
