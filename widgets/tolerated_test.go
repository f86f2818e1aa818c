package widgets

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/render/picture"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

// TestToleratedCountsAs checks widgets with a tolerated mistake. One mistake must be reported. The picture must equal the picture of the
// widget in `as`, which has no mistake.
func TestToleratedCountsAs(t *testing.T) {
	const child = "{widget: empty, color: red}"
	for name, tt := range map[string]struct{ wrong, as string }{
		"align: centre":          {"{widget: text, text: x, text_size: 20, align: centre}", "{widget: text, text: x, text_size: 20, align: left}"},
		"align: Center":          {"{widget: text, text: x, text_size: 20, align: Center}", "{widget: text, text: x, text_size: 20, align: left}"},
		"vertical_align: middle": {"{widget: text, text: x, text_size: 20, vertical_align: middle}", "{widget: text, text: x, text_size: 20, vertical_align: top}"},
		"a label's position":     {"{widget: label, text: x, position: top, children: [" + child + "]}", child},
		"a label with no child":  {"{widget: label, text: x}", "{widget: label, text: x, children: [{widget: empty}]}"},
		"a label with two": {
			"{widget: label, text: x, children: [" + child + ", {widget: empty, color: blue}]}", "{widget: label, text: x, children: [" + child + "]}",
		},
		"padding below 0":     {"{widget: grid, rows: 1, columns: 2, padding: -3, children: [" + child + "]}", "{widget: grid, rows: 1, columns: 2, padding: 0, children: [" + child + "]}"},
		"a program":           {"{widget: rest, url: 'http://127.0.0.1:9/', text_size: 20, jq_expression: '.a['}", "{widget: text, text: '--', text_size: 20, align: center, vertical_align: center}"},
		"a path":              {"{widget: rest, url: 'http://127.0.0.1:9/', text_size: 20, json_path: 'a[x]'}", "{widget: text, text: '--', text_size: 20, align: center, vertical_align: center}"},
		"a format":            {"{widget: rest, url: 'http://127.0.0.1:9/', text_size: 20, format_string: '{'}", "{widget: text, text: '--', text_size: 20, align: center, vertical_align: center}"},
		"an address":          {"{widget: rest, url: '127.0.0.1:9', text_size: 20}", "{widget: text, text: '--', text_size: 20, align: center, vertical_align: center}"},
		"padding, a fraction": {"{widget: grid, rows: 1, columns: 2, padding: 2.5, children: [" + child + "]}", "{widget: grid, rows: 1, columns: 2, padding: 2, children: [" + child + "]}"},
	} {
		t.Run(name, func(t *testing.T) {
			wrong, said := runs(t, tt.wrong)
			right, none := runs(t, tt.as)
			if said != 1 || none != 0 {
				t.Errorf("told of %d mistakes, and of %d where there is none", said, none)
			}
			if at, differs := differ(wrong, right); differs {
				t.Errorf("it is another picture at %v", at)
			}
		})
	}
}

// runs() paints a widget as the service does. It returns the picture and the number of reported mistakes.
func runs(t *testing.T, widget string) (*image.RGBA, int) {
	t.Helper()
	size := image.Pt(120, 80)
	var r config.Report
	root := config.Parse("widgets.yaml", []byte("widgets: ["+widget+"]"), &r, nil)
	w := screen.Build(walltest.Builder(walltest.TestEnv()), kit.SpecOf(config.Tree(theme.Resolve(root, nil, &r), &r, nil)), size)
	if r.Failed() {
		t.Fatal(r.String())
	}
	return walltest.PaintOnce(w, size, walltest.T0), len(r.Diagnostics())
}

// TestOnePictureTooLarge checks widgets whose picture file exceeds the limit. The mistake is reported, but does not count as an error, so
// the wall is shown. The message names the size and the next step.
func TestOnePictureTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.jpg")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, picture.MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	for _, widget := range []string{
		"{widget: image, path: " + path + "}",
		"{widget: card, value: 1, background: {picture: " + path + "}}",
		"{widget: grid, rows: 1, columns: 1, image_path: " + path + ", children: [{widget: empty}]}",
	} {
		var r config.Report
		root := config.Parse("widgets.yaml", []byte("widgets: ["+widget+"]"), &r, nil)
		w := screen.Build(walltest.Builder(walltest.TestEnv()), kit.SpecOf(config.Tree(theme.Resolve(root, nil, &r), &r, nil)), image.Pt(120, 80))
		walltest.PaintOnce(w, image.Pt(120, 80), walltest.T0)
		if want := "the file has 17 MiB, and the limit is 16 MiB: save it smaller"; r.Failed() || !strings.Contains(r.String(), want) {
			t.Errorf("%s: failed %v, got %v, want %s", widget, r.Failed(), r.String(), want)
		}
	}
}

// TestFaultIsOnTheWidget checks that a widget with an unusable file shows the reason above its lower edge, inside its cell. A layout with
// a missing picture does not cover its children.
func TestFaultIsOnTheWidget(t *testing.T) {
	for widget, covered := range map[string]bool{
		"{widget: image, path: none.png}":                                                                        true,
		"{widget: text, text: x, text_size: 20, font_path: none.ttf}":                                            true,
		"{widget: grid, rows: 1, columns: 1, image_path: none.png, children: [{widget: empty}]}":                 false,
		"{widget: grid, rows: 1, columns: 1, image_path: none.png, children: [{widget: image, path: none.png}]}": true,
	} {
		pic, said := runs(t, widget)
		if said == 0 {
			t.Errorf("%s: nothing is reported", widget)
		}
		upper, lower := 0, 0
		for y := range pic.Rect.Dy() {
			for x := range pic.Rect.Dx() {
				switch {
				case pic.RGBAAt(x, y) != kit.PanelColor:
				case y < pic.Rect.Dy()/4:
					upper++
				default:
					lower++
				}
			}
		}
		if (lower > 0) != covered || upper > 0 {
			t.Errorf("%s: the reason has %d pixels above and %d below, want some below: %v", widget, upper, lower, covered)
		}
	}
}
