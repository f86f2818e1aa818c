package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"
	"math"
	"time"

	"golang.org/x/image/webp"
)

var errWebP = errors.New("webp: broken file")

// Flags of the VP8X chunk (RFC 9649, section 2.7).
const (
	webpAnimated = 0x02
	webpAlpha    = 0x10
	webpHeader   = 12 // length of "RIFF", the size and "WEBP"
)

// decodeWebP decodes a still picture with golang.org/x/image. That library refuses animated pictures, so decodeWebP decodes their frames
// one by one.
func decodeWebP(data []byte, to target) (*Picture, error) {
	body := data[webpHeader:]
	id, payload, rest := riffChunk(body)
	if id != "VP8X" || len(payload) < 10 || payload[0]&webpAnimated == 0 {
		c, err := webp.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("webp: %w", err)
		}
		if err := checkSize("webp", c.Width, c.Height); err != nil {
			return nil, err
		}
		tables, err := webpTables(body, image.Pt(c.Width, c.Height))
		if err != nil {
			return nil, err
		}
		cost := func(_ []byte, size image.Point) int64 { return webpPixel*pixels(size) + tables }
		return decodeStill("webp", webp.DecodeConfig, webpImage, cost, data, webpOrientation(body), to)
	}
	size := image.Pt(uint24(payload[4:])+1, uint24(payload[7:])+1)
	if err := checkSize("webp", size.X, size.Y); err != nil {
		return nil, err
	}
	return decodeWebPFrames(rest, size, to)
}

// decodeWebPFrames decodes the frames of an animation (ANMF chunks). Only a broken first frame is an error. Another broken frame ends the
// animation.
func decodeWebPFrames(d []byte, size image.Point, to target) (*Picture, error) {
	parts, loops := webpParts(d)
	if len(parts) == 0 {
		return nil, errWebP
	}
	n := layersWithin(len(parts), size)
	var tables int64 // memory for the Huffman tables of the frame that needs the most
	for i, p := range parts[:n] {
		t, err := webpTables(p[16:], image.Pt(uint24(p[6:])+1, uint24(p[9:])+1))
		if err != nil && i == 0 {
			return nil, err
		} else if err != nil { // only the frames before the broken frame are shown
			n = i
			break
		}
		tables = max(tables, t)
	}
	return within(to, "webp", size, animationBytes(size, n, webpPixel, to)+tables, func() (*Picture, error) {
		return webpAnimation(parts[:n], size, loops, to)
	})
}

// webpPixel is the number of bytes that golang.org/x/image needs for a pixel: four for a lossless picture, and four more while it undoes
// transforms.
const webpPixel = 8

// webpAnimation decodes the frames and draws them on a canvas. The argument `parts` holds the payload of each frame.
func webpAnimation(parts [][]byte, size image.Point, loops int, to target) (*Picture, error) {
	n := len(parts)
	a := newAnimation(size, n, loops, to)
	for i, part := range parts {
		l, err := webpLayer(part, size)
		if err != nil && i == 0 {
			return nil, fmt.Errorf("webp: %w", err)
		}
		if err != nil {
			break
		}
		a.add(l)
	}
	return a.picture(), nil
}

// webpParts returns the payload of each frame, and how often the animation plays.
func webpParts(d []byte) (parts [][]byte, loops int) {
	for id, payload, rest := riffChunk(d); id != ""; id, payload, rest = riffChunk(rest) {
		switch {
		case id == "ANIM" && len(payload) >= 6:
			loops = int(binary.LittleEndian.Uint16(payload[4:]))
		case id == "ANMF" && len(payload) >= 16 && len(parts) < MaxFrames:
			parts = append(parts, payload)
		}
	}
	return parts, loops
}

