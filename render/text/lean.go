package text

import (
	"encoding/binary"
	"io"
	"os"
	"slices"

	ot "github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// leanFrom is the length, in bytes, of a font's outline table from which on its glyphs stay in the file. Fonts for Chinese,
// Japanese and Korean have 16 MB of outlines, and a wall shows some hundred of their letters.
const leanFrom = 1 << 20

// outlineTables are the tables with outlines, and the tables that are useless without outlines.
var outlineTables = map[string][]string{"CFF ": {"CFF "}, "glyf": {"glyf", "loca"}}

// hiddenMark replaces the first letter of the tag of a hidden table.
const hiddenMark = '-'

// A record is the entry of a table in a font's directory.
type record struct {
	at     int64 // offset of the entry in the file
	tag    string
	length int64
}

// records returns the directory of the first font of a file. The file has already passed checkDirectory.
func records(file io.ReaderAt) (all []record) {
	d := directory{file: file, size: maxFontBytes}
	head, at := d.read(0, 16), int64(0)
	if head != nil && string(head[:4]) == "ttcf" {
		at = int64(binary.BigEndian.Uint32(head[12:]))
		head = d.read(at, 12)
	}
	if head == nil || string(head[:4]) == "wOFF" {
		return nil
	}
	n := int(binary.BigEndian.Uint16(head[4:]))
	for i, entries := 0, d.read(at+12, 16*n); len(entries) > 0; i, entries = i+1, entries[16:] {
		all = append(all, record{at: at + 12 + 16*int64(i), tag: string(entries[:4]), length: int64(binary.BigEndian.Uint32(entries[12:]))})
	}
	return all
}

// hidden returns the tables that stay in the file. It returns none if the whole font is read, as for variable fonts, whose outlines
// need the parser.
func hidden(all []record) (out []record) {
	var names []string
	for _, r := range all {
		if r.tag == "fvar" {
			return nil
		}
		if r.length >= leanFrom && outlineTables[r.tag] != nil {
			names = outlineTables[r.tag]
		}
	}
	for _, r := range all {
		if slices.Contains(names, r.tag) {
			out = append(out, r)
		}
	}
	return out
}

// readLength returns the length in bytes of the tables that the parser reads, at most the length of the file.
func readLength(all []record, size int64) (n int64) {
	stay := hidden(all)
	for _, r := range all {
		if !slices.Contains(stay, r) {
			n += r.length
		}
	}
	if len(all) == 0 {
		return size
	}
	return min(n, size)
}

// without is a font file in which the names of some tables are changed, so that the parser does not read these tables.
type without struct {
	io.ReaderAt
	hidden []record
}

// ReadAt reads from the file and replaces the first letter of the hidden tables' tags.
func (w without) ReadAt(b []byte, at int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(b, at)
	for _, r := range w.hidden {
		if i := r.at - at; i >= 0 && i < int64(n) {
			b[i] = hiddenMark
		}
	}
	return n, err
}

// parseSystem reads the first font of a system font file of a size in bytes. It keeps the file open if outlines stay in it.
func parseSystem(file *os.File, size int64) (*face, error) {
	stay := hidden(records(file))
	if len(stay) == 0 {
		defer file.Close()
		return parseFile(file, size, 0)
	}
	fc, err := parseFile(io.NewSectionReader(without{file, stay}, 0, size), size, 0)
	if err == nil {
		fc.outlines, err = outlinesIn(file)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return fc, nil
}

// outlinesIn opens the first font of a file so that glyphs can be read one at a time.
func outlinesIn(file io.ReaderAt) (f *sfnt.Font, err error) {
	defer recoverFont(&err)
	all, err := sfnt.ParseCollectionReaderAt(file)
	if err != nil {
		return nil, err
	}
	return all.Font(0)
}

// leanOutline reads a glyph from its file, in font units, y upwards.
func (c *Cache) leanOutline(f *sfnt.Font, gid uint32) (segs []ot.Segment) {
	loaded, err := f.LoadGlyph(&c.sfnt, sfnt.GlyphIndex(gid), fixed.I(int(f.UnitsPerEm())), nil)
	if err != nil {
		return nil
	}
	return appendSegments(nil, loaded, 0)
}

// appendSegments appends segments of package sfnt, whose y points downwards, after moving them down.
func appendSegments(dst []ot.Segment, loaded sfnt.Segments, down fixed.Int26_6) []ot.Segment {
	for _, s := range loaded {
		out := ot.Segment{Op: ot.SegmentOp(s.Op)} // the same four operations in the same order
		for k, a := range s.Args {
			out.Args[k] = ot.SegmentPoint{X: float32(a.X) / 64, Y: -float32(a.Y+down) / 64}
		}
		dst = append(dst, out)
	}
	return dst
}
