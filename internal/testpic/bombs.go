package testpic

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// EmptyPNG is a PNG file without anything on it, in any size, of some kilobytes: colors is its color type, interlace its
// method of interlacing, bits what a pixel has.
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
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = io.CopyN(z, zeros{}, int64(w)*int64(h)*bits/8+int64(h)) // neither of the two fails
	z.Close()
	chunk("IDAT", packed.Bytes())
	chunk("IEND", nil)
	return out.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// JPEGOf is a JPEG file whose header says another size than its data has. Its first frame header is of the kind sof, 0xc0 for a
// baseline one, 0xc2 for a progressive one.
func JPEGOf(file []byte, sof byte, w, h int) []byte {
	file = bytes.Clone(file)
	at := bytes.Index(file, []byte{0xff, sof})
	binary.BigEndian.PutUint16(file[at+5:], uint16(h))
	binary.BigEndian.PutUint16(file[at+7:], uint16(w))
	return file
}
