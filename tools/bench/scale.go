//go:build linux

package main

import (
	"fmt"
	"image"

	"golang.org/x/image/draw"

	"dashboard/netstream/bilinear"
)

// The sizes that row 2 and row 3 scale to, px: those that are sampled at two points, and those that need area.
var (
	pointSizes = []string{"1366x768", "1280x720", "3840x2160"}
	areaSizes  = []string{"1024x600", "800x480", "480x320"}
)

// scaling is row 2.
func scaling(l *lab) error {
	for _, size := range pointSizes {
		ours, plain := entry("assembly", kernels, "scale "+size), entry("portable", portable, "scale "+size)
		yuv, pix := entry(libyuv, libyuv, "scale "+size), entry(pixman, pixman, "scale "+size)
		ximage, raw := entry("x/image ApproxBiLinear", kernels, "approxbilinear "+size), entry("memcpy of the source", memcpy, "memcpy")
		l.contest(ours, plain, yuv, pix, ximage, raw)
		what := "scale to " + size
		l.against(2, what, ours, yuv, atMost(1))
		if w, _ := sizeOf(size); w < width { // a copy of the source says nothing about enlarging
			l.against(2, what, ours, raw, atMost(2))
		}
		l.beside(2, what, ours, pix)
		l.against(2, what, plain, ximage, atLeast(4))
	}
	return nil
}

// areaScaling is row 3.
func areaScaling(l *lab) error {
	for _, size := range areaSizes {
		ours, plain := entry("assembly", kernels, "scale "+size), entry("portable", portable, "scale "+size)
		ximage, smooth := entry("x/image BiLinear", kernels, "bilinear "+size), entry("pygame smoothscale", pygame, "smoothscale "+size)
		l.contest(ours, plain, ximage, smooth)
		what := "scale to " + size + " by area"
		l.against(3, what, plain, ximage, atLeast(6))
		l.against(3, what, plain, smooth, atMost(1))
		l.against(3, what, ours, smooth, atMost(1))
	}
	return nil
}

// Bounds of row 4.
const (
	leastPSNR   = 56 // dB
	mostError   = 3  // levels, with assembly
	mostPlain   = 2  // levels, without
	hundredths  = 100
	flatQuality = "what flat white becomes at %s"
)

// quality is row 4.
func quality(l *lab) error {
	for _, size := range []string{pointSizes[0], areaSizes[1], areaSizes[2]} {
		for _, e := range []struct {
			where, label string
			most         float64
		}{{kernels, "assembly", mostError}, {portable, "portable", mostPlain}} {
			psnr, err := l.figure(e.where, "psnr "+size)
			if err != nil {
				return err
			}
			worst, err := l.figure(e.where, "error "+size)
			if err != nil {
				return err
			}
			l.table.least(4, fmt.Sprintf("PSNR to a float reference at %s, %s", size, e.label), "%.1f dB", psnr/hundredths, leastPSNR)
			l.table.limit(4, fmt.Sprintf("largest error at %s, %s", size, e.label), "%.1f levels", worst/hundredths, e.most)
		}
		l.flat(size)
	}
	return nil
}

// flat compares what becomes of white.
func (l *lab) flat(size string) {
	ours, err := l.figure(kernels, "flat "+size)
	if err != nil {
		l.table.remark(4, err.Error())
		return
	}
	row := line{number: 4, what: fmt.Sprintf(flatQuality, size), ours: fmt.Sprint(ours), target: "255", verdict: verdict(ours == 255)}
	for _, where := range []string{libyuv, pygame} {
		if got, err := l.figure(where, "flat "+size); err != nil {
			row.peer += where + ": " + err.Error() + " "
		} else {
			row.peer += fmt.Sprintf("%s %g ", where, got)
		}
	}
	l.table.add(row)
}

// scaleCase scales the dashboard with our scaler.
func scaleCase(p pictures, arg string) operation {
	s, dst, src := scaler(p, arg)
	return func() int { s.Scale(dst, dst.Rect, src); return 0 }
}

func scaler(p pictures, arg string) (*bilinear.Scaler, *image.RGBA, *image.RGBA) {
	w, h := sizeOf(arg)
	return bilinear.New(w, h, width, height), image.NewRGBA(image.Rect(0, 0, w, h)), p.read(dashboard)
}

// flatCase scales white and returns the darkest value of the result.
func flatCase(p pictures, arg string) operation {
	s, dst, src := scaler(p, arg)
	for i := range src.Pix {
		src.Pix[i] = 255
	}
	return func() int {
		s.Scale(dst, dst.Rect, src)
		least := uint8(255)
		for _, v := range dst.Pix {
			least = min(least, v)
		}
		return int(least)
	}
}

func approxCase(p pictures, arg string) operation   { return ximage(p, arg, draw.ApproxBiLinear) }
func bilinearCase(p pictures, arg string) operation { return ximage(p, arg, draw.BiLinear) }

func ximage(p pictures, arg string, how draw.Interpolator) operation {
	w, h := sizeOf(arg)
	dst, src := image.NewRGBA(image.Rect(0, 0, w, h)), p.read(dashboard)
	return func() int { how.Scale(dst, dst.Rect, src, src.Rect, draw.Src, nil); return 0 }
}
