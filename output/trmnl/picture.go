package trmnl

import (
	"encoding/binary"
	"image"
	"image/draw"

	"dashboard/render/ink"
	"dashboard/render/picture"
)

// A Shot is a frame of a view. It belongs to the caller.
type Shot struct {
	Frame   *image.RGBA
	Regions ink.Regions // the photos in Frame
}

// paletteOf returns a palette of grays with the given number of bits per pixel.
func paletteOf(bits int) *ink.Palette {
	name := map[int]string{1: "bw", 2: "gray4", 4: "gray16", 8: "gray256"}[bits]
	p, _ := ink.Named(name)
	return p
}

// fit() scales a shot to a size and keeps its aspect ratio. It fills the rest with the color of the shot's corner.
func (s *Shot) fit(size image.Point) {
	from := s.Frame.Rect.Size()
	if from == size {
		return
	}
	at := inside(from, size)
	to := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(to, to.Rect, image.NewUniform(s.Frame.At(s.Frame.Rect.Min.X, s.Frame.Rect.Min.Y)), image.Point{}, draw.Src)
	picture.Scale(to.SubImage(at).(*image.RGBA), s.Frame)
	var regions ink.Regions
	for _, r := range s.Regions.List() {
		r.Rect = image.Rect(
			at.Min.X+r.Rect.Min.X*at.Dx()/from.X, at.Min.Y+r.Rect.Min.Y*at.Dy()/from.Y,
			at.Min.X+r.Rect.Max.X*at.Dx()/from.X, at.Min.Y+r.Rect.Max.Y*at.Dy()/from.Y)
		regions.Add(r)
	}
	s.Frame, s.Regions = to, regions
}

// inside() returns the largest rectangle with the aspect ratio of `from` that fits into `size`. It is centered.
func inside(from, size image.Point) image.Rectangle {
	to := image.Pt(size.X, max(1, from.Y*size.X/from.X))
	if to.Y > size.Y {
		to = image.Pt(max(1, from.X*size.Y/from.Y), size.Y)
	}
	at := size.Sub(to).Div(2)
	return image.Rectangle{Min: at, Max: at.Add(to)}
}

// quantize converts a shot to grays. The shot must already have its final size. Text and lines get
// the nearest gray, and photos are dithered.
func quantize(s *Shot, bits int) *image.Paletted {
	p := paletteOf(bits)
	q := ink.New(p, s.Frame.Rect.Size(), ink.Diffuse)
	pic := q.NewPicture()
	q.Quantize(pic, s.Frame, s.Regions.List())
	pic.Palette = p.Pure()
	return pic
}

// turned() returns a copy of m that is rotated clockwise by 90 degrees.
func turned(m *image.Paletted) *image.Paletted {
	size := m.Rect.Size()
	to := image.NewPaletted(image.Rect(0, 0, size.Y, size.X), m.Palette)
	for y := range size.Y {
		row := m.Pix[y*m.Stride:][:size.X]
		for x, ink := range row {
			to.Pix[x*to.Stride+size.Y-1-y] = ink
		}
	}
	return to
}

// draws() converts a shot to the picture and the file for a model. If the file is too large, it tries again with fewer grays.
func draws(s *Shot, m Model) (pic *image.Paletted, file []byte, err error) {
	s.fit(m.Size)
	for bits := m.Bits; ; bits /= 2 {
		pic = quantize(s, bits)
		if m.Turn {
			pic = turned(pic)
		}
		if m.BMP {
			return pic, bmpFile(pic), nil
		}
		if file, err = grayPNG(pic, bits); err != nil || len(file) <= m.Most || bits == 1 {
			return pic, file, err
		}
	}
}

const (
	fileHeader = 14 // length of BITMAPFILEHEADER
	infoHeader = 40 // length of BITMAPINFOHEADER
	bmpHeader  = fileHeader + infoHeader + 2*4
)

// bmpFile encodes a black and white picture as BMP. The file has one bit per pixel and begins with
// the bottom row. Each row is padded to a multiple of four bytes. The firmware accepts only this
// form: 62 bytes of headers and colors, and the 48,000 bytes of 800 x 480 pixels.
func bmpFile(m *image.Paletted) []byte {
	size := m.Rect.Size()
	stride := (ink.Stride(size.X, 1) + 3) &^ 3
	b := make([]byte, bmpHeader+stride*size.Y)
	copy(b, "BM")
	le := binary.LittleEndian
	le.PutUint32(b[2:], uint32(len(b)))
	le.PutUint32(b[10:], bmpHeader)
	le.PutUint32(b[14:], infoHeader)
	le.PutUint32(b[18:], uint32(size.X))
	le.PutUint32(b[22:], uint32(size.Y))
	le.PutUint16(b[26:], 1) // number of planes
	le.PutUint16(b[28:], 1) // bits per pixel
	le.PutUint32(b[34:], uint32(stride*size.Y))
	le.PutUint32(b[46:], 2)                         // number of colors
	copy(b[58:bmpHeader], []byte{255, 255, 255, 0}) // the second color is white. The first color is black, which is all zeros
	for y := range size.Y {
		ink.Pack(b[bmpHeader+stride*(size.Y-1-y):], m, image.Rect(0, y, size.X, y+1), 1, nil)
	}
	return b
}
