package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// The wall of docs/tutorial.md, built as it says out of its own blocks, is right at every step.
func TestTutorial(t *testing.T) {
	page, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string]string{} // by a word that only one of them has
	for _, m := range yamlBlock.FindAllStringSubmatch(string(page), -1) {
		for _, word := range []string{"api.open-meteo.com", "text: Outside", "notifiableimage", "stream_token", "control: "} {
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
		{"a label", "widgets.yaml", "text: Disk", "text: Card"},
		{"the weather's provider", "providers.yaml", weatherComment, strings.SplitN(blocks["api.open-meteo.com"], "providers:\n", 2)[1]},
		{"the weather's widget", "widgets.yaml", "", indented(blocks["text: Outside"], 22)},
		{"the doorbell", "widgets.yaml", indented("- widget: dateclock\n  time_color: !color strong\n  date_color: !color quiet\n", 22), indented(blocks["notifiableimage"], 22)},
		{"secrets", "secrets.yaml", "", blocks["control: "]},
		{"tokens", "conf.yaml", "  port: 5000\n", "  port: 5000\n  auth:\n    stream_token: !secret stream\n    control_token: !secret control\n"},
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

// weatherComment is what the starter has in place of the weather.
const weatherComment = `  # weather:
  #   url: https://api.open-meteo.com/v1/forecast
  #   params: {latitude: 51.48, longitude: 0.0, current: temperature_2m}
  #   update_interval: 900      # then a widget shows data_path: current.temperature_2m
`

// indented moves lines to the right.
func indented(text string, by int) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	return strings.Repeat(" ", by) + strings.Join(lines, strings.Repeat(" ", by)) + "\n"
}

// replaceIn changes a file. Without an old text the new one takes the place of the last label of the wall and all that
// belongs to it, or is the whole of a new file.
func replaceIn(t *testing.T, path, old, new string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && old != "" {
		t.Fatal(err)
	}
	text := string(data)
	at := strings.LastIndex(text, "                      - widget: label\n")
	switch {
	case new == "" || strings.TrimSpace(new) == "":
		t.Fatal("the tutorial has no such block")
	case old == "" && at >= 0:
		text = text[:at] + new
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
