package text

import (
	"image"
	"image/color"
)

// Painted describes a line of text that was painted. Coordinates are pixels of the picture.
type Painted struct {
	Line      []byte      // valid only during the call
	At        image.Point // start of the baseline
	Size      int
	Ink, Clip image.Rectangle // Clip limits the painted part of Ink
	Color     color.RGBA      // premultiplied
}

// OnPaint sets a function that is called for each painted line of text. Builder.CutTexts uses it to find texts that are cut off, and
// tests use it to check texts. Do not call OnPaint while anything is painted.
func (c *Cache) OnPaint(f func(Painted)) { c.painted = f }

// Raw returns the text of the block, valid until the next Set.
func (b *Block) Raw() []byte { return b.raw }
