package main

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	goBlock    = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")
	defineLine = regexp.MustCompile(`(?m)^\t\tkit\.Modern\("level".*\n`)
)

// inFull is set by `make long`.
var inFull = flag.Bool("long", false, "compile the widget that the documents write, and run its test")

// The widget that docs/write-a-widget.md describes compiles, is in the catalog, and passes the test on the same page.
func TestWidgetOfTheHandbook(t *testing.T) {
	if !*inFull {
		t.Skip("it compiles a package: make long")
	}
	page := readPage(t, filepath.Join(repository, "docs/write-a-widget.md"))
	blocks := goBlock.FindAllStringSubmatch(page, -1)
	line := defineLine.FindString(page)
	if len(blocks) != 2 || line == "" {
		t.Fatalf("got %d blocks of Go and the line %q, want the widget, its test and its line", len(blocks), line)
	}
	kinds := filepath.Join(repository, "widgets/chart/kinds.go")
	catalogue := readPage(t, kinds)
	last := strings.LastIndex(catalogue, "\t}\n}")
	overlay := map[string]string{
		"widgets/chart/level.go":      blocks[0][1],
		"widgets/chart/level_test.go": blocks[1][1],
		"widgets/chart/kinds.go":      catalogue[:last] + line + catalogue[last:],
	}
	cmd := exec.Command("go", "test", "-overlay", overlayFile(t, overlay), "-run", "TestLevel", "-v", "./widgets/chart")
	cmd.Dir = repository
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestLevel") {
		t.Errorf("%v\n%s", err, out)
	}
}

// overlayFile writes files that replace files of the repository in a go command.
func overlayFile(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for name, text := range files {
		at, err := filepath.Abs(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		replace[at] = filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(replace[at], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
