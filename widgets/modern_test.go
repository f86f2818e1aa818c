package widgets

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

// modernWall builds a wall of the given size from a widgets file, in the night colors of its theme. It also returns the messages about
// the file.
func modernWall(t testing.TB, yaml string, size image.Point) (render.Widget, string) {
	t.Helper()
	var r config.Report
	root := config.Parse("widgets.yaml", []byte(yaml), &r, nil)
	d := theme.Dress(root, nil, true, &r)
	spec := config.Tree(d.Root, &r, nil)
	if spec == nil {
		t.Fatal(r.String())
	}
	b := walltest.Builder(kit.Env{
		Drawing: kit.Drawing{Text: text.NewCache(1 << 22), Look: d.Look, Location: time.UTC},
		Data:    kit.Data{Place: value.Location{Known: true, Latitude: 51.48, Name: "Greenwich"}},
		Wall:    kit.Wall{Crashed: func(widget, pos string, v any) { t.Errorf("%s at %s: %v", widget, pos, v) }},
	})
	w := screen.Build(b, kit.SpecOf(spec), size)
	return w, r.String()
}

const everyModern = `
theme: calm
widgets:
  - widget: layout
    areas: ["clock clock month", "sun values month"]
    columns: [1, 1, 1.2]
    portrait: {areas: [clock, month, sun, values]}
    children:
      - {widget: clock, area: clock, seconds: raised, week: true}
      - {widget: month, area: month}
      - {widget: sunpath, area: sun}
      - widget: column
        area: values
        children:
          - {widget: card, title: Power, icon: mdi:flash, value: 1240.4, unit: W, size: fit}
          - {widget: row, children: [{widget: icon, icon: mdi:star}, {widget: space}, {widget: stack, children: [{widget: icon, icon: mdi:star, place: top left, size: 10}]}]}
          - {widget: card, title: Hidden, value: 1, when: {value: 0}}
`

// TestModernSizes builds and paints a wall of newer widgets at several sizes. Nothing may panic or report a message. Painting only the
// damage must give the same picture as painting everything.
func TestModernSizes(t *testing.T) {
	for _, size := range []image.Point{{64, 48}, {320, 240}, {480, 320}, {800, 480}, {1280, 720}, {1080, 1920}} {
		w, report := modernWall(t, everyModern, size)
		if report != "" {
			t.Fatalf("%v: %s", size, report)
		}
		r := render.New(w, size)
		r.Step(instant)
		for i := range 3 {
			r.Step(instant.Add(time.Duration(i) * 7 * time.Hour))
		}
		got := append([]uint8(nil), r.Frame().Pix...)
		r.Trace()
		if string(got) != string(r.Frame().Pix) {
			t.Errorf("%v: painting again gives another picture", size)
		}
	}
}

var instant = time.Date(2025, 5, 15, 10, 24, 37, 0, time.UTC)

func TestModernAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	size := image.Pt(1280, 720)
	w, _ := modernWall(t, everyModern, size)
	r := render.New(w, size)
	now := instant
	for range 130 { // until all digits have been drawn
		r.Step(now)
		now = now.Add(time.Second)
	}
	if n := testing.AllocsPerRun(50, func() { r.Step(now) }); n != 0 {
		t.Errorf("a steady frame: %v allocations, want 0", n)
	}
}

