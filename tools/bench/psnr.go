//go:build linux

package main

import (
	"image"
	"math"
)

// psnrCase is the PSNR of our scaler to the reference, in hundredths of a dB.
func psnrCase(p pictures, arg string) operation {
	return func() int { psnr, _ := fidelity(p, arg); return int(psnr * hundredths) }
}

// errorCase is the largest difference to the reference, in hundredths of a level.
func errorCase(p pictures, arg string) operation {
	return func() int { _, worst := fidelity(p, arg); return int(worst * hundredths) }
}

func fidelity(p pictures, arg string) (psnr, worst float64) {
	s, dst, src := scaler(p, arg)
	s.Scale(dst, dst.Rect, src)
	sum := 0.0
	want := reference(src, dst.Rect.Size())
	for i, w := range want {
		d := math.Abs(float64(dst.Pix[i]) - w)
		sum += d * d
		worst = max(worst, d)
	}
	return 10 * math.Log10(255*255*float64(len(want))/sum), worst
}

// A triangle is what one destination pixel is made of in one direction: source pixels from first on, with weights.
type triangle struct {
	first   int
	weights []float64
}

// triangles is the filter in floating point: two points down to 3:2 (see the package comment of bilinear), area beyond.
func triangles(dst, src int, point bool) []triangle {
	scale := float64(src) / float64(dst)
	reach := max(1, scale)
	if point {
		reach = 1
	}
	all := make([]triangle, dst)
	for i := range all {
		c := (float64(i)+0.5)*scale - 0.5
		if point {
			c = min(max(c, 0), float64(src-1))
		}
		first, last := max(0, int(math.Ceil(c-reach))), min(src-1, int(math.Floor(c+reach)))
		t := triangle{first: first, weights: make([]float64, last-first+1)}
		sum := 0.0
		for j := range t.weights {
			t.weights[j] = max(0, reach-math.Abs(float64(first+j)-c))
			sum += t.weights[j]
		}
		for j := range t.weights {
			t.weights[j] /= sum
		}
		all[i] = t
	}
	return all
}

// reference scales src without rounding: four channels a pixel.
func reference(src *image.RGBA, size image.Point) []float64 {
	point := 2*width <= 3*size.X && 2*height <= 3*size.Y
	across, down := triangles(size.X, width, point), triangles(size.Y, height, point)
	rows := make([][]float64, height)
	for y := range rows {
		rows[y] = make([]float64, 4*size.X)
		for x, t := range across {
			for j, w := range t.weights {
				addPixel(rows[y][4*x:4*x+4], w, src.Pix[src.PixOffset(t.first+j, y):])
			}
		}
	}
	out := make([]float64, 0, 4*size.X*size.Y)
	for _, t := range down {
		row := make([]float64, 4*size.X)
		for j, w := range t.weights {
			for i, v := range rows[t.first+j] {
				row[i] += w * v
			}
		}
		out = append(out, row...)
	}
	return out
}

func addPixel(sum []float64, weight float64, pixel []byte) {
	for c := range sum {
		sum[c] += weight * float64(pixel[c])
	}
}
