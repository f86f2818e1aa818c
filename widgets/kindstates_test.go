package widgets

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/golden"
	"dashboard/provider"
)

// kindStates are the rows of a kind's sheet: before the first value, with one, with more than there is room for, with one that is
// old, and without an answer.
var kindStates = []string{"waiting", "usual", "full", "stale", "failed"}

// kindCells are the columns of a kind's sheet: three sizes on the side, by night, and upright, by day; and the wall that each is a cell of.
var kindCells = []struct{ size, picture image.Point }{
	{image.Pt(400, 300), image.Pt(1280, 720)}, {image.Pt(253, 210), image.Pt(800, 480)}, {image.Pt(148, 108), image.Pt(320, 240)},
	{image.Pt(108, 148), image.Pt(240, 320)}, {image.Pt(210, 253), image.Pt(480, 800)}, {image.Pt(300, 400), image.Pt(720, 1280)},
}

// A stated is a kind of widget with what its values come from.
type stated struct {
	widget      string
	cell        func(d *data) *provider.Cell // of its source; nil where it has no states: it shows what is written
	usual, full func(d *data) any
	run         func(d *data, state string) // in place of all these
}

func (k *stated) feed(d *data, state string) {
	if k.run != nil {
		k.run(d, state)
		return
	}
	if k.cell == nil {
		return
	}
	switch c := k.cell(d); state {
	case "usual":
		c.Publish(k.usual(d), t0)
	case "full":
		c.Publish(k.full(d), t0)
	case "stale":
		c.Promise(time.Minute)
		c.Publish(k.usual(d), t0.Add(-40*time.Minute))
	case "failed":
		c.Fail(errDown, t0.Add(-30*time.Minute))
	}
}

// rows are the states that a kind has.
func (k *stated) rows() []string {
	if k.cell == nil && k.run == nil {
		return []string{"usual"}
	}
	return kindStates
}

func cellNamed(name string) func(*data) *provider.Cell {
	return func(d *data) *provider.Cell { return d.named[name] }
}

func always(v any) func(*data) any { return func(*data) any { return v } }

// ofValues is a kind whose values the provider p gives.
func ofValues(widget string, usual, full any) stated {
	return stated{widget: widget, cell: cellNamed("p"), usual: always(usual), full: always(full)}
}

func ofCalendar(widget string) stated {
	return stated{
		widget: widget, cell: cellNamed(family), usual: func(*data) any { return agendaOf(t0, plans) },
		full: func(*data) any { return agendaOf(t0, slices.Concat(plans, plans, plans)) },
	}
}

func ofWeather(widget string, usual, full any) stated {
	return stated{widget: widget, cell: cellNamed("weather-p"), usual: always(usual), full: always(full)}
}

// heights is n numbers.
func heights(n int) (all []any) {
	for i := range n {
		all = append(all, float64(3+(i*7+i*i)%11))
	}
	return all
}

// rooms is n rows of a list.
func rooms(n int) (all []any) {
	for i := range n {
		all = append(all, map[string]any{"name": []string{"Living room", "Bedroom", "The room under the roof, to the north"}[i%3], "value": 18.5 + float64(i%7)})
	}
	return all
}

const lorem = "Story hour at four in the hall on the second floor, with cocoa for everybody who brings a cup, and songs. "

