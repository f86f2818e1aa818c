package config

import (
	"strings"
	"testing"
)

// TestShortPath: a path of forty characters is told whole, of a longer one the last key.
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
