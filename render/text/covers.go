package text

import (
	"slices"
	"time"
)

// Covers reports whether f, one of its fallbacks, or a system font has a glyph for the letter r. It waits for the search of system fonts,
// so do not call it while painting.
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

// Prepare loads the system fonts for the letters of a text, in regular and bold weight. It skips fonts for which there is no memory.
// Other goroutines can use the cache during the call. A wall that is built afterwards shows the loaded fonts in its first picture.
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

// prepare loads a system font for one letter in a weight.
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

// findFonts lists the system fonts at the first call. It does not hold the lock during the search.
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

// list stores the list of found fonts, unless another goroutine has stored a list before.
func (s *systemFonts) list(found []*candidate) {
	if !s.scanned {
		s.scanned, s.fonts = true, found
	}
}
