// Package qrcode encodes a text as the modules of a QR code.
package qrcode

import (
	"fmt"
	"image"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/qr"
)

const (
	// MaxSide is the maximum number of modules on a side. It is the size of version 40 of ISO/IEC 18004.
	MaxSide = 177
	// Quiet is the width of the light margin around a code, in modules (section 9.1).
	Quiet = 4
)

// A Code is a square of modules.
type Code struct {
	Side int // modules
	dark []bool
}

// Encode returns the code of a text. A scanner can read the code even if 15 % of its area is covered. For a long text, at most 7 % may be
// covered.
func Encode(text string) (*Code, error) {
	var code barcode.Barcode
	var err error
	for _, level := range []qr.ErrorCorrectionLevel{qr.M, qr.L} {
		if code, err = qr.Encode(text, level, qr.Auto); err != nil {
			code, err = qr.Encode(text, level, qr.Unicode)
		}
		if err == nil && code.Bounds().Dx() <= MaxSide {
			return modules(code), nil
		}
	}
	return nil, fmt.Errorf("no code for %d bytes: %w", len(text), err)
}

// Strongest returns the code of a text with the best error correction that fits. The parameter `most` is the maximum number of modules on a
// side. If the codes of the three best levels are larger, Strongest returns the code of Encode, which may be larger than `most`.
func Strongest(text string, most int) (*Code, error) {
	for _, level := range []qr.ErrorCorrectionLevel{qr.H, qr.Q, qr.M} {
		if code, err := qr.Encode(text, level, qr.Auto); err == nil && code.Bounds().Dx() <= most {
			return modules(code), nil
		}
	}
	return Encode(text)
}

func modules(code image.Image) *Code {
	n := code.Bounds().Dx()
	c := &Code{Side: n, dark: make([]bool, n*n)}
	for y := range n {
		for x := range n {
			r, _, _, _ := code.At(x, y).RGBA()
			c.dark[y*n+x] = r == 0
		}
	}
	return c
}

// Runs calls the function `do` for each horizontal run of dark modules. A run is in row y, from column x to the column before `end`.
func (c *Code) Runs(do func(x, end, y int)) {
	for y := range c.Side {
		row := c.dark[y*c.Side : (y+1)*c.Side]
		for x := 0; x < c.Side; x++ {
			begin := x
			for x < c.Side && row[x] {
				x++
			}
			if x > begin {
				do(begin, x, y)
			}
		}
	}
}
