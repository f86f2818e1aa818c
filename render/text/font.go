package text

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"dashboard/internal/folder"
	"dashboard/internal/packed"

	"github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/font/sfnt"
)

// maxFontBytes bounds a font file. The largest files in common use, collections for Chinese, Japanese and Korean, have about 20 MiB.
const maxFontBytes = 32 << 20

// boldWeight is the minimum OS/2 weight class of a bold font.
const boldWeight = 600

// face is a parsed font file, or a style of it. It is immutable.
type face struct {
	ft       *font.Font // nil for the font of icons
	icons    *sfnt.Font
	outlines *sfnt.Font // reads outlines from the file of a large font, one at a time. nil: ft has the outlines
	bolder   bool       // true if strokes are widened, because the family has no bold font
	styled   bool
	slant    float32         // slant of the letters, see Style.Slanted
	coords   []font.VarCoord // position on the axes of a variable font
	features []shaping.FontFeature
}

// instance returns a new working copy of the parser, which is not safe for concurrent use.
func (fc *face) instance() *font.Face {
	inst := font.NewFace(fc.ft)
	if len(fc.coords) > 0 {
		inst.SetCoords(fc.coords)
	}
	return inst
}

// Font is a font from a file together with its fallback fonts. It is immutable and safe for concurrent use.
type Font struct {
	chain    []*face // the font's own face, then its fallbacks
	bold     bool
	tracking int32 // space after each letter, in units of 1/refEm of an em
	tabular  bool

	// Metrics of the first face in font units. `descent` and `deep` are positive downwards.
	upem, ascent, descent, gap, deep int
}

// The built-in fonts. docs/dev/decisions/font.md explains the choice.
var (
	builtinBold    = sync.OnceValue(func() *face { return mustUnpack(boldPacked) })
	builtinRegular = sync.OnceValue(func() *face { return mustUnpack(regularPacked) })

	defaultBold    = sync.OnceValue(func() *Font { return newFont(builtinBold()) })
	defaultRegular = sync.OnceValue(func() *Font { return newFont(builtinRegular()) })
)

// Default returns the built-in font, Liberation Sans Bold.
func Default() *Font { return defaultBold() }

// Open reads a TrueType or OpenType font file from fsys. From a collection it reads the first font. It returns an error for a file larger
// than 32 MiB.
func Open(fsys fs.FS, path string) (*Font, error) {
	b, err := folder.Read(fsys, path, maxFontBytes)
	if err != nil {
		return nil, fmt.Errorf("font: %s: %w", path, folder.Reason(err))
	}
	fc, err := parse(b, 0)
	if err != nil {
		return nil, fmt.Errorf("font: %s: %w", path, err)
	}
	return newFont(fc), nil
}

// parse reads a font from the bytes of a font file. `index` selects a font of a collection. The parser is not made for hostile files, so
// parse treats a panic of the parser as a broken file.
func parse(b []byte, index int) (*face, error) {
	return parseFile(bytes.NewReader(b), int64(len(b)), index)
}

// parseFile does the same as parse() for an open file with the given size in bytes. It copies the parts that it needs.
func parseFile(file ot.Resource, size int64, index int) (fc *face, err error) {
	defer recoverFont(&err)
	if err := checkDirectory(file, size); err != nil {
		return nil, err
	}
	loaders, err := ot.NewLoaders(file)
	if err != nil {
		return nil, err
	}
	if index >= len(loaders) {
		return nil, errors.New("no such font in the collection")
	}
	if !hasOutlines(loaders[index]) {
		return nil, errors.New("has no outlines")
	}
	ft, err := font.NewFont(loaders[index])
	if err != nil {
		return nil, err
	}
	if ft.Upem() == 0 {
		return nil, errors.New("has no em size")
	}
	return &face{ft: ft}, nil
}

// recoverFont turns a panic of a parser into an error.
func recoverFont(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("broken font file: %v", p)
	}
}

