package dashboard_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// People read the errors of sources on the wall, in the log and on /healthz. Therefore no error begins with the name of a Go package.
func TestFailuresNameNoPackage(t *testing.T) {
	files, err := filepath.Glob("provider/*/*.go")
	for _, more := range []string{"provider/*.go", "internal/pyfmt/*.go", "internal/extract/*.go", "provider/document/*.go", "internal/fetch/*.go"} {
		found, globErr := filepath.Glob(more)
		if err != nil || globErr != nil || len(found) == 0 {
			t.Fatal(err, globErr, more)
		}
		files = append(files, found...)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(path))
		if name == "prometheus" { // Prometheus is also the name of the server
			continue
		}
		if m := regexp.MustCompile(`(?:errors\.New|fmt\.\w+)\("` + name + `: [^"]*"`).Find(text); m != nil {
			t.Errorf("%s: %s", path, m)
		}
	}
}

// The log lines in docs/grydgets.md are the same as in the code, so that readers can search for them.
func TestLogLinesOfTheHandbook(t *testing.T) {
	page, err := os.ReadFile("docs/grydgets.md")
	if err != nil {
		t.Fatal(err)
	}
	var code []byte
	for _, pattern := range []string{"wall/*.go", "wall/*/*.go", "server/*.go"} {
		files, _ := filepath.Glob(pattern)
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(path, "_test.go") {
				code = append(code, text...)
			}
		}
	}
	lines := regexp.MustCompile(`msg=("[^"]+")`).FindAllSubmatch(page, -1)
	if len(lines) < 3 {
		t.Errorf("got %d lines", len(lines))
	}
	for _, m := range lines {
		if !bytes.Contains(code, m[1]) {
			t.Errorf("nothing logs %s", m[1])
		}
	}
}