// everyKind is an example of each newer kind.
func everyKind(t *testing.T) map[string]stated {
	rows := "items: !data .p, item: {icon: mdi:door, text: !data .item.name, value: !data .item.value, unit: °}"
	return map[string]stated{
		"layout":     ofValues("{widget: layout, areas: [a b, c c], portrait: {areas: [a, b, c]}, children: [{widget: card, area: a, title: Pond, value: !data .p, unit: °}, {widget: card, area: b, title: Shed, value: !data .p}, {widget: progress, area: c, value: !data .p}]}", 21.5, 123456789.5),
		"row":        ofValues("{widget: row, children: [{widget: card, title: Pond, value: !data .p, unit: °}, {widget: gauge, title: Shed, value: !data .p, max: 50}]}", 21.5, 123456789.5),
		"column":     ofValues("{widget: column, children: [{widget: card, title: Pond, value: !data .p, unit: °}, {widget: progress, title: Shed, value: !data .p}]}", 21.5, 123456789.5),
		"stack":      ofValues("{widget: stack, children: [{widget: empty, color: '#24406a'}, {widget: card, title: Pond, value: !data .p, unit: °, place: bottom left, size: [80%, 70%], inset: 8}, {widget: icon, icon: mdi:fish, size: 32, place: top right, inset: 8}]}", 21.5, 123456789.5),
		"pages":      ofValues("{widget: pages, children: [{widget: card, title: Pond, icon: mdi:fish, value: !data .p, unit: °C}, {widget: clock}]}", 21.5, 123456789.5),
		"card":       ofValues("{widget: card, title: Greenhouse, icon: mdi:sprout-outline, note: today, value: !data .p, unit: °C, trend: 1h, children: [{widget: progress, value: !data .p}]}", 21.5, 123456789.5),
		"space":      {widget: "{widget: space, background: '#24406a'}"},
		"text":       ofValues("{widget: text, card: true, title: Today, text: !data .p}", "Lunch at noon", strings.Repeat(lorem, 12)),
		"list":       ofValues("{widget: list, title: Rooms, icon: mdi:home-outline, "+rows+"}", rooms(3), rooms(40)),
		"table":      ofValues("{widget: table, title: Rooms, icon: mdi:home-outline, items: !data .p, columns: [{title: Room, value: !data .item.name}, {title: Now, value: !data .item.value, unit: °, width: fit}]}", rooms(3), rooms(40)),
		"ticker":     ofValues("{widget: ticker, text: !data .p}", "Lift out of order", strings.Repeat(lorem, 3)),
		"markdown":   ofValues("{widget: markdown, title: Tonight, text: !data .p}", "# Pancakes\n\n- **250 g** flour\n- [x] milk\n\n1. Mix\n2. Bake", "# Pancakes\n\n"+strings.Repeat(lorem+"\n\n- one\n- two\n\n", 12)),
		"photos":     {widget: "{widget: photos, caption: name, path: " + flow(t.TempDir()) + "}", cell: (*data).made, usual: func(d *data) any { return aPhoto(d.size, dawn, dusk) }, full: func(d *data) any { return longPhoto(d.size) }},
		"qr":         ofValues("{widget: qr, title: Read on, text: !data .p, caption: with a telephone}", "https://example.com/", strings.Repeat("https://example.com/", 12)),
		"icon":       ofValues("{widget: icon, icon: !data .p}", "mdi:lightbulb", "mdi:home-thermometer-outline"),
		"camera":     {widget: door, cell: (*data).made, usual: func(d *data) any { return cameraPicture(d.t, d.size) }, full: func(d *data) any { return cameraPicture(d.t, d.size.Mul(2)) }},
		"clock":      {widget: "{widget: clock, seconds: raised, date: '{EEEE}, {d MMMM} · week {w}'}"},
		"countdown":  {widget: "{widget: countdown, title: Christmas, icon: mdi:pine-tree, to: 12-25}"},
		"timer":      {widget: "{widget: timer, name: tea, title: Tea, icon: mdi:tea-outline, duration: 4m, presets: [2m, 10m]}", run: runTimer},
		"chart":      ofValues("{widget: chart, title: Power, icon: mdi:flash, unit: W, series: !data .p}", heights(12), heights(600)),
		"heatmap":    ofValues("{widget: heatmap, title: Power, icon: mdi:flash, kind: week, values: !data .p}", heights(72), heights(7*24)),
		"gauge":      ofValues("{widget: gauge, title: Wind, icon: mdi:weather-windy, value: !data .p, unit: km/h, max: 50}", 17.0, 123456789.5),
		"progress":   ofValues("{widget: progress, card: true, title: Backup, icon: mdi:backup-restore, value: !data .p, unit: '%'}", 64.0, 123456.0),
		"agenda":     ofCalendar(familyAgenda + "}"),
		"nextevent":  ofCalendar(nextFamily + ", title: Next}"),
		"week":       ofCalendar(familyWeek + "}"),
		"month":      ofCalendar(familyMonth + "}"),
		"weather":    ofWeather("{widget: weather}", sampleReport(), warnedReport()),
		"airquality": ofWeather("{widget: airquality, parts: [index, pollen, uv]}", airOf(32, 4, 18, 24), airOf(320, 11, 300, 400)),
		"moon":       {widget: "{widget: moon, location: {latitude: 51.48, longitude: 0.0, name: Greenwich}}"},
		"sunpath":    {widget: "{widget: sunpath, location: {latitude: 51.48, longitude: 0.0, name: Greenwich}}"},
	}
}

func longPhoto(size image.Point) any {
	p := aPhoto(size, dawn, dusk)
	p.Name = strings.TrimSpace(lorem)
	return p
}

// runTimer has a timer run, run out long ago, stand still and be over.
func runTimer(d *data, state string) {
	do := func(action string, at time.Time) {
		d.t.Helper()
		if _, err := d.timers.Do("tea", action, 0, at); err != nil {
			d.t.Fatal(err)
		}
	}
	switch state {
	case "usual":
		do("start", t0.Add(-80*time.Second))
	case "full":
		do("start", t0.Add(-40*time.Hour))
	case "stale":
		do("start", t0.Add(-100*time.Second))
		do("stop", t0.Add(-40*time.Second))
	case "failed":
		do("start", t0.Add(-5*time.Minute))
	}
}

// Every newer kind in every state, on the side and upright, in three sizes: a sheet for each. A kind without an example here fails.
func TestGoldenKinds(t *testing.T) {
	if testing.Short() {
		t.Skip("it draws hundreds of walls")
	}
	all := everyKind(t)
	for _, kind := range Kinds() {
		if !kind.Modern {
			continue
		}
		k, ok := all[kind.Name]
		if !ok {
			t.Errorf("there is no example of %s: it has to be seen in every state", kind.Name)
			continue
		}
		delete(all, kind.Name)
		t.Run(kind.Name, func(t *testing.T) { k.compare(t, "kind-"+kind.Name) })
	}
	for name := range all {
		t.Errorf("%s is no kind", name)
	}
}

// compare draws the sheet of a kind.
func (k *stated) compare(t *testing.T, name string) {
	width, height := goldenGap, 0
	for _, c := range kindCells {
		width, height = width+c.size.X+goldenGap, max(height, c.size.Y+goldenGap)
	}
	m := image.NewRGBA(image.Rect(0, 0, width, height*len(k.rows())+goldenGap))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
	for i, state := range k.rows() {
		x := goldenGap
		for j, c := range kindCells {
			at := image.Pt(x, goldenGap+i*height)
			s := scene{size: c.size, picture: c.picture, widget: k.widget, locale: "en-GB", after: 2 * time.Second, feed: func(d *data) { k.feed(d, state) }}
			t.Run(fmt.Sprintf("%s-%d", state, j), func(t *testing.T) {
				s.draw(t, j < len(kindCells)/2, func(frame *image.RGBA) { draw.Draw(m, frame.Rect.Add(at), frame, image.Point{}, draw.Src) })
			})
			x += c.size.X + goldenGap
		}
	}
	golden.Compare(t, name, m)
}
