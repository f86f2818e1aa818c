package main

import (
	"bytes"
	"encoding/json"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/samples"
)

// command runs the program. It returns the exit status and the printed texts.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, &out, &errs, nil)
	return status, out.String(), errs.String()
}

// The files that the command init writes have no errors, and their wall is not empty. The command never overwrites a file.
func TestInit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my wall")
	status, said, errs := command(t, "init", dir)
	if status != 0 || errs != "" {
		t.Fatalf("got status %d: %s", status, errs)
	}
	if !strings.Contains(said, "dashboard '"+dir+"'") || !strings.Contains(said, "The wall changes when you save a file.") {
		t.Errorf("it does not tell the next command:\n%s", said)
	}
	if status, said, _ := command(t, "check", dir); status != 0 || said != "The configuration is right.\n" {
		t.Errorf("got status %d and %q, want no complaint", status, said)
	}
	conf, err := os.ReadFile(filepath.Join(dir, "conf.yaml"))
	if err != nil || !strings.Contains(string(conf), "\n  - type: window ") || !strings.Contains(string(conf), "\n  - type: stream ") {
		t.Errorf("the wall of init needs a window and a stream; got %v and\n%s", err, conf)
	}
	if !strings.Contains(string(conf), "\nnotifications: card ") {
		t.Errorf("a text for the name wall appears on no card; got\n%s", conf)
	}
	picture := filepath.Join(t.TempDir(), "wall.png")
	if status, _, errs := command(t, "render", "-o", picture, dir); status != 0 {
		t.Errorf("it cannot be drawn: %s", errs)
	}
	if info, err := os.Stat(picture); err != nil || info.Size() < 4<<10 {
		t.Errorf("got no picture, or an empty one: %v, %v", info, err)
	}
	before := contents(t, dir)
	if status, _, errs := command(t, "init", dir); status != 1 || !strings.Contains(errs, "is there already; nothing was written") {
		t.Errorf("a second time: got status %d and %q", status, errs)
	}
	if contents(t, dir) != before {
		t.Error("a second time changed the files")
	}
}

