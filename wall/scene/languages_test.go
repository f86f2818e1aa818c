package scene

import (
	"image"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"unicode"

	"dashboard/internal/testing/race"
	"dashboard/render"
	fonts "dashboard/render/text"
	"dashboard/theme/sun"
)

// localeLine matches the line in a sample's conf.yaml that sets the language.
var localeLine = regexp.MustCompile(`(?m)^locale: .*$`)

// TestWallsInLanguages draws walls in many languages. There is a glyph for every painted letter, no number is cut, and every line is
// painted completely. A language is skipped if this machine has no font for its script.
func TestWallsInLanguages(t *testing.T) {
	t.Parallel()
	for language, letter := range map[string]rune{
		"ar": 'ع', "he": 'ש', "ja": '時', "zh": '时', "ko": '시', "hi": 'ह', "th": 'ท', "de": 'ß', "fi": 'ä',
	} {
		if race.Enabled && language != "de" {
			continue
		}
		t.Run(language, func(t *testing.T) {
			if !fonts.NewCache(1<<20).Covers(nil, letter) && !machineCovers(letter) {
				t.Skipf("no font of this machine has %q", letter)
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("../../samples/family")); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "conf.yaml")
			conf, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !localeLine.Match(conf) {
				t.Fatalf("%s names no language", path)
			}
			if err := os.WriteFile(path, localeLine.ReplaceAll(conf, []byte("locale: "+language)), 0o600); err != nil {
				t.Fatal(err)
			}
			for i, size := range []image.Point{{1280, 720}, {1080, 1920}} {
				if testing.Short() && int(letter)%2 != i {
					continue // another language has this size
				}
				missing, cut := paintedLetters(t, dir, size, sun.Night)
				if len(missing) > 0 || len(cut) > 0 {
					t.Errorf("%v: no glyph for %q, not whole: %q", size, missing, cut)
				}
			}
		})
	}
}

// machineCovers reports whether this machine has a font with the letter.
func machineCovers(letter rune) bool {
	cache := fonts.NewCache(1 << 20)
	cache.SystemFonts()
	return cache.Covers(nil, letter)
}

// A part of a letter, such as the foot of a j, may be outside of its widget. The maximum length of this part is the letter's size divided
// by `overhang`.
const overhang = 5

// paintedLetters draws a wall. It returns the letters without a glyph, and the lines that are cut
// off. If the wall has no text, it fails the test.
func paintedLetters(t *testing.T, dir string, size image.Point, mode sun.Mode) (missing []rune, cut []string) {
	t.Helper()
	standBuilt(t, dir, size, mode, true, "", func(b *Builder, _ *Scene, r *render.Renderer) {
		seen := map[rune]bool{}
		b.Text.OnPaint(func(p fonts.Painted) {
			if !p.Ink.In(p.Clip.Inset(-p.Size/overhang)) || cutNumber.Match(p.Line) {
				cut = append(cut, string(p.Line))
			}
			for _, letter := range string(p.Line) {
				seen[letter] = seen[letter] || unicode.IsGraphic(letter) && !unicode.IsSpace(letter)
			}
		})
		r.Trace()
		b.Text.OnPaint(nil)
		for letter, counts := range seen {
			if counts && !b.Text.Covers(nil, letter) {
				missing = append(missing, letter)
			}
		}
		if len(seen) < 10 {
			t.Errorf("%v: only %d letters are painted", size, len(seen))
		}
	})
	return missing, cut
}
