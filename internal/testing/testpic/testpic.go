// Package testpic draws pictures for tests and measurements of the encoders and the scaler. It has a dashboard, a substitute for a
// photograph, random noise, and small pictures for edge cases. Each function always returns the same picture for the same arguments.
package testpic

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Dashboard draws a wall with cards, numbers, labels, a chart, a list and a gradient. Like a real wall, it has large text on flat colors,
// small text and thin lines.
func Dashboard(width, height int) *image.RGBA {
	d := &drawing{RGBA: image.NewRGBA(image.Rect(0, 0, width, height))}
	d.fill(d.Bounds(), color.RGBA{18, 22, 30, 255})
	const cols, rows = 4, 3
	for i := range cols * rows {
		x, y := i%cols, i/cols
		cell := image.Rect(x*width/cols, y*height/rows, (x+1)*width/cols, (y+1)*height/rows)
		d.card(i, cell.Inset(max(1, height/90)))
	}
	return d.RGBA
}

// Clock returns the area that [Tick] draws on a [Dashboard] of the given size. It is about 2 % of the picture.
func Clock(width, height int) image.Rectangle {
	return image.Rect(width/24, height/12, width/24+width*16/100, height/12+height*12/100)
}

// Tick draws the time of the given second into the first card. It changes nothing outside of [Clock].
func Tick(pic *image.RGBA, second int) {
	r := Clock(pic.Rect.Dx(), pic.Rect.Dy())
	d := &drawing{pic.SubImage(r).(*image.RGBA)}
	d.fill(r, cardColor(0))
	// The text of eight characters is about four times as wide as high.
	size := min(float64(r.Dy())*0.75, float64(r.Dx())/4.5)
	d.text(gobold.TTF, fmt.Sprintf("%02d:%02d:%02d", 12+second/3600%12, second/60%60, second%60),
		r.Min.X, r.Max.Y-r.Dy()/5, size, color.RGBA{255, 255, 255, 255})
}

// Photo draws a picture with the statistics of a photograph: smooth light, texture at every scale, edges and noise. The caller owns it.
func Photo(width, height int) *image.RGBA {
	size := image.Pt(width, height)
	known, ok := photos.Load(size)
	if !ok {
		known, _ = photos.LoadOrStore(size, photo(width, height))
	}
	m := *known.(*image.RGBA)
	m.Pix = bytes.Clone(m.Pix)
	return &m
}

// `photos` contains the results of Photo by size, because computing a picture takes longer than most tests.
var photos sync.Map

func photo(width, height int) *image.RGBA {
	pic := image.NewRGBA(image.Rect(0, 0, width, height))
	noise := uint32(1)
	for y := range height {
		for x := range width {
			noise = noise*1664525 + 1013904223
			grain := float64(int32(noise)>>24) / 24
			fx, fy := float64(x)/300, float64(y)/300
			v := 128 + 60*math.Sin(fx+2*math.Sin(fy*1.3)) + 22*math.Sin(7*fx*fy) + 9*math.Sin(31*fx+17*fy) + grain
			if math.Hypot(fx-2.2, fy-1.7) < 0.9 {
				v = 235 - 0.6*v
			}
			w := 40 * math.Sin(fy*2+fx)
			pic.SetRGBA(x, y, color.RGBA{clamp(v + w), clamp(v), clamp(v - w + 10*math.Sin(fx*5)), 255})
		}
	}
	return pic
}

func clamp(v float64) uint8 { return uint8(min(max(v, 0), 255)) }

// Noise draws a picture of random bytes, the worst case for any encoder.
func Noise(width, height int, seed uint32) *image.RGBA {
	pic := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range pic.Pix {
		seed = seed*1664525 + 1013904223
		pic.Pix[i] = uint8(seed >> 24)
		if i%4 == 3 {
			pic.Pix[i] = 255
		}
	}
	return pic
}

// PSNR returns the peak signal-to-noise ratio over red, green and blue in dB. For equal pictures it returns +Inf.
func PSNR(a, b image.Image) float64 {
	x, y := flat(a), flat(b)
	var sum float64
	for i := range x {
		if i%4 != 3 {
			d := float64(int(x[i]) - int(y[i]))
			sum += d * d
		}
	}
	return 10 * math.Log10(255*255*float64(len(x)/4*3)/sum)
}

