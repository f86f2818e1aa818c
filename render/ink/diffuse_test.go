package ink

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"

	"dashboard/internal/testing/testpic"
)

// plain() returns a dither that diffuses pixel by pixel and compares all inks for each pixel.
func plain(p *Palette, size image.Point) *dither {
	d := newDither(p, size, Diffuse)
	d.floyd = nil
	for i := range d.errors {
		d.errors[i] = make([]light, size.X+2*margin)
	}
	return &d
}

// speckled() returns noise that contains pure black and pure white pixels. These pixels use no error and pass no error on.
func speckled(w, h int, rnd *rand.Rand) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		c := color.RGBA{uint8(rnd.Uint32()), uint8(rnd.Uint32()), uint8(rnd.Uint32()), 255}
		switch rnd.IntN(12) {
		case 0:
			c = color.RGBA{A: 255}
		case 1:
			c = color.RGBA{255, 255, 255, 255}
		case 2, 3:
			c.R, c.G = 255, 0
		}
		m.SetRGBA(i%w, i/w, c)
	}
	return m
}

// TestCellsAreSmall checks the memory for the nearest inks: at most 60 kB for each palette of a display.
func TestCellsAreSmall(t *testing.T) {
	for _, name := range Names() {
		p, _ := Named(name)
		if d := newDither(p, image.Pt(8, 8), Diffuse); d.floyd != nil {
			if n := len(d.floyd.cells.choice); n > 60<<10 {
				t.Errorf("%s: got a table of %d bytes", name, n)
			}
		}
	}
}

// sameInks compares the fast dither with the plain dither in a rectangle of a frame.
func sameInks(t *testing.T, p *Palette, frame *image.RGBA, r image.Rectangle) {
	t.Helper()
	size := frame.Rect.Size()
	d := newDither(p, size, Diffuse)
	if d.floyd == nil {
		t.Fatalf("%s: no fast way", p.Name)
	}
	got, want := image.NewPaletted(frame.Rect, nil), image.NewPaletted(frame.Rect, nil)
	for range 2 { // dst still holds other values at the start
		d.floyd.draw(got, frame, r)
	}
	plain(p, size).lines(want, frame, r)
	if !bytes.Equal(got.Pix, want.Pix) {
		for i := range got.Pix {
			if got.Pix[i] != want.Pix[i] {
				t.Fatalf("%s: %v of %v: got ink %d, want %d", p.Name, image.Pt(i%size.X, i/size.X), r, got.Pix[i], want.Pix[i])
			}
		}
	}
}

func TestDiffusedAsPlain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"bwr", "bwry", "spectra6", "inky7"} {
		p := named(t, name)
		for _, size := range []image.Point{{1, 1}, {1, 7}, {2, 3}, {17, 9}, {64, 33}} {
			sameInks(t, p, speckled(size.X, size.Y, rnd), image.Rectangle{Max: size})
		}
		photo := testpic.Photo(240, 135)
		sameInks(t, p, photo, photo.Rect)
		sameInks(t, p, photo, image.Rect(31, 7, 172, 96))
		sameInks(t, p, testpic.Dashboard(240, 135), photo.Rect)
	}
}

// Inks may have any colors, for example equal colors, or colors on one line of the color space.
func FuzzDiffused(f *testing.F) {
	f.Add([]byte{0, 0, 0, 255, 255, 255, 255, 0, 0, 255, 0, 0}, uint64(1))
	f.Add([]byte{10, 10, 10, 200, 200, 200, 90, 90, 90, 100, 100, 101, 0, 255, 0, 255, 0, 255}, uint64(2))
	f.Fuzz(func(t *testing.T, looks []byte, seed uint64) {
		n := min(len(looks)/3, 8)
		if n < 3 {
			return
		}
		p := &Palette{Name: "any"}
		for i := range n {
			c := color.RGBA{looks[3*i], looks[3*i+1], looks[3*i+2], 255}
			p.Inks = append(p.Inks, Ink{Looks: c, Pure: c, hue: float64(i)*40 - 1}) // the first hue is neutral
		}
		sameInks(t, p, speckled(23, 17, rand.New(rand.NewPCG(seed, 0))), image.Rect(1, 0, 22, 17))
	})
}

func TestCellsKnowTheNearest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"bwr", "bwry", "spectra6", "inky7"} {
		d := newDither(named(t, name), image.Pt(1, 1), Diffuse)
		c, most := d.floyd.cells, d.floyd.most
		left := 0
		for _, name := range c.choice {
			if name == searched {
				left++
			}
		}
		if left > len(c.choice)/50 {
			t.Errorf("%s: %d of %d cells are searched", name, left, len(c.choice))
		}
		for range 200_000 {
			l := light{rnd.Int32N(most[0] + 1), rnd.Int32N(most[1] + 1), rnd.Int32N(most[2] + 1)}
			at := c.choice[l[0]>>cellBits*c.red+l[1]>>cellBits*c.green+l[2]>>cellBits]
			if at == searched {
				continue
			}
			got := c.choices[at].inks[0]
			if c.choices[at].beyond(l) {
				got = c.choices[at].inks[1]
			}
			if want := nearest(c.inks, l); got != want {
				t.Fatalf("%s: %v: got ink %d, want %d", name, l, got, want)
			}
		}
	}
}

func TestGrayCells(t *testing.T) {
	for _, name := range []string{"bw", "gray4", "gray16", "gray256"} {
		d := newDither(named(t, name), image.Pt(1, 1), Diffuse)
		for v := range int32(unit + 1) {
			if got, want := d.nearest(light{v, v, v}), nearest(d.inks, light{v, v, v}); got != want {
				t.Fatalf("%s: gray %d: got ink %d, want %d", name, v, got, want)
			}
		}
	}
}

// Only photos are dithered. Outside of photos, each pixel becomes the nearest ink.
func TestAroundPhotos(t *testing.T) {
	frame := speckled(40, 20, rand.New(rand.NewPCG(7, 8)))
	all := []Region{
		{Rect: image.Rect(-5, -5, 7, 6), Photo: true}, {Rect: image.Rect(5, 3, 12, 9), Photo: true}, {Rect: image.Rect(6, 4, 8, 6)},
		{Rect: image.Rect(30, 10, 90, 90), Photo: true}, {Rect: image.Rect(20, 15, 10, 17), Photo: true}, {Rect: image.Rect(0, 12, 40, 14), Photo: true},
	}
	p := named(t, "spectra6")
	q := New(p, frame.Rect.Size(), Ordered)
	for n := range len(all) + 1 {
		got, want := q.NewPicture(), q.NewPicture()
		q.Quantize(got, frame, all[:n])
		q.flat(want, frame, frame.Rect)
		for _, r := range all[:n] {
			if at := r.Rect.Intersect(frame.Rect); r.Photo {
				q.photo.draw(want, frame, at)
			} else {
				q.flat(want, frame, at)
			}
		}
		if !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("%d regions: not the same", n)
		}
	}
	covered := image.NewRGBA(frame.Rect)
	draw.Draw(covered, covered.Rect, frame, image.Point{}, draw.Src)
	q = New(p, frame.Rect.Size(), Diffuse)
	q.Quantize(q.NewPicture(), covered, []Region{{Rect: frame.Rect, Photo: true}})
	if q.known != [cacheSize]answer{} {
		t.Error("the flat inks of a photo were looked for")
	}
}

func BenchmarkNewQuantizer(b *testing.B) {
	for _, name := range []string{"spectra6", "gray256"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				New(named(b, name), image.Pt(800, 480), Diffuse)
			}
		})
	}
}
