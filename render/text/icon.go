package text

import (
	"math"
	"strconv"
	"sync"

	ot "github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"dashboard/render/blend"
	"dashboard/render/icon"
)

// iconFace represents the font of icons in keys. No shaper reads that font, because one character is one icon.
var iconFace = sync.OnceValue(func() *face {
	f, err := sfnt.ParseReaderAt(icon.TTF())
	if err != nil {
		panic("text: the built-in icons are broken: " + err.Error())
	}
	return &face{icons: f}
})

// Icon returns the coverage of an icon. sizePx is the side of the square in which icons are drawn. The mask's origin is the
// square's top left corner. r comes from icon.Lookup. For any other character the mask is empty. The mask must not be changed.
func (c *Cache) Icon(r rune, sizePx int) *blend.Mask {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mask(maskKey{face: iconFace(), gid: uint32(r), size: uint16(clampSize(sizePx))})
}

// iconOutline reads an icon's outline in font units, y upwards. The origin is the square's top left corner.
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

// IconPath returns an icon's outline as an SVG path in a square of 24, y downwards. It returns "" for a character that is not an
// icon.
func (c *Cache) IconPath(r rune) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := iconFace().icons
	scale := 24 / float32(f.UnitsPerEm())
	var b []byte
	for _, s := range c.iconOutline(f, r) {
		letter, n := byte('M'), 1
		switch s.Op {
		case ot.SegmentOpLineTo:
			letter = 'L'
		case ot.SegmentOpQuadTo:
			letter, n = 'Q', 2
		case ot.SegmentOpCubeTo:
			letter, n = 'C', 3
		}
		if letter == 'M' && len(b) > 0 {
			b = append(b, 'Z')
		}
		b = append(b, letter)
		for i := range n {
			if i > 0 {
				b = append(b, ' ')
			}
			b = appendUnit(b, s.Args[i].X*scale)
			b = append(b, ' ')
			b = appendUnit(b, -s.Args[i].Y*scale)
		}
	}
	if len(b) > 0 {
		b = append(b, 'Z')
	}
	return string(b)
}

// appendUnit appends a coordinate with at most two decimals.
func appendUnit(b []byte, v float32) []byte {
	return strconv.AppendFloat(b, math.Round(float64(v)*100)/100, 'f', -1, 64)
}
