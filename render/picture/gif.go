package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"io"
	"time"
)

var errGIF = errors.New("gif: broken file")

// gifFile describes the structure of a GIF (GIF89a specification, sections 17 to 27), whose pixels
// are still encoded. With this structure, one frame at a time can be decoded. image/gif would
// decode all frames at once, and one megabyte of a file may contain gigabytes of frames.
type gifFile struct {
	header []byte // signature, screen descriptor and global color table, needed for every frame
	size   image.Point
	frames []gifPart
	loops  int // number of times the animation plays. 0 means endlessly
}

// gifPart is one frame: its control extension and its image.
type gifPart struct {
	control, image []byte
	delay          time.Duration
	dispose        disposal
}

const (
	gifScreen     = 13 // bytes of signature and screen descriptor
	gifDescriptor = 10 // bytes of an image descriptor with its separator
	gifTrailer    = 0x3b
)

// decodeGIF decodes a GIF frame by frame. The animation ends before a broken frame. If the first frame is broken, decodeGIF returns an
// error.
func decodeGIF(data []byte, to target) (*Picture, error) {
	f, err := scanGIF(data)
	if err != nil {
		return nil, err
	}
	if err := checkSize("gif", f.size.X, f.size.Y); err != nil {
		return nil, err
	}
	n := layersWithin(len(f.frames), f.size)
	const frameBytes = 2 // bytes for each pixel: its palette index, and a copy of the index while interlaced rows are sorted
	return within(to, "gif", f.size, animationBytes(f.size, n, frameBytes, to), func() (*Picture, error) { return f.decode(n, to) })
}

// decode decodes the first n frames.
func (f *gifFile) decode(n int, to target) (*Picture, error) {
	a := newAnimation(f.size, n, f.loops, to)
	for i, part := range f.frames[:n] {
		img, err := gif.Decode(f.reader(part))
		if err != nil && i == 0 {
			return nil, fmt.Errorf("gif: %w", err)
		}
		if err != nil {
			break
		}
		a.add(layer{
			img: img, at: img.Bounds().Min, op: draw.Over,
			dispose: part.dispose, delay: part.delay,
		})
	}
	return a.picture(), nil
}

// reader returns a complete GIF file that contains only the given frame.
func (f *gifFile) reader(part gifPart) io.Reader {
	return io.MultiReader(bytes.NewReader(f.header), bytes.NewReader(part.control),
		bytes.NewReader(part.image), bytes.NewReader([]byte{gifTrailer}))
}

// scanGIF finds the frames. If the file is truncated, the last frame may be incomplete.
func scanGIF(data []byte) (*gifFile, error) {
	if len(data) < gifScreen {
		return nil, errGIF
	}
	head := gifScreen + colorTable(data[10])
	if head > len(data) {
		return nil, errGIF
	}
	f := &gifFile{
		header: data[:head:head],
		size:   image.Pt(int(binary.LittleEndian.Uint16(data[6:])), int(binary.LittleEndian.Uint16(data[8:]))),
		loops:  1,
	}
	f.scanBlocks(data[head:])
	if len(f.frames) == 0 {
		return nil, errGIF
	}
	return f, nil
}

func (f *gifFile) scanBlocks(d []byte) {
	var next gifPart // collects the control extension for the next frame
	for len(d) > 1 && len(f.frames) < MaxFrames {
		var block []byte
		switch d[0] {
		case 0x21: // an extension
			block = d[:blockEnd(d, 2)]
			f.extension(block, &next)
		case 0x2c: // an image
			if len(d) < gifDescriptor {
				return
			}
			const codeSize = 1
			block = d[:blockEnd(d, gifDescriptor+colorTable(d[9])+codeSize)]
			next.image = block
			f.frames = append(f.frames, next)
			next = gifPart{}
		default: // the trailer, or invalid data
			return
		}
		d = d[len(block):]
	}
}

// extension reads the two relevant extensions: the graphic control extension, and Netscape's application extension with the loop count.
func (f *gifFile) extension(b []byte, next *gifPart) {
	switch {
	case len(b) >= 8 && b[1] == 0xf9:
		next.control = b
		next.delay = time.Duration(binary.LittleEndian.Uint16(b[4:])) * 10 * time.Millisecond
		switch b[3] >> 2 & 7 {
		case 2:
			next.dispose = erase
		case 3:
			next.dispose = restore
		default:
			next.dispose = keep
		}
	case len(b) >= 19 && b[1] == 0xff && string(b[3:14]) == "NETSCAPE2.0" && b[15] == 1:
		// The file stores the number of repetitions after the first run. 0 means endlessly.
		if f.loops = int(binary.LittleEndian.Uint16(b[16:])); f.loops > 0 {
			f.loops++
		}
	}
}

// colorTable returns the length in bytes of a color table, from the flags in a packed field.
func colorTable(packed byte) int {
	if packed&0x80 == 0 {
		return 0
	}
	return 3 << (packed&7 + 1)
}

// blockEnd returns the end of the chain of sub-blocks that begins at d[at]. The result is at most len(d).
func blockEnd(d []byte, at int) int {
	for at < len(d) && d[at] != 0 {
		at += 1 + int(d[at])
	}
	return min(at+1, len(d))
}
