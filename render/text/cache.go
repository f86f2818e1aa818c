package text

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/segmenter"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/vector"

	"dashboard/render/blend"
)

const (
	// segmentShare sets the share of a cache's bytes for shaped segments: 1/segmentShare. A word takes about 300 bytes, and the masks of
	// its glyphs at one size take 3,000 bytes.
	segmentShare = 8

	// minCacheBytes is the minimum size of a cache. It has room for the digits of a clock that fills a 1080p screen.
	minCacheBytes = 1 << 20

	// maxInstances bounds the working copies of fonts that the parser needs. Each copy has its own cache. When the bound is reached, all
	// copies are released.
	maxInstances = 64
)

// Cache keeps shaped segments and glyph masks for all text of a process. It is safe for concurrent use. Returned values stay valid after
// the cache has dropped them.
type Cache struct {
	mu       sync.Mutex
	segments lru[segmentKey, *segment]
	masks    lru[maskKey, *blend.Mask]
	system   systemFonts
	arrivals atomic.Uint32       // number of times that system fonts were loaded in the background
	files    map[string]fontFile // fonts from files, by the keys that placeOf returns
	styles   map[styleKey]*Font
	digits   map[*Font]int32 // advance of the widest digit of each font
	painted  func(Painted)   // called for each painted line, see OnPaint

	// Working memory of shaping and rasterizing.
	shaper    shaping.HarfbuzzShaper
	bidi      bidi.Paragraph
	clusters  segmenter.Segmenter
	instances map[*face]*font.Face
	raster    vector.Rasterizer
	coverage  []uint8
	sfnt      sfnt.Buffer
	waiting   bool // true if a font for the current segment is still being loaded
}

// segmentKey identifies a segment by its clean text and its font. It contains no size, because one shape serves every size.
type segmentKey struct {
	font *Font
	text string
}

// NewCache returns a cache of at most `maxBytes`. If `maxBytes` is below 1 MiB, 1 MiB is used. The tables of parsed fonts are not counted.
func NewCache(maxBytes int) *Cache {
	c := &Cache{
		instances: make(map[*face]*font.Face), files: make(map[string]fontFile),
		styles: make(map[styleKey]*Font), digits: make(map[*Font]int32),
	}
	maxBytes = max(maxBytes, minCacheBytes)
	c.segments.init(maxBytes / segmentShare)
	c.masks.init(maxBytes - maxBytes/segmentShare)
	c.SystemFonts(defaultFontDirs...)
	return c
}

// SystemFonts sets the folders of system fonts. The cache searches the folders once, when a font and its fallbacks lack a character for the
// first time. The search takes about a millisecond for each font file. An empty list turns system fonts off. Call SystemFonts before the
// cache is used. Default: the font folders of Linux.
func (c *Cache) SystemFonts(dirs ...string) {
	c.system = systemFonts{dirs: dirs, open: openSystem, live: new(atomic.Int64), arrived: c.system.arrived}
}

// OnFonts makes the cache load system fonts in the background. Until a font has arrived, characters that no available font has are blank.
// After that, the loading goroutine calls f, which should repaint everything with the new fonts. Call OnFonts before the cache is used.
// Without OnFonts, shaping waits until the font is loaded.
func (c *Cache) OnFonts(f func()) { c.system.arrived = f }

// FontStats describes the loaded system fonts.
type FontStats struct {
	Loaded  int    // number of fonts in use
	Bytes   int64  // approximate memory, at most MaxFontBytes. It includes dropped fonts until the garbage collector frees them
	Refused uint64 // number of times that a font was not loaded because there was no memory
}

// MaxFontBytes is the maximum of FontStats.Bytes.
const MaxFontBytes = maxSystemBytes

// Fonts returns statistics about the loaded system fonts.
func (c *Cache) Fonts() FontStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	st := FontStats{Bytes: c.system.live.Load(), Refused: c.system.refused}
	for _, f := range c.system.fonts {
		if f.face != nil {
			st.Loaded++
		}
	}
	return st
}

// Forget releases everything that the cache keeps for f, for example after a reload has replaced f.
func (c *Cache) Forget(f *Font) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, styled := range c.styles {
		if k.font == f {
			delete(c.styles, k)
			c.forget(styled)
		}
	}
	c.forget(f)
}

func (c *Cache) forget(f *Font) {
	delete(c.digits, f)
	for k, e := range c.segments.m {
		if k.font == f {
			c.segments.drop(e)
		}
	}
	own := f.chain[0]
	if own == builtinBold() || own == builtinRegular() {
		return // the built-in font is a fallback of other fonts, so its masks stay
	}
	c.forgetMasks(own)
}

// forgetMasks releases the glyph masks of a face.
func (c *Cache) forgetMasks(fc *face) {
	for k, e := range c.masks.m {
		if k.face == fc {
			c.masks.drop(e)
		}
	}
	delete(c.instances, fc)
	c.shaper = shaping.HarfbuzzShaper{} // the shaper keeps references to fonts that it used recently
}

// forgetFace releases everything that belongs to a face of a system font.
func (c *Cache) forgetFace(fc *face) {
	if fc == nil {
		return
	}
	for _, e := range c.segments.m {
		if slices.ContainsFunc(e.val.glyphs, func(g glyph) bool { return g.face == fc }) {
			c.segments.drop(e)
		}
	}
	c.forgetMasks(fc)
}

// Bytes returns the number of bytes of cached segments and masks.
func (c *Cache) Bytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.segments.bytes + c.masks.bytes
}

// instance returns the parser's working copy of a face. A copy is not safe for concurrent use, so the caller must hold the cache's lock.
func (c *Cache) instance(fc *face) *font.Face {
	if inst, ok := c.instances[fc]; ok {
		return inst
	}
	if len(c.instances) >= maxInstances {
		clear(c.instances)
	}
	inst := fc.instance()
	c.instances[fc] = inst
	return inst
}

// appendSegments appends the segments of `text` in the order in which they are drawn, from left to right. `text` must be clean and without
// line breaks.
func (c *Cache) appendSegments(dst []*segment, f *Font, text []byte) []*segment {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !isSimple(text) {
		return append(dst, c.segment(f, text))
	}
	for len(text) > 0 {
		n := segmentLen(text)
		dst = append(dst, c.segment(f, text[:n]))
		text = text[n:]
	}
	return dst
}

// segment returns the shape of `text` in the font f. If the shape is not in the cache, segment shapes the text.
func (c *Cache) segment(f *Font, text []byte) *segment {
	if e, ok := c.segments.m[segmentKey{f, string(text)}]; ok {
		c.segments.touch(e)
		return e.val
	}
	s := c.shape(f, string(text))
	c.segments.add(segmentKey{f, s.text}, s, s.bytes())
	return s
}
