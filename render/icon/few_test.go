package icon

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"dashboard/internal/packed"
)

var (
	//go:embed few.packed
	fewOutlines []byte
	//go:embed few.gz
	fewNames []byte
)

// fewLines returns the lines of few.gz.
func fewLines(t *testing.T) []string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(fewNames))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

// The icons in few.gz have the same characters and outlines as in the complete table.
func TestFew(t *testing.T) {
	file, err := packed.New(fewOutlines)
	if err != nil {
		t.Fatal(err)
	}
	few, err := sfnt.ParseReaderAt(file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := sfnt.ParseReaderAt(TTF())
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range fewLines(t) {
		name, digits, _ := strings.Cut(line, " ")
		code, err := strconv.ParseUint(digits, 16, 32)
		if r, _ := Lookup(name); err != nil || rune(code) != r {
			t.Errorf("%s: got character %q, want %x (%v)", name, digits, r, err)
		}
		got, want := outline(t, few, rune(code)), outline(t, all, rune(code))
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: got the outline %v, want %v", name, got, want)
		}
	}
}

func outline(t *testing.T, f *sfnt.Font, r rune) sfnt.Segments {
	t.Helper()
	var b sfnt.Buffer
	i, err := f.GlyphIndex(&b, r)
	if err != nil || i == 0 {
		t.Fatalf("no glyph for %x: %v", r, err)
	}
	const ppem = 1000
	s, err := f.LoadGlyph(&b, i, fixed.I(ppem), nil)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(s)
}

// The program in the initramfs has only the icons of few.gz. So few.gz must contain every icon that a line of the start screen uses.
func TestFewAreEnough(t *testing.T) {
	var have []string
	for _, line := range fewLines(t) {
		name, _, _ := strings.Cut(line, " ")
		have = append(have, name)
	}
	named := regexp.MustCompile(`Icon: +"([^"]+)"`)
	used := 0
	for _, pattern := range []string{"../../appliance/*.go", "../../appliance/startscreen/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files (%v)", pattern, len(files), err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range named.FindAllSubmatch(source, -1) {
				used++
				if !slices.Contains(have, string(found[1])) {
					t.Errorf("%s: the icon %s is not among the few icons: add it to tools/fonts/fonts.py", name, found[1])
				}
			}
		}
	}
	if used == 0 {
		t.Error("found no icon in the sources")
	}
}
