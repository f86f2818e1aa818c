package picture

import (
	"encoding/binary"
	"fmt"
	"image"

	"dashboard/internal/budget"
)

// MaxMemory bounds the memory for decoding one picture: decoded pixels, coefficients, canvases and the resulting pictures.
const MaxMemory = budget.MaxJobs

// within() waits until n bytes of the budget of to.ctx are free, reserves them, and runs `decode`. If n exceeds the whole budget, within()
// returns an error with the picture's size.
func within(to target, format string, size image.Point, n int64, decode func() (*Picture, error)) (*Picture, error) {
	if n > MaxMemory {
		return nil, fmt.Errorf("%s: %w: %dx%d pixels take %d MB to decode, the limit is %d; save it smaller, or as a JPEG",
			format, ErrTooLarge, size.X, size.Y, n>>20, MaxMemory>>20)
	}
	jobs := budget.Of(to.ctx).Jobs
	if err := jobs.Take(to.ctx, n); err != nil {
		return nil, fmt.Errorf("%s: %w", format, err)
	}
	defer jobs.Give(n)
	return decode()
}

// pixels() returns the number of pixels as an int64, because an int may have 32 bits.
func pixels(p image.Point) int64 { return int64(p.X) * int64(p.Y) }

// shownBytes returns the memory for scaling one frame: the result, its rotated copy, and the working memory of the scaler.
func shownBytes(size image.Point, to target) int64 {
	pl := place(size, to.box, to.fit)
	const rowBytes = 4 + 8 + 4 // bytes for a pixel, for its four sums, and for its mean
	ring := int64(pl.rect.Dx()) * 4 * 4 * 12
	return 2*4*pixels(pl.rect.Size()) + rowBytes*int64(max(size.X, size.Y)) + ring
}

// pngBytes returns the memory that image/png needs for a picture's pixels (PNG third edition, 11.2.1).
func pngBytes(data []byte, size image.Point) int64 {
	const header = 8 + 8 // signature, and the length and type of IHDR
	if len(data) < header+13 {
		return 0
	}
	depth, colors, interlaced := data[header+8], data[header+9], data[header+12] != 0
	each := int64(4)
	switch colors {
	case 0, 3: // gray or palette. Gray with a transparent level is decoded to NRGBA
		if each = 1; colors == 0 && hasTransparency(data) {
			each = 4
		}
	}
	if depth == 16 {
		each *= 2
	}
	n := each * pixels(size)
	if interlaced { // each interlaced pass is first decoded as a separate picture
		n *= 2
	}
	return n + 2*each*int64(size.X)
}

// hasTransparency searches for a tRNS chunk before the pixels.
func hasTransparency(data []byte) bool {
	const signature, around = 8, 12
	for d := data[signature:]; len(d) >= around; {
		n := uint64(binary.BigEndian.Uint32(d))
		if string(d[4:8]) == "tRNS" {
			return true
		}
		if n+around > uint64(len(d)) || string(d[4:8]) == "IDAT" {
			return false
		}
		d = d[n+around:]
	}
	return false
}

// jpegBytes returns the memory that image/jpeg needs: the samples of all components, and 4 bytes for each coefficient of a progressive
// file. A picture with four components needs 4 more bytes for each pixel, for its conversion.
func jpegBytes(data []byte, size image.Point) int64 {
	// most is the number of bytes for a pixel if the frame is not found. It counts four components of full size, their coefficients, and
	// the conversion.
	const most = 4 + 4*4 + 4
	each := int64(most)
	if sof := jpegFrame(data); len(sof) >= 6 {
		each = int64(min(sof[5], 4))
		if sof[0] == 0xc2 {
			each += 4 * each
		}
		if sof[5] == 4 {
			each += 4
		}
	}
	// The second term is for the right and lower edges, where blocks of samples extend beyond the picture.
	return each * (pixels(size) + 64*int64(size.X+size.Y))
}

// jpegFrame returns the marker byte of the frame, followed by the frame's header from the height on. The result is nil if there is no
// baseline, extended or progressive frame, or if a marker without a length comes before the frame.
func jpegFrame(data []byte) []byte {
	for d := data[min(2, len(data)):]; len(d) >= 4 && d[0] == 0xff; {
		m, n := d[1], int(binary.BigEndian.Uint16(d[2:]))
		switch {
		case m == 0xff:
			d = d[1:]
			continue
		case n < 2 || n+2 > len(d) || m < 0xc0 || m >= 0xd0 && m <= 0xd9:
			return nil
		case m == 0xc0 || m == 0xc1 || m == 0xc2:
			return append([]byte{m}, d[5:n+2]...)
		}
		d = d[n+2:]
	}
	return nil
}

// animationBytes returns the memory of an animation of n layers: the canvas, the previous canvas, one decoded layer, and the resulting
// frames. `frame` is the number of bytes for each pixel of a layer.
func animationBytes(size image.Point, n int, frame int64, to target) int64 {
	pl := place(size, to.box, to.fit)
	shown := min(pixels(pl.rect.Size())*int64(n), MaxShownPixels)
	return (4+4+frame)*pixels(size) + 4*shown + shownBytes(size, to)
}