func TestModernMistakes(t *testing.T) {
	for yaml, want := range map[string]string{
		"{widget: layout, areas: [a b, b b], children: [{widget: space, area: a}]}":                                    "'b' is no rectangle",
		"{widget: layout, areas: [a], children: [{widget: space, area: b}]}":                                           "there is no area 'b'",
		"{widget: layout, areas: [a b], children: [{widget: space, area: a}]}":                                         "no child has the area 'b'",
		"{widget: layout, areas: [a], children: [{widget: space}]}":                                                    "needs an area",
		"{widget: layout, areas: [a b], columns: [1], children: [{widget: space, area: a}, {widget: space, area: b}]}": "columns has 1 sizes for 2 columns",
		"{widget: icon, icon: mdi:sofaa}":                                                                              "there is no icon 'mdi:sofaa'; near: sofa",
		"{widget: card, value: 1, style: huge}":                                                                        "'huge' is no style of the theme",
		"{widget: card, value: 1, format: sigend}":                                                                     "'sigend' is no word for a format",
		"{widget: card, value: 1, color: acent}":                                                                       "acent",
		"{widget: card, valeu: 1}":                                                                                     "unknown key 'valeu'; near: value",
		"{widget: clock, timezone: Mars/Olympus}":                                                                      "there is no time zone",
	} {
		_, report := modernWall(t, "theme: calm\nwidgets:\n  - "+yaml+"\n", image.Pt(640, 360))
		if !strings.Contains(report, want) {
			t.Errorf("%s: got %q, want %q", yaml, report, want)
		}
	}
}

// A child with an error is missing. Only its own error is reported, not the free area that it leaves.
func TestLostChild(t *testing.T) {
	_, report := modernWall(t, "theme: calm\nwidgets:\n  - {widget: layout, areas: [a b], children: [{widget: space, area: a}, 5]}\n", image.Pt(640, 360))
	if strings.Count(report, "\n") != 1 || !strings.Contains(report, "a widget must be a mapping") {
		t.Errorf("got %q, want only the error of the child", report)
	}
}

func TestWording(t *testing.T) {
	five, nine := 5.0, 9.0
	b := walltest.Builder(kit.Env{Drawing: kit.Drawing{Text: text.NewCache(1 << 20), Location: time.UTC}})
	s := &kit.Spec{Errorf: func(key, format string, args ...any) { t.Errorf(key+": "+format, args...) }}
	two := 2
	tests := []struct {
		name string
		w    format.Wording
		v    any
		want string
	}{
		{"three figures", format.Wording{}, 21.43, "21.4"},
		{"grouped", format.Wording{}, 1240.4, "1,240"},
		{"text that is a number", format.Wording{}, "18.25", "18.2"},
		{"as it came", format.Wording{Format: "text"}, "007", "007"},
		{"decimals", format.Wording{Decimals: &two}, 3.0, "3.00"},
		{"mapped", format.Wording{Map: map[string]format.Entry{"on": {Text: "open"}, "else": {Text: "?"}}}, "on", "open"},
		{"mapped number", format.Wording{Map: map[string]format.Entry{"1": {Text: "one"}}}, 1.0, "one"},
		{"else", format.Wording{Map: map[string]format.Entry{"on": {Text: "open"}, "else": {Text: "?"}}}, nil, "?"},
		{"boolean", format.Wording{Map: map[string]format.Entry{"true": {Text: "yes"}}}, true, "yes"},
		{"threshold", format.Wording{Thresholds: []format.Range{{Above: &five, Text: "high"}, {Above: &nine, Text: "higher"}}}, 9.5, "higher"},
		{"nearest bound", format.Wording{Thresholds: []format.Range{{Above: &nine, Text: "higher"}, {Above: &five, Text: "high"}}}, 8.0, "high"},
		{"python", format.Wording{Format: "{value:.1f} of 20"}, 3.14159, "3.1 of 20"},
		{"cldr", format.Wording{Format: "{EEEE}, {d MMMM}"}, "2026-11-02T10:00:00Z", "Monday, 2 November"},
		{"relative", format.Wording{Format: "relative"}, float64(instant.Unix() + 300), "in 5 min."},
		{"milliseconds", format.Wording{Format: "date"}, 1.7625e12, "November 7"},
		{"percent", format.Wording{Format: "percent"}, 0.5, "50%"},
		{"signed", format.Wording{Format: "signed"}, 4.0, "+4"},
	}
	for _, test := range tests {
		got := b.Formatter(s, &test.w).Say(test.v, true, instant)
		if got.Text != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got.Text, test.want)
		}
	}
	if got := b.Formatter(s, &format.Wording{}).Say(nil, false, instant); !got.None {
		t.Errorf("no value: got %+v", got)
	}
}
