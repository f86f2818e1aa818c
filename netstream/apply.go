package netstream

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"slices"

	"dashboard/netstream/jpegtile"
)

// deltaSlack is the maximum number of pixels by which the picture in a delta may exceed the frame, after its sides are rounded up
// to blocks of 16. The last tile is filled up to the length of the other tiles, with at most 30 blocks of 16x16.
const deltaSlack = 30 * 16 * 16

// errDelta is the beginning of every error of ApplyDelta.
var errDelta = errors.New("netstream: delta")

// A Delta is the decoded and checked body of a 226 response. Only its pixels have to be copied, each at most once.
type Delta struct {
	pieces  []piece
	picture image.Image // nil if there are no pieces
}

// DecodeDelta reads the body of a 226 response for a frame of the given size. The body is not trusted. Before it
// decodes anything, DecodeDelta checks that all pieces are inside the frame and the picture, that they do not overlap,
// and how much memory the picture takes.
func DecodeDelta(frame image.Point, body []byte) (*Delta, error) {
	pieces, picture, err := parseDelta(frame, body)
	if err != nil || len(pieces) == 0 {
		return &Delta{}, err
	}
	img, err := decodeTiles(frame, pieces, picture)
	return &Delta{pieces, img}, err
}

// Apply copies the tiles into the frame that the delta is based on. The frame has the size given to DecodeDelta. Its
// upper left pixel counts as (0, 0).
func (d *Delta) Apply(dst *image.RGBA) {
	for _, p := range d.pieces {
		draw.Draw(dst, p.To.Add(dst.Rect.Min), d.picture, p.From.Add(d.picture.Bounds().Min), draw.Src)
	}
}

// Damage is what Apply changes, counted from the frame's upper left pixel. It does not overlap.
func (d *Delta) Damage() []image.Rectangle {
	damage := make([]image.Rectangle, len(d.pieces))
	for i, p := range d.pieces {
		damage[i] = p.To
	}
	return damage
}

// ApplyDelta calls DecodeDelta, Apply and Damage. After an error dst is unchanged.
func ApplyDelta(dst *image.RGBA, body []byte) ([]image.Rectangle, error) {
	d, err := DecodeDelta(dst.Rect.Size(), body)
	if err != nil {
		return nil, err
	}
	d.Apply(dst)
	return d.Damage(), nil
}

// parseDelta reads a delta's head. Every piece it returns is inside the frame, and none overlaps another. They are sorted
// from top to bottom.
func parseDelta(frame image.Point, body []byte) ([]piece, []byte, error) {
	if len(body) < deltaHeadBytes || string(body[:len(deltaMagic)]) != deltaMagic {
		return nil, nil, fmt.Errorf("%w: no head", errDelta)
	}
	be := binary.BigEndian
	size := image.Pt(int(be.Uint16(body[4:])), int(be.Uint16(body[6:])))
	n := int(be.Uint16(body[8:]))
	if size != frame {
		return nil, nil, fmt.Errorf("%w: for a frame of %v, not %v", errDelta, size, frame)
	}
	body = body[deltaHeadBytes:]
	if len(body) < n*deltaPieceBytes {
		return nil, nil, fmt.Errorf("%w: cut off in its %d pieces", errDelta, n)
	}
	pieces := make([]piece, n)
	for i := range pieces {
		p := readPiece(body[i*deltaPieceBytes:])
		if p.To.Empty() || !p.To.In(image.Rectangle{Max: frame}) {
			return nil, nil, fmt.Errorf("%w: piece %d at %v is not in the frame", errDelta, i, p.To)
		}
		pieces[i] = p
	}
	if err := apart(pieces, frame); err != nil {
		return nil, nil, err
	}
	return pieces, body[n*deltaPieceBytes:], nil
}

// apart sorts pieces, which lie in the frame, from top to bottom and reports an overlap. The number of steps is the sum of the
// pieces' columns, which is at most the number of pixels of the frame if no pieces overlap.
func apart(pieces []piece, frame image.Point) error {
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.To.Min.Y, b.To.Min.Y) })
	covered := make([]int, frame.X) // end of the covered rows, for each column
	for _, p := range pieces {
		for x := p.To.Min.X; x < p.To.Max.X; x++ {
			if covered[x] > p.To.Min.Y {
				return fmt.Errorf("%w: the piece at %v overlaps another", errDelta, p.To)
			}
			covered[x] = p.To.Max.Y
		}
	}
	return nil
}

func readPiece(b []byte) piece {
	var v [6]int
	for i := range v {
		v[i] = int(binary.BigEndian.Uint16(b[2*i:]))
	}
	return piece{From: image.Pt(v[0], v[1]), To: image.Rect(v[2], v[3], v[2]+v[4], v[3]+v[5])}
}

// decodeTiles decodes the picture of a delta, if its size is possible for the frame and it contains every piece.
func decodeTiles(frame image.Point, pieces []piece, picture []byte) (image.Image, error) {
	size, decode, err := lookAt(picture)
	if err != nil {
		return nil, fmt.Errorf("%w: picture: %w", errDelta, err)
	}
	const block = 16
	most := int64(frame.X+block)*int64(frame.Y+block) + deltaSlack // 64 bits: an int may have 32
	if int64(size.X)*int64(size.Y) > most {
		return nil, fmt.Errorf("%w: picture of %v is more than a frame of %v can need", errDelta, size, frame)
	}
	if need, err := DecodeBytes(picture); err != nil || need > 4*most {
		return nil, fmt.Errorf("%w: picture of %v takes %d bytes to decode (%v)", errDelta, size, need, err)
	}
	for i, p := range pieces {
		if from := (image.Rectangle{Max: p.To.Size()}).Add(p.From); !from.In(image.Rectangle{Max: size}) {
			return nil, fmt.Errorf("%w: piece %d from %v is not in the picture", errDelta, i, from)
		}
	}
	img, err := decode()
	if err != nil {
		return nil, fmt.Errorf("%w: picture: %w", errDelta, err)
	}
	return img, nil
}

// lookAt reads a picture's size, which is never negative and fits 31 bits a side.
func lookAt(picture []byte) (image.Point, func() (image.Image, error), error) {
	config, decode := jpeg.DecodeConfig, decodeJPEG
	if bytes.HasPrefix(picture, []byte("\x89PNG")) {
		config, decode = png.DecodeConfig, func(p []byte) (image.Image, error) { return png.Decode(bytes.NewReader(p)) }
	}
	c, err := config(bytes.NewReader(picture))
	return image.Pt(c.Width, c.Height), func() (image.Image, error) { return decode(picture) }, err
}

// decodeJPEG uses the fast decoder for pictures of this service, and image/jpeg for all others. Both give the same pixels.
func decodeJPEG(picture []byte) (image.Image, error) {
	if img, ok := jpegtile.DecodeDelta(picture); ok {
		return img, nil
	}
	return jpeg.Decode(bytes.NewReader(picture))
}
