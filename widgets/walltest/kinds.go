package walltest

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
	"dashboard/provider/photos"
	"dashboard/render/picture"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// Seen publishes a picture as the value of a camera.
func Seen(d *Data, c *provider.Cell) {
	c.Promise(5 * time.Second)
	c.Publish(CameraPicture(d.T, d.Size), T0)
}

// CameraPicture returns a test picture of the given size.
func CameraPicture(t testing.TB, size image.Point) *picture.Picture {
	t.Helper()
	m := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			i := m.PixOffset(x, y)
			m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = uint8(60+x*120/size.X), uint8(190-y*90/size.Y), uint8(80+y*100/size.Y), 255
		}
	}
	return &picture.Picture{Frames: []picture.Frame{{Img: m}}, Rect: m.Rect, Opaque: true}
}

// Door is a camera widget in YAML.
const Door = "{widget: camera, url: 'http://camera.lan/door'}"

// kindStates are the rows of a golden picture. The widget is drawn before the first value, with a value, with more values than fit, with
// an outdated value, and after a failure of the source.
var kindStates = []string{"waiting", "usual", "full", "stale", "failed"}

// kindCells are the columns of a golden picture. Each element has the size of a cell and the size of the wall around the cell. Three
// columns are landscape and drawn at night, and three columns are upright and drawn by day.
var kindCells = []struct{ size, picture image.Point }{
	{image.Pt(400, 300), image.Pt(1280, 720)}, {image.Pt(253, 210), image.Pt(800, 480)}, {image.Pt(148, 108), image.Pt(320, 240)},
	{image.Pt(108, 148), image.Pt(240, 320)}, {image.Pt(210, 253), image.Pt(480, 800)}, {image.Pt(300, 400), image.Pt(720, 1280)},
}

// A Stated is an example of a kind of widget that can be drawn in different states.
type Stated struct {
	Widget      string
	cell        func(d *Data) *provider.Cell // returns the cell of the widget's source. nil for a kind that has no source
	usual, full func(d *Data) any
	run         func(d *Data, state string) // brings the widget into a state. If run is set, the fields cell, usual and full are ignored
}

// Feed brings the widget into a state.
func (k *Stated) Feed(d *Data, state string) {
	if k.run != nil {
		k.run(d, state)
		return
	}
	if k.cell == nil {
		return
	}
	switch c := k.cell(d); state {
	case "usual":
		c.Publish(k.usual(d), T0)
	case "full":
		c.Publish(k.full(d), T0)
	case "stale":
		c.Promise(time.Minute)
		c.Publish(k.usual(d), T0.Add(-40*time.Minute))
	case "failed":
		c.Fail(ErrDown, T0.Add(-30*time.Minute))
	}
}

// rows() returns the states in which the kind can be drawn.
func (k *Stated) rows() []string {
	if k.cell == nil && k.run == nil {
		return []string{"usual"}
	}
	return kindStates
}

func cellNamed(name string) func(*Data) *provider.Cell {
	return func(d *Data) *provider.Cell { return d.ByName[name] }
}

func always(v any) func(*Data) any { return func(*Data) any { return v } }

// ofValues returns an example of a kind whose values come from the provider p.
func ofValues(widget string, usual, full any) Stated {
	return Stated{Widget: widget, cell: cellNamed("p"), usual: always(usual), full: always(full)}
}

func ofCalendar(widget string) Stated {
	return Stated{
		Widget: widget, cell: cellNamed(Family), usual: func(*Data) any { return AgendaOf(T0, Plans) },
		full: func(*Data) any { return AgendaOf(T0, slices.Concat(Plans, Plans, Plans)) },
	}
}

func ofWeather(widget string, usual, full any) Stated {
	return Stated{Widget: widget, cell: cellNamed("weather-p"), usual: always(usual), full: always(full)}
}

// Heights returns n numbers.
func Heights(n int) (all []any) {
	for i := range n {
		all = append(all, float64(3+(i*7+i*i)%11))
	}
	return all
}

