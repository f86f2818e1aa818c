package dashboard_test

import (
	"bufio"
	"os"
	"testing"
	"unicode/utf8"
)

// longestLine is the greatest length of a line of shipped Go code, in characters. A tab counts as one.
const longestLine = 140

// mostLongLines bounds the lines that are longer. It may only fall. The text about a key stands in the comment above its field, and
// not in the struct tag.
const mostLongLines = 430

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
