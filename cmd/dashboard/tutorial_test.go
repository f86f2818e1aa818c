package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// The wall of docs/tutorial.md is built from the YAML blocks on the page. It has no errors after each step.
func TestTutorial(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string]string{} // blocks of the page, by a word that only one block contains
	for _, m := range yamlBlock.FindAllStringSubmatch(string(page), -1) {
		for _, word := range []string{"weather: {type: weather}", "widget: weather", "accent: teal", "notifiableimage", "stream_token", "control: "} {
			if strings.Contains(m[1], word) && (word != "control: " || !strings.Contains(m[1], "_token")) {
				blocks[word] = m[1]
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "wall")
	if status, _, errs := command(t, "init", dir); status != 0 {
		t.Fatal(errs)
	}
	steps := []struct{ name, file, old, new string }{
		{"a row", "widgets.yaml", "text: Disk", "text: Card"},
		{"the weather's provider", "providers.yaml", weatherComment, strings.SplitN(blocks["weather: {type: weather}"], "providers:\n", 2)[1]},
		{"the weather's widget", "widgets.yaml", "      - {widget: month, area: month}\n", indented(blocks["widget: weather"], 6)},
		{"a color", "widgets.yaml", "theme: calm ", strings.TrimSpace(strings.SplitN(blocks["accent: teal"], "widgets.yaml\n", 2)[1]) + " "},
		{"the doorbell", "widgets.yaml", "      - {widget: clock, area: clock, seconds: raised}\n", indented(blocks["notifiableimage"], 6)},
		{"secrets", "secrets.yaml", "", blocks["control: "]},
		{"tokens", "conf.yaml", "  port: 5000\n", "  port: 5000\n  auth:\n    stream_token: !secret stream\n    control_token: !secret control\n"},
		{"the block as the whole file", "conf.yaml", "", blocks["stream_token"]},
	}
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {
			replaceIn(t, filepath.Join(dir, s.file), s.old, s.new)
			if status, said, _ := command(t, "check", dir); status != 0 || said != "The configuration is right.\n" {
				t.Errorf("got status %d and\n%s", status, said)
			}
		})
	}
}

// weatherComment is the line in the starter configuration that the weather's provider replaces.
const weatherComment = "  # weather: {type: weather}    # for the location in conf.yaml; needs a network, but no key\n"

// indented() adds the given number of spaces before all lines of a text.
func indented(text string, by int) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	return strings.Repeat(" ", by) + strings.Join(lines, strings.Repeat(" ", by)) + "\n"
}

// replaceIn replaces the text `old` in a file with the text `new`. If `old` is "", the whole file becomes the text `new`.
func replaceIn(t *testing.T, path, old, new string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && old != "" {
		t.Fatal(err)
	}
	text := string(data)
	switch {
	case new == "" || strings.TrimSpace(new) == "":
		t.Fatal("the tutorial has no such block")
	case old == "":
		text = new
	case strings.Count(text, old) != 1:
		t.Fatalf("%s does not have what the tutorial changes:\n%s", path, old)
	default:
		text = strings.Replace(text, old, new, 1)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
