package text

import "image"

// OnPaint has f called with each line of text that is painted, and the start of its baseline in the picture. Tests compare these
// lines with other forms of a wall. f must not keep the bytes. OnPaint must not be called while anything is painted.
func (c *Cache) OnPaint(f func(line []byte, at image.Point)) { c.painted = f }

// Raw returns the text of the block. It stays valid until the next Set.
func (b *Block) Raw() []byte { return b.raw }
