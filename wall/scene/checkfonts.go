package scene

import (
	"cmp"
	"io/fs"
	"slices"
	"unicode"

	"dashboard/config"
	"dashboard/internal/locale"
	"dashboard/internal/stable"
	"dashboard/render/text"
	"dashboard/theme"
)

// packages maps scripts to Debian's packages with fonts for them. It contains only scripts that the
// built-in fonts and the package fonts-noto-core do not have.
var packages = map[string]struct{ words, name string }{
	"Hangul": {"Korean", "fonts-noto-cjk"}, "Han": {"Chinese or Japanese", "fonts-noto-cjk"}, "Hiragana": {"Japanese", "fonts-noto-cjk"},
	"Katakana": {"Japanese", "fonts-noto-cjk"}, "Bopomofo": {"Chinese", "fonts-noto-cjk"}, "Common": {"such signs", "fonts-symbola"},
}

// noTexts lists keys whose values do not appear as text on the wall.
var noTexts = []string{"widget", "area", "areas", "name", "path", "url", "font_path", "picture", "provider", "icon", "wifi", "theme", "typeface"}

// A lack is a script that appears in texts and for which there is no font.
type lack struct {
	script string
	first  *config.Node
	letter rune
	texts  int
}

// CheckFonts warns if a font is missing for the language or for texts in the widgets file.
func CheckFonts(fonts *text.Cache, root *config.Node, words *locale.Locale, r *config.Report) {
	checkLanguage(fonts, root, words, r)
	found := map[string]*lack{}
	gather(root.Get("widgets"), func(at *config.Node) {
		for _, letter := range at.Text() {
			if letter < ' ' || fonts.Covers(text.Inter(), letter) {
				continue
			}
			script := scriptOf(letter)
			if found[script] == nil {
				found[script] = &lack{script: script, first: at, letter: letter}
			}
			found[script].texts++
			return
		}
	})
	all := make([]*lack, 0, len(found))
	for _, l := range found {
		all = append(all, l)
	}
	stable.Sort(all, func(a, b *lack) int { return cmp.Compare(a.first.Line(), b.first.Line()) })
	for _, l := range all {
		l.tell(r)
	}
}

// checkTypeface warns if the font file of a theme cannot be used. The wall then uses Inter.
func checkTypeface(fonts *text.Cache, files fs.FS, dressed theme.Dressed, r *config.Report) {
	face := dressed.Look.Typeface
	if !dressed.Named || face == "" || face == "inter" || face == "liberation" {
		return
	}
	if _, err := fonts.Open(files, face); err != nil {
		r.Warnf(dressed.Root.Get("theme").Get("typeface"), "%v; write inter, liberation or {path: FILE}", err)
	}
}

// prepareFonts loads the fonts for a wall's language and for the texts of its widgets file.
func prepareFonts(fonts *text.Cache, root *config.Node, words *locale.Locale) {
	fonts.Prepare(text.Inter(), words.Letters())
	gather(root.Get("widgets"), func(at *config.Node) { fonts.Prepare(text.Inter(), at.Text()) })
}

// checkLanguage warns once if no font has the letters of the names of days and months, or of the
// program's phrases in the wall's language.
func checkLanguage(fonts *text.Cache, root *config.Node, words *locale.Locale, r *config.Report) {
	for _, letter := range words.Letters() {
		if letter < 0x80 || fonts.Covers(text.Inter(), letter) {
			continue
		}
		script, name := packageOf(scriptOf(letter))
		r.Warnf(root, "the wall's language, %s, needs a font with %s, for '%c' and others; on Debian: apt install %s", words.Tag, script, letter, name)
		return
	}
}

// packageOf returns a description of the languages that use a script, and the name of Debian's package with a font for this script.
func packageOf(script string) (words, name string) {
	if p, ok := packages[script]; ok {
		return p.words, p.name
	}
	return script, "fonts-noto-core"
}

// tell adds a warning at the first text that needs the missing font.
func (l *lack) tell(r *config.Report) {
	words, name := packageOf(l.script)
	if l.texts == 1 {
		r.Warnf(l.first, "this text needs a font with %s, for '%c' and others; on Debian: apt install %s", words, l.letter, name)
		return
	}
	r.Warnf(l.first, "%d texts, of which this is the first, need a font with %s; on Debian: apt install %s", l.texts, words, name)
}

// gather calls the function `use` for each text in a node, except for the values of keys in noTexts.
func gather(n *config.Node, use func(at *config.Node)) {
	switch n.Kind() {
	case config.String:
		use(n)
	case config.List:
		for _, item := range n.Items() {
			gather(item, use)
		}
	case config.Map:
		for _, pair := range n.Pairs() {
			if !slices.Contains(noTexts, pair.Key) {
				gather(pair.Value, use)
			}
		}
	}
}

// scriptOf returns the Unicode name of a letter's script.
func scriptOf(letter rune) string {
	for name, table := range unicode.Scripts {
		if unicode.Is(table, letter) {
			return name
		}
	}
	return "Common"
}
