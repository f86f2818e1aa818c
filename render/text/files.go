package text

import (
	"io/fs"
	"os"
)

// maxFiles bounds the fonts that a cache keeps open, because their memory is several times the size of their files. A wall uses a
// handful.
const maxFiles = 16

// A fontFile is a font, and the state of its file at the time it was read.
type fontFile struct {
	font *Font
	info fs.FileInfo
}

// Open returns the font in a file, as the function [Open] does. It returns the same font as long as the file does not change, so
// that cached glyphs stay valid when a reload builds the wall again. The cached glyphs of a changed file are dropped.
func (c *Cache) Open(fsys fs.FS, path string) (*Font, error) {
	info, err := fs.Stat(fsys, path)
	if err != nil {
		return Open(fsys, path) // returns the error
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

// placeOf returns a text that also distinguishes files with the same name in two roots.
func placeOf(fsys fs.FS, path string) string {
	if root, ok := fsys.(interface{ Path(string) string }); ok {
		return root.Path(path)
	}
	return path
}

// keep stores an open file and returns the fonts that are dropped: the earlier font of this path, or all fonts if there is no room.
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
