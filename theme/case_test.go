package theme

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/config"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what was got as the expected results")

// TestResolve runs the cases in testdata/resolve/*.txtar. A case has a widgets file and an optional theme file. The test resolves and
// decodes these files, and compares the messages and the result with the case.
func TestResolve(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join("testdata", "resolve", "*.txtar"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range cases {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { runCase(t, path) })
	}
}

func runCase(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r config.Report
	files := make(map[string]*config.Node)
	want := ""
	secrets := config.SecretSource(func(name string) (any, error) { return "secret of " + name, nil })
	for _, f := range archive.Files {
		if f.Name == "want" {
			want = string(f.Data)
			continue
		}
		files[f.Name] = config.Parse(f.Name, f.Data, &r, secrets)
	}
	before, _ := json.Marshal(files["widgets.yaml"].Value())
	root := Resolve(files["widgets.yaml"], files["theme.yaml"], &r)
	got := ""
	if tree := config.Tree(root, &r, nil); tree != nil {
		decodeAll(tree)
	}
	if !r.Failed() {
		data, err := json.MarshalIndent(root.Value(), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		got = "--\n" + string(data) + "\n"
	}
	got = r.String() + got
	if after, _ := json.Marshal(files["widgets.yaml"].Value()); string(before) != string(after) {
		t.Errorf("the widgets file was changed: %s, was %s", after, before)
	}
	if *update {
		writeCase(t, path, archive, got)
	} else if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func writeCase(t *testing.T, path string, archive *txtar.Archive, got string) {
	t.Helper()
	for i := range archive.Files {
		if archive.Files[i].Name == "want" {
			archive.Files[i].Data = []byte(got)
		}
	}
	if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// decodeAll decodes the parameters of all widgets, so that the report includes values of a wrong type.
func decodeAll(w *config.Widget) {
	if w.Kind == "grid" || w.Kind == "text" {
		var params struct {
			Padding float64 `yaml:"padding" numeric:"string"`
			Color   any     `yaml:"color"`
			Text    any     `yaml:"text"`
		}
		w.Decode(&params)
	}
	for _, c := range w.Children {
		decodeAll(c)
	}
}
