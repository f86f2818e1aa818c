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
	// segmentShare is the share of a cache's bytes for shaped segments: 1/8. A word takes about 300 bytes, and its masks at one
	// size 3,000.
	segmentShare = 8

	// minCacheBytes is the least size of a cache: enough for the digits of a clock that fills a 1080p screen.
	minCacheBytes = 1 << 20

	// maxInstances bounds the parser instances that are kept, each with its own cache. If there are more, all are released.
	maxInstances = 64
)

// Cache keeps shaped segments and glyph masks for all text of a process. It is safe for concurrent use. Returned values stay valid
// after the cache has dropped them.
type Cache struct {
	mu       sync.Mutex
	segments lru[segmentKey, *segment]
	masks    lru[maskKey, *blend.Mask]
	system   systemFonts
	arrivals atomic.Uint32       // number of arrivals of system fonts
	files    map[string]fontFile // files by path
	styles   map[styleKey]*Font
	digits   map[*Font]int32 // results of digitCell
	painted  func(Painted)   // set only in tests

	// Working memory of shaping and rasterizing.
	shaper    shaping.HarfbuzzShaper
	bidi      bidi.Paragraph
	clusters  segmenter.Segmenter
	instances map[*face]*font.Face
	raster    vector.Rasterizer
	coverage  []uint8
	sfnt      sfnt.Buffer
	waiting   bool // the current segment lacks a font that may still arrive
}

// segmentKey identifies a segment: clean text in a font. It has no size, because shapes do not depend on the size.
type segmentKey struct {
	font *Font
	text string
}

// NewCache returns a cache of at most maxBytes, at least 1 MiB. The parser's own tables of loaded fonts are not included.
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

// SystemFonts sets the folders of system fonts. They are searched once, when a font and its fallbacks lack a character. The search
// takes about a millisecond for each font file. An empty list turns it off. SystemFonts must be called before the cache is used.
// Default: the font folders of Linux.
func (c *Cache) SystemFonts(dirs ...string) {
	c.system = systemFonts{dirs: dirs, open: openSystem, live: new(atomic.Int64), arrived: c.system.arrived}
}

// OnFonts makes the cache search and load system fonts in the background. Text is drawn with the available fonts at first. When
// fonts are loaded, a goroutine calls f and ends. f should repaint everything, because later paints use the new fonts. OnFonts
// must be called before the cache is used. Without OnFonts, the caller of shaping waits.
func (c *Cache) OnFonts(f func()) { c.system.arrived = f }

// FontStats describes the loaded system fonts.
type FontStats struct {
	Loaded  int    // fonts in use
	Bytes   int64  // approximate memory, including fonts not yet collected, at most MaxFontBytes
	Refused uint64 // number of times that there was no room for a font
}

// MaxFontBytes bounds FontStats.Bytes.
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

// Forget releases everything that was cached for f, for example after a reload replaced f.
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
		return // other fonts fall back to these fonts
	}
	c.forgetMasks(own)
}

// forgetMasks releases the glyphs of a face.
func (c *Cache) forgetMasks(fc *face) {
	for k, e := range c.masks.m {
		if k.face == fc {
			c.masks.drop(e)
		}
	}
	delete(c.instances, fc)
	c.shaper = shaping.HarfbuzzShaper{} // the shaper keeps references to the last fonts
}

// forgetFace releases a face to which fonts fell back.
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

// instance returns the parser's working copy of a face, which is not safe for concurrent use. The caller holds the cache's lock.
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

// appendSegments appends the segments of text in visual order from left to right. text is clean and has no line breaks.
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

// segment returns the shape of text in f, from the cache or newly shaped.
func (c *Cache) segment(f *Font, text []byte) *segment {
	if e, ok := c.segments.m[segmentKey{f, string(text)}]; ok {
		c.segments.touch(e)
		return e.val
	}
	s := c.shape(f, string(text))
	c.segments.add(segmentKey{f, s.text}, s, s.bytes())
	return s
}
