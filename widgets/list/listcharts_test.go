package list

import (
	"fmt"
	"image"
	"math"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// chartRooms returns entries with several kinds of numbers: a current number, the numbers of a day, two series, and numbers with names.
func chartRooms(n int, now float64) map[string]any {
	all := []any{}
	for i := range n {
		day := []any{}
		for k := range 24 {
			day = append(day, math.Round(10*(19+3*math.Sin(float64(k)/4+float64(i))))/10)
		}
		all = append(all, map[string]any{
			"name": fmt.Sprint("Room ", i+1), "now": now + 10*float64(i), "day": day,
			"named": []any{1.0, 3.0, 2.0, 5.0 - float64(i)}, "names": []any{"Mo", "Tu", "We", "Th"},
			"two": []any{
				map[string]any{"text": "in", "values": []any{1.0, 2.0, 3.0, 2.0}},
				map[string]any{"text": "out", "values": []any{3.0, 1.0, 2.0, 2.5 + float64(i)}},
			},
		})
	}
	return map[string]any{"all": all}
}

// roomCharts are widgets for numbers, used as entries of a list.
var roomCharts = []struct{ name, item string }{
	{"chart", "{widget: chart, size: 150, title: !data .item.name, values: !data .item.day, unit: °}"},
	{"bars", "{widget: chart, kind: bar, size: 150, title: !data .item.name, values: !data .item.named, labels: !data .item.names}"},
	{"series", "{widget: chart, size: 150, title: !data .item.name, series: !data .item.two, labels: !data .item.names}"},
	{"history", "{widget: chart, kind: area, size: 150, title: !data .item.name, value: !data .item.now, history: 6h}"},
	{"sparkline", "{widget: card, size: 150, title: !data .item.name, value: !data .item.now, sparkline: 6h}"},
	{"arc", "{widget: gauge, size: 150, title: !data .item.name, value: !data .item.now, unit: '%'}"},
	{"ring", "{widget: gauge, kind: ring, size: 150, title: !data .item.name, value: !data .item.now, unit: '%'}"},
	{"progress", "{widget: progress, padding: 0, size: 84, title: !data .item.name, value: !data .item.now, unit: '%'}"},
	{"steps", "{widget: progress, kind: steps, padding: 0, size: 84, title: !data .item.name, value: !data .item.now}"},
	{"heatmap", "{widget: heatmap, kind: week, size: 150, title: !data .item.name, values: !data .item.day}"},
}

// lived() returns a function that publishes a list of n entries every half hour, for the six hours up to now.
func lived(n int) func(*walltest.Data) {
	return func(d *walltest.Data) {
		for i := -12; i <= 0; i++ {
			at := time.Duration(i) * 30 * time.Minute
			d.ByName["p"].Publish(chartRooms(n, 40+20*math.Sin(float64(i)/3)), walltest.T0.Add(at))
			d.Step(at)
		}
	}
}

func TestListChartGoldens(t *testing.T) {
	var scenes []walltest.Scene
	for _, c := range roomCharts {
		scenes = append(scenes, walltest.Scene{Size: image.Pt(280, 500), Widget: "{widget: list, title: " + c.name + ", items: !data .p.all, item: " + c.item + "}", Feed: lived(4)})
	}
	walltest.ModernSheet(t, "list-charts", scenes[:5])
	walltest.ModernSheet(t, "list-dials", scenes[5:])
	for i := range scenes {
		scenes[i].Locale, scenes[i].Size, scenes[i].Picture = "he", image.Pt(200, 220), image.Pt(320, 240)
	}
	walltest.ModernSheet(t, "list-charts-small", scenes)
}

// TestListCharts checks that the widgets of two entries with different numbers look different. Frames without changes allocate no memory.
// When an entry is removed, its widget is removed, too.
func TestListCharts(t *testing.T) {
	for _, c := range roomCharts {
		t.Run(c.name, func(t *testing.T) {
			file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, gap: 0, divider: false, items: !data .p.all, item: " + c.item + "}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(300, 300)}, look.Calm(true), func(d *walltest.Data) {
				lived(2)(d)
				first, second := d.R.Frame().SubImage(image.Rect(0, 24, 300, 84)).(*image.RGBA), d.R.Frame().SubImage(image.Rect(0, 24+150, 300, 84+150)).(*image.RGBA)
				if strings.Contains(c.item, "size: 84") {
					second = d.R.Frame().SubImage(image.Rect(0, 24+84, 300, 84+84)).(*image.RGBA)
				}
				if rowsEqual(first, second) {
					t.Error("two entries of other numbers look the same")
				}
				now := walltest.T0.Add(time.Second)
				d.Step(time.Second)
				if got := testing.AllocsPerRun(20, func() { d.R.Step(now) }); got != 0 && !walltest.RaceEnabled {
					t.Errorf("a step in which nothing changes: %v allocations", got)
				}
				if got := testing.AllocsPerRun(5, func() { d.R.Repaint(); d.R.Step(now) }); got != 0 && !walltest.RaceEnabled {
					t.Errorf("painted anew: %v allocations", got)
				}
				d.ByName["p"].Publish(chartRooms(1, 40), now)
				d.Step(2 * time.Second)
				if n := len(walltest.Only[*kit.Frame](d).Inner.(*widgetList).at); n != 1 {
					t.Errorf("got %d widgets for one entry, want 1", n)
				}
			})
		})
	}
}

// rowsEqual reports whether two pictures of the same size have the same pixels.
func rowsEqual(a, b *image.RGBA) bool {
	for y := range a.Rect.Dy() {
		pa, pb := a.PixOffset(a.Rect.Min.X, a.Rect.Min.Y+y), b.PixOffset(b.Rect.Min.X, b.Rect.Min.Y+y)
		if string(a.Pix[pa:pa+4*a.Rect.Dx()]) != string(b.Pix[pb:pb+4*b.Rect.Dx()]) {
			return false
		}
	}
	return true
}
