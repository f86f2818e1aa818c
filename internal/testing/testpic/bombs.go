package testpic

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"strings"
)

// EmptyPNG returns a PNG file of any size in which all pixels are zero. The file has about a thousandth of the bytes of its pixels. `depth`
// is the bit depth, `colors` is the color type, `interlace` is the interlace method, and `bits` is the number of bits of a pixel.
func EmptyPNG(w, h int, depth, colors, interlace byte, bits int64) []byte {
	out := bytes.NewBufferString("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		body := append([]byte(name), data...)
		out.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
		out.Write(body)
		out.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(w))
	header = binary.BigEndian.AppendUint32(header, uint32(h))
	chunk("IHDR", append(header, depth, colors, 0, 0, interlace))
	chunk("IDAT", zeros(int64(w)*int64(h)*bits/8+int64(h)))
	chunk("IEND", nil)
	return out.Bytes()
}

// zeros() returns a zlib stream (RFC 1950) of n zeros. It repeats one compressed block, which does not refer to data before it.
func zeros(n int64) []byte {
	const block = 1 << 20
	packed := func(n int64) []byte {
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, flate.BestCompression) // writing to memory never fails
		_, _ = w.Write(make([]byte, n))
		w.Flush()
		return b.Bytes()
	}
	out := append([]byte{0x78, 0xda}, bytes.Repeat(packed(block), int(n/block))...)
	out = append(out, packed(n%block)...)
	out = append(out, 1, 0, 0, 0xff, 0xff)                           // the last block is empty and not compressed
	return binary.BigEndian.AppendUint32(out, uint32(n%65521)<<16|1) // Adler-32
}

// ManyScans returns a gray progressive JPEG file of w x h pixels. It has n scans of 16 bytes, and each scan covers all blocks of 8x8
// pixels. There may be at most 32767 blocks.
func ManyScans(w, h, n int) []byte {
	be := binary.BigEndian
	out := []byte("\xff\xd8\xff\xdb\x00\x43\x00" + strings.Repeat("\x01", 64) + "\xff\xc2\x00\x0b\x08")
	out = be.AppendUint16(be.AppendUint16(out, uint16(h)), uint16(w))
	out = append(out, "\x01\x01\x11\x00"...)
	// This Huffman table has a single code, which stands for the longest run of empty blocks.
	out = append(out, "\xff\xc4\x00\x14\x10\x01"+strings.Repeat("\x00", 15)+"\xe0"...)
	const scan = "\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00" + "\x7f\xff\x00\x7f\xff\x00"
	return append(append(out, strings.Repeat(scan, n)...), "\xff\xd9"...)
}

// JPEGOf returns a copy of a JPEG file with another picture size in its header. The picture data does not change. `sof` is the kind of
// the frame header: 0xc0 for baseline, 0xc2 for progressive.
func JPEGOf(file []byte, sof byte, w, h int) []byte {
	file = bytes.Clone(file)
	at := bytes.Index(file, []byte{0xff, sof})
	binary.BigEndian.PutUint16(file[at+5:], uint16(h))
	binary.BigEndian.PutUint16(file[at+7:], uint16(w))
	return file
}
