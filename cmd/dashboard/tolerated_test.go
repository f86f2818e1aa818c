package main

import (
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/internal/cli"
)

// Walls that run in Grydgets run here: what is wrong in them is a warning of the service, and an error of check.
func TestOldWallsRun(t *testing.T) {
	for name, widget := range map[string]string{
		"vertical align":        "{widget: text, text: x, vertical_align: middle}",
		"align":                 "{widget: text, text: x, align: centre}",
		"align, capital":        "{widget: text, text: x, align: Center}",
		"position":              "{widget: label, text: x, position: top, children: [{widget: empty}]}",
		"label without a child": "{widget: label, text: x}",
		"label of two":          "{widget: label, text: x, children: [{widget: empty}, {widget: empty}]}",
		"method":                "{widget: rest, url: 'http://127.0.0.1:9/', method: get}",
		"update frequency":      "{widget: rest, url: 'http://127.0.0.1:9/', update_frequency: 0}",
		"no scheme":             "{widget: rest, url: '127.0.0.1:9/'}",
		"jq":                    "{widget: provider, providers: [p], jq_expression: '.a['}",
		"path":                  "{widget: provider, providers: [p], data_path: 'a[x]'}",
		"format":                "{widget: provider, providers: [p], format_string: '{value'}",
		"format, an attribute":  "{widget: provider, providers: [p], format_string: '{value.real}'}",
		"auth":                  "{widget: rest, url: 'http://127.0.0.1:9/', auth: {}}",
		"padding":               "{widget: grid, rows: 1, columns: 1, padding: -3, children: [{widget: empty}]}",
		"padding, a fraction":   "{widget: grid, rows: 1, columns: 1, padding: 2.5, children: [{widget: empty}]}",
	} {
		t.Run(name, func(t *testing.T) {
			o := &options{Options: cli.Options{Widgets: "widgets.yaml"}, home: t.TempDir()}
			files{
				"conf.yaml":      wallConf(freePort(t), ""),
				"providers.yaml": "providers:\n  p: {url: 'http://127.0.0.1:9/'}\n",
				"widgets.yaml":   "widgets:\n  - widget: grid\n    rows: 1\n    columns: 2\n    children:\n      - {widget: text, text: beside}\n      - " + widget + "\n",
			}.write(t, o.home)
			for _, strict := range []bool{false, true} {
				o.strict = strict
				b := newBuilder(func() {}, discardLog())
				g, report := b.load(o, alone(func() {}))
				b.providers.Close()
				if (g == nil) != strict {
					t.Errorf("check %v: got\n%s", strict, report)
				}
				told := 0
				for _, d := range report.Diagnostics() {
					if d.Code == config.CodeTolerated && strings.HasPrefix(d.File, "widgets") && d.Line > 6 {
						told++
					}
				}
				if told != 1 {
					t.Errorf("check %v: told %d times\n%s", strict, told, report)
				}
			}
		})
	}
}

// An output that can never work is told; the others go on.
func TestOldOutputsRun(t *testing.T) {
	for name, output := range map[string]string{
		"pattern": "{type: file, filename_pattern: sub/x}",
		"url":     "{type: post, url: 'wall.lan/up'}",
	} {
		o := &options{Options: cli.Options{Widgets: "widgets.yaml"}, home: t.TempDir()}
		files{
			"conf.yaml":    "graphics: {resolution: [160, 96]}\noutputs:\n  - {type: stream}\n  - " + output + "\n",
			"widgets.yaml": plainWall("red"),
		}.write(t, o.home)
		for _, strict := range []bool{false, true} {
			o.strict = strict
			b := newBuilder(func() {}, discardLog())
			g, report := b.load(o, alone(func() {}))
			b.providers.Close()
			if (g == nil) != strict || !strings.Contains(report.String(), "conf.yaml:4:") {
				t.Errorf("%s, check %v: got\n%s", name, strict, report)
			}
		}
	}
}
