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

// leanFrom is the minimum length in bytes of an outline table that stays in its file. Fonts for Chinese, Japanese and Korean have 16 MB of
// outlines, but a wall shows only a few hundred of their glyphs.
const leanFrom = 1 << 20

// outlineTables maps the name of an outline table to all tables that are left out together with it.
var outlineTables = map[string][]string{"CFF ": {"CFF "}, "glyf": {"glyf", "loca"}}

// hiddenMark replaces the first letter in the name of a hidden table.
const hiddenMark = '-'

// A record is an entry of a font's table directory.
type record struct {
	at     int64 // offset of the entry in the file
	tag    string
	length int64
}

// records() returns the table directory of the first font in a file. The file must have passed checkDirectory.
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

// hidden() returns the tables that stay in the file. It returns nil if the parser must read the whole font, as for variable fonts, whose
// outlines the parser computes.
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

// readLength returns how many bytes of a font's tables the parser reads, at most the size of the file.
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

// A `without` is a font file in which the names of hidden tables are changed, so that the parser does not read these tables.
type without struct {
	io.ReaderAt
	hidden []record
}

// ReadAt reads from the file, and replaces the first letter in the names of hidden tables.
func (w without) ReadAt(b []byte, at int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(b, at)
	for _, r := range w.hidden {
		if i := r.at - at; i >= 0 && i < int64(n) {
			b[i] = hiddenMark
		}
	}
	return n, err
}

// parseSystem reads the first font of a system font file with the given size in bytes. It closes the file, unless outlines stay in it.
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

// outlinesIn opens the first font of a file for reading single glyphs.
func outlinesIn(file io.ReaderAt) (f *sfnt.Font, err error) {
	defer recoverFont(&err)
	all, err := sfnt.ParseCollectionReaderAt(file)
	if err != nil {
		return nil, err
	}
	return all.Font(0)
}

// leanOutline reads the outline of a glyph from the font's file, in font units, y upwards.
func (c *Cache) leanOutline(f *sfnt.Font, gid uint32) (segs []ot.Segment) {
	loaded, err := f.LoadGlyph(&c.sfnt, sfnt.GlyphIndex(gid), fixed.I(int(f.UnitsPerEm())), nil)
	if err != nil {
		return nil
	}
	return appendSegments(nil, loaded, 0)
}

// appendSegments converts segments of package sfnt, whose y axis points downwards, and appends them
// to dst. The argument `down` is added to each y before the conversion.
func appendSegments(dst []ot.Segment, loaded sfnt.Segments, down fixed.Int26_6) []ot.Segment {
	for _, s := range loaded {
		out := ot.Segment{Op: ot.SegmentOp(s.Op)} // both packages number the four operations in the same way
		for k, a := range s.Args {
			out.Args[k] = ot.SegmentPoint{X: float32(a.X) / 64, Y: -float32(a.Y+down) / 64}
		}
		dst = append(dst, out)
	}
	return dst
}
