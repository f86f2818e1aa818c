package text

import (
	"io/fs"
	"os"
)

// maxFiles bounds the fonts from files that a cache keeps, because a font takes several times the memory of its file. A wall uses only a
// few fonts.
const maxFiles = 16

// A fontFile is a font and the file information at the time when the font was read.
type fontFile struct {
	font *Font
	info fs.FileInfo
}

// Open returns the font in a file, like the function [Open]. As long as the file does not change, it returns the same *Font. So cached
// glyphs stay valid when a reload builds the wall again. If the file has changed, Open drops the cached glyphs of the old font.
func (c *Cache) Open(fsys fs.FS, path string) (*Font, error) {
	info, err := fs.Stat(fsys, path)
	if err != nil {
		return Open(fsys, path) // Open fails for the same reason, and returns its error
	}
	place := placeOf(fsys, path)
	c.mu.Lock()
	known := c.files[place]
	c.mu.Unlock()
	if known.font != nil && sameFile(known.info, info) {
		return known.font, nil
	}
	f, err := Open(fsys, path)
	if err != nil {
		return nil, err
	}
	for _, old := range c.keep(place, fontFile{f, info}) {
		c.Forget(old)
	}
	return f, nil
}

// placeOf returns a key for a file. The key differs for files with the same name in different root folders.
func placeOf(fsys fs.FS, path string) string {
	if root, ok := fsys.(interface{ Path(string) string }); ok {
		return root.Path(path)
	}
	return path
}

// keep() stores a font under a key from placeOf. It returns the fonts that it drops: the previous font with this key, or all fonts if
// maxFiles is reached.
func (c *Cache) keep(path string, f fontFile) (old []*Font) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.files[path].font; known != nil {
		old = append(old, known)
	} else if len(c.files) >= maxFiles {
		for _, other := range c.files {
			old = append(old, other.font)
		}
		clear(c.files)
	}
	c.files[path] = f
	return old
}

func sameFile(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