// webpLayer decodes one frame. Its payload has the position, size, duration and flags, and then the chunks of a still picture.
func webpLayer(p []byte, canvas image.Point) (layer, error) {
	const blendOff, eraseAfter = 0x02, 0x01
	size := image.Pt(uint24(p[6:])+1, uint24(p[9:])+1)
	l := layer{
		at:    image.Pt(2*uint24(p[0:]), 2*uint24(p[3:])),
		delay: time.Duration(uint24(p[12:])) * time.Millisecond,
		op:    draw.Over,
	}
	if p[15]&blendOff != 0 {
		l.op = draw.Src
	}
	if p[15]&eraseAfter != 0 {
		l.dispose = erase
	}
	if !(image.Rectangle{Max: size}).Add(l.at).In(image.Rectangle{Max: canvas}) {
		return l, errWebP
	}
	file := webpFile(p[16:], size)
	c, err := webp.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return l, err
	}
	if c.Width != size.X || c.Height != size.Y {
		return l, errWebP
	}
	l.img, err = webpImage(bytes.NewReader(file))
	if err == nil && l.img.Bounds().Size() != size {
		err = errWebP
	}
	return l, err
}

// webpFile builds a complete WebP file from the chunks of a frame.
func webpFile(chunks []byte, size image.Point) []byte {
	var b []byte
	if id, _, _ := riffChunk(chunks); id == "ALPH" { // only an extended file (VP8X) may have an alpha chunk
		b = append(b, "VP8X\x0a\x00\x00\x00"...)
		b = append(b, webpAlpha, 0, 0, 0)
		b = appendUint24(b, size.X-1)
		b = appendUint24(b, size.Y-1)
	}
	b = append(b, chunks...)
	head := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(b)+4))
	return append(append(head, "WEBP"...), b...)
}

// webpOrientation reads the orientation from the EXIF chunk. Some programs begin this chunk with the prefix of a JPEG's EXIF segment.
func webpOrientation(d []byte) orientation {
	for id, payload, rest := riffChunk(d); id != ""; id, payload, rest = riffChunk(rest) {
		if id == "EXIF" {
			return tiffOrientation(bytes.TrimPrefix(payload, []byte("Exif\x00\x00")))
		}
	}
	return upright
}

// riffChunk splits off the first chunk of data. A chunk has four letters, a size, and a payload that is padded to an even length. At the
// end of the data, or if the chunk is invalid, `id` is empty.
func riffChunk(d []byte) (id string, payload, rest []byte) {
	const head = 8
	if len(d) < head {
		return "", nil, nil
	}
	n := uint64(binary.LittleEndian.Uint32(d[4:]))
	if n+head > uint64(len(d)) {
		return "", nil, nil
	}
	return string(d[:4]), d[head : head+n], d[min(head+n+n&1, uint64(len(d))):]
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

func appendUint24(b []byte, v int) []byte { return append(b, byte(v), byte(v>>8), byte(v>>16)) }

// webpImage decodes a still file. Lossy WebP stores its colors in the narrow range of BT.601 (RFC 6386, section 9.2), in which black is
// 16 and white is 235. golang.org/x/image returns these values as image.YCbCr, whose range is 0 to 255. Without the correction here,
// every lossy picture would look pale.
func webpImage(r io.Reader) (image.Image, error) {
	img, err := webp.Decode(r)
	if err != nil {
		return nil, err
	}
	switch m := img.(type) {
	case *image.YCbCr:
		widen(m)
	case *image.NYCbCrA:
		widen(&m.YCbCr)
	}
	return img, nil
}

// widen stretches the narrow range of colors to the full range, in place.
func widen(m *image.YCbCr) {
	var luma, chroma [256]uint8
	for v := range 256 {
		luma[v] = widened(v-16, 219, 0)
		chroma[v] = widened(v-128, 224, 128)
	}
	for i, v := range m.Y {
		m.Y[i] = luma[v]
	}
	for i, v := range m.Cb {
		m.Cb[i] = chroma[v]
	}
	for i, v := range m.Cr {
		m.Cr[i] = chroma[v]
	}
}

// widened() returns v*255/width + offset, rounded and limited to 0..255.
func widened(v, width, offset int) uint8 {
	return uint8(min(max(int(math.Round(float64(v*255)/float64(width)))+offset, 0), 255))
}
