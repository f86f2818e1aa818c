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

// iconFace is the face of the icon font in cache keys. It has no parsed font, because an icon is one character and needs no shaping.
var iconFace = sync.OnceValue(func() *face {
	f, err := sfnt.ParseReaderAt(icon.TTF())
	if err != nil {
		panic("text: the built-in icons are broken: " + err.Error())
	}
	return &face{icons: f}
})

// Icon returns the mask of an icon. r is a character from icon.Lookup. For any other character the mask is empty. `sizePx` is the side of
// the square that contains the icon. The origin of the mask is the top left corner of this square. Callers must not change the mask.
func (c *Cache) Icon(r rune, sizePx int) *blend.Mask {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mask(maskKey{face: iconFace(), gid: uint32(r), size: uint16(clampSize(sizePx))})
}

// iconOutline reads the outline of an icon in font units, y upwards. The origin is the top left corner of the icon's square.
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

// IconPath returns the outline of an icon as SVG path data, in a square of 24 units, y downwards. It returns "" if r is not an icon.
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

// appendUnit appends a coordinate to b, with at most two decimals.
func appendUnit(b []byte, v float32) []byte {
	return strconv.AppendFloat(b, math.Round(float64(v)*100)/100, 'f', -1, 64)
}
