package picture

import (
	"bytes"
	"encoding/binary"
	"image"
)

// orientation is the value of the EXIF tag Orientation, 1 to 8 (Exif 2.32, 4.6.4). It describes how to rotate and mirror the stored
// picture for display.
type orientation int

const upright orientation = 1

// swaps() reports whether the orientation exchanges width and height.
func (o orientation) swaps() bool { return o >= 5 }

// turn converts the size of the stored picture to the size of the shown picture, and back. It exchanges width and height if o.swaps() is
// true.
func (o orientation) turn(size image.Point) image.Point {
	if o.swaps() {
		return image.Pt(size.Y, size.X)
	}
	return size
}

// stored() converts the position (x,y) in the shown picture to the position in the stored picture. `shown` is the size of the shown
// picture.
func (o orientation) stored(x, y int, shown image.Point) (int, int) {
	right, bottom := shown.X-1-x, shown.Y-1-y
	switch o {
	case 2:
		return right, y
	case 3:
		return right, bottom
	case 4:
		return x, bottom
	case 5:
		return y, x
	case 6:
		return y, right
	case 7:
		return bottom, right
	case 8:
		return bottom, x
	}
	return x, y
}

// storedRect converts a rectangle of the shown picture to a rectangle of the stored picture. `shown` is the size of the shown picture.
func (o orientation) storedRect(r image.Rectangle, shown image.Point) image.Rectangle {
	x0, y0 := o.stored(r.Min.X, r.Min.Y, shown)
	x1, y1 := o.stored(r.Max.X-1, r.Max.Y-1, shown)
	b := image.Rect(x0, y0, x1, y1) // Rect sorts the corners, but its result lacks the last row and column, which are added next
	b.Max = b.Max.Add(image.Pt(1, 1))
	return b
}

// apply returns a rotated and mirrored copy of a stored picture. If nothing has to change, it returns src.
func (o orientation) apply(src *image.RGBA) *image.RGBA {
	if o <= upright {
		return src
	}
	size := o.turn(src.Bounds().Size())
	dst := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			sx, sy := o.stored(x, y, size)
			copy(dst.Pix[y*dst.Stride+x*4:][:4], src.Pix[sy*src.Stride+sx*4:])
		}
	}
	return dst
}

// jpegOrientation reads the orientation from the EXIF segment (APP1). If the segment is missing or unreadable, the result is upright.
func jpegOrientation(data []byte) orientation {
	const app1 = 0xe1 // ITU-T T.81, table B.1
	for marker, body := range jpegSegments(data) {
		if tiff, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok && marker == app1 {
			return tiffOrientation(tiff)
		}
	}
	return upright
}

// pngOrientation reads the orientation from the eXIf chunk, which must come before the pixels (PNG third edition, 11.3.4.7).
func pngOrientation(data []byte) orientation {
	const signature, around = 8, 12 // around: length, type and checksum of a chunk
	for d := data[min(signature, len(data)):]; len(d) >= around; {
		n := uint64(binary.BigEndian.Uint32(d))
		if n+around > uint64(len(d)) || string(d[4:8]) == "IDAT" {
			break
		}
		if string(d[4:8]) == "eXIf" {
			return tiffOrientation(d[8 : 8+n])
		}
		d = d[n+around:]
	}
	return upright
}

// tiffOrientation reads the orientation (tag 0x0112) from the first directory of a TIFF structure (TIFF 6.0, section 2).
func tiffOrientation(tiff []byte) orientation {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(tiff, []byte("II*\x00")):
		order = binary.LittleEndian
	case bytes.HasPrefix(tiff, []byte("MM\x00*")):
		order = binary.BigEndian
	}
	if order == nil || len(tiff) < 8 {
		return upright
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return upright
	}
	const entry, tag, short = 12, 0x0112, 3
	dir := tiff[at+2:]
	for n := order.Uint16(tiff[at:]); n > 0 && len(dir) >= entry; n, dir = n-1, dir[entry:] {
		if order.Uint16(dir) != tag || order.Uint16(dir[2:]) != short {
			continue
		}
		if v := order.Uint16(dir[8:]); v >= 1 && v <= 8 {
			return orientation(v)
		}
		break
	}
	return upright
}