// hasOutlines reports whether a font has outlines. Fonts that contain only bitmaps, such as some emoji fonts, are not supported. A table
// name with a hyphen belongs to a hidden table: see hiddenMark.
func hasOutlines(ld *ot.Loader) bool {
	for _, tag := range []string{"glyf", "CFF ", "CFF2", "-lyf", "-FF "} {
		if ld.HasTable(ot.MustNewTag(tag)) {
			return true
		}
	}
	return false
}

// mustUnpack reads a built-in font, compressed with package packed. It panics if the font is broken.
func mustUnpack(b []byte) *face {
	f, err := packed.New(b)
	if err != nil {
		return mustBuiltin(nil, err)
	}
	return mustBuiltin(parseFile(io.NewSectionReader(f, 0, f.Size()), f.Size(), 0))
}

func mustBuiltin(fc *face, err error) *face {
	if err != nil {
		panic("text: the built-in font is broken: " + err.Error())
	}
	return fc
}

// newFont returns a font with the metrics of `fc`. Its fallback is the built-in font.
func newFont(fc *face) *Font {
	f := &Font{chain: []*face{fc}, upem: int(fc.ft.Upem())}
	f.bold = fc.ft.Describe().Aspect.Weight >= boldWeight
	f.fallBack()
	f.measure()
	return f
}

// fallBack adds the built-in font of f's weight as a fallback.
func (f *Font) fallBack() {
	fallback := builtinRegular()
	if f.bold {
		fallback = builtinBold()
	}
	f.chain = f.chain[:1]
	if f.chain[0] != fallback {
		f.chain = append(f.chain, fallback)
	}
}

// measure computes the line metrics. Like Grydgets, it measures the deepest descender of the letters "gjpqy".
func (f *Font) measure() {
	fc := f.chain[0]
	inst := &font.Face{Font: fc.ft} // no NewFace, because its caches take a hundred kilobytes and only five letters are measured
	inst.SetCoords(fc.coords)
	if e, ok := inst.FontHExtents(); ok {
		f.ascent, f.descent, f.gap = int(e.Ascender), int(-e.Descender), int(e.LineGap)
	} else {
		f.ascent, f.descent = f.upem*4/5, f.upem/5
	}
	for _, r := range "gjpqy" {
		gid, ok := fc.ft.Cmap.Lookup(r)
		if !ok {
			continue
		}
		if e, ok := safeExtents(inst, gid); ok {
			f.deep = max(f.deep, -int(e.YBearing+e.Height))
		}
	}
}

func safeExtents(inst *font.Face, gid font.GID) (e font.GlyphExtents, ok bool) {
	defer func() {
		if recover() != nil { // a glyph is broken, but the rest of the file is usable
			ok = false
		}
	}()
	return inst.GlyphExtents(gid)
}

// Metrics are the heights of a line in pixels. They are rounded as SDL_ttf and FreeType do for an unhinted font.
type Metrics struct {
	Ascent     int // height above the baseline
	Descent    int // depth below the baseline, not negative in a valid font
	Height     int // sum of ascent and descent
	LineHeight int // distance between two baselines
	Deep       int // distance from the baseline to the lower end of the deepest letter of "gjpqy"
}

// Metrics returns the line metrics of f at a size in pixels.
func (f *Font) Metrics(sizePx int) Metrics {
	s := clampSize(sizePx)
	ceil := func(v int) int { return -floorDiv(-v*s, f.upem) }
	return Metrics{
		Ascent: ceil(f.ascent),
		// SDL_ttf stores descents as negative numbers and rounds them towards zero. So the positive descent is rounded down.
		Descent:    floorDiv(f.descent*s, f.upem),
		Height:     ceil(f.ascent + f.descent),
		LineHeight: ceil(f.ascent + f.descent + f.gap),
		Deep:       ceil(f.deep),
	}
}

// Metrics returns the line metrics of f at a size in pixels.
func (c *Cache) Metrics(f *Font, sizePx int) Metrics { return f.Metrics(sizePx) }

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