// flat() returns the pixels of a picture in the layout of image.RGBA.
func flat(m image.Image) []uint8 {
	size := m.Bounds().Size()
	rgba, ok := m.(*image.RGBA)
	if !ok || rgba.Stride != 4*size.X {
		rgba = image.NewRGBA(image.Rectangle{Max: size})
		draw.Draw(rgba, rgba.Rect, m, m.Bounds().Min, draw.Src)
	}
	return rgba.Pix[:4*size.X*size.Y]
}

type drawing struct{ *image.RGBA }

func (d *drawing) fill(r image.Rectangle, c color.RGBA) {
	draw.Draw(d.RGBA, r, image.NewUniform(c), image.Point{}, draw.Src)
}

func (d *drawing) text(ttf []byte, s string, x, y int, size float64, c color.RGBA) {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(err) // the font is part of the program
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: max(size, 1), DPI: 72})
	if err != nil {
		panic(err)
	}
	w := font.Drawer{Dst: d.RGBA, Src: image.NewUniform(c), Face: face, Dot: fixed.P(x, y)}
	w.DrawString(s)
}

var accents = []color.RGBA{
	{255, 255, 255, 255}, {255, 82, 82, 255}, {80, 200, 120, 255}, {90, 160, 255, 255}, {255, 196, 0, 255},
}

func cardColor(i int) color.RGBA {
	return []color.RGBA{{30, 36, 48, 255}, {38, 50, 56, 255}, {27, 38, 59, 255}, {48, 32, 44, 255}}[i%4]
}

func (d *drawing) card(i int, r image.Rectangle) {
	d.fill(r, cardColor(i))
	h := float64(r.Dy())
	accent := accents[i%len(accents)]
	left := r.Min.X + r.Dx()/16
	labels := []string{"Living room", "Outside", "Power", "Departures", "Calendar", "Network"}
	d.text(goregular.TTF, labels[i%len(labels)], left, r.Min.Y+int(h*0.13), h*0.09, color.RGBA{160, 170, 180, 255})
	switch i % 4 {
	case 0:
		d.text(gobold.TTF, fmt.Sprintf("%d:%02d", 12+i, 7*i), left, r.Min.Y+int(h*0.62), h*0.42, accent)
	case 1:
		d.text(gobold.TTF, fmt.Sprintf("%d.%d°C", 21-i, i), left, r.Min.Y+int(h*0.6), h*0.34, accent)
		d.text(goregular.TTF, "feels like 17°, wind 12 km/h west", left, r.Min.Y+int(h*0.8), h*0.07, accent)
	case 2:
		d.chart(r, accent)
	case 3:
		for n := range 7 {
			line := fmt.Sprintf("%02d:%02d   S%d  Central station, platform %d", 8+n, 7*n, n+1, n*3%8)
			d.text(goregular.TTF, line, left, r.Min.Y+int(h*(0.27+0.1*float64(n))), h*0.06, accents[n%len(accents)])
		}
	}
}

// chart() draws a grid of thin lines, a curve and a bar with a gradient.
func (d *drawing) chart(r image.Rectangle, c color.RGBA) {
	plot := image.Rect(r.Min.X+r.Dx()/16, r.Min.Y+r.Dy()/5, r.Max.X-r.Dx()/16, r.Max.Y-r.Dy()/4)
	if plot.Empty() {
		return
	}
	for n := range 6 {
		y := plot.Min.Y + n*plot.Dy()/6
		d.fill(image.Rect(plot.Min.X, y, plot.Max.X, y+1), color.RGBA{70, 78, 90, 255})
	}
	for x := plot.Min.X; x < plot.Max.X; x++ {
		t := float64(x-plot.Min.X) / float64(plot.Dx())
		y := plot.Min.Y + int((0.5+0.35*math.Sin(9*t)*math.Cos(3*t))*float64(plot.Dy()))
		d.fill(image.Rect(x, y, x+1, y+2), c)
		g := uint8(40 + 200*t)
		d.fill(image.Rect(x, plot.Max.Y+4, x+1, plot.Max.Y+4+r.Dy()/12), color.RGBA{g, c.G / 2, 255 - g, 255})
	}
}
