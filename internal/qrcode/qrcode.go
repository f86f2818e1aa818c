// Package qrcode makes the modules of a QR code.
package qrcode

import (
	"fmt"
	"image"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/qr"
)

const (
	// MaxSide is the most modules a side: version 40 of ISO/IEC 18004.
	MaxSide = 177
	// Quiet is the number of light modules around a code (section 9.1).
	Quiet = 4
)

// A Code is a square of modules.
type Code struct {
	Side int // modules
	dark []bool
}

// Encode makes a code that survives a share of 15 % that is covered, or of 7 % where the text is long.
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

// Strongest makes the code that survives the most covered modules among those with at most a number of modules a side. A longer text
// gets a larger code.
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

// Runs calls do for each run of dark modules of the code: from x to end in row y, in modules.
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
