package widgets

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/goregular"

	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

func TestEveryMistakeIsReported(t *testing.T) {
	for _, tc := range []struct {
		name, yaml string
		want       []string
	}{
		{"unknown kind", "widgets: [{widget: txet}]", []string{"unknown widget type 'txet'; is 'text' meant?"}},
		{"kind like none", "widgets: [{widget: xyzzy}]", []string{"unknown widget type 'xyzzy'; there are:"}},
		{"siblings go on", "widgets:\n- widget: grid\n  rows: 1\n  columns: 3\n  children:\n  - widget: gird\n  - widget: text\n    color: purpel\n  - widget: flip\n",
			[]string{"widgets.yaml:6:13: widgets[0].children[0].widget: unknown widget type 'gird'; is 'grid' meant?",
				"widgets.yaml:8:12: widgets[0].children[1].color: \"purpel\" is no color; near: purple",
				"widgets.yaml:9:5: widgets[0].children[2]: a flip needs at least 1 child"}},
		{"below a broken parent", "widgets: [{widget: grid, rows: 0, columns: 1, children: [{widget: nope}]}]",
			[]string{"widgets[0].rows", "unknown widget type 'nope'"}},
		{"below an unknown parent", "widgets: [{widget: nope, children: [{widget: text, text_size: big}]}]",
			[]string{"unknown widget type 'nope'", "text_size"}},
		{"required", "widgets: [{widget: label, children: [{widget: empty}]}]", []string{"'text' is required"}},
		{"a grid is one cell unless told", "widgets: [{widget: grid, rows: 2, children: [{widget: empty}, {widget: empty}, {widget: empty}]}]", []string{"3 children do not fit into 2 rows and 1 columns"}},
		{"padding", "widgets:\n- widget: grid\n  rows: 3\n  columns: 4\n  padding: 51\n  children: [{widget: text}]",
			[]string{"widgets.yaml:5:12: widgets[0].padding: a padding of 51 px leaves no room in a cell of 100x100 px"}},
		{"too many children", "widgets: [{widget: grid, rows: 1, columns: 1, children: [{widget: text}, {widget: text}]}]",
			[]string{"2 children do not fit into 1 rows and 1 columns, which are 1 cell"}},
		{"ratios of nothing", "widgets: [{widget: grid, rows: 2, columns: 1, row_ratios: [0, 0]}]", []string{"row_ratios: the ratios must add up"}},
		{"cell color", "widgets: [{widget: grid, rows: 2, columns: 1, widget_background_colors: {left: nope}, children: [{widget: text, name: left}]}]",
			[]string{"widget_background_colors: left: \"nope\" is no color"}},
		{"cell colors as a string", "widgets: [{widget: grid, rows: 2, columns: 1, widget_background_colors: red}]",
			[]string{"widget_background_colors: must be a mapping by the children's names, or a list"}},
		{"cell radius", "widgets: [{widget: grid, rows: 2, columns: 1, widget_corner_radii: [null, big]}]",
			[]string{"widget_corner_radii: entry 2: must be a whole number, not big"}},
		{"label without child", "widgets: [{widget: label, text: x}]", []string{"a label takes 1 child, not 0"}},
		{"synonyms", "widgets: [{widget: row, children: [{widget: Time}, {widget: graph}, {widget: sensor}, {widget: photo}, {widget: calendar}, {widget: spacer}]}]",
			[]string{"is 'clock' meant?", "is 'chart' meant?", "is 'text' meant?", "is 'image' meant?", "is 'agenda' meant?", "is 'space' meant?"}},
		{"font", "widgets: [{widget: text, font_path: none.ttf}]", []string{"font_path: font: none.ttf"}},
		{"clock font", "widgets: [{widget: dateclock, date_font_path: none.ttf}]", []string{"date_font_path: font: none.ttf"}},
		{"same font twice", "widgets: [{widget: grid, rows: 1, columns: 2, children: [{widget: text, font_path: none.ttf}, {widget: text, font_path: none.ttf}]}]",
			[]string{"none.ttf", "none.ttf: this font cannot be read"}},
		{"picture", "widgets: [{widget: image, path: none.png}]", []string{"path: none.png: no such file"}},
		{"backgrounds", "background_image: none.png\nwidgets: [{widget: grid, rows: 1, columns: 1, image_path: gone.png}]",
			[]string{"background_image: none.png", "image_path: gone.png"}},
		{"time zone", "widgets: [{widget: dateclock, timezone: Mars/Base}]", []string{"timezone: unknown time zone 'Mars/Base'"}},
		{"no schedule", "widgets: [{widget: scheduleflip, children: [{widget: text}]}]", []string{"'schedule' is required"}},
		{"empty schedule", "widgets: [{widget: scheduleflip, schedule: {}, children: [{widget: text}]}]", []string{"schedule: needs at least one time"}},
		{"schedule", "widgets: [{widget: scheduleflip, schedule: {'8:00': a, '08:00': a, noon: a, '24:00': a, '9:00': b}, children: [{widget: text, name: a}]}]",
			[]string{"'24:00' is no time of day", "'8:00' is there twice", "no child is named 'b'; there are: a", "'noon' is no time of day"}},
	} {
		t.Run(tc.name, func(t *testing.T) { walltest.WantErrors(t, tc.yaml, tc.want...) })
	}
}

