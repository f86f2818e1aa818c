package text

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"

	"dashboard/internal/stable"
)

const (
	// maxScanned bounds the files and folders that a search for fonts visits. A desktop with all Noto fonts has about 3,000 files and
	// folders.
	maxScanned = 8192

	// maxCmaps bounds the memory of character tables, counted in bytes of their files. A font with one script takes 5 KB, and a Chinese
	// font takes 100 KB. This is enough for all Noto families.
	maxCmaps = 6 << 20

	// maxAnswers bounds the cached choices of fonts. When the bound is reached, all choices are dropped.
	maxAnswers = 4096
)

// maxSystemBytes bounds the memory of loaded system fonts, as computed by fontCost. This is enough for about twenty Noto fonts. Characters
// of further fonts are drawn as boxes.
const maxSystemBytes = 32 << 20

// unusedFor is how long a font must have been unused before it may be dropped to load another font.
const unusedFor = time.Minute

// fontCost returns the approximate memory of a font. `tables` is the length in bytes of its parsed tables.
func fontCost(tables int64) int64 { return 2*tables + 1<<20 }

// defaultFontDirs are the folders in which Linux distributions and Buildroot install fonts.
var defaultFontDirs = []string{"/usr/share/fonts", "/usr/local/share/fonts"}

// systemFonts finds installed fonts for characters that no other font has. At the first request, it lists the font files and reads their
// character tables. It loads a font when the font is first chosen. If the field `arrived` is set, a separate goroutine loads fonts without
// holding the cache's lock. Otherwise the caller waits.
type systemFonts struct {
	dirs    []string
	scanned bool
	fonts   []*candidate
	answers map[answerKey]*candidate
	live    *atomic.Int64                  // memory of fonts, including dropped fonts that the garbage collector has not freed yet
	refused uint64                         // number of times that a font was not loaded because there was no memory
	open    func(string) (*os.File, error) // opens a font file. It is openSystem, except in tests

	arrived func() // called after fonts were loaded. nil means that callers wait for fonts
	wanted  []*candidate
	working bool // true if the goroutine that loads fonts is running
}

// candidate is an installed font, which may be loaded or not.
type candidate struct {
	path   string
	rank   int // rank of the font. A lower rank is better. newCandidate computes it
	bold   bool
	cmap   font.Cmap
	tables int64 // length of the parsed tables, in bytes
	face   *face // nil until the font is loaded
	bolder *face // face with wider strokes, made for the first bold text
	wrong  bool  // true if the font could not be loaded
	queued bool
	used   time.Time
}

// answerKey is the key of a cached choice: the first runes of a cluster, and whether bold is wanted.
type answerKey struct {
	runes [4]rune
	n     int
	bold  bool
}

// systemFace returns the best system font that has all runes, or nil. `late` is true if this font, or the list of system fonts, is still
// being loaded.
func (c *Cache) systemFace(runes []rune, bold bool) (fc *face, late bool) {
	s := &c.system
	if len(s.dirs) == 0 {
		return nil, false
	}
	if !s.scanned && s.arrived != nil {
		c.load(nil)
		return nil, true
	}
	if !s.scanned {
		s.scanned, s.fonts = true, scan(s.dirs)
	}
	for {
		best := s.answer(runes, bold)
		switch {
		case best == nil:
			return nil, false
		case best.face != nil:
			best.used = time.Now()
			return best.of(bold), false
		case s.arrived != nil:
			return nil, c.load(best)
		}
		if !c.makeRoom(best) {
			return nil, false
		}
		best.face, best.wrong = best.parsed(s)
	}
}

// answer returns the best candidate for the runes, from the cache or by a search. It does not return fonts that could not be loaded.
func (s *systemFonts) answer(runes []rune, bold bool) *candidate {
	key := answerKey{n: len(runes), bold: bold}
	copy(key.runes[:], runes)
	best, known := s.answers[key]
	if known && len(runes) <= len(key.runes) && (best == nil || !best.wrong) {
		return best
	}
	best = s.search(runes, bold)
	if len(s.answers) >= maxAnswers || s.answers == nil {
		s.answers = make(map[answerKey]*candidate)
	}
	s.answers[key] = best
	return best
}

