package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// If a data_path or a !data program reads a key that a provider never has, the command check reports the position. The report names a
// similar key or all keys. The wall still runs.
func TestCheckKnowsTheKeys(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"{widget: provider, providers: [s], data_path: cpu_persent}":                                                             "data_path: provider s gives no 'cpu_persent'; is 'cpu_percent' meant?",
		"{widget: provider, providers: [u], data_path: sunris}":                                                                  "data_path: provider u gives no 'sunris'; is 'sunrise' meant?",
		"{widget: providerbarchart, providers: [s], data_path: 'cpu[0]'}":                                                        "gives no 'cpu'; is 'cpus' meant?",
		"{widget: providerflip, providers: [u], data_path: daytime, mapping: {'True': d}, children: [{widget: empty, name: d}]}": "gives no 'daytime'; it gives sunrise, sunset, day_length",
		"{widget: text, text: !data '.s.lod1 | round'}":                                                                          "text: provider s gives no 'lod1'; is 'load1' meant?",
		"{widget: provider, providers: [s], data_path: 'cpu_history[0]'}":                                                        "",
		"{widget: text, text: !data '\"\\(.s.load1) \\(.u.next_at)\"'}":                                                          "",
		"{widget: text, text: !data '.s | keys'}":                                                                                "",
	} {
		dir := valueWall(t, "providers: {s: {type: system}, u: {type: sun, latitude: 1, longitude: 2}}\n")
		if err := os.WriteFile(filepath.Join(dir, "widgets.yaml"), []byte("widgets:\n  - "+path+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		status, said, _ := command(t, "check", dir)
		if !strings.Contains(said, want) || (status != 0) != (want != "") {
			t.Errorf("%s: got %d %s, want %q", path, status, said, want)
		}
		if status, _, errs := command(t, "render", dir, "-o", filepath.Join(dir, "wall.png")); status != 0 {
			t.Errorf("%s: got %d %s, want a picture", path, status, errs)
		}
	}
}
