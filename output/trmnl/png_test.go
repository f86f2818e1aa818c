package trmnl

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"io"
	"testing"

	"dashboard/render/ink"
)

// firmware() decodes a PNG in the same way as TRMNL's firmware for a panel of up to 2 bits. It ignores the palette, and 0 is black. But
// if a 1-bit picture has a palette that begins with the darker entry, it inverts the picture. It returns the samples, and the color type
// in the PNG's header.
func firmware(t *testing.T, file []byte) (samples []uint8, colors byte) {
	t.Helper()
	var data []byte
	var header []byte
	invert := byte(0)
	for rest := file[len(pngSignature):]; len(rest) > 0; {
		n := binary.BigEndian.Uint32(rest)
		kind, body := string(rest[4:8]), rest[8:8+n]
		switch kind {
		case "IHDR":
			header = body
		case "PLTE":
			if header[8] == 1 && body[0] < body[3] {
				invert = 0xff
			}
		case "IDAT":
			data = append(data, body...)
		}
		rest = rest[12+n:]
	}
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	w, h, bits := int(binary.BigEndian.Uint32(header)), int(binary.BigEndian.Uint32(header[4:])), int(header[8])
	stride := 1 + ink.Stride(w, bits)
	for y := range h {
		if rows[y*stride] != 0 {
			t.Fatalf("row %d has filter %d; this reader knows none", y, rows[y*stride])
		}
		for x := range w {
			b := rows[y*stride+1+x*bits/8] ^ invert
			samples = append(samples, b>>(8-bits-x*bits%8)&(1<<bits-1))
		}
	}
	return samples, header[9]
}

// TestFirmwareDrawsNoNegative: the firmware shows pictures of 1 and 2 bits without inverting them.
func TestFirmwareDrawsNoNegative(t *testing.T) {
	for name, bits := range map[string]int{"og_png": 1, "og_plus": 2} {
		m, _ := Named(name)
		shot := noise(m.Size, 5)
		m.Most = largeFile // with this limit, the model og_plus keeps its grays
		pic, file, err := draws(&shot, m)
		if err != nil {
			t.Fatal(err)
		}
		got, colors := firmware(t, file)
		if colors != 0 || len(pic.Palette) != 1<<bits || !bytes.Equal(got, pic.Pix) {
			t.Errorf("%s: color type %d with %d grays; the samples are equal: %v", name, colors, len(pic.Palette), bytes.Equal(got, pic.Pix))
		}
	}
}

// TestFirmwareRule: the function firmware inverts a picture whose palette begins with black. So TestFirmwareDrawsNoNegative would detect
// a file with such a palette.
func TestFirmwareRule(t *testing.T) {
	m := image.NewPaletted(image.Rect(0, 0, 8, 1), color.Palette{color.Black, color.White})
	m.Pix[0] = 1
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	if got, colors := firmware(t, b.Bytes()); colors != 3 || bytes.Equal(got, m.Pix) {
		t.Errorf("color type %d, samples %v", colors, got)
	}
}

// TestNoPalette: the PNG for every model has grays without a palette, because Kindles do not show palettes.
func TestNoPalette(t *testing.T) {
	for _, m := range Models() {
		if m.BMP {
			continue
		}
		m.Size = m.Size.Div(8)
		shot := noise(m.Size, 9)
		_, file, err := draws(&shot, m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if _, gray := got.(*image.Gray); !gray || bytes.Contains(file, []byte("PLTE")) {
			t.Errorf("%s: the file is decoded as %T", m.Name, got)
		}
	}
}
