package text

import (
	"image"
	"image/color"
)

// Painted is a line of text that is painted, in pixels of the picture.
type Painted struct {
	Line      []byte      // valid during the call
	At        image.Point // the start of its baseline
	Size      int
	Ink, Clip image.Rectangle // ink outside of clip is not painted
	Color     color.RGBA      // premultiplied
}

// OnPaint has f called with each line of text that is painted. Tests compare these lines with other forms of a wall, and check where they
// are. OnPaint must not be called while anything is painted.
func (c *Cache) OnPaint(f func(Painted)) { c.painted = f }

// Raw returns the text of the block. It stays valid until the next Set.
func (b *Block) Raw() []byte { return b.raw }
