package config

import (
	"strings"
	"testing"
)

// TestShortPath: a path of up to forty characters is shown completely. For a longer path, only the last key is shown.
func TestShortPath(t *testing.T) {
	for path, want := range map[string]string{
		"widgets[0].text":              "widgets[0].text",
		"a." + strings.Repeat("b", 38): "a." + strings.Repeat("b", 38),
		"a." + strings.Repeat("b", 39): strings.Repeat("b", 39),
		strings.Repeat("c", 41):        strings.Repeat("c", 41),
	} {
		if got := shortPath(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

// TestPrettyOfSeveralLines: if a message has several lines, all lines after the first are indented.
func TestPrettyOfSeveralLines(t *testing.T) {
	var r Report
	r.Add(Diagnostic{File: "w.yaml", Message: "the areas touch:\na a b\na . b"})
	var b strings.Builder
	if err := r.Pretty(&b, false); err != nil {
		t.Fatal(err)
	}
	if want := "w.yaml: error: the areas touch:\n        a a b\n        a . b\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
