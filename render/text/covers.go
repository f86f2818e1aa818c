package text

import (
	"slices"
	"time"
)

// Covers reports whether a letter has a glyph in the font, in its fallbacks, or in a font of the machine. It searches
// the machine's fonts at once, so do not call it while painting.
func (c *Cache) Covers(f *Font, r rune) bool {
	if f == nil {
		f = Default()
	}
	one := []rune{r}
	for _, fc := range f.chain {
		if covers(fc.ft.Cmap, one) {
			return true
		}
	}
	c.findFonts()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.system.search(one, false) != nil
}

// Prepare loads the system fonts that the letters of a text need, in f's regular and bold weight, as far as there is room. Other
// goroutines can use the cache during the call. A wall that is built afterwards has its fonts in the first picture.
func (c *Cache) Prepare(f *Font, text string) {
	done := map[rune]bool{}
	for _, r := range text {
		if one := []rune{r}; !done[r] && !slices.ContainsFunc(f.chain, func(fc *face) bool { return covers(fc.ft.Cmap, one) }) {
			c.findFonts()
			c.prepare(one, false)
			c.prepare(one, true)
		}
		done[r] = true
	}
}

// prepare loads the font of a letter in a weight.
func (c *Cache) prepare(one []rune, bold bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.system
	best := s.answer(one, bold)
	if best == nil || best.face != nil || best.queued || !c.makeRoom(best) {
		return
	}
	best.queued = true
	c.mu.Unlock()
	fc, wrong := best.parsed(s)
	c.mu.Lock()
	best.face, best.wrong, best.used, best.queued = fc, wrong, time.Now(), false
}

// findFonts lists the system fonts, unless that was done before. It does not hold the lock during the search.
func (c *Cache) findFonts() {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.system
	if s.scanned || len(s.dirs) == 0 {
		return
	}
	c.mu.Unlock()
	found := scan(s.dirs)
	c.mu.Lock()
	s.list(found)
}

// list stores the list of fonts, unless another goroutine has already done so.
func (s *systemFonts) list(found []*candidate) {
	if !s.scanned {
		s.scanned, s.fonts = true, found
	}
}
