package text

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	// maxTables bounds the tables of all fonts in a file. A collection of 64 fonts has about 1,500 tables.
	maxTables = 8192
	// maxCollected bounds the fonts in a collection.
	maxCollected = 1024
)

var errTables = errors.New("its directory of tables is not that of a font file of this size")

// checkDirectory returns an error for a font file whose table directory is invalid: a table lies outside the file, or all tables together
// are too large. `size` is the size of the file in bytes. The check is necessary because the parser allocates the stated length of a
// table before it reads the table. A file that is not a font passes, because the parser rejects it anyway. Sources: OpenType
// specification, "Organization of an OpenType font". WOFF 1.0, sections 3 and 4.
func checkDirectory(file io.ReaderAt, size int64) error {
	d := directory{file: file, size: size}
	head := d.read(0, 12)
	if head == nil {
		return nil
	}
	switch binary.BigEndian.Uint32(head) {
	case 0x00000100:
		return errors.New("a resource fork of a Mac, not a font file")
	case 0x74746366: // "ttcf"
		n := binary.BigEndian.Uint32(head[8:])
		if n > maxCollected {
			return errTables
		}
		offsets := d.read(12, 4*int(n))
		for ; len(offsets) > 0; offsets = offsets[4:] {
			if err := d.font(int64(binary.BigEndian.Uint32(offsets))); err != nil {
				return err
			}
		}
		return nil
	}
	return d.font(0)
}

// A directory reads table directories from a file. `tables` counts the tables so far.
type directory struct {
	file   io.ReaderAt
	size   int64
	tables int
}

// read returns n bytes of the file, starting at the offset `at`. It returns nil if the file is too short.
func (d *directory) read(at int64, n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(io.NewSectionReader(d.file, at, int64(n)), b); err != nil {
		return nil
	}
	return b
}

// font checks the tables of the font whose directory is at the given offset.
func (d *directory) font(at int64) error {
	const woff = 0x774f4646 // "wOFF"
	head := d.read(at, 14)
	if head == nil {
		return nil
	}
	n, first, length := int(binary.BigEndian.Uint16(head[4:])), at+12, 16
	packed := binary.BigEndian.Uint32(head) == woff
	if packed {
		n, first, length = int(binary.BigEndian.Uint16(head[12:])), at+44, 20
	}
	if d.tables += n; d.tables > maxTables {
		return errTables
	}
	var room int64
	for entries := d.read(first, n*length); len(entries) > 0; entries = entries[length:] {
		offset, stored := int64(binary.BigEndian.Uint32(entries[8:])), int64(binary.BigEndian.Uint32(entries[12:]))
		takes := stored
		if packed {
			offset, stored = int64(binary.BigEndian.Uint32(entries[4:])), int64(binary.BigEndian.Uint32(entries[8:]))
			takes = max(stored, int64(binary.BigEndian.Uint32(entries[12:])))
		}
		if room += takes; offset+stored > d.size {
			return errTables
		}
	}
	if room > maxFontBytes {
		return fmt.Errorf("its tables need %d MB, the limit is %d", room/1e6, maxFontBytes/1000000)
	}
	return nil
}
