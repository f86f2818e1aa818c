package netstream

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
)

// deltaSlack is how many pixels the picture in a delta may have more than the frame with sides rounded up to blocks
// of 16: a last tile is filled up to the length of the others, at most 30 blocks of 16x16.
const deltaSlack = 30 * 16 * 16

// errDelta is the beginning of every error of ApplyDelta.
var errDelta = errors.New("netstream: delta")

// ApplyDelta puts the tiles of a 226's body into the frame that the delta is based on, and returns what that
// changed. dst must have the frame's size; its upper left pixel counts as (0, 0), and the rectangles returned count
// from there. The body may come from anywhere: sizes are checked before anything is decoded, and after an error dst is as it was.
func ApplyDelta(dst *image.RGBA, body []byte) ([]image.Rectangle, error) {
	pieces, picture, err := parseDelta(dst.Rect.Size(), body)
	if err != nil || len(pieces) == 0 {
		return nil, err
	}
	img, err := decodeTiles(dst.Rect.Size(), pieces, picture)
	if err != nil {
		return nil, err
	}
	damage := make([]image.Rectangle, len(pieces))
	for i, p := range pieces {
		draw.Draw(dst, p.To.Add(dst.Rect.Min), img, p.From.Add(img.Bounds().Min), draw.Src)
		damage[i] = p.To
	}
	return damage, nil
}

// parseDelta reads a delta's head. Every piece it returns is inside the frame.
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
	return pieces, body[n*deltaPieceBytes:], nil
}

func readPiece(b []byte) piece {
	var v [6]int
	for i := range v {
		v[i] = int(binary.BigEndian.Uint16(b[2*i:]))
	}
	return piece{From: image.Pt(v[0], v[1]), To: image.Rect(v[2], v[3], v[2]+v[4], v[3]+v[5])}
}

// decodeTiles decodes the picture of a delta if it is one that such a frame can have and holds every piece.
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
	config, decode := jpeg.DecodeConfig, jpeg.Decode
	if bytes.HasPrefix(picture, []byte("\x89PNG")) {
		config, decode = png.DecodeConfig, png.Decode
	}
	c, err := config(bytes.NewReader(picture))
	return image.Pt(c.Width, c.Height), func() (image.Image, error) { return decode(bytes.NewReader(picture)) }, err
}
