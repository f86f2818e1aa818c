package qemu

import (
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
)

// ReadPNG reads a picture and converts the picture to RGBA, because RGBA pictures are fast to compare.
func ReadPNG(path string) (*image.RGBA, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return ToRGBA(m), nil
}

// ToRGBA converts a picture to RGBA. If it is RGBA already, it returns the picture itself.
func ToRGBA(m image.Image) *image.RGBA {
	if same, ok := m.(*image.RGBA); ok {
		return same
	}
	to := image.NewRGBA(m.Bounds())
	draw.Draw(to, to.Rect, m, m.Bounds().Min, draw.Src)
	return to
}
