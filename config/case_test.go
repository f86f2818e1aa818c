package config

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/internal/folder"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what was got as the expected results")

// wantName is the name of the file in a case that contains the expected report. After the report, the file has a line "--" and the
// expected value as JSON.
const wantName = "want"

// TestCases runs the cases in testdata/*/*.txtar. Each archive contains the files to load, the expected report and the expected value.
// The name of the archive's folder is the kind of file to load.
func TestCases(t *testing.T) {
	loaders := map[string]func(r *Report) any{
		"yaml":      loadPlain,
		"conf":      loadConfCase,
		"client":    loadClientCase,
		"providers": loadProvidersCase,
		"widgets":   loadWidgetsCase,
	}
	for kind, load := range loaders {
		cases, err := filepath.Glob(filepath.Join("testdata", kind, "*.txtar"))
		if err != nil || len(cases) == 0 {
			t.Fatalf("no cases for %s: %v", kind, err)
		}
		for _, path := range cases {
			path, err := filepath.Abs(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(kind+"/"+strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { runCase(t, path, load) })
		}
	}
}

func runCase(t *testing.T, path string, load func(*Report) any) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	want := ""
	for _, f := range archive.Files {
		if f.Name == wantName {
			want = string(f.Data)
			continue
		}
		if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var r Report
	v := load(&r)
	if r.Failed() != (v == nil) {
		t.Errorf("failed %v, value %v: exactly one of them must be", r.Failed(), v)
	}
	got := strings.ReplaceAll(r.String(), dir, "$DIR")
	if v != nil {
		data, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		got += "--\n" + string(data) + "\n"
	}
	if *update {
		writeCase(t, path, archive, got)
		return
	}
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func writeCase(t *testing.T, path string, archive *txtar.Archive, got string) {
	t.Helper()
	for i := range archive.Files {
		if archive.Files[i].Name == wantName {
			archive.Files[i].Data = []byte(got)
		}
	}
	if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// here() returns the working directory, which contains the files of the current case.
func here() *folder.Root { return folder.Dir("") }

// loadPlain returns a map with the plain value and its keys, or nil if loading fails. Without the map, the valid value null would look
// like a failure.
func loadPlain(r *Report) any {
	n := Load(here(), "in.yaml", r, SecretsFile(here(), SecretsName))
	if n == nil || r.Failed() {
		return nil
	}
	return map[string]any{"root": n.Value(), "keys": n.Keys()}
}

func loadConfCase(r *Report) any {
	c, ok := LoadConf(here(), ConfName, r, SecretsFile(here(), SecretsName))
	if !ok {
		return nil
	}
	c.OutputList = nil
	for i := range c.Outputs {
		c.Outputs[i].Node = nil
	}
	return c
}

func loadClientCase(r *Report) any {
	c, ok := LoadClient(here(), ClientName, r, SecretsFile(here(), SecretsName))
	if !ok {
		return nil
	}
	c.OutputList = nil
	return c
}

func loadProvidersCase(r *Report) any {
	list, ok := LoadProviders(here(), ProvidersName, r, SecretsFile(here(), SecretsName), []string{"rest", "system", "sun"})
	if !ok {
		return nil
	}
	out := []any{}
	for _, p := range list {
		out = append(out, map[string]any{"name": p.Name, "type": p.Type, "params": p.Node().Value()})
	}
	return out
}

// caseParams contains the parameters of every widget in a case.
type caseParams struct {
	Text    string  `yaml:"text"`
	Padding int     `yaml:"padding" alias:"pad" default:"3" min:"0" max:"50" unit:"px"`
	Align   string  `yaml:"align" enum:"left,center,right" default:"left"`
	Ratios  []int   `yaml:"row_ratios" min:"1"`
	Color   *string `yaml:"color"`
}

func loadWidgetsCase(r *Report) any {
	root := LoadWidgets(here(), "widgets.yaml", r, SecretsFile(here(), SecretsName))
	if root == nil {
		return nil
	}
	screen := Tree(root, r, []string{"grid", "text", "label", "flip", "rest", "dateclock"})
	if screen == nil {
		return nil
	}
	var params struct {
		Image  string `yaml:"background_image"`
		Color  any    `yaml:"background_color"`
		Shadow bool   `yaml:"drop_shadow"`
	}
	screen.Decode(&params)
	out := map[string]any{"screen": params, "root": outline(screen.Children[0])}
	if r.Failed() {
		return nil
	}
	return out
}

func outline(w *Widget) any {
	var params caseParams
	w.Decode(&params)
	children := []any{}
	for _, c := range w.Children {
		children = append(children, outline(c))
	}
	return map[string]any{"kind": w.Kind, "name": w.Name, "params": params, "children": children, "at": w.Pos()}
}
