//go:build linux

package main

import (
	"errors"
	"fmt"
	"image"
	"math"
	"regexp"
	"strconv"

	"golang.org/x/image/draw"

	"dashboard/netstream/bilinear"
)

// Sizes for rows 2 and 3 of docs/benchmarks.md, in px. For pointSizes the scaler uses two source pixels in each direction. For areaSizes
// the scaler averages areas.
var (
	pointSizes = []string{"1366x768", "1280x720", "3840x2160"}
	areaSizes  = []string{"1024x600", "800x480", "480x320"}
)

// scaling measures row 2: scaling with two source pixels in each direction.
func scaling(l *lab) error {
	for _, size := range pointSizes {
		ours, plain := entry("assembly", kernels, "scale "+size), entry("portable", portable, "scale "+size)
		yuv, pix := entry(libyuv, libyuv, "scale "+size), entry(pixman, pixman, "scale "+size)
		ximage, raw := entry("x/image ApproxBiLinear", kernels, "approxbilinear "+size), entry("source memcpy", memcpy, "memcpy")
		l.contest(ours, plain, yuv, pix, ximage, raw)
		what := "scale to " + size
		l.against(2, what, ours, yuv, atMost(1))
		if w, _ := sizeOf(size); w < width { // when a picture is enlarged, a copy of the source is no useful comparison
			l.against(2, what, ours, raw, atMost(2))
		}
		l.beside(2, what, ours, pix)
		l.against(2, what, plain, ximage, atLeast(4))
	}
	return nil
}

// areaScaling measures row 3: scaling that averages areas.
func areaScaling(l *lab) error {
	for _, size := range areaSizes {
		ours, plain := entry("assembly", kernels, "scale "+size), entry("portable", portable, "scale "+size)
		ximage, smooth := entry("x/image BiLinear", kernels, "bilinear "+size), entry("pygame smoothscale", pygame, "smoothscale "+size)
		l.contest(ours, plain, ximage, smooth)
		what := "area scale to " + size
		l.against(3, what, plain, ximage, atLeast(6))
		l.against(3, what, plain, smooth, atMost(1))
		l.against(3, what, ours, smooth, atMost(1))
	}
	return nil
}

// Bounds of row 4 of docs/benchmarks.md.
const (
	leastPSNR = 56 // in dB
	mostError = 2  // maximum error, in levels of a color channel
)

// qualityLine matches the log lines of TestQuality.
var qualityLine = regexp.MustCompile(`PSNR ([0-9.]+) dB, largest error ([0-9.]+)`)

// quality measures row 4: how much the scaler differs from a scaler with floating point numbers, in the worst case of TestQuality.
// TestFlat in the same file checks that flat colors stay exact.
func quality(l *lab) error {
	for label, env := range map[string][]string{"assembly": nil, "portable": {withoutAssembly}} {
		all, err := l.logged(env, "./netstream/bilinear", "^(TestQuality|TestFlat)$", qualityLine)
		if err != nil {
			return err
		}
		least, worst := math.Inf(1), 0.0
		for _, m := range all {
			psnr, err := strconv.ParseFloat(m[1], 64)
			levels, failed := strconv.ParseFloat(m[2], 64)
			if err := errors.Join(err, failed); err != nil {
				return err
			}
			least, worst = min(least, psnr), max(worst, levels)
		}
		l.table.least(4, fmt.Sprintf("least PSNR to a float reference of %d cases, %s", len(all), label), "%.1f dB", least, leastPSNR)
		l.table.limit(4, "largest error, "+label, "%.1f levels", worst, mostError)
	}
	return nil
}

// scaleCase scales the dashboard with our scaler.
func scaleCase(p pictures, arg string) operation {
	w, h := sizeOf(arg)
	s, dst, src := bilinear.New(w, h, width, height), image.NewRGBA(image.Rect(0, 0, w, h)), p.read(dashboard)
	return func() int { s.Scale(dst, dst.Rect, src); return 0 }
}

func approxCase(p pictures, arg string) operation   { return ximage(p, arg, draw.ApproxBiLinear) }
func bilinearCase(p pictures, arg string) operation { return ximage(p, arg, draw.BiLinear) }

func ximage(p pictures, arg string, how draw.Interpolator) operation {
	w, h := sizeOf(arg)
	dst, src := image.NewRGBA(image.Rect(0, 0, w, h)), p.read(dashboard)
	return func() int { how.Scale(dst, dst.Rect, src, src.Rect, draw.Src, nil); return 0 }
}
