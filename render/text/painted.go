package text

import (
	"image"
	"image/color"
)

// Painted is a painted line of text, in pixels of the picture.
type Painted struct {
	Line      []byte      // valid during the call
	At        image.Point // start of its baseline
	Size      int
	Ink, Clip image.Rectangle // ink outside of clip is not painted
	Color     color.RGBA      // premultiplied
}

// OnPaint sets a function that is called with each painted line of text. Tests compare these lines with other forms of a wall, and
// check their places. OnPaint must not be called while anything is painted.
func (c *Cache) OnPaint(f func(Painted)) { c.painted = f }

// Raw returns the text of the block. It stays valid until the next Set.
func (b *Block) Raw() []byte { return b.raw }
