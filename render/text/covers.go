package text

// Covers reports whether a letter has a glyph: in the font, in what it falls back to, or in a font of the machine. Those are
// looked through at once, so it is not for what paints.
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
