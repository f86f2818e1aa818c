package walltest

import (
	"image"
	"image/color"
	"image/draw"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"dashboard/internal/locale"
	"dashboard/internal/testing/golden"
	"dashboard/render"
	"dashboard/theme/look"
)

// GoldenGap is the gap between the parts of a golden picture, in px.
const GoldenGap = 10

// LongText is a text that is too long for most cells.
const LongText = "A much longer line of text that has to shrink, and then some more of it"

// TestPicture writes a picture of 160x100 px: a landscape with round and straight edges and a gradient.
func TestPicture(t *testing.T) string {
	t.Helper()
	size := image.Pt(160, 100)
	m := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			m.SetRGBA(x, y, color.RGBA{uint8(90 + x/2), uint8(120 + y), 220, 255})
		}
	}
	c := render.NewCanvas(m)
	c.FillRound(image.Rect(100, 10, 140, 50), render.NewCorner(20, image.Pt(40, 40)), color.RGBA{255, 220, 90, 255})
	c.Fill(image.Rect(0, 70, 160, 100), color.RGBA{70, 120, 60, 255})
	c.Fill(image.Rect(20, 40, 60, 80), color.RGBA{150, 70, 50, 255})
	path := filepath.Join(t.TempDir(), "landscape.png")
	golden.Write(t, path, m)
	return path
}

// A Scene is a newer widget in a cell of a wall, with all data that a test needs to draw the widget.
type Scene struct {
	Size    image.Point
	Picture image.Point // size of the wall, zero means 1280x720
	Widget  string
	Locale  string
	Zone    *time.Location // time zone of the wall, nil means UTC
	Reduced bool           // true to reduce motion
	Fonts   string         // folder with more fonts, for letters that the built-in fonts do not have
	Feed    func(*Data)
	After   time.Duration // time between the first frame and the frame to draw
}

// ModernSheet draws scenes side by side, at night above and by day below, and compares the result with a golden picture.
func ModernSheet(t *testing.T, name string, scenes []Scene) {
	t.Helper()
	var width, height int
	for _, s := range scenes {
		width, height = width+s.Size.X+GoldenGap, max(height, s.Size.Y+GoldenGap)
	}
	m := image.NewRGBA(image.Rect(0, 0, width+GoldenGap, 2*height+GoldenGap))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
	for i, night := range []bool{true, false} {
		at := image.Pt(GoldenGap, GoldenGap+i*height)
		for _, s := range scenes {
			s.draw(t, night, func(frame *image.RGBA) { draw.Draw(m, frame.Rect.Add(at), frame, image.Point{}, draw.Src) })
			at.X += s.Size.X + GoldenGap
		}
	}
	golden.Compare(t, name, m)
}

// draw draws a scene and calls `use` with the frame.
func (s Scene) draw(t *testing.T, night bool, use func(*image.RGBA)) {
	t.Helper()
	l := look.Calm(night)
	ground := Flow(HexOf(l.Colors["background"]))
	ModernBubble(t, "background_color: "+ground+"\nwidgets: ["+s.Widget+"]\n", s, l, func(d *Data) {
		if s.Feed != nil {
			s.Feed(d)
		}
		d.Step(0)
		d.Step(s.After)
		use(d.R.Frame())
	})
}

// HexOf returns a color as #rrggbb.
func HexOf(c color.NRGBA) string {
	const digits = "0123456789abcdef"
	out := []byte{'#'}
	for _, v := range []uint8{c.R, c.G, c.B} {
		out = append(out, digits[v>>4], digits[v&15])
	}
	return string(out)
}

// TestLocale returns the locale for a language. An empty tag means English.
func TestLocale(t testing.TB, tag string) *locale.Locale {
	t.Helper()
	if tag == "" {
		return locale.English()
	}
	if l, ok := locales.Load(tag); ok {
		return l.(*locale.Locale)
	}
	l, err := locale.Load(tag, nil)
	if err != nil {
		t.Fatal(err)
	}
	locales.Store(tag, l)
	return l
}

// `locales` caches the loaded locales by tag.
var locales sync.Map

// DrawIn draws a scene in a look and compares the frame with a golden picture.
func (s Scene) DrawIn(t *testing.T, l *look.Look, name string) {
	t.Helper()
	ground := Flow(HexOf(l.Colors["background"]))
	ModernBubble(t, "background_color: "+ground+"\nwidgets: ["+s.Widget+"]\n", s, l, func(d *Data) {
		if s.Feed != nil {
			s.Feed(d)
		}
		d.Step(0)
		d.Step(s.After)
		golden.Compare(t, name, d.R.Frame())
	})
}
