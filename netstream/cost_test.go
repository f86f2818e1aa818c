package netstream

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"image/png"
	"runtime"
	"slices"
	"testing"
)

// pngHead returns a PNG's signature and its chunk IHDR.
func pngHead(w, h uint32, depth, color, interlace byte) []byte {
	b := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), 0, 0, 0, 0, 0, 0, 0, 0, depth, color, 0, 0, interlace)
	binary.BigEndian.PutUint32(b[16:], w)
	binary.BigEndian.PutUint32(b[20:], h)
	return b
}

// jpegHead returns a JPEG up to the end of its frame header. `sampling` has one byte for each component: its horizontal and vertical
// factor.
func jpegHead(marker byte, w, h uint16, sampling ...byte) []byte {
	b := []byte{0xff, 0xd8, 0xff, marker, 0, byte(8 + 3*len(sampling)), 8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(len(sampling))}
	for i, s := range sampling {
		b = append(b, byte(i+1), s, 0)
	}
	return b
}

func TestDecodeBytes(t *testing.T) {
	for name, tt := range map[string]struct {
		file []byte
		want int64 // -1: an error
	}{
		"png":                    {pngHead(100, 50, 8, 2, 0), 100 * 50 * 4},
		"png of 16 bits":         {pngHead(100, 50, 16, 2, 0), 100 * 50 * 8},
		"png interlaced":         {pngHead(100, 50, 16, 6, 1), 100 * 50 * 16},
		"png, largest":           {pngHead(1<<16-1, 1<<16-1, 16, 6, 1), (1<<16 - 1) * (1<<16 - 1) * 16},
		"png, too wide":          {pngHead(1<<16, 1, 8, 2, 0), -1},
		"png cut":                {pngHead(100, 50, 8, 2, 0)[:20], -1},
		"jpeg 4:4:4":             {jpegHead(0xc0, 100, 50, 0x11, 0x11, 0x11), 104 * 56 * 3},
		"jpeg 4:2:0":             {jpegHead(0xc0, 100, 50, 0x22, 0x11, 0x11), 112 * 64 * 3 / 2},
		"jpeg gray":              {jpegHead(0xc0, 100, 50, 0x22), 104 * 56},
		"jpeg progressive":       {jpegHead(0xc2, 100, 50, 0x11, 0x11, 0x11), 104 * 56 * 15},
		"jpeg CMYK":              {jpegHead(0xc0, 100, 50, 0x11, 0x11, 0x11, 0x11), 104*56*4 + 100*50*4},
		"jpeg after other parts": {slices.Concat([]byte("\xff\xd8\xff\xfe\x00\x04ab\xff\xff"), jpegHead(0xc0, 8, 8, 0x11)[2:]), 64},
		"jpeg, Adobe's":          {slices.Concat([]byte("\xff\xd8\xff\xee\x00\x04ab"), jpegHead(0xc0, 8, 8, 0x11)[2:]), 64 + 4*64},
		"jpeg without sampling":  {jpegHead(0xc0, 8, 8, 0, 0, 0), -1},
		"jpeg cut":               {jpegHead(0xc0, 8, 8, 0x11)[:9], -1},
		"jpeg without a frame":   {[]byte("\xff\xd8\xff\xd9\x00\x00"), -1},
		"a part of no length":    {[]byte("\xff\xd8\xff\xfe\x00\x00\x00\x00"), -1},
		"nothing":                {nil, -1},
		"text":                   {[]byte("GIF89a and more"), -1},
	} {
		got, err := DecodeBytes(tt.file)
		if (err != nil) != (tt.want < 0) || err == nil && got != tt.want {
			t.Errorf("%s: got %d, %v, want %d", name, got, err, tt.want)
		}
	}
}

// The decoders allocate at most the estimated memory, and at least half of it.
func TestDecodeBytesHolds(t *testing.T) {
	img := newPainter(3, 640, 480).frame
	var asJPEG, asPNG bytes.Buffer
	if err := jpeg.Encode(&asJPEG, img, nil); err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(&asPNG, img); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"jpeg": asJPEG.Bytes(), "png": asPNG.Bytes()} {
		want, err := DecodeBytes(file)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, _, err := image.Decode(bytes.NewReader(file)); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		const slack = 128 << 10 // memory of the decoder, its tables and zlib, in bytes
		if got := int64(after.TotalAlloc - before.TotalAlloc); got > want+slack || got < want/2 {
			t.Errorf("%s: decoding took %d bytes, estimated were %d", name, got, want)
		}
	}
}

// A delta with the maximum number of pieces, each of which covers the whole frame, is rejected quickly, before any pixel is painted. The
// function apart() detects every kind of overlap.
func TestDeltaOverlaps(t *testing.T) {
	const w, h = 1366, 768
	all := image.Rect(0, 0, w, h)
	pieces := slices.Repeat([]piece{{To: all}}, 1<<16-1)
	body := append(appendDeltaHead(nil, w, h, pieces), encodePNG(t, image.NewGray(all))...)
	if _, err := DecodeDelta(all.Size(), body); err == nil {
		t.Error("65535 pieces one over the other are taken")
	}
	for name, tt := range map[string]struct {
		a, b image.Rectangle
		want bool
	}{
		"side by side":   {image.Rect(0, 0, 10, 10), image.Rect(10, 0, 20, 10), true},
		"below":          {image.Rect(0, 10, 10, 20), image.Rect(0, 0, 10, 10), true},
		"corner":         {image.Rect(0, 0, 10, 10), image.Rect(9, 9, 20, 20), false},
		"inside":         {image.Rect(0, 0, 30, 30), image.Rect(9, 9, 20, 20), false},
		"cross":          {image.Rect(0, 10, 30, 20), image.Rect(10, 0, 20, 30), false},
		"the same twice": {image.Rect(0, 0, 10, 10), image.Rect(0, 0, 10, 10), false},
	} {
		for _, pieces := range [][]piece{{{To: tt.a}, {To: tt.b}}, {{To: tt.b}, {To: tt.a}}} {
			if err := apart(pieces, image.Pt(40, 40)); (err == nil) != tt.want {
				t.Errorf("%s: got %v, want all right: %v", name, err, tt.want)
			}
		}
	}
}

func encodePNG(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
