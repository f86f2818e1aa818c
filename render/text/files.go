package text

import (
	"io/fs"
	"os"
)

// maxFiles bounds the fonts a cache keeps open, and with them their memory,
// which is several times that of their files: a wall names a handful.
const maxFiles = 16

// A fontFile is a font and its file as it was before it was read.
type fontFile struct {
	font *Font
	info fs.FileInfo
}

// Open returns the font in a file, as the function [Open] does, and the same
// one for as long as the file does not change: a wall is built again at every
// reload, and what is cached of its fonts stays right. What was cached of a
// font whose file has changed is let go.
func (c *Cache) Open(fsys fs.FS, path string) (*Font, error) {
	info, err := fs.Stat(fsys, path)
	if err != nil {
		return Open(fsys, path) // for its error
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

// placeOf tells files of the same name in two roots apart.
func placeOf(fsys fs.FS, path string) string {
	if root, ok := fsys.(interface{ Path(string) string }); ok {
		return root.Path(path)
	}
	return path
}

// keep notes an open file and returns the fonts that are not kept any more: the
// one at this path before, or all where there is no room.
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