// search looks at all candidates that have the runes. It chooses the candidate with the best rank. If its family has a font of the same
// rank in the wanted weight, it chooses this font.
func (s *systemFonts) search(runes []rune, bold bool) (best *candidate) {
	for _, c := range s.fonts {
		better := best == nil || c.rank < best.rank || c.rank == best.rank && best.bold != bold && c.bold == bold && c.family() == best.family()
		if better && !c.wrong && covers(c.cmap, runes) {
			best = c
		}
	}
	return best
}

// of() returns the loaded face in a weight. If the family has no bold font, the bold face is the regular face with wider strokes.
func (c *candidate) of(bold bool) *face {
	if !bold || c.bold {
		return c.face
	}
	if c.bolder == nil {
		wide := *c.face
		wide.bolder, c.bolder = true, &wide
	}
	return c.bolder
}

// openSystem opens the file of an installed font.
func openSystem(path string) (*os.File, error) { return os.Open(path) }

// parsed() loads the font. The memory of the font counts in `live` until the garbage collector frees the face.
func (c *candidate) parsed(s *systemFonts) (fc *face, wrong bool) {
	file, err := s.open(c.path)
	if err != nil {
		return nil, true
	}
	st, err := file.Stat()
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxFontBytes {
		file.Close()
		return nil, true
	}
	if fc, err = parseSystem(file, st.Size()); err != nil {
		return nil, true
	}
	live := s.live // the cleanup must not refer to s. s refers to the face, so the face could then never be freed
	live.Add(fontCost(c.tables))
	runtime.AddCleanup(fc, func(n int64) { live.Add(-n) }, fontCost(c.tables))
	return fc, false
}

// makeRoom reports whether there is memory for the font `next`. If not, it drops the fonts that were not used for unusedFor, so that a
// later request can succeed. The caller holds the lock.
func (c *Cache) makeRoom(next *candidate) bool {
	s := &c.system
	if s.live.Load()+fontCost(next.tables) <= maxSystemBytes {
		return true
	}
	s.refused++
	for _, old := range s.fonts {
		if old.face != nil && time.Since(old.used) > unusedFor {
			c.forgetFace(old.face)
			c.forgetFace(old.bolder)
			old.face, old.bolder = nil, nil
		}
	}
	return false
}

// load requests a font from the loading goroutine, which it starts if necessary. If `next` is nil, load() requests only the list of fonts.
// It returns false if there is no memory for the font. The caller holds the lock.
func (c *Cache) load(next *candidate) bool {
	s := &c.system
	if next != nil && !next.queued {
		if !c.makeRoom(next) {
			return false
		}
		next.queued = true
		s.wanted = append(s.wanted, next)
	}
	if !s.working {
		s.working = true
		go c.loadWanted()
	}
	return true
}

// loadWanted loads all requested fonts, and then calls arrived(). It holds the lock only while it stores results.
func (c *Cache) loadWanted() {
	c.mu.Lock()
	s := &c.system
	if !s.scanned {
		c.mu.Unlock()
		found := scan(s.dirs)
		c.mu.Lock()
		s.list(found)
	}
	for len(s.wanted) > 0 {
		next := s.wanted[0]
		s.wanted = s.wanted[1:]
		if room := c.makeRoom(next); room {
			c.mu.Unlock()
			fc, wrong := next.parsed(s)
			c.mu.Lock()
			next.face, next.wrong, next.used = fc, wrong, time.Now()
		}
		next.queued = false
	}
	s.wanted, s.working = nil, false
	for _, e := range c.segments.m {
		if e.val.late {
			c.segments.drop(e)
		}
	}
	c.arrivals.Add(1)
	c.mu.Unlock()
	s.arrived()
}

