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
)

const (
	// maxScanned bounds the files and folders of a search for fonts. A desktop with every Noto font has about 3,000.
	maxScanned = 8192

	// maxCmaps bounds the character tables that are kept, in bytes of their files: 5 KB for a font with one script, 100 KB for a
	// Chinese font. All Noto families fit.
	maxCmaps = 6 << 20

	// maxAnswers bounds the cached choices. They are dropped together.
	maxAnswers = 4096
)

// maxSystemBytes bounds the memory of loaded system fonts, measured by fontCost: some twenty Noto fonts. Text beyond it is drawn as
// boxes.
const maxSystemBytes = 32 << 20

// unusedFor is the time without use after which a font is dropped for another one.
const unusedFor = time.Minute

// fontCost returns the approximate memory of a font whose parsed tables have the given length in bytes.
func fontCost(tables int64) int64 { return 2*tables + 1<<20 }

// defaultFontDirs are the folders in which Linux distributions and Buildroot install fonts.
var defaultFontDirs = []string{"/usr/share/fonts", "/usr/local/share/fonts"}

// systemFonts finds fonts of the machine for characters that no other font has. At the first request it lists the files and reads
// their character tables. A font is loaded when it is first chosen. If there is a callback for arriving fonts, a separate goroutine
// loads it without the cache's lock. Otherwise it is loaded at once.
type systemFonts struct {
	dirs    []string
	scanned bool
	fonts   []*candidate
	answers map[answerKey]*candidate
	live    *atomic.Int64                  // bytes of fonts that are loaded or not yet freed by the collector
	refused uint64                         // number of fonts that were not loaded for lack of room
	open    func(string) (*os.File, error) // openSystem outside tests

	arrived func() // called after fonts were loaded. nil loads at once
	wanted  []*candidate
	working bool // the loading goroutine is running
}

// candidate is a font that may be loaded.
type candidate struct {
	path   string
	rank   int // lower is better: see newCandidate
	bold   bool
	cmap   font.Cmap
	tables int64 // length of the parsed tables, in bytes
	face   *face // once loaded
	bolder *face // face with wider strokes, made for the first bold text
	wrong  bool  // the font could not be loaded
	queued bool
	used   time.Time
}

// answerKey is the key of a cached choice: the first runes of a cluster, and the weight.
type answerKey struct {
	runes [4]rune
	n     int
	bold  bool
}

// systemFace returns the best system font that has all the runes, or nil. late is true if a font may still arrive.
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

// answer returns the best candidate, from the cache or by a search. A broken one is skipped.
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

// search searches all candidates. It chooses the first family that has the runes, and in that family the font with the weight.
func (s *systemFonts) search(runes []rune, bold bool) (best *candidate) {
	for _, c := range s.fonts {
		better := best == nil || c.rank < best.rank || c.rank == best.rank && best.bold != bold && c.bold == bold && c.family() == best.family()
		if better && !c.wrong && covers(c.cmap, runes) {
			best = c
		}
	}
	return best
}

// of returns the loaded font in a weight. If a family has no bold font, its regular font gets wider strokes.
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

// openSystem opens a font file of the machine.
func openSystem(path string) (*os.File, error) { return os.Open(path) }

// parsed parses the font. Its memory counts until the collector has freed it.
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
	live := s.live // the cleanup must not refer to s, because s refers to the face
	live.Add(fontCost(c.tables))
	runtime.AddCleanup(fc, func(n int64) { live.Add(-n) }, fontCost(c.tables))
	return fc, false
}

// makeRoom reports whether a font may be loaded. If not, it drops fonts that were not used for a while, so that the next request
// finds room. The caller holds the lock.
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

// load requests that a candidate is loaded, or with nil the list of fonts. It reports whether the result may arrive. The caller
// holds the lock.
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

// loadWanted loads all requested fonts and calls the callback. It holds the lock only to store the results.
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

// scan lists the fonts of the folders, the best ranks first, and reads their character tables. Unreadable files are
// left out silently, because no user named them.
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
	slices.SortStableFunc(all, func(a, b *candidate) int { return a.rank - b.rank })
	room := int64(maxCmaps)
	for _, c := range familiesFirst(all) {
		if bytes, ok := c.readCmap(room); ok {
			fonts, room = append(fonts, c), room-bytes
		}
	}
	slices.SortStableFunc(fonts, func(a, b *candidate) int { return a.rank - b.rank })
	return fonts
}

// familiesFirst sorts fonts so that the best font of each family comes first, and then the second best of each. A family is often
// the only one with its script, and a desktop has more fonts than fit in memory.
func familiesFirst(all []*candidate) []*candidate {
	seen, turn := map[string]int{}, map[*candidate]int{}
	for _, c := range all {
		family := c.family()
		turn[c] = seen[family]
		seen[family]++
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b *candidate) int { return turn[a] - turn[b] })
	return sorted
}

// family returns the part of the file's name before its style: NotoSansTamil of NotoSansTamil-Bold.ttf.
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

// newCandidate ranks a font by its file name. An upright sans serif of normal width is most similar to the built-in fonts.
func newCandidate(path string) *candidate {
	name := strings.ToLower(filepath.Base(path))
	c := &candidate{path: path, bold: strings.Contains(name, "bold")}
	if !strings.HasPrefix(name, "notosans") {
		c.rank++ // Noto has bold fonts and a common design for all scripts
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

// readCmap reads which characters the font has, and nothing else. It returns the length of the table. ok is false if the font is
// unreadable or its table is longer than room.
func (c *candidate) readCmap(room int64) (bytes int64, ok bool) {
	defer func() {
		if recover() != nil { // a broken font file
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
