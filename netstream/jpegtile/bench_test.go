package jpegtile

import (
	"bytes"
	"image"
	"image/jpeg"
	"testing"

	"dashboard/internal/testing/testpic"
)

func benchPictures() map[string]*image.RGBA {
	return map[string]*image.RGBA{
		"dashboard": testpic.Dashboard(1920, 1080),
		"photo":     testpic.Photo(1920, 1080),
	}
}

func BenchmarkEncode(b *testing.B) {
	for name, pic := range benchPictures() {
		b.Run(name+"/peer=image-jpeg", func(b *testing.B) {
			var w bytes.Buffer
			for b.Loop() {
				w.Reset()
				if err := jpeg.Encode(&w, pic, &jpeg.Options{Quality: 85}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(w.Len()), "file-bytes")
		})
		for _, chroma := range []Chroma{Chroma420, Chroma444} {
			for _, change := range []struct {
				name string
				rect image.Rectangle
			}{
				{"all", pic.Rect},
				{"eighth", image.Rect(0, 480, 1920, 615)},
				{"clock", testpic.Clock(1920, 1080)},
			} {
				b.Run(name+"/"+chroma.String()+"/"+change.name, func(b *testing.B) {
					benchUpdate(b, pic, Options{85, chroma}, change.rect, false)
				})
				b.Run(name+"/"+chroma.String()+"/"+change.name+"/portable", func(b *testing.B) {
					benchUpdate(b, pic, Options{85, chroma}, change.rect, true)
				})
			}
		}
	}
}

// benchUpdate measures encoding the tiles of a rectangle and building the file.
func benchUpdate(b *testing.B, pic *image.RGBA, o Options, r image.Rectangle, plain bool) {
	e := encoder(b, pic, o)
	if plain {
		e.c.kernel = portable{}
	}
	file := e.AppendTo(nil)
	damage := []image.Rectangle{r}
	b.ReportAllocs()
	for b.Loop() {
		e.Update(pic, damage...)
		file = e.AppendTo(file[:0])
	}
	b.ReportMetric(float64(len(file)), "file-bytes")
}
