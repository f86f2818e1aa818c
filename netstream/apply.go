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

	"dashboard/internal/stable"
	"dashboard/netstream/jpegtile"
)

// deltaSlack is the maximum unused part of a delta's picture, in pixels. If the frame's last tile is shorter than the other tiles, up to
// 30 blocks of 16x16 pixels fill the rest of this tile. decodeTiles also allows for rounding up the frame's sides to whole blocks.
const deltaSlack = 30 * 16 * 16

// errDelta is wrapped by every error of DecodeDelta and ApplyDelta.
var errDelta = errors.New("netstream: delta")

// A Delta is the decoded and checked body of a 226 response. Apply only copies pixels, and copies each pixel at most once.
type Delta struct {
	pieces  []piece
	picture image.Image // nil if nothing has changed
}

// DecodeDelta decodes the body of a 226 response for a frame of the given size. The body may be hostile, so DecodeDelta checks three
// things before it decodes the picture. All pieces must lie inside the frame and the picture, no pieces may overlap, and the picture must
// not take too much memory.
func DecodeDelta(frame image.Point, body []byte) (*Delta, error) {
	pieces, picture, err := parseDelta(frame, body)
	if err != nil || len(pieces) == 0 {
		return &Delta{}, err
	}
	img, err := decodeTiles(frame, pieces, picture)
	return &Delta{pieces, img}, err
}

// Apply copies the changed pixels into dst, which must be the frame that the delta is based on. dst must have the size that was given to
// DecodeDelta. Positions in a delta are relative to the frame's top left pixel.
func (d *Delta) Apply(dst *image.RGBA) {
	for _, p := range d.pieces {
		draw.Draw(dst, p.To.Add(dst.Rect.Min), d.picture, p.From.Add(d.picture.Bounds().Min), draw.Src)
	}
}

// Damage returns the rectangles that Apply changes, relative to the frame's top left pixel. They do not overlap.
func (d *Delta) Damage() []image.Rectangle {
	damage := make([]image.Rectangle, len(d.pieces))
	for i, p := range d.pieces {
		damage[i] = p.To
	}
	return damage
}

// ApplyDelta decodes a delta and applies it to dst. It returns the changed rectangles. If it returns an error, dst is unchanged.
func ApplyDelta(dst *image.RGBA, body []byte) ([]image.Rectangle, error) {
	d, err := DecodeDelta(dst.Rect.Size(), body)
	if err != nil {
		return nil, err
	}
	d.Apply(dst)
	return d.Damage(), nil
}

// parseDelta reads the head of a delta. It returns the pieces, sorted from top to bottom, and the encoded picture. All returned pieces lie
// inside the frame and do not overlap.
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

// apart() sorts the pieces from top to bottom, and returns an error if two of them overlap. All pieces must lie in the frame. apart()
// takes one step for each column of each piece. If no pieces overlap, it takes at most as many steps as the frame has pixels.
func apart(pieces []piece, frame image.Point) error {
	stable.Sort(pieces, func(a, b piece) int { return cmp.Compare(a.To.Min.Y, b.To.Min.Y) })
	covered := make([]int, frame.X) // for each column, the bottom end of the pieces so far
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

// decodeTiles decodes the picture of a delta. It first checks that the picture's size is possible for this frame, and that the picture
// contains every piece.
func decodeTiles(frame image.Point, pieces []piece, picture []byte) (image.Image, error) {
	size, decode, err := lookAt(picture)
	if err != nil {
		return nil, fmt.Errorf("%w: picture: %w", errDelta, err)
	}
	const block = 16
	most := int64(frame.X+block)*int64(frame.Y+block) + deltaSlack // int64, because an int may have 32 bits
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

// lookAt reads the size of a picture. It also returns a function that decodes the picture. Width and height are at least 0 and fit in 31
// bits.
func lookAt(picture []byte) (image.Point, func() (image.Image, error), error) {
	config, decode := jpeg.DecodeConfig, decodeJPEG
	if bytes.HasPrefix(picture, []byte("\x89PNG")) {
		config, decode = png.DecodeConfig, func(p []byte) (image.Image, error) { return png.Decode(bytes.NewReader(p)) }
	}
	c, err := config(bytes.NewReader(picture))
	return image.Pt(c.Width, c.Height), func() (image.Image, error) { return decode(picture) }, err
}

// decodeJPEG decodes a JPEG. It uses the fast decoder for pictures that this service has encoded, and image/jpeg for all other pictures.
// Both decoders give the same pixels.
func decodeJPEG(picture []byte) (image.Image, error) {
	if img, ok := jpegtile.DecodeDelta(picture); ok {
		return img, nil
	}
	return jpeg.Decode(bytes.NewReader(picture))
}
