package netstream

import (
	"encoding/binary"
	"image"
	"slices"
)

// The body of a 226 response, big endian. docs/protocol.md describes it for authors of clients.
//
//	0   4  "DTL1"
//	4   2  width of the frame in pixels
//	6   2  height
//	8   2  number of pieces, n
//	10  2  0
//	12  12*n  pieces: x and y in the picture below, x and y in the frame, width, height, 2 bytes each
//	12+12*n   to the end: a picture, JPEG or PNG, that the pieces are cut from, absent if n is 0
const (
	deltaMagic      = "DTL1"
	deltaHeadBytes  = 12
	deltaPieceBytes = 12
)

// DeltaContentType is the media type of the body of a 226.
const DeltaContentType = "application/vnd.dashboard.tiles"

// A piece is copied from From on in the picture of a delta to To in the frame.
type piece struct {
	From image.Point
	To   image.Rectangle
}

// appendDeltaHead appends a delta without its picture.
func appendDeltaHead(dst []byte, w, h int, pieces []piece) []byte {
	dst = slices.Grow(dst, deltaHeadBytes+deltaPieceBytes*len(pieces))
	dst = append(dst, deltaMagic...)
	for _, v := range [...]int{w, h, len(pieces), 0} {
		dst = binary.BigEndian.AppendUint16(dst, uint16(v))
	}
	for _, p := range pieces {
		for _, v := range [...]int{p.From.X, p.From.Y, p.To.Min.X, p.To.Min.Y, p.To.Dx(), p.To.Dy()} {
			dst = binary.BigEndian.AppendUint16(dst, uint16(v))
		}
	}
	return dst
}

// keptDeltas is how many deltas to the newest frame are kept. Clients that keep up all request the same one, and a few
// are a frame or two behind.
const keptDeltas = 4

// deltas holds the deltas from older versions of a size to its newest version.
type deltas struct {
	kept   [keptDeltas]deltaFile
	next   int // the place that is filled next
	tiles  []int
	pieces []piece
	spares spares
}

// A deltaFile is the delta from a version.
type deltaFile struct {
	from uint64 // 0 if the place is free
	file *file  // nil if the delta would be too long
}

// delta returns the delta of a locked size from an older version to the newest one, or nil if the whole file is the better answer.
func (s *Stream) delta(z *size, from uint64) *file {
	d := &z.deltas
	for _, k := range d.kept {
		if k.from == from {
			return k.file
		}
	}
	f := s.makeDelta(z, from)
	z.grown = true
	d.evict(s.files, d.next)
	d.kept[d.next] = deltaFile{from, f}
	d.next = (d.next + 1) % keptDeltas
	return f
}

// makeDelta puts a delta together, from tiles that are coded already.
func (s *Stream) makeDelta(z *size, from uint64) *file {
	d := &z.deltas
	d.tiles = d.tiles[:0]
	for i, v := range z.changed {
		if v > from {
			d.tiles = append(d.tiles, i)
		}
	}
	if len(d.tiles) > z.tiler.maxDelta() {
		return nil
	}
	d.pieces = z.tiler.appendPieces(d.pieces[:0], d.tiles)
	f := s.files.take(&d.spares)
	f.data = appendDeltaHead(f.data, z.w, z.h, d.pieces)
	var err error
	if len(d.tiles) > 0 {
		f.data, err = z.tiler.AppendDelta(f.data, d.tiles)
	}
	// If a delta is longer than half of the file, it saves little, and a whole picture is more robust.
	if err != nil || len(f.data) > z.enc.Size()/2 {
		s.files.retire(f)
		return nil
	}
	return f
}

// clear removes all deltas, because there is a newer frame.
func (d *deltas) clear(f *files) {
	for i := range d.kept {
		d.evict(f, i)
	}
}

func (d *deltas) evict(f *files, i int) {
	f.retire(d.kept[i].file)
	d.kept[i] = deltaFile{}
}

// drop releases all files.
func (d *deltas) drop(f *files) {
	f.abandon(&d.spares)
	d.clear(f)
}

// bytes returns the memory of the deltas.
func (d *deltas) bytes(f *files) int {
	n := 8*cap(d.tiles) + 48*cap(d.pieces) + f.spareBytes(&d.spares)
	for _, k := range d.kept {
		if k.file != nil {
			n += cap(k.file.data)
		}
	}
	return n
}