// Rooms returns n rows of a list.
func Rooms(n int) (all []any) {
	for i := range n {
		all = append(all, map[string]any{"name": []string{"Living room", "Bedroom", "The room under the roof, to the north"}[i%3], "value": 18.5 + float64(i%7)})
	}
	return all
}

// Departures returns n departures, one every six minutes. Some departures are late or canceled.
func Departures(n int) (all []any) {
	for i := range n {
		at := T0.Add(time.Duration(6*i+2) * time.Minute)
		all = append(all, map[string]any{
			"line": []string{"U4", "M10", "RE7"}[i%3], "destination": []string{"Zoological Garden", "Airport", "The village behind the hills and the lake"}[i%3],
			"at": int(at.Unix()), "expected": int(at.Add(time.Duration(i%4*3) * time.Minute).Unix()), "platform": []any{"1", nil, "12"}[i%3],
			"color": []any{"#ffcc00", nil, "#0a4ea2"}[i%3], "cancelled": i%5 == 2,
		})
	}
	return all
}

const lorem = "Story hour at four in the hall on the second floor, with cocoa for everybody who brings a cup, and songs. "

// Plain returns an example of a kind that has only one state. The widget is a YAML flow mapping.
func Plain(widget string) Stated { return Stated{Widget: widget} }

