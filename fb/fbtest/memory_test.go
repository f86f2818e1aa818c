package fbtest

import (
	"image"
	"testing"

	"dashboard/fb"
)

// The functions below make the most common mistakes of framebuffer programs. ignoreStride assumes that rows are only as long as the
// picture. offsetWithoutFarCorner uses the offset for the start of the window, but not for its end.
func ignoreStride(g fb.Geometry) fb.Geometry {
	g.Stride = g.Width * g.Format.BytesPerPixel()
	return g
}

func offsetWithoutFarCorner(g fb.Geometry) fb.Geometry {
	g.Width -= g.XOffset
	g.Height -= g.YOffset
	return g
}

func ignoreOffset(g fb.Geometry) fb.Geometry {
	g.XOffset, g.YOffset = 0, 0
	return g
}

// TestMistakesAreFound: if a driver makes one of these mistakes, Same or CheckGuards returns an error. Without a mistake, both return
// nil.
func TestMistakesAreFound(t *testing.T) {
	g := fb.Geometry{
		Width: 20, Height: 10, XOffset: 3, YOffset: 2, VirtualWidth: 30, VirtualHeight: 20,
		Stride: 140, Format: fb.XRGB8888,
	}
	for _, test := range []struct {
		name    string
		mistake func(fb.Geometry) fb.Geometry
		found   bool
	}{
		{"none", func(g fb.Geometry) fb.Geometry { return g }, false},
		{"stride ignored", ignoreStride, true},
		{"far corner not moved", offsetWithoutFarCorner, true},
		{"offset ignored", ignoreOffset, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := NewMemory(g)
			believed, err := m.Geometry()
			if err != nil {
				t.Fatal(err)
			}
			want := Pattern(image.Rect(0, 0, g.Width, g.Height), 1)
			write(m.Pixels(), test.mistake(believed), want)
			shown, guards := Same(m.Shown(), want), m.CheckGuards()
			if got := shown != nil || guards != nil; got != test.found {
				t.Errorf("got picture %v and guards %v, want found %v", shown, guards, test.found)
			}
		})
	}
}

// write is a simple driver for XRGB8888. It writes a picture to the memory of a framebuffer.
func write(mem []byte, g fb.Geometry, m *image.RGBA) {
	for y := range g.Height {
		for x := range g.Width {
			c := m.RGBAAt(x, y)
			copy(mem[(y+g.YOffset)*g.Stride+(x+g.XOffset)*4:], []byte{c.B, c.G, c.R, 255})
		}
	}
}

func TestGuards(t *testing.T) {
	g := fb.Geometry{Width: 4, Height: 2, XOffset: 1, YOffset: 1, VirtualWidth: 6, VirtualHeight: 4, Stride: 16, Format: fb.RGB565}
	visible := 0
	for i := range NewMemory(g).Pixels() {
		m := NewMemory(g)
		m.Pixels()[i] = 0
		if m.CheckGuards() == nil {
			visible++
		}
	}
	if want := 4 * 2 * 2; visible != want {
		t.Errorf("got %d bytes that may be written, want %d", visible, want)
	}
	m := NewMemory(g)
	m.guarded[margin-1] = 0
	if m.CheckGuards() == nil {
		t.Error("byte before the memory: got no error")
	}
}
