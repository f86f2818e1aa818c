package trmnl

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"

	"dashboard/render/ink"
)

// pngSignature is the start of every PNG file (PNG specification, section 5.2).
const pngSignature = "\x89PNG\r\n\x1a\n"

// grayPNG encodes a picture of grays as PNG with color type 0, without a palette. A palette is not possible for two reasons. The firmware
// inverts 1-bit pictures whose palette begins with black. Some readers do not show pictures with a palette. The palette of m must have 2,
// 4, 16 or 256 grays, from black to white.
func grayPNG(m *image.Paletted, bits int) ([]byte, error) {
	if bits == 8 { // for 8 bits, image/png writes no palette. For fewer bits it would write a palette
		var b bytes.Buffer
		err := png.Encode(&b, &image.Gray{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect})
		return b.Bytes(), err
	}
	size := m.Rect.Size()
	header := binary.BigEndian.AppendUint32(nil, uint32(size.X))
	header = binary.BigEndian.AppendUint32(header, uint32(size.Y))
	header = append(header, byte(bits), 0, 0, 0, 0) // gray, deflate, adaptive filters, not interlaced
	var data bytes.Buffer
	z, err := zlib.NewWriterLevel(&data, zlib.BestCompression)
	if err != nil {
		return nil, err
	}
	row := make([]byte, 1+ink.Stride(size.X, bits)) // the first byte of a row is its filter. 0 means none
	for y := range size.Y {
		ink.Pack(row[1:], m, image.Rect(0, y, size.X, y+1), bits, nil)
		if _, err := z.Write(row); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	file := chunk([]byte(pngSignature), "IHDR", header)
	file = chunk(file, "IDAT", data.Bytes())
	return chunk(file, "IEND", nil), nil
}

// chunk() appends a PNG chunk to file (PNG specification, section 5.3).
func chunk(file []byte, kind string, data []byte) []byte {
	file = binary.BigEndian.AppendUint32(file, uint32(len(data)))
	from := len(file)
	file = append(append(file, kind...), data...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[from:]))
}
