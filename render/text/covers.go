package text

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
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.system
	if !s.scanned && len(s.dirs) > 0 {
		s.scanned, s.fonts = true, scan(s.dirs)
	}
	return s.search(one, false) != nil
}
