package main

import (
	"strings"
	"testing"

	"dashboard/render/icon"
	"dashboard/theme/look"
)

// TestSchemaNames checks that editors complete the names of themes and icons, and mark the name of a theme that does not exist.
func TestSchemaNames(t *testing.T) {
	all := compiled(t)
	for _, tc := range []struct {
		file, text string
		good       bool
	}{
		{"widgets", "{theme: calm, widgets: [{widget: text, text: x, icon: mdi:sofa}]}", true},
		{"widgets", "{theme: themes/own.yaml, widgets: [{widget: text, text: x, icon: cat.SVG}]}", true},
		{"widgets", "{theme: clam, widgets: [{widget: text, text: x}]}", false},
		{"conf", "{theme: paper}", true},
		{"conf", "{theme: {day: paper, night: calm}}", true},
		{"conf", "{theme: {day: papper}}", false},
	} {
		if err := judge(all[tc.file], tc.text); (err == nil) != tc.good {
			t.Errorf("%s: got %v, want good %v", tc.text, err, tc.good)
		}
	}
	texts, err := schemaTexts()
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(texts[iconsFile], `"mdi:`); n != len(icon.Names()) || !strings.Contains(texts[iconsFile], `"mdi:sofa-outline"`) {
		t.Errorf("got %d names of icons", n)
	}
	if names := themeName()[0].(schema)["enum"].([]any); len(names) != len(look.Names()) {
		t.Errorf("got themes %v", names)
	}
}