// contents() returns the contents of all files in a folder as one text.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		b.WriteString(path + "\n" + string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSchemaWiredOnce checks that the schema of a file is named either in the first line of the file or in the settings for editors. Only
// a theme's schema may be named in both places.
func TestSchemaWiredOnce(t *testing.T) {
	for _, name := range append(samples.Names(), "") {
		files, err := initialFiles(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range schemaFor {
			inSettings := strings.Contains(string(files[editorSettings]), `: "`+s[1]+`"`)
			if named := strings.HasPrefix(string(files[s[1]]), "# yaml-language-server: $schema="); s[0] != "theme" && named == inSettings {
				t.Errorf("%s: %s names its schema: %v, and has one in the settings: %v", name, s[1], named, inSettings)
			}
		}
	}
}

// If at least one of the files exists already, the command init writes nothing.
func TestInitRefuses(t *testing.T) {
	dir := t.TempDir()
	files{"widgets.yaml": "mine"}.write(t, dir)
	if status, _, errs := command(t, "init", dir); status != 1 || !strings.Contains(errs, "widgets.yaml is there already") {
		t.Errorf("got status %d and %q", status, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "conf.yaml")); err == nil {
		t.Error("it wrote something all the same")
	}
	files{"a-file": ""}.write(t, dir)
	if _, _, errs := command(t, "check", "New Wall"); !strings.Contains(errs, "'dashboard init 'New Wall'' makes one") {
		t.Errorf("a folder with a blank: got %q", errs)
	}
	if status, _, errs := command(t, "init", filepath.Join(dir, "a-file")); status != 1 || !strings.Contains(errs, "is no folder") {
		t.Errorf("a file: got status %d and %q", status, errs)
	}
}

func TestCommandLine(t *testing.T) {
	for _, tc := range []struct {
		args   string
		status int
		want   string
	}{
		{"--help", 0, "Usage:"},
		{"check --help", 0, "dashboard check [options] [DIR]"},
		{"--version", 0, "dashboard dev"},
		{"completion bash", 0, "__start_dashboard dashboard"},
		{"chekc", 2, "is 'check' meant?"},
		{"nowhere", 2, "'dashboard init nowhere' makes one"},
		{"check nowhere", 2, "'dashboard init nowhere' makes one"},
		{"rendr a", 2, "is 'render' meant?"},
		{"render --size 800x480foo --demo", 2, "want WIDTHxHEIGHT"},
		{"render --size 8e2x480 --demo", 2, "want WIDTHxHEIGHT"},
		{"", 1, "'dashboard init DIR' makes a wall"},
		{"check", 1, "there is no conf.yaml and no widgets.yaml in /"},
		{"a --config-dir b", 2, "there can be only one folder"},
		{"check --demo b", 2, "leave out the folder"},
		{"check --demo", 0, "The configuration is right."},
		{"version", 0, "dashboard dev"},
		{"serve", 2, "there is no command \"serve\"; write 'dashboard DIR'"},
		{"run a", 2, "write 'dashboard a'"},
		{"doctor a", 2, "write 'dashboard check a'"},
		{"init --list", 0, "epaper        An e-paper screen"},
		{"reload a", 1, "no wall runs at http://127.0.0.1:1/: connection refused; 'dashboard a' starts it"},
		{"health --url http://127.0.0.1:1 a", 1, "no wall runs at http://127.0.0.1:1: connection refused"},
		{"render wrong", 1, "the configuration is wrong; 'dashboard check wrong' lists every error"},
		{"render wrong --widgets widgets.yml", 1, "'dashboard check wrong --widgets widgets.yml' lists every error"},
		{"render --demo -o nowhere/wall.png", 1, "nowhere/wall.png: no such file or directory"},
		{"check init", 2, "'dashboard init init' makes one"},
	} {
		t.Run(tc.args, func(t *testing.T) {
			t.Chdir(t.TempDir())
			files{"a/conf.yaml": "server: {port: 1}", "b/conf.yaml": "", "wrong/conf.yaml": "server: 1"}.write(t, ".")
			status, said, errs := command(t, strings.Fields(tc.args)...)
			if status != tc.status || !strings.Contains(said+errs, tc.want) {
				t.Errorf("got status %d and %q, want %d and %q", status, said+errs, tc.status, tc.want)
			}
			// Only errors of the configuration can contain such a path.
			if got, want := strings.Contains(errs, "config paths are relative"), strings.Contains(errs, "configuration is wrong"); got != want {
				t.Errorf("got %q, want a folder for relative paths: %t", errs, want)
			}
		})
	}
}

// The command render writes the picture into the working folder, not into the folder of the wall. It prints the name of the picture.
func TestRenderWritesHere(t *testing.T) {
	t.Chdir(t.TempDir())
	if status, said, errs := command(t, "render", "--demo", "--size", "320x240", "-o", "wall.png"); status != 0 || said != "wall.png: 320x240\n" {
		t.Fatalf("got status %d, %q and %q", status, said, errs)
	}
	if _, err := os.Stat("wall.png"); err != nil {
		t.Error(err)
	}
}

// TestDemoWithoutTemporaryFolder checks that --demo reports that its files cannot be unpacked.
func TestDemoWithoutTemporaryFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	status, said, errs := command(t, "render", "--demo", "--size", "320x240", "-o", "wall.png")
	if status != 1 || said != "" || !strings.Contains(errs, "unpack the built-in configuration: ") {
		t.Errorf("got status %d, %q and %q", status, said, errs)
	}
}

