package picture

import (
	"image"
	"image/color"

	"dashboard/internal/stable"
)

// PaletteColors is the number of colors that Palette returns.
const PaletteColors = 5

// Limits for the search for the main colors.
const (
	paletteSide   = 64 // samples in each row and in each column
	paletteRounds = 8
)

// Palette returns the main colors of a picture, the most frequent first. The result depends only on the picture, because the search always
// starts with the samples on the diagonal.
func Palette(m *image.RGBA) (colors [PaletteColors]color.RGBA) {
	if m == nil || m.Rect.Empty() {
		return colors
	}
	samples := make([][3]int32, 0, paletteSide*paletteSide)
	for i := range paletteSide * paletteSide {
		x := m.Rect.Min.X + (2*(i%paletteSide)+1)*m.Rect.Dx()/(2*paletteSide)
		y := m.Rect.Min.Y + (2*(i/paletteSide)+1)*m.Rect.Dy()/(2*paletteSide)
		p := m.Pix[m.PixOffset(x, y):]
		samples = append(samples, [3]int32{int32(p[0]), int32(p[1]), int32(p[2])})
	}
	var middle [PaletteColors][3]int32
	for k := range middle {
		at := (2*k + 1) * paletteSide / (2 * PaletteColors)
		middle[k] = samples[at*paletteSide+at]
	}
	var sum [PaletteColors][4]int32
	for range paletteRounds {
		sum = [PaletteColors][4]int32{}
		for _, s := range samples {
			k := nearest(&middle, s)
			sum[k][0], sum[k][1], sum[k][2], sum[k][3] = sum[k][0]+s[0], sum[k][1]+s[1], sum[k][2]+s[2], sum[k][3]+1
		}
		for k := range middle {
			if n := sum[k][3]; n > 0 {
				middle[k] = [3]int32{sum[k][0] / n, sum[k][1] / n, sum[k][2] / n}
			}
		}
	}
	order := [PaletteColors]int{0, 1, 2, 3, 4}
	stable.Sort(order[:], func(a, b int) int { return int(sum[b][3] - sum[a][3]) })
	for i, k := range order {
		colors[i] = color.RGBA{uint8(middle[k][0]), uint8(middle[k][1]), uint8(middle[k][2]), 255}
	}
	return colors
}

// nearest() returns the index of the color that is most similar to the sample s. Green has the greatest weight, because eyes are most
// sensitive to green.
func nearest(middle *[PaletteColors][3]int32, s [3]int32) (best int) {
	least := int32(1 << 30)
	for k, m := range middle {
		r, g, b := s[0]-m[0], s[1]-m[1], s[2]-m[2]
		if d := 2*r*r + 4*g*g + 3*b*b; d < least {
			best, least = k, d
		}
	}
	return best
}
