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
//	12+12*n   to the end: a picture, JPEG or PNG, from which the pieces are cut. Absent if n is 0
const (
	deltaMagic      = "DTL1"
	deltaHeadBytes  = 12
	deltaPieceBytes = 12
)

// DeltaContentType is the media type of the body of a 226 response.
const DeltaContentType = "application/vnd.dashboard.tiles"

// A piece is a part of a delta's picture. It begins at From in that picture and is copied to To in the frame.
type piece struct {
	From image.Point
	To   image.Rectangle
}

// appendDeltaHead appends everything of a delta except its picture.
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

// keptDeltas is the maximum number of deltas that a size keeps. Most clients have the previous frame and request the same delta. A few
// clients are two or three frames behind.
const keptDeltas = 4

// deltas holds the deltas of frames with one size. Each delta leads from an older version to the newest version.
type deltas struct {
	kept   [keptDeltas]deltaFile
	next   int // index in kept for the next delta
	tiles  []int
	pieces []piece
	spares spares
}

// A deltaFile is the delta from one older version to the newest version.
type deltaFile struct {
	from uint64 // the older version, or 0 if the entry is unused
	file *file  // nil if the delta would save too little
}

// delta returns the delta of a size from an older version to the newest version. It returns nil if the whole file should be sent instead.
// The size must be locked.
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

// makeDelta builds a delta from encoded tiles. It encodes no pixels.
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
	// A delta longer than half of the file saves little, and a whole picture is more robust.
	if err != nil || len(f.data) > z.enc.Size()/2 {
		s.files.retire(f)
		return nil
	}
	return f
}

// clear removes all deltas, because a newer frame has come.
func (d *deltas) clear(f *files) {
	for i := range d.kept {
		d.evict(f, i)
	}
}

func (d *deltas) evict(f *files, i int) {
	f.retire(d.kept[i].file)
	d.kept[i] = deltaFile{}
}

// drop releases the files of all deltas.
func (d *deltas) drop(f *files) {
	f.abandon(&d.spares)
	d.clear(f)
}

// bytes() returns the memory of all deltas.
func (d *deltas) bytes(f *files) int {
	n := 8*cap(d.tiles) + 48*cap(d.pieces) + f.spareBytes(&d.spares)
	for _, k := range d.kept {
		if k.file != nil {
			n += cap(k.file.data)
		}
	}
	return n
}
