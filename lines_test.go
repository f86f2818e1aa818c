package dashboard_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

// longestLine is the greatest length of a line of shipped Go code, in characters. A tab counts as one.
const longestLine = 140

// mostLongLines bounds the lines that are longer. It may only fall. The text about a key stands in the comment above its field, and
// not in the struct tag.
const mostLongLines = 430

// mostFileLines bounds a file of Go or TypeScript, tests included: a longer one has a second subject.
const mostFileLines = 400

// TestFileLength bounds the lines of a file.
func TestFileLength(t *testing.T) {
	files := 0
	eachSource(t, func(path string) {
		if ext := filepath.Ext(path); ext != ".go" && ext != ".ts" {
			return
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files++
		if n := bytes.Count(data, []byte("\n")); n > mostFileLines {
			t.Errorf("%s has %d lines, want at most %d: divide it by subject", path, n, mostFileLines)
		}
	})
	if files < 1000 {
		t.Errorf("found only %d files", files)
	}
}

// TestLineLength bounds the lines that do not fit on a screen.
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
