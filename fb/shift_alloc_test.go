//go:build !race

package fb

import (
	"image"
	"testing"
)

// Partial draws of a moved or dimmed frame allocate nothing.
func TestShiftAllocatesNothing(t *testing.T) {
	g := paddedGeometry(RGB565, 200, 100, 4, image.Point{})
	for _, turn := range []Rotation{0, 90} {
		d, err := New(fakeDevice{g, make([]byte, g.Size)}, Options{TTY: NoTTY, Shift: 4, Rotate: turn})
		if err != nil {
			t.Fatal(err)
		}
		d.tint(0.4, 0.5)
		src, i, way := noise(d.Bounds()), 0, walk(4)
		if n := testing.AllocsPerRun(100, func() {
			i = (i + 1) % len(way)
			d.shiftTo(way[i])
			_ = d.DrawFrame(src, nil)
			_ = d.DrawFrame(src, []image.Rectangle{{Max: image.Pt(9, 9)}})
		}); n != 0 {
			t.Errorf("turned by %d: got %v allocations", turn, n)
		}
	}
}
