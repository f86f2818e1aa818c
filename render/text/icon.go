package text

import (
	"sync"

	ot "github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"dashboard/render/blend"
	"dashboard/render/icon"
)

// iconFace stands in keys for the font of icons, which no shaper reads: one character is one icon.
var iconFace = sync.OnceValue(func() *face {
	f, err := sfnt.ParseReaderAt(icon.TTF())
	if err != nil {
		panic("text: the built-in icons are broken: " + err.Error())
	}
	return &face{icons: f}
})

// Icon returns an icon's coverage at a size in px, the side of the square that icons are drawn in. Its origin is the
// square's top left corner. The character is one of icon.Lookup; any other gives an empty mask. The mask must not
// be changed.
func (c *Cache) Icon(r rune, sizePx int) *blend.Mask {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mask(maskKey{face: iconFace(), gid: uint32(r), size: uint16(clampSize(sizePx))})
}

// iconOutline reads an icon's outline, y upwards, in units of the font, whose origin is the square's top left corner.
func (c *Cache) iconOutline(f *sfnt.Font, r rune) (segs []ot.Segment) {
	defer func() {
		if recover() != nil {
			segs = nil
		}
	}()
	em := fixed.I(int(f.UnitsPerEm()))
	m, err := f.Metrics(&c.sfnt, em, 0)
	if err != nil {
		return nil
	}
	i, err := f.GlyphIndex(&c.sfnt, r)
	if err != nil || i == 0 {
		return nil
	}
	loaded, err := f.LoadGlyph(&c.sfnt, i, em, nil)
	if err != nil {
		return nil
	}
	return appendSegments(nil, loaded, m.Ascent)
}