// EveryKind returns examples of newer kinds, by the name of the kind. A kind without an example here may have one in the doc comments of
// its parameters.
func EveryKind(t *testing.T) map[string]Stated {
	rows := "items: !data .p, item: {icon: mdi:door, text: !data .item.name, value: !data .item.value, unit: °}"
	return map[string]Stated{
		"layout":     ofValues("{widget: layout, areas: [a b, c c], portrait: {areas: [a, b, c]}, children: [{widget: card, area: a, title: Pond, value: !data .p, unit: °}, {widget: card, area: b, title: Shed, value: !data .p}, {widget: progress, area: c, value: !data .p}]}", 21.5, 123456789.5),
		"row":        ofValues("{widget: row, children: [{widget: card, title: Pond, value: !data .p, unit: °}, {widget: gauge, title: Shed, value: !data .p, max: 50}]}", 21.5, 123456789.5),
		"column":     ofValues("{widget: column, children: [{widget: card, title: Pond, value: !data .p, unit: °}, {widget: progress, title: Shed, value: !data .p}]}", 21.5, 123456789.5),
		"stack":      ofValues("{widget: stack, children: [{widget: empty, color: '#24406a'}, {widget: card, title: Pond, value: !data .p, unit: °, place: bottom left, size: [80%, 70%], inset: 8}, {widget: icon, icon: mdi:fish, size: 32, place: top right, inset: 8}]}", 21.5, 123456789.5),
		"pages":      ofValues("{widget: pages, children: [{widget: card, title: Pond, icon: mdi:fish, value: !data .p, unit: °C}, {widget: clock}]}", 21.5, 123456789.5),
		"card":       ofValues("{widget: card, title: Greenhouse, icon: mdi:sprout-outline, note: today, value: !data .p, unit: °C, trend: 1h, children: [{widget: progress, value: !data .p}]}", 21.5, 123456789.5),
		"space":      {Widget: "{widget: space, background: '#24406a'}"},
		"text":       ofValues("{widget: text, card: true, title: Today, text: !data .p}", "Lunch at noon", strings.Repeat(lorem, 12)),
		"list":       ofValues("{widget: list, title: Rooms, icon: mdi:home-outline, "+rows+"}", Rooms(3), Rooms(40)),
		"table":      ofValues("{widget: table, title: Rooms, icon: mdi:home-outline, items: !data .p, columns: [{title: Room, value: !data .item.name}, {title: Now, value: !data .item.value, unit: °, width: fit}]}", Rooms(3), Rooms(40)),
		"departures": ofValues("{widget: departures, title: Market Square, icon: mdi:bus-stop, items: !data .p}", Departures(4), Departures(30)),
		"ticker":     ofValues("{widget: ticker, text: !data .p}", "Lift out of order", strings.Repeat(lorem, 3)),
		"markdown":   ofValues("{widget: markdown, title: Tonight, text: !data .p}", "# Pancakes\n\n- **250 g** flour\n- [x] milk\n\n1. Mix\n2. Bake", "# Pancakes\n\n"+strings.Repeat(lorem+"\n\n- one\n- two\n\n", 12)),
		"photos":     {Widget: "{widget: photos, caption: name, path: " + Flow(t.TempDir()) + "}", cell: (*Data).Made, usual: func(d *Data) any { return APhoto(d.Size, Dawn, Dusk) }, full: func(d *Data) any { return longPhoto(d.Size) }},
		"qr":         ofValues("{widget: qr, title: Read on, text: !data .p, caption: with a telephone}", "https://example.com/", strings.Repeat("https://example.com/", 12)),
		"icon":       ofValues("{widget: icon, icon: !data .p}", "mdi:lightbulb", "mdi:home-thermometer-outline"),
		"nowplaying": {Widget: "{widget: nowplaying, title: Kitchen, provider: mpd-p}", cell: cellNamed(Player), usual: always(Song("The Reeds", "Pond Ensemble")), full: always(Song(lorem, lorem))},
		"camera":     {Widget: Door, cell: (*Data).Made, usual: func(d *Data) any { return CameraPicture(d.T, d.Size) }, full: func(d *Data) any { return CameraPicture(d.T, d.Size.Mul(2)) }},
		"clock":      {Widget: "{widget: clock, seconds: raised, date: '{EEEE}, {d MMMM} · week {w}'}"},
		"countdown":  {Widget: "{widget: countdown, title: Christmas, icon: mdi:pine-tree, to: 12-25}"},
		"timer":      {Widget: "{widget: timer, name: tea, title: Tea, icon: mdi:tea-outline, duration: 4m, presets: [2m, 10m]}", run: runTimer},
		"chart":      ofValues("{widget: chart, title: Power, icon: mdi:flash, unit: W, series: !data .p}", Heights(12), Heights(600)),
		"heatmap":    ofValues("{widget: heatmap, title: Power, icon: mdi:flash, kind: week, values: !data .p}", Heights(72), Heights(7*24)),
		"gauge":      ofValues("{widget: gauge, title: Wind, icon: mdi:weather-windy, value: !data .p, unit: km/h, max: 50}", 17.0, 123456789.5),
		"progress":   ofValues("{widget: progress, card: true, title: Backup, icon: mdi:backup-restore, value: !data .p, unit: '%'}", 64.0, 123456.0),
		"agenda":     ofCalendar(FamilyAgenda + "}"),
		"nextevent":  ofCalendar(NextFamily + ", title: Next}"),
		"week":       ofCalendar(FamilyWeek + "}"),
		"month":      ofCalendar(FamilyMonth + "}"),
		"weather":    ofWeather("{widget: weather}", SampleReport(), WarnedReport()),
		"airquality": ofWeather("{widget: airquality, parts: [index, pollen, uv]}", AirOf(32, 4, 18, 24), AirOf(320, 11, 300, 400)),
		"drawing":    {Widget: "{widget: drawing, kind: year}"},
		"moon":       {Widget: "{widget: moon, location: {latitude: 51.48, longitude: 0.0, name: Greenwich}}"},
		"sunpath":    {Widget: "{widget: sunpath, location: {latitude: 51.48, longitude: 0.0, name: Greenwich}}"},
	}
}

func longPhoto(size image.Point) any {
	p := APhoto(size, Dawn, Dusk)
	p.Name = strings.TrimSpace(lorem)
	return p
}

// runTimer brings a timer into one of four states: running, finished long ago, stopped, and just finished.
func runTimer(d *Data, state string) {
	do := func(action string, at time.Time) {
		d.T.Helper()
		if _, err := d.timers.Do("tea", action, 0, at); err != nil {
			d.T.Fatal(err)
		}
	}
	switch state {
	case "usual":
		do("start", T0.Add(-80*time.Second))
	case "full":
		do("start", T0.Add(-40*time.Hour))
	case "stale":
		do("start", T0.Add(-100*time.Second))
		do("stop", T0.Add(-40*time.Second))
	case "failed":
		do("start", T0.Add(-5*time.Minute))
	}
}