// scan lists the fonts in the folders, best ranks first, and reads their character tables. It ignores unreadable files without an error,
// because these files are not part of the configuration.
func scan(dirs []string) (fonts []*candidate) {
	var all []*candidate
	seen := 0
	for _, dir := range dirs {
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
	stable.Sort(all, func(a, b *candidate) int { return a.rank - b.rank })
	room := int64(maxCmaps)
	for _, c := range familiesFirst(all) {
		if bytes, ok := c.readCmap(room); ok {
			fonts, room = append(fonts, c), room-bytes
		}
	}
	stable.Sort(fonts, func(a, b *candidate) int { return a.rank - b.rank })
	return fonts
}

// familiesFirst sorts fonts: first the best font of each family, then the second best font of each family, and so on. This order matters
// when memory is short, because a family is often the only family for its script.
func familiesFirst(all []*candidate) []*candidate {
	seen, turn := map[string]int{}, map[*candidate]int{}
	for _, c := range all {
		family := c.family()
		turn[c] = seen[family]
		seen[family]++
	}
	sorted := slices.Clone(all)
	stable.Sort(sorted, func(a, b *candidate) int { return turn[a] - turn[b] })
	return sorted
}

// family returns the part of the file's name before the style, for example NotoSansTamil for NotoSansTamil-Bold.ttf.
func (c *candidate) family() string {
	name := strings.TrimSuffix(filepath.Base(c.path), filepath.Ext(c.path))
	before, _, _ := strings.Cut(name, "-")
	return strings.ToLower(before)
}

func isFontFile(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".ttf", ".otf", ".ttc":
		return true
	}
	return false
}

// newCandidate computes the rank of a font from its file name. An upright sans serif of normal width is best, because it is most similar
// to the built-in fonts.
func newCandidate(path string) *candidate {
	name := strings.ToLower(filepath.Base(path))
	c := &candidate{path: path, bold: strings.Contains(name, "bold")}
	if !strings.HasPrefix(name, "notosans") {
		c.rank++ // fonts other than Noto Sans get a worse rank, because Noto Sans has bold fonts, and the same design for all scripts
	}
	for _, w := range []struct {
		word string
		cost int
	}{
		{"kufi", 2}, {"looped", 2}, {"naskh", 2}, {"display", 2}, {"medium", 2}, {"serif", 4}, {"rashi", 6}, {"nastaliq", 6}, {"condensed", 8},
		{"mono", 8}, {"light", 8}, {"thin", 8}, {"black", 8}, {"semibold", 8}, {"italic", 16}, {"oblique", 16}, {"math", 16}, {"color", 32},
	} {
		if strings.Contains(name, w.word) {
			c.rank += w.cost
		}
	}
	return c
}

// readCmap reads the font's character table, and the total length of the tables that the parser reads. It returns the length in bytes of
// the character table. `ok` is false if the font is unreadable or the character table has more bytes than the argument `room`.
func (c *candidate) readCmap(room int64) (bytes int64, ok bool) {
	defer func() {
		if recover() != nil { // the font file is broken
			ok = false
		}
	}()
	st, err := os.Stat(c.path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxFontBytes {
		return 0, false
	}
	file, err := os.Open(c.path)
	if err != nil {
		return 0, false
	}
	defer file.Close()
	if checkDirectory(file, st.Size()) != nil {
		return 0, false
	}
	loaders, err := ot.NewLoaders(file)
	if err != nil || len(loaders) == 0 || !hasOutlines(loaders[0]) {
		return 0, false
	}
	raw, err := loaders[0].RawTable(ot.MustNewTag("cmap"))
	if err != nil || int64(len(raw)) > room {
		return 0, false
	}
	table, _, err := tables.ParseCmap(raw)
	if err != nil {
		return 0, false
	}
	c.cmap, _, err = font.ProcessCmap(table, tables.FPNone)
	c.tables = readLength(records(file), st.Size())
	return int64(len(raw)), err == nil
}
