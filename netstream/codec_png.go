package netstream

import (
	"image"

	"dashboard/netstream/pngtile"
)

// pngEncoder is the PNG one; its tiles are bands.
type pngEncoder struct{ *pngtile.Encoder }

func (e pngEncoder) update(src *image.RGBA, damage []image.Rectangle) []int {
	return e.Update(src, damage...)
}
func (e pngEncoder) appendTo(dst []byte, _ *image.RGBA) []byte { return e.AppendTo(dst) }
func (e pngEncoder) size() int                                 { return e.Size() }
func (e pngEncoder) memory() int                               { return e.Memory() }
func (e pngEncoder) tiles() int                                { return e.Bands() }
func (e pngEncoder) maxDelta() int                             { return e.Bands() }
func (e pngEncoder) appendDelta(dst []byte, bands []int) ([]byte, error) {
	return e.AppendDelta(dst, bands)
}

func (e pngEncoder) appendPieces(dst []piece, bands []int) []piece {
	for k, i := range bands {
		dst = append(dst, piece{From: image.Pt(0, k*pngtile.BandRows), To: e.BandRect(i)})
	}
	return dst
}