func TestWarnings(t *testing.T) {
	for _, tc := range []struct{ name, yaml, want string }{
		{"leaf with children", "widgets: [{widget: text, children: [{widget: text}]}]", "a text shows no children"},
		{"unknown parameter", "widgets: [{widget: text, txet_size: 3}]", "unknown key 'txet_size'; near: text_size"},
		{"pill of one", "widgets: [{widget: pill, children: [{widget: text}]}]", "a pill shows nothing unless it has 2 children"},
		{"ratios of another number", "widgets: [{widget: grid, rows: 3, columns: 1, row_ratios: [1, 2]}]", "2 ratios for 3: the ratios count"},
		{"color for nobody", "widgets: [{widget: grid, rows: 1, columns: 1, widget_background_colors: {lfet: red}, children: [{widget: text, name: left}]}]",
			"no child is named 'lfet'; there are: left"},
		{"image of nothing", "widgets: [{widget: image}]", "an image without a path shows nothing"},
		{"default that is nobody", "widgets: [{widget: httpflip, url: 'http://h', mapping: {}, default_widget: lfet, children: [{widget: text, name: left}]}]",
			"no child is named 'lfet'; there are: left"},
		{"mapping to nobody", "widgets: [{widget: httpflip, url: 'http://h', mapping: {x: lfet}, children: [{widget: text, name: left}]}]",
			"no child is named 'lfet'; there are: left"},
		{"old name beside the new", "widgets: [{widget: grid, rows: 1, columns: 1, color: red, background_color: blue}]", "'color' is the old name of 'background_color'"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, r := walltest.Parse(t, tc.yaml)
			screen.Build(walltest.Builder(walltest.TestEnv()), s, image.Pt(40, 30))
			if r.Failed() || !strings.Contains(r.String(), tc.want) {
				t.Errorf("got %v, want a warning: %s", r, tc.want)
			}
		})
	}
}

func TestBuildPanicIsAnError(t *testing.T) {
	s, r := walltest.Parse(t, "widgets: [{widget: broken}]")
	b := walltest.Builder(walltest.TestEnv(), kit.Define("broken", "", 0, 0, func(*kit.Builder, *kit.Spec, *struct{}, image.Point) render.Widget { panic("oh") }))
	screen.Build(b, s, image.Pt(10, 10))
	if want := "this broken cannot be built: oh"; !strings.Contains(r.String(), want) {
		t.Errorf("got %v, want %s", r, want)
	}
}

func TestCatalogueIsDocumented(t *testing.T) {
	for _, k := range Kinds() {
		if k.Doc == "" {
			t.Errorf("%s: no doc", k.Name)
		}
	}
}

// TestFontsOutliveTrees checks that a font file is read only once, although walls are built repeatedly. Otherwise, each reload would take
// more memory.
func TestFontsOutliveTrees(t *testing.T) {
	path := filepath.Join(t.TempDir(), "font.ttf")
	if err := os.WriteFile(path, goregular.TTF, 0o600); err != nil {
		t.Fatal(err)
	}
	env := walltest.TestEnv()
	first := walltest.Builder(env).Font(&kit.Spec{}, "font_path", path)
	if second := walltest.Builder(env).Font(&kit.Spec{}, "font_path", path); first != second || first == text.Default() {
		t.Error("the second wall has a font of its own, want that of the first")
	}
}
