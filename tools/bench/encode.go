//go:build linux

package main

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"regexp"
	"strings"

	"dashboard/internal/testing/testpic"
	"dashboard/netstream/jpegtile"
	"dashboard/netstream/pngtile"
)

// jpegQuality is the quality of every JPEG that is measured.
const jpegQuality = 85

// jpegs() measures row 5: encoding whole pictures as JPEG.
func jpegs(l *lab) error {
	for _, pic := range []struct {
		name   string
		factor float64
	}{{dashboard, 5}, {photo, 4}} {
		for _, chroma := range []string{"420", "444"} {
			name := "jpeg " + pic.name + " " + chroma
			ours, plain := entry("assembly", kernels, name+" all"), entry("portable", portable, name+" all")
			turbo, std := entry("libjpeg-turbo", turbojpeg, name), entry("image/jpeg (4:2:0)", kernels, "image/jpeg "+pic.name)
			l.contest(ours, plain, turbo, std)
			l.against(5, name, ours, turbo, atMost(1))
			if chroma == "420" {
				l.against(5, name, plain, std, atLeast(pic.factor))
			} else { // image/jpeg cannot write 4:4:4
				l.beside(5, name, plain, std)
			}
			l.lengths(5, name, ours, turbo, std)
		}
		if err := l.jpegPSNR(pic.name); err != nil {
			return err
		}
	}
	return nil
}

// lengths() adds a line that compares the lengths of the encoded files.
func (l *lab) lengths(number int, what string, ours *entrant, peers ...*entrant) {
	row := line{number: number, what: what + ", bytes", ours: fmt.Sprintf("%.0f", ours.figure)}
	for _, p := range peers {
		if p.err == nil {
			row.peer += fmt.Sprintf("%s %.0f ", p.label, p.figure)
		}
	}
	l.table.add(row)
}

// jpegLine matches the log line of TestNoWorseThanStandardLibrary about a picture.
var jpegLine = regexp.MustCompile(`image/jpeg \d+ B ([0-9.]+) dB; 4:2:0 \d+ B ([0-9.]+) dB`)

// jpegPSNR adds a line to the table with the PSNR of an encoded picture. The test that logs this PSNR also checks it.
func (l *lab) jpegPSNR(pic string) error {
	found, err := l.logged(nil, "./netstream/jpegtile", fmt.Sprintf("^TestNoWorseThanStandardLibrary$/^%s$/^%d$", pic, jpegQuality), jpegLine)
	if err == nil {
		l.table.add(line{number: 5, what: "jpeg " + pic + " 420, PSNR", ours: found[0][2] + " dB", peer: "image/jpeg " + found[0][1] + " dB", target: "≥ peer − 0.05 dB", verdict: verdict(true)})
	}
	return err
}

// jpegParts measures row 6: encoding parts of a picture as JPEG.
func jpegParts(l *lab) error {
	for _, pic := range []struct {
		name   string
		eighth float64
	}{{dashboard, 0.15}, {photo, 0.25}} {
		name := "jpeg " + pic.name + " 420"
		eighth, tick := entry("1/8 changed", kernels, name+" eighth"), entry("clock tick", kernels, name+" tick")
		turbo := entry("libjpeg-turbo, whole", turbojpeg, name)
		l.contest(eighth, tick, turbo)
		l.against(6, name, eighth, turbo, atMost(pic.eighth))
		l.against(6, name, tick, turbo, atMost(0.05))
	}
	return nil
}

// Bounds of row 7, relative to image/png: how many times as fast we encode a whole picture, with and without assembly, the time for an
// eighth of a picture, and the number of bytes.
const (
	pngFaster, pngPlainFaster = 9, 7
	mostEighth                = 0.025
	mostPNGBytes              = 0.95
)

// pngs() measures row 7: encoding pictures as PNG.
func pngs(l *lab) error {
	all, plain := entry("assembly", kernels, "png dashboard all"), entry("portable", portable, "png dashboard all")
	eighth, tick := entry("1/8 changed", kernels, "png dashboard eighth"), entry("clock tick", kernels, "png dashboard tick")
	std := entry("image/png BestSpeed", kernels, "image/png dashboard")
	l.contest(all, plain, eighth, tick, std)
	l.against(7, "png dashboard", all, std, atLeast(pngFaster))
	l.against(7, "png dashboard", plain, std, atLeast(pngPlainFaster))
	l.against(7, "png dashboard", eighth, std, atMost(mostEighth))
	l.beside(7, "png dashboard", tick, std)
	if std.err == nil && all.err == nil {
		l.table.limit(7, fmt.Sprintf("png dashboard, bytes beside BestSpeed's %.0f", std.figure), "%.2fx", all.figure/std.figure, mostPNGBytes)
	}
	return nil
}

// changed() returns the rectangles that the named kind of change covers: an eighth of a picture, a tick of the clock, or everything.
func changed(name string) []image.Rectangle {
	switch name {
	case "eighth":
		return []image.Rectangle{image.Rect(0, 480, width, 480+height/8)}
	case "tick":
		return []image.Rectangle{testpic.Clock(width, height)}
	}
	return []image.Rectangle{image.Rect(0, 0, width, height)}
}

// moments() returns two frames of a picture. They differ by one tick of a clock.
func moments(p pictures, name string) [2]*image.RGBA {
	m := [2]*image.RGBA{p.read(name), p.read(name)}
	testpic.Tick(m[1], 1)
	return m
}

type encoder interface {
	Update(src *image.RGBA, damage ...image.Rectangle) []int
	AppendTo(dst []byte) []byte
}

// coded() returns an operation that encodes the changes between the two frames and builds the file.
func coded(e encoder, frames [2]*image.RGBA, part string) operation {
	e.Update(frames[0], frames[0].Rect)
	file, n, rects := make([]byte, 0, 4<<20), 0, changed(part) // large enough: all files are shorter
	return func() int {
		n++
		e.Update(frames[n&1], rects...)
		file = e.AppendTo(file[:0])
		return len(file)
	}
}

func jpegCase(p pictures, arg string) operation {
	name, rest, _ := strings.Cut(arg, " ")
	chroma, part, _ := strings.Cut(rest, " ")
	o := jpegtile.Options{Quality: jpegQuality, Chroma: jpegtile.Chroma444}
	if chroma == "420" {
		o.Chroma = jpegtile.Chroma420
	}
	e, err := jpegtile.New(width, height, o)
	if err != nil {
		panic(err) // cannot fail: the options are constants
	}
	return coded(e, moments(p, name), part)
}

func pngCase(p pictures, arg string) operation {
	name, part, _ := strings.Cut(arg, " ")
	e, err := pngtile.New(width, height)
	if err != nil {
		panic(err) // cannot fail: the size is constant
	}
	return coded(e, moments(p, name), part)
}

func imageJPEGCase(p pictures, arg string) operation {
	return encoded(p.read(arg), func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, &jpeg.Options{Quality: jpegQuality}) })
}

func imagePNGCase(p pictures, arg string) operation {
	return encoded(p.read(arg), (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode)
}

// encoded() returns an operation that encodes a picture with the standard library.
func encoded(pic image.Image, encode func(io.Writer, image.Image) error) operation {
	var file bytes.Buffer
	return func() int {
		file.Reset()
		_ = encode(&file, pic) // cannot fail: it writes to memory
		return file.Len()
	}
}
