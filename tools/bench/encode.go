//go:build linux

package main

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"strings"

	"dashboard/internal/testpic"
	"dashboard/netstream/jpegtile"
	"dashboard/netstream/pngtile"
)

// jpegQuality is that of every JPEG here.
const jpegQuality = 85

// samePSNR is the difference, in hundredths of a dB, that nobody sees.
const samePSNR = 5

// jpegs is row 5.
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
			} else { // image/jpeg has no 4:4:4
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

// lengths shows how long the files are.
func (l *lab) lengths(number int, what string, ours *entrant, peers ...*entrant) {
	row := line{number: number, what: what + ", bytes", ours: fmt.Sprintf("%.0f", ours.figure)}
	for _, p := range peers {
		if p.err == nil {
			row.peer += fmt.Sprintf("%s %.0f ", p.label, p.figure)
		}
	}
	l.table.add(row)
}

func (l *lab) jpegPSNR(pic string) error {
	ours, err := l.figure(kernels, "jpeg-psnr "+pic)
	if err != nil {
		return err
	}
	std, err := l.figure(kernels, "jpeg-psnr "+pic+" peer")
	if err != nil {
		return err
	}
	l.table.add(line{number: 5, what: "jpeg " + pic + " 420, PSNR", ours: fmt.Sprintf("%.2f dB", ours/hundredths),
		peer: fmt.Sprintf("image/jpeg %.2f dB", std/hundredths), target: "no worse by 0.05 dB", verdict: verdict(ours >= std-samePSNR)})
	return nil
}

// jpegParts is row 6.
func jpegParts(l *lab) error {
	for _, pic := range []struct {
		name   string
		eighth float64
	}{{dashboard, 0.15}, {photo, 0.25}} {
		name := "jpeg " + pic.name + " 420"
		eighth, tick := entry("1/8 of the rows changed", kernels, name+" eighth"), entry("a clock's tick", kernels, name+" tick")
		turbo := entry("libjpeg-turbo, all of it", turbojpeg, name)
		l.contest(eighth, tick, turbo)
		l.against(6, name, eighth, turbo, atMost(pic.eighth))
		l.against(6, name, tick, turbo, atMost(0.05))
	}
	return nil
}

// Bounds of row 7: a whole picture and an eighth of it beside a whole one of image/png, and its bytes.
const (
	pngFaster, pngPlainFaster = 9, 7
	mostEighth                = 0.025
	mostPNGBytes              = 0.95
)

// pngs is row 7.
func pngs(l *lab) error {
	all, plain := entry("assembly", kernels, "png dashboard all"), entry("portable", portable, "png dashboard all")
	eighth, tick := entry("1/8 of the rows changed", kernels, "png dashboard eighth"), entry("a clock's tick", kernels, "png dashboard tick")
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

// changed is a part of a picture, by name.
func changed(name string) []image.Rectangle {
	switch name {
	case "eighth":
		return []image.Rectangle{image.Rect(0, 480, width, 480+height/8)}
	case "tick":
		return []image.Rectangle{testpic.Clock(width, height)}
	}
	return []image.Rectangle{image.Rect(0, 0, width, height)}
}

// jpegCase codes the tiles of a change and puts the file together.
func jpegCase(p pictures, arg string) operation {
	name, rest, _ := strings.Cut(arg, " ")
	chroma, part, _ := strings.Cut(rest, " ")
	o := jpegtile.Options{Quality: jpegQuality, Chroma: jpegtile.Chroma444}
	if chroma == "420" {
		o.Chroma = jpegtile.Chroma420
	}
	pic, rects := p.read(name), changed(part)
	e, err := jpegtile.New(width, height, o)
	if err != nil {
		panic(err) // the options are constants
	}
	e.Update(pic, pic.Rect)
	var file []byte
	return func() int {
		e.Update(pic, rects...)
		file = e.AppendTo(file[:0])
		return len(file)
	}
}

func imageJPEGCase(p pictures, arg string) operation {
	pic := p.read(arg)
	var file bytes.Buffer
	return func() int {
		file.Reset()
		_ = jpeg.Encode(&file, pic, &jpeg.Options{Quality: jpegQuality}) // a buffer takes everything
		return file.Len()
	}
}

// jpegPSNRCase is the PSNR of a decoded JPEG to its picture, in hundredths of a dB.
func jpegPSNRCase(p pictures, arg string) operation {
	name, peer, _ := strings.Cut(arg, " ")
	pic := p.read(name)
	var file bytes.Buffer
	if peer != "" {
		_ = jpeg.Encode(&file, pic, &jpeg.Options{Quality: jpegQuality})
	} else {
		e, err := jpegtile.New(width, height, jpegtile.Options{Quality: jpegQuality, Chroma: jpegtile.Chroma420})
		if err != nil {
			panic(err) // the options are constants
		}
		e.Update(pic, pic.Rect)
		file.Write(e.AppendTo(nil))
	}
	decoded, err := jpeg.Decode(&file)
	if err != nil {
		panic(err) // tests see to that
	}
	psnr := int(hundredths * testpic.PSNR(pic, decoded))
	return func() int { return psnr }
}

// pngCase codes the bands of a change and puts the file together.
func pngCase(p pictures, arg string) operation {
	name, part, _ := strings.Cut(arg, " ")
	pic, rects := p.read(name), changed(part)
	e, err := pngtile.New(width, height)
	if err != nil {
		panic(err) // the size is constant
	}
	e.Update(pic, pic.Rect)
	var file []byte
	return func() int {
		e.Update(pic, rects...)
		file = e.AppendTo(file[:0])
		return len(file)
	}
}

func imagePNGCase(p pictures, arg string) operation {
	pic := p.read(arg)
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	var file bytes.Buffer
	return func() int {
		file.Reset()
		_ = enc.Encode(&file, pic) // a buffer takes everything
		return file.Len()
	}
}