// TestRenderToStdout checks that render -o - writes nothing except the picture to the standard output.
func TestRenderToStdout(t *testing.T) {
	t.Chdir(t.TempDir())
	status, said, errs := command(t, "render", "--demo", "--size", "320x240", "-o", "-")
	if m, err := png.DecodeConfig(strings.NewReader(said)); status != 0 || err != nil || m.Width != 320 || m.Height != 240 {
		t.Errorf("got status %d, a picture of %v, %v and %q", status, m, err, errs)
	}
	if list, err := os.ReadDir("."); err != nil || len(list) > 0 {
		t.Errorf("got files %v, %v", list, err)
	}
}

// Every sample can be written and has no errors. The schemas that its files name exist.
func TestInitSamples(t *testing.T) {
	t.Parallel()
	for _, name := range samples.Names() {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "wall")
			if status, _, errs := command(t, "init", "--sample", name, dir); status != 0 {
				t.Fatal(errs)
			}
			status, said, _ := command(t, "check", dir)
			warnings := strings.Count(said, ": warning: ")
			if status != 0 || warnings != strings.Count(said, "placeholder") {
				t.Errorf("got status %d and %q, want warnings of placeholders only", status, said)
			}
			if secrets := contents(t, dir); strings.Contains(secrets, "example.org") && warnings == 0 {
				t.Error("no warning of a placeholder")
			}
			for _, file := range []string{"conf.yaml", "themes/day.yaml"} {
				checkSchemaLine(t, filepath.Join(dir, file))
			}
			if info, err := os.Stat(filepath.Join(dir, "secrets.yaml")); err == nil && info.Mode().Perm() != 0o600 {
				t.Errorf("secrets.yaml has mode %v, want 0600", info.Mode())
			}
		})
	}
}

// TestInitSchemas checks that the command init writes all schemas of the repository, because they refer to each other. The packed schemas
// have no spaces between their tokens.
func TestInitSchemas(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "wall")
	if status, _, errs := command(t, "init", dir); status != 0 {
		t.Fatal(errs)
	}
	all, err := filepath.Glob("../../schema/*.json")
	if err != nil || len(all) < 7 {
		t.Fatalf("got the schemas %v, %v", all, err)
	}
	for _, path := range all {
		if filepath.Base(path) == "openapi.json" { // this schema does not describe a file of a configuration
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := text
		if filepath.Base(path) != "icons.json" { // the program creates icons.json from its icons
			var compact bytes.Buffer
			if err := json.Compact(&compact, text); err != nil {
				t.Fatal(err)
			}
			want = compact.Bytes()
		}
		if got, err := os.ReadFile(filepath.Join(dir, "schema", filepath.Base(path))); !bytes.Equal(got, want) {
			t.Errorf("%s: got %d bytes, want %d: %v", path, len(got), len(want), err)
		}
	}
}

// checkSchemaLine checks that the schema in the first line of the file at `path` exists. If there is no file at `path`, it does nothing.
func checkSchemaLine(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		return
	}
	first, _, _ := strings.Cut(string(data), "\n")
	_, ref, _ := strings.Cut(first, "$schema=")
	if _, err := os.Stat(filepath.Join(filepath.Dir(path), ref)); ref == "" || err != nil {
		t.Errorf("%s: %q leads to no schema: %v", path, first, err)
	}
}

// If values are missing, the command render still writes the picture, and it lists the missing values.
func TestRenderTellsWhatIsMissing(t *testing.T) {
	t.Chdir(t.TempDir())
	dead := httptest.NewServer(http.NotFoundHandler())
	defer dead.Close()
	files{
		"conf.yaml":      "graphics: {resolution: [80, 40]}\n",
		"providers.yaml": "providers: {meter: {url: '" + dead.URL + "'}}\n",
		"widgets.yaml":   "widgets: [{widget: provider, providers: [meter]}]\n",
	}.write(t, ".")
	status, _, errs := command(t, "render", "-o", "wall.png")
	if _, err := os.Stat("wall.png"); status != 0 || err != nil || errs != "dashboard: meter: "+dead.URL+": status 404 Not Found: 404 page not found\n" {
		t.Errorf("got status %d, %v and %q", status, err, errs)
	}
}
