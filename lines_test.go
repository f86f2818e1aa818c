package dashboard_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// longestLine is the maximum length of a line of shipped Go code, in characters. A tab counts as one character.
const longestLine = 140

// mostLongLines is the maximum number of lines that are longer than longestLine. It may only decrease. The description of a key is in the
// comment above its field, because a description in the struct tag makes the line too long.
const mostLongLines = 430

// mostFileLines is the maximum number of lines of a Go or TypeScript file, including tests. A longer file probably has more than one
// subject.
const mostFileLines = 400

// mostFolderLines is the maximum number of lines of the Go and TypeScript files directly in a folder, without tests and generated files.
// A larger folder probably has more than one subject.
const mostFolderLines = 6000

// mostServiceLines is the maximum number of lines of wall and all folders below it, counted like mostFolderLines. Code that does not need
// the service belongs to another folder.
const mostServiceLines = 17_000

// generated matches the line that marks a generated Go file (go help generate).
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// TestFileLength checks the number of lines of each file.
func TestFileLength(t *testing.T) {
	files := 0
	eachProgram(t, func(path string, lines int, _ []byte) {
		files++
		if lines > mostFileLines {
			t.Errorf("%s has %d lines, want at most %d: divide it by subject", path, lines, mostFileLines)
		}
	})
	if files < 1000 {
		t.Errorf("found only %d files", files)
	}
}

// TestFolderLength checks the number of lines of each folder.
func TestFolderLength(t *testing.T) {
	folders, service := map[string]int{}, 0
	eachProgram(t, func(path string, lines int, data []byte) {
		if !strings.HasSuffix(path, "_test.go") && !generated.Match(data) {
			folders[filepath.Dir(path)] += lines
			if strings.HasPrefix(path, "wall/") {
				service += lines
			}
		}
	})
	if service == 0 || service > mostServiceLines {
		t.Errorf("wall has %d lines in all its folders, want at most %d", service, mostServiceLines)
	}
	if len(folders) < 100 {
		t.Errorf("found only %d folders", len(folders))
	}
	for folder, n := range folders {
		if n > mostFolderLines {
			t.Errorf("%s has %d lines, want at most %d: move a cohesive part into a package of its own", folder, n, mostFolderLines)
		}
	}
}

// eachProgram calls f with every Go and TypeScript file, and its number of lines.
func eachProgram(t *testing.T, f func(path string, lines int, data []byte)) {
	t.Helper()
	eachSource(t, func(path string) {
		if ext := filepath.Ext(path); ext != ".go" && ext != ".ts" {
			return
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f(path, bytes.Count(data, []byte("\n")), data)
	})
}

// TestLineLength checks the number of lines that are longer than longestLine.
func TestLineLength(t *testing.T) {
	most, n := map[string]int{}, 0
	eachFile(t, func(path string) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if utf8.RuneCount(lines.Bytes()) > longestLine {
				most[path]++
				n++
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(path, err)
		}
	})
	t.Logf("%d lines of more than %d characters", n, longestLine)
	if n > mostLongLines {
		t.Errorf("got %d lines of more than %d characters, want at most %d: %v", n, longestLine, mostLongLines, most)
	}
}
