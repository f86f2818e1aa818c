package text

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
)

// maxStyles bounds the cached styles. When the bound is reached, all styles are dropped. A wall uses a dozen styles. An animated weight
// uses up to 801.
const maxStyles = 1024

// Inter is a variable font with weights from 100 to 900 and optical sizes from 14 to 32 px. It is under the SIL Open Font License
// (fonts/LICENSE.Inter). The program tools/fonts generates the file.
var (
	//go:embed fonts/Inter.packed
	interPacked []byte

	builtinInter = sync.OnceValue(func() *Font { return newFont(mustUnpack(interPacked)) })
)

// Inter returns the built-in variable font in regular weight. The first call parses the font, which takes 5 ms and 2 MiB.
func Inter() *Font { return builtinInter() }

// Liberation returns the built-in font of classic walls in regular weight. The function Default returns the bold weight.
func Liberation() *Font { return defaultRegular() }

// Style is a variant of a font.
type Style struct {
	// Weight is 100 (thin) to 900 (black), or 0 for the font's own weight. A font with only one weight ignores it. Liberation Sans becomes
	// bold from 600 on.
	Weight int
	// Optical is the text size in px for which the letters are designed. It has an effect only in fonts with optical sizes. 0 means the
	// font's own optical size.
	Optical int
	// Tracking is extra space after each letter, in 1/1000 em.
	Tracking int
	// Features lists OpenType features by their tags, separated by blanks. "zero case" turns the features zero and case on, and "-liga"
	// turns liga off. Words that are not tags of four letters are ignored.
	Features string
	// Tabular gives all ten digits the same width, so that a number does not move while it changes. The font's own feature tnum is not
	// used, because it also widens signs, and in Inter it changes the shape of the digit 1. In some fonts, the digits of tnum do not have
	// exactly the same width.
	Tabular bool
	// Slanted leans the letters to the right, for fonts without italics.
	Slanted bool
}

type styleKey struct {
	font  *Font
	style Style
}

// Style returns f in the given style. For the same style it returns the same *Font, so that cached glyphs are found again.
func (c *Cache) Style(f *Font, s Style) *Font {
	if f == nil {
		f = Default()
	}
	s = s.clamped()
	if s == (Style{}) {
		return f
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.styles[styleKey{f, s}]; ok {
		return known
	}
	if len(c.styles) >= maxStyles {
		clear(c.styles)
	}
	made := f.styled(s)
	for k, other := range c.styles {
		if k.font == f && other.same(made) {
			made = other // beyond the end of an axis, different values give the same style
			break
		}
	}
	c.styles[styleKey{f, s}] = made
	return made
}

func (s Style) clamped() Style {
	if s.Weight != 0 {
		s.Weight = min(900, max(100, s.Weight))
	}
	s.Optical = min(maxSize, max(0, s.Optical))
	s.Tracking = min(1000, max(-500, s.Tracking))
	return s
}

// same() reports whether f and g look the same.
func (f *Font) same(g *Font) bool {
	a, b := f.chain[0], g.chain[0]
	return f.tracking == g.tracking && a.slant == b.slant && f.tabular == g.tabular && f.bold == g.bold &&
		slices.Equal(a.coords, b.coords) && slices.Equal(a.features, b.features)
}

// styled() makes a new font from f with the given style.
func (f *Font) styled(s Style) *Font {
	base := f.chain[0]
	if base == builtinBold() || base == builtinRegular() {
		base = builtinRegular()
		if s.Weight >= boldWeight || s.Weight == 0 && f.bold {
			base = builtinBold()
		}
	}
	ft := *base.ft // a separate copy for each style, because the shaper caches a font's data, including its weight, under this pointer
	fc := &face{ft: &ft, features: s.features(), styled: true}
	fc.coords = s.coords(&ft)
	if s.Slanted {
		fc.slant = slant
	}
	made := newFont(fc)
	made.tracking, made.tabular = int32(int64(s.Tracking)*refEm/1000), s.Tabular
	if s.Weight != 0 {
		made.bold = s.Weight >= boldWeight
	}
	made.fallBack()
	return made
}

// slant is the horizontal shift of slanted letters for each unit above the baseline. It corresponds to 11 degrees.
const slant = 0.194

// coords() returns the position of the style on the axes of a variable font. It returns nil for other fonts.
func (s Style) coords(ft *font.Font) []font.VarCoord {
	var v []font.Variation
	if s.Weight != 0 {
		v = append(v, font.Variation{Tag: ot.MustNewTag("wght"), Value: float32(s.Weight)})
	}
	if s.Optical != 0 {
		v = append(v, font.Variation{Tag: ot.MustNewTag("opsz"), Value: float32(s.Optical)})
	}
	inst := font.Face{Font: ft} // no NewFace, because its caches take a hundred kilobytes and no glyph is read here
	inst.SetVariations(v)
	return slices.Clone(inst.Coords())
}

// features() returns the OpenType features that the style turns on or off.
func (s Style) features() []shaping.FontFeature {
	var out []shaping.FontFeature
	for _, w := range strings.Fields(s.Features) {
		tag, off := strings.CutPrefix(w, "-")
		if len(tag) != 4 {
			continue
		}
		f := shaping.FontFeature{Tag: ot.MustNewTag(tag), Value: 1}
		if off {
			f.Value = 0
		}
		out = append(out, f)
	}
	return out
}

// set applies the spacing of the font's style to a shaped text: equal widths for digits, and extra space after each letter.
func (c *Cache) set(f *Font, s *segment) {
	if f.tabular {
		c.tabulate(f, s)
	}
	if f.tracking == 0 {
		return
	}
	for i := range s.glyphs {
		last := i == len(s.glyphs)-1 || s.glyphs[i].cluster != s.glyphs[i+1].cluster
		if last {
			s.glyphs[i].advance += f.tracking
		}
	}
}

// tabulate gives every digit the advance of the widest digit, and centers it.
func (c *Cache) tabulate(f *Font, s *segment) {
	for i := range s.glyphs {
		g := &s.glyphs[i]
		if r := s.text[g.cluster]; r < '0' || r > '9' || g.face != f.chain[0] {
			continue
		}
		cell := c.digitCell(f)
		g.dx += (cell - g.advance) / 2
		g.advance = cell
	}
}

// digitCell returns the advance of the widest digit.
func (c *Cache) digitCell(f *Font) int32 {
	if cell, ok := c.digits[f]; ok {
		return cell
	}
	cell := int32(0)
	for r := '0'; r <= '9'; r++ {
		it := item{end: 1, face: f.chain[0]}
		for _, g := range c.shapeItem(nil, it, []rune{r}, []int32{0}) {
			cell = max(cell, g.advance)
		}
	}
	if len(c.digits) >= maxStyles {
		clear(c.digits)
	}
	c.digits[f] = cell
	return cell
}
