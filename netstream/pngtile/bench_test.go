package pngtile

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"dashboard/internal/testing/testpic"
)

func BenchmarkEncode(b *testing.B) {
	for _, c := range []struct {
		name string
		pic  *image.RGBA
	}{
		{"dashboard", testpic.Dashboard(1920, 1080)},
		{"photo", testpic.Photo(1920, 1080)},
	} {
		b.Run(c.name+"/peer=image-png", func(b *testing.B) {
			var w bytes.Buffer
			enc := png.Encoder{CompressionLevel: png.BestSpeed}
			for b.Loop() {
				w.Reset()
				if err := enc.Encode(&w, c.pic); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(w.Len()), "file-bytes")
		})
		for _, change := range []struct {
			name string
			rect image.Rectangle
		}{
			{"all", c.pic.Rect},
			{"eighth", image.Rect(0, 480, 1920, 615)},
			{"clock", testpic.Clock(1920, 1080)},
		} {
			b.Run(c.name+"/"+change.name, func(b *testing.B) { benchUpdate(b, c.pic, change.rect) })
		}
	}
}

// benchUpdate measures encoding the bands of a rectangle and building the file.
func benchUpdate(b *testing.B, pic *image.RGBA, r image.Rectangle) {
	e, err := New(pic.Rect.Dx(), pic.Rect.Dy())
	if err != nil {
		b.Fatal(err)
	}
	e.Update(pic, pic.Rect)
	file := e.AppendTo(nil)
	damage := []image.Rectangle{r}
	b.ReportAllocs()
	for b.Loop() {
		e.Update(pic, damage...)
		file = e.AppendTo(file[:0])
	}
	b.ReportMetric(float64(len(file)), "file-bytes")
}
