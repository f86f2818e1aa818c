package text

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dashboard/internal/folder"

	"github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

const (
	// maxScanned bounds the files and folders looked at when searching for
	// fonts; a desktop with every Noto font has about 3,000.
	maxScanned = 8192

	// maxCandidates bounds the fonts whose character tables are kept,
	// about 30 KB each.
	maxCandidates = 192

	// maxAnswers bounds the remembered choices; they are forgotten together.
	maxAnswers = 4096
)

// defaultFontDirs are where Linux distributions and Buildroot install fonts.
var defaultFontDirs = []string{"/usr/share/fonts", "/usr/local/share/fonts"}

// systemFonts finds fonts of the machine for characters that nothing else has.
// Files are listed at the first question, character tables are read then, and
// a font is loaded when it is chosen for the first time.
type systemFonts struct {
	dirs    []string
	scanned bool
	fonts   []*candidate
	answers map[answerKey]*candidate
}

// candidate is a font that may be loaded.
type candidate struct {
	path  string
	rank  int // lower is better: see rank
	bold  bool
	cmap  font.Cmap
	face  *face // once loaded
	wrong bool  // could not be loaded
}

// answerKey names a question: the first runes of a cluster, and the weight.
type answerKey struct {
	runes [4]rune
	n     int
	bold  bool
}

// face returns the best of the system's fonts that has all the runes, or nil.
func (s *systemFonts) face(runes []rune, bold bool) *face {
	if len(s.dirs) == 0 {
		return nil
	}
	if !s.scanned {
		s.scan()
	}
	key := answerKey{n: len(runes), bold: bold}
	copy(key.runes[:], runes)
	best, known := s.answers[key]
	if !known || len(runes) > len(key.runes) {
		best = s.search(runes, bold)
		if len(s.answers) >= maxAnswers {
			clear(s.answers)
		}
		s.answers[key] = best
	}
	if best == nil {
		return nil
	}
	return best.face
}

// search looks through all candidates; one that turns out broken is passed over.
func (s *systemFonts) search(runes []rune, bold bool) *candidate {
	for {
		var best *candidate
		for _, c := range s.fonts {
			if !c.wrong && (best == nil || c.rankFor(bold) < best.rankFor(bold)) && covers(c.cmap, runes) {
				best = c
			}
		}
		if best == nil || best.load() {
			return best
		}
		best.wrong = true
	}
}

// rankFor is the candidate's rank beside a font of a weight: the right weight
// decides between fonts of one kind.
func (c *candidate) rankFor(bold bool) int {
	if c.bold == bold {
		return c.rank
	}
	return c.rank + 1
}

func (c *candidate) load() bool {
	if c.face != nil {
		return true
	}
	b, err := folder.Read(folder.Dir("/"), c.path, maxFontBytes)
	if err != nil {
		return false
	}
	c.face, err = parse(b, 0)
	return err == nil
}

// scan lists the fonts of the folders, the best ranks first, and reads their
// character tables. What cannot be read is left out: there is nothing to say
// about a font nobody asked for.
func (s *systemFonts) scan() {
	s.scanned = true
	s.answers = make(map[answerKey]*candidate)
	var all []*candidate
	seen := 0
	for _, dir := range s.dirs {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if seen++; seen > maxScanned {
				return fs.SkipAll
			}
			if err == nil && isFontFile(path) {
				all = append(all, newCandidate(path))
			}
			return nil
		})
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return a.rank - b.rank })
	for _, c := range all[:min(len(all), maxCandidates)] {
		if c.readCmap() {
			s.fonts = append(s.fonts, c)
		}
	}
}

func isFontFile(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".ttf", ".otf", ".ttc":
		return true
	}
	return false
}

// newCandidate ranks a font by its file name: an upright sans serif of normal
// width is nearest to the built-in fonts.
func newCandidate(path string) *candidate {
	name := strings.ToLower(filepath.Base(path))
	c := &candidate{path: path, bold: strings.Contains(name, "bold")}
	for _, w := range []struct {
		word string
		cost int
	}{
		{"serif", 4}, {"condensed", 8}, {"mono", 8}, {"light", 8}, {"thin", 8}, {"black", 8}, {"semibold", 8},
		{"italic", 16}, {"oblique", 16}, {"math", 16}, {"color", 32},
	} {
		if strings.Contains(name, w.word) {
			c.rank += w.cost
		}
	}
	return c
}

// readCmap reads which characters the font has, and nothing else of the file.
func (c *candidate) readCmap() (ok bool) {
	defer func() {
		if recover() != nil { // a broken font file
			ok = false
		}
	}()
	st, err := os.Stat(c.path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxFontBytes {
		return false
	}
	file, err := os.Open(c.path)
	if err != nil {
		return false
	}
	defer file.Close()
	loaders, err := ot.NewLoaders(file)
	if err != nil || len(loaders) == 0 || !hasOutlines(loaders[0]) {
		return false
	}
	raw, err := loaders[0].RawTable(ot.MustNewTag("cmap"))
	if err != nil {
		return false
	}
	table, _, err := tables.ParseCmap(raw)
	if err != nil {
		return false
	}
	c.cmap, _, err = font.ProcessCmap(table, tables.FPNone)
	return err == nil
}
