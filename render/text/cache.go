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
	// segmentShare is the part of a cache's bytes that shaped segments get:
	// 1/8. A word takes about 300 bytes, its masks at one size 3,000.
	segmentShare = 8

	// minCacheBytes is the least a cache works with: the digits of a clock
	// that fills a 1080p screen.
	minCacheBytes = 1 << 20

	// maxInstances bounds the parsers' per-font caches that are kept; they
	// are all let go when there are more.
	maxInstances = 64
)

// Cache keeps shaped segments and glyph masks for all text of a process. It is safe for concurrent use. Returned values
// stay valid after the cache dropped them.
type Cache struct {
	mu       sync.Mutex
	segments lru[segmentKey, *segment]
	masks    lru[maskKey, *blend.Mask]
	system   systemFonts
	arrivals atomic.Uint32       // how often system fonts arrived
	files    map[string]fontFile // by path
	styles   map[styleKey]*Font
	digits   map[*Font]int32 // what digitCell returned
	painted  func(Painted)   // nil but in tests

	// Scratch of the shaping and rasterising steps.
	shaper    shaping.HarfbuzzShaper
	bidi      bidi.Paragraph
	clusters  segmenter.Segmenter
	instances map[*face]*font.Face
	raster    vector.Rasterizer
	coverage  []uint8
	sfnt      sfnt.Buffer
	waiting   bool // the segment that is shaped lacks a font that may come
}

// segmentKey names a segment: clean text in a font. Shapes do not depend on the size, so the key does not contain it.
type segmentKey struct {
	font *Font
	text string
}

// NewCache returns a cache of at most maxBytes, at least 1 MiB. The parsers'
// own tables of loaded fonts come on top.
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

// SystemFonts sets the folders that are searched, once, when a font and its fallbacks lack a character. An empty list
// turns the search off. It must be called before the cache is used. The default is the font folders of Linux. The first
// such character costs the search, about a millisecond a font file.
func (c *Cache) SystemFonts(dirs ...string) {
	c.system = systemFonts{dirs: dirs, open: openSystem, live: new(atomic.Int64), arrived: c.system.arrived}
}

// OnFonts makes the cache search and load system fonts in the background. Text is drawn with the present fonts, and f
// is called when fonts have arrived, by a goroutine that ends then. f should repaint everything, because later paints
// use the new fonts. It must be called before the cache is used. Without it the shaping caller waits.
func (c *Cache) OnFonts(f func()) { c.system.arrived = f }

// FontStats describes the loaded system fonts.
type FontStats struct {
	Loaded  int    // fonts in use
	Bytes   int64  // about their memory, with fonts that are not collected yet, at most MaxFontBytes
	Refused uint64 // times that there was no room for one
}

// MaxFontBytes bounds FontStats.Bytes.
const MaxFontBytes = maxSystemBytes

// Fonts returns what system fonts take.
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

// Forget lets go of all that was cached for f, as when a reload replaced it.
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
		return // others fall back to them
	}
	c.forgetMasks(own)
}

// forgetMasks lets go of a face's glyphs.
func (c *Cache) forgetMasks(fc *face) {
	for k, e := range c.masks.m {
		if k.face == fc {
			c.masks.drop(e)
		}
	}
	delete(c.instances, fc)
	c.shaper = shaping.HarfbuzzShaper{} // it keeps the last fonts it used
}

// forgetFace lets go of a face that fonts fell back to.
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

// Bytes returns how many bytes of segments and masks are kept.
func (c *Cache) Bytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.segments.bytes + c.masks.bytes
}

// instance returns the parser's working copy of a face, which is not safe for
// concurrent use and therefore belongs to the cache's lock.
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

// appendSegments appends the segments of text, clean and without breaks, in
// the order they stand from left to right.
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

// segment returns text's shape in f, from the cache or made now.
func (c *Cache) segment(f *Font, text []byte) *segment {
	if e, ok := c.segments.m[segmentKey{f, string(text)}]; ok {
		c.segments.touch(e)
		return e.val
	}
	s := c.shape(f, string(text))
	c.segments.add(segmentKey{f, s.text}, s, s.bytes())
	return s
}
