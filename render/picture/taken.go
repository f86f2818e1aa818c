package picture

import (
	"bytes"
	"encoding/binary"
	"time"
)

// Tags for the time when a photograph was taken (Exif 2.32, sections 4.6.3 and 4.6.5; TIFF 6.0, section 2).
const (
	tagExif     = 0x8769 // offset of the Exif directory
	tagOriginal = 0x9003 // DateTimeOriginal
	tagChanged  = 0x0132 // DateTime
	tiffASCII   = 2
	tiffLong    = 4
)

// Taken returns the time when a photograph was taken, from the Exif data of a JPEG. Exif has local time without a zone, so `zone` must be
// the zone of the camera's clock. Without a date, the result is the zero time. `data` may be just the beginning of the file.
func Taken(data []byte, zone *time.Location) time.Time {
	tiff := exifOf(data)
	order := tiffOrder(tiff)
	if order == nil {
		return time.Time{}
	}
	first := tiffDirectory(tiff, order, order.Uint32(tiff[4:]))
	if at, ok := first.long(tagExif); ok {
		if t := tiffDirectory(tiff, order, at).time(tagOriginal, zone); !t.IsZero() {
			return t
		}
	}
	return first.time(tagChanged, zone)
}

// exifOf returns the Exif data of a JPEG, which is a TIFF structure, or nil.
func exifOf(data []byte) []byte {
	const app1, startOfScan = 0xe1, 0xda // ITU-T T.81, table B.1
	if len(data) < 2 || data[0] != 0xff || data[1] != 0xd8 {
		return nil
	}
	for d := data[2:]; len(d) >= 4 && d[0] == 0xff; {
		marker, n := d[1], int(binary.BigEndian.Uint16(d[2:]))
		if marker == 0xff { // fill byte
			d = d[1:]
			continue
		}
		if marker == startOfScan || n < 2 || n+2 > len(d) {
			return nil
		}
		if tiff, ok := bytes.CutPrefix(d[4:n+2], []byte("Exif\x00\x00")); ok && marker == app1 {
			return tiff
		}
		d = d[n+2:]
	}
	return nil
}

// tiffOrder returns the byte order of a TIFF structure. It returns nil if `tiff` is not a TIFF structure.
func tiffOrder(tiff []byte) binary.ByteOrder {
	switch {
	case len(tiff) < 8:
	case bytes.HasPrefix(tiff, []byte("II*\x00")):
		return binary.LittleEndian
	case bytes.HasPrefix(tiff, []byte("MM\x00*")):
		return binary.BigEndian
	}
	return nil
}

// directory holds the entries of a TIFF directory.
type directory struct {
	tiff    []byte
	order   binary.ByteOrder
	entries []byte // 12 bytes each
}

// tiffDirectory returns the directory at an offset, or an empty directory.
func tiffDirectory(tiff []byte, order binary.ByteOrder, at uint32) directory {
	const entry = 12
	d := directory{tiff: tiff, order: order}
	if uint64(at)+2 > uint64(len(tiff)) {
		return d
	}
	d.entries = tiff[at+2:]
	n := min(int(order.Uint16(tiff[at:])), len(d.entries)/entry)
	d.entries = d.entries[:n*entry]
	return d
}

// find returns the entry with the given tag and type, or nil.
func (d directory) find(tag, kind uint16) []byte {
	for e := d.entries; len(e) >= 12; e = e[12:] {
		if d.order.Uint16(e) == tag && d.order.Uint16(e[2:]) == kind {
			return e[:12]
		}
	}
	return nil
}

func (d directory) long(tag uint16) (uint32, bool) {
	e := d.find(tag, tiffLong)
	if e == nil {
		return 0, false
	}
	return d.order.Uint32(e[8:]), true
}

// time parses a tag whose text has the form "2006:01:02 15:04:05".
func (d directory) time(tag uint16, zone *time.Location) time.Time {
	const layout = "2006:01:02 15:04:05"
	e := d.find(tag, tiffASCII)
	if e == nil || d.order.Uint32(e[4:]) < uint32(len(layout)) {
		return time.Time{}
	}
	at := uint64(d.order.Uint32(e[8:]))
	if at+uint64(len(layout)) > uint64(len(d.tiff)) {
		return time.Time{}
	}
	t, err := time.ParseInLocation(layout, string(d.tiff[at:at+uint64(len(layout))]), zone)
	if err != nil {
		return time.Time{}
	}
	return t
}
