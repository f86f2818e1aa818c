package fbtest

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"periph.io/x/conn/v3/display"
)

// colors contains the eight colors that every format with at least one bit for each channel shows exactly.
var colors = []color.RGBA{
	{0, 0, 0, 255}, {255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255},
	{255, 255, 0, 255}, {0, 255, 255, 255}, {255, 0, 255, 255}, {255, 255, 255, 255},
}

// Pattern returns an opaque picture in colors that every format shows exactly. Neighboring pixels differ. Each seed gives another picture.
func Pattern(r image.Rectangle, seed int) *image.RGBA {
	m := image.NewRGBA(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			n := uint32(x*31+y*17+seed*7) * 2654435761 // Knuth's multiplicative hash
			m.SetRGBA(x, y, colors[n>>29])
		}
	}
	return m
}

// TestDrawer tests whether a display obeys the contract of display.Drawer. `open` returns a new display, and a function that returns its
// visible picture, whose top left pixel is at Bounds().Min. `open` is called once for each test. The display must have at least eight
// pixels in each direction. It must show the eight colors whose channels are all 0 or 255, without any deviation.
func TestDrawer(t *testing.T, open func(t *testing.T) (d display.Drawer, shown func() image.Image)) {
	t.Helper()
	for _, test := range drawerTests {
		t.Run(test.name, func(t *testing.T) {
			d, shown := open(t)
			c := &drawerCase{T: t, d: d, shown: shown, want: image.NewRGBA(d.Bounds())}
			if b := d.Bounds(); b.Dx() < 8 || b.Dy() < 8 {
				t.Fatalf("bounds: got %v, want at least 8x8", b)
			}
			c.draw(d.Bounds(), Pattern(d.Bounds(), 0), d.Bounds().Min)
			c.check("first picture")
			test.run(c)
			c.halt()
		})
	}
}

// A drawerCase performs drawing operations on a display, and with image/draw on a picture. It then compares both results.
type drawerCase struct {
	*testing.T
	d     display.Drawer
	shown func() image.Image
	want  *image.RGBA
}

func (c *drawerCase) draw(r image.Rectangle, src image.Image, sp image.Point) {
	c.Helper()
	if err := c.d.Draw(r, src, sp); err != nil {
		c.Fatalf("Draw(%v, %T, %v): %v", r, src, sp, err)
	}
	draw.Draw(c.want, r, src, sp, draw.Src)
}

func (c *drawerCase) check(what string) {
	c.Helper()
	if err := Same(c.shown(), c.want); err != nil {
		c.Fatalf("%s: %v", what, err)
	}
}

func (c *drawerCase) halt() {
	c.Helper()
	for range 2 {
		if err := c.d.Halt(); err != nil {
			c.Errorf("Halt: %v", err)
		}
	}
}

// Same returns nil if the pictures are equal, and otherwise an error with the first pixel that differs.
func Same(got, want image.Image) error {
	if got.Bounds().Size() != want.Bounds().Size() {
		return fmt.Errorf("got size %v, want %v", got.Bounds().Size(), want.Bounds().Size())
	}
	from := want.Bounds().Min.Sub(got.Bounds().Min)
	for y := got.Bounds().Min.Y; y < got.Bounds().Max.Y; y++ {
		for x := got.Bounds().Min.X; x < got.Bounds().Max.X; x++ {
			g := color.RGBAModel.Convert(got.At(x, y))
			w := color.RGBAModel.Convert(want.At(x+from.X, y+from.Y))
			if g != w {
				return fmt.Errorf("pixel %d,%d: got %v, want %v", x, y, g, w)
			}
		}
	}
	return nil
}

var drawerTests = []struct {
	name string
	run  func(*drawerCase)
}{
	{"partial", testPartial},
	{"clipped", testClipped},
	{"nothing to draw", testNothing},
	{"other kinds of images", testKinds},
	{"source is not kept", testNotKept},
	{"names itself", testNames},
}

func testPartial(c *drawerCase) {
	b := c.d.Bounds()
	src := Pattern(image.Rect(-3, 5, b.Dx(), b.Dy()+5), 1)
	for i, r := range []image.Rectangle{
		image.Rect(0, 0, 1, 1), image.Rect(3, 2, 8, 7), image.Rect(1, 1, 6, 2), image.Rect(5, 0, 6, 8),
	} {
		c.draw(r.Add(b.Min), src, src.Rect.Min.Add(image.Pt(i, 0)))
		c.check(fmt.Sprint("rectangle ", r))
	}
}

func testClipped(c *drawerCase) {
	b := c.d.Bounds()
	big := Pattern(b.Inset(-20), 2)
	for _, shift := range []image.Point{{-5, -5}, {5, 5}, {b.Dx() - 2, 0}, {0, b.Dy() - 2}, {-b.Dx() + 1, 3}} {
		c.draw(b.Add(shift), big, big.Rect.Min)
		c.check(fmt.Sprint("shifted by ", shift))
	}
	small := Pattern(image.Rect(0, 0, 3, 2), 3)
	c.draw(b, small, image.Point{})
	c.check("source smaller than the rectangle")
	c.draw(b, small, image.Pt(-4, -3))
	c.check("source that begins late")
}

func testNothing(c *drawerCase) {
	b := c.d.Bounds()
	src := Pattern(b, 4)
	c.draw(image.Rectangle{}, src, b.Min)
	c.draw(b.Add(image.Pt(b.Dx(), 0)), src, b.Min)
	c.draw(b.Sub(image.Pt(0, b.Dy())), src, b.Min)
	c.draw(b, src, b.Max)
	c.draw(b, image.NewRGBA(image.Rectangle{}), image.Point{})
	c.check("empty rectangles")
}

func testKinds(c *drawerCase) {
	b := c.d.Bounds()
	rgba := Pattern(b, 5)
	sub, _ := rgba.SubImage(b.Inset(2)).(*image.RGBA)
	c.draw(b.Inset(2), sub, b.Min.Add(image.Pt(2, 2)))
	c.check("sub-image")
	for _, m := range []draw.Image{
		image.NewNRGBA(b), image.NewRGBA64(b), image.NewPaletted(b, palette()),
	} {
		draw.Draw(m, b, Pattern(b, 6), b.Min, draw.Src)
		c.draw(b.Inset(1), m, b.Min.Add(image.Pt(1, 1)))
		c.check(fmt.Sprintf("%T", m))
	}
	c.draw(b, image.NewUniform(color.White), image.Point{})
	c.check("uniform")
}

func palette() color.Palette {
	p := make(color.Palette, 0, len(colors))
	for _, c := range colors {
		p = append(p, c)
	}
	return p
}

func testNotKept(c *drawerCase) {
	b := c.d.Bounds()
	src := Pattern(b, 7)
	c.draw(b, src, b.Min)
	clear(src.Pix)
	c.draw(image.Rectangle{b.Min, b.Min.Add(image.Pt(1, 1))}, Pattern(b, 8), b.Min)
	c.check("source changed after Draw")
}

func testNames(c *drawerCase) {
	if c.d.String() == "" {
		c.Error("String: got nothing, want a name")
	}
	white := c.d.ColorModel().Convert(color.White)
	if r, g, b, _ := white.RGBA(); r != 0xffff || g != 0xffff || b != 0xffff {
		c.Errorf("ColorModel: got %v for white", white)
	}
}