// Compare draws all states of the kind and compares the result with a golden picture.
func (k *Stated) Compare(t *testing.T, name string) {
	width, height := GoldenGap, 0
	for _, c := range kindCells {
		width, height = width+c.size.X+GoldenGap, max(height, c.size.Y+GoldenGap)
	}
	m := image.NewRGBA(image.Rect(0, 0, width, height*len(k.rows())+GoldenGap))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
	for i, state := range k.rows() {
		x := GoldenGap
		for j, c := range kindCells {
			at := image.Pt(x, GoldenGap+i*height)
			s := Scene{Size: c.size, Picture: c.picture, Widget: k.Widget, Locale: "en-GB", After: 2 * time.Second, Feed: func(d *Data) { k.Feed(d, state) }}
			t.Run(fmt.Sprintf("%s-%d", state, j), func(t *testing.T) {
				s.draw(t, j < len(kindCells)/2, func(frame *image.RGBA) { draw.Draw(m, frame.Rect.Add(at), frame, image.Point{}, draw.Src) })
			})
			x += c.size.X + GoldenGap
		}
	}
	golden.Compare(t, name, m)
}

// LeftWhole fails if a narrow cell cuts the text with the number of remaining entries. The text must start with a plus sign, except in
// Hebrew.
func LeftWhole(t *testing.T, kind string, of func(w any) *piece.Snippet) {
	t.Helper()
	for _, tag := range []string{"en-GB", "de", "he"} {
		k := EveryKind(t)[kind]
		s := Scene{Size: image.Pt(108, 148), Picture: image.Pt(240, 320), Locale: tag}
		ModernBubble(t, "widgets: ["+k.Widget+"]\n", s, look.Calm(true), func(d *Data) {
			k.Feed(d, "full")
			d.Step(0)
			d.Step(2 * time.Second)
			more := of(Only[*kit.Frame](d).Inner)
			if len(more.Raw) == 0 || more.Raw[0] != '+' && tag != "he" || more.Want() > more.Box.Dx() {
				t.Errorf("%s, %s: %q is %d px wide in %d", kind, tag, more.Raw, more.Want(), more.Box.Dx())
			}
		})
	}
}

// A WordingCase is a part of a widget in a cell of a wall, with the text that this part must have.
type WordingCase struct {
	Kind          string
	Size, Picture image.Point
	Of            func(w any) string
	Want          string
}

// TallCell, LowCell and MiddleCell are sizes of cells on small walls.
var TallCell, LowCell, MiddleCell = image.Pt(108, 148), image.Pt(160, 120), image.Pt(253, 210)

// HatWall and PanelWall are sizes of small walls.
var HatWall, PanelWall = image.Pt(240, 320), image.Pt(800, 480)

// SaidInShort fails if a part of a widget does not have the text that the case requires.
func SaidInShort(t *testing.T, all ...WordingCase) {
	t.Helper()
	for _, c := range all {
		k := EveryKind(t)[c.Kind]
		ModernBubble(t, "widgets: ["+k.Widget+"]\n", Scene{Size: c.Size, Picture: c.Picture, Locale: "de"}, look.Calm(true), func(d *Data) {
			k.Feed(d, "usual")
			d.Step(0)
			d.Step(2 * time.Second)
			if got := c.Of(Only[*kit.Frame](d).Inner); got != c.Want {
				t.Errorf("%s, %v: got %q, want %q", c.Kind, c.Size, got, c.Want)
			}
		})
	}
}

// APhoto returns a photo that consists of two colors.
func APhoto(size image.Point, sky, ground color.RGBA) *photos.Photo {
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.NewUniform(sky), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(0, size.Y*3/5, size.X, size.Y), image.NewUniform(ground), image.Point{}, draw.Src)
	return &photos.Photo{
		Picture: &picture.Picture{Frames: []picture.Frame{{Img: m}}, Rect: m.Rect, Opaque: true},
		Name:    "First light", Folder: "Lake", Taken: time.Date(2024, 10, 3, 7, 12, 0, 0, time.UTC),
	}
}

// Dawn and Dusk are colors for test photos.
var Dawn, Dusk = color.RGBA{240, 190, 140, 255}, color.RGBA{60, 80, 120, 255}
