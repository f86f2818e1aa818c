package picture

import (
	"image"
	"testing"

	"pgregory.net/rapid"
)

func TestPlace(t *testing.T) {
	box := image.Pt(200, 100)
	tests := []struct {
		name      string
		size      image.Point
		box       image.Point
		fit       Fit
		virt      image.Point
		win, rect image.Rectangle
	}{
		{"contain wide", image.Pt(400, 100), box, Contain, image.Pt(200, 50), image.Rect(0, 0, 200, 50), image.Rect(0, 25, 200, 75)},
		{"contain tall", image.Pt(100, 400), box, Contain, image.Pt(25, 100), image.Rect(0, 0, 25, 100), image.Rect(87, 0, 112, 100)},
		{"contain enlarges", image.Pt(10, 10), box, Contain, image.Pt(100, 100), image.Rect(0, 0, 100, 100), image.Rect(50, 0, 150, 100)},
		{"contain truncates", image.Pt(300, 200), image.Pt(100, 100), Contain, image.Pt(100, 66), image.Rect(0, 0, 100, 66), image.Rect(0, 17, 100, 83)},
		{"contain never vanishes", image.Pt(10000, 1), box, Contain, image.Pt(200, 1), image.Rect(0, 0, 200, 1), image.Rect(0, 49, 200, 50)},
		{"cover wide", image.Pt(400, 100), box, Cover, image.Pt(400, 100), image.Rect(100, 0, 300, 100), image.Rect(0, 0, 200, 100)},
		{"cover tall", image.Pt(100, 100), box, Cover, image.Pt(200, 200), image.Rect(0, 50, 200, 150), image.Rect(0, 0, 200, 100)},
		{"cover top left", image.Pt(100, 100), box, CoverTopLeft, image.Pt(200, 200), image.Rect(0, 0, 200, 100), image.Rect(0, 0, 200, 100)},
		{"stretch", image.Pt(3, 7), box, Stretch, box, image.Rect(0, 0, 200, 100), image.Rect(0, 0, 200, 100)},
		{"legacy keeps the ratio", image.Pt(400, 100), box, Legacy, image.Pt(200, 50), image.Rect(0, 0, 200, 50), image.Rect(0, 25, 200, 75)},
		{"legacy stretches at equal width", image.Pt(200, 100), image.Pt(200, 200), Legacy, image.Pt(200, 200), image.Rect(0, 0, 200, 200), image.Rect(0, 0, 200, 200)},
		{"legacy stretches at equal height", image.Pt(50, 100), box, Legacy, box, image.Rect(0, 0, 200, 100), image.Rect(0, 0, 200, 100)},
		{"legacy shrinks the larger side", image.Pt(200, 400), box, Legacy, image.Pt(50, 100), image.Rect(0, 0, 50, 100), image.Rect(75, 0, 125, 100)},
		{"preserve", image.Pt(4000, 3000), image.Pt(131, 98), Preserve, image.Pt(130, 97), image.Rect(0, 0, 130, 97), image.Rect(0, 0, 130, 97)},
		{"contain is as large as its box", image.Pt(4000, 3000), image.Pt(131, 98), Contain, image.Pt(130, 98), image.Rect(0, 0, 130, 98), image.Rect(0, 0, 130, 98)},
		{"exact", box, box, Contain, box, image.Rect(0, 0, 200, 100), image.Rect(0, 0, 200, 100)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := place(tt.size, tt.box, tt.fit)
			if want := (placement{tt.virt, tt.win, tt.rect}); got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

// TestPlaceStaysInside checks for all sizes that placement.win lies inside the scaled picture, and placement.rect inside the box.
func TestPlaceStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, MaxPixels)
		w := side.Draw(t, "w")
		size := image.Pt(w, rapid.IntRange(1, max(1, MaxPixels/w)).Draw(t, "h"))
		small := rapid.IntRange(1, MaxSide)
		box := image.Pt(small.Draw(t, "bw"), small.Draw(t, "bh"))
		fit := Fit(rapid.IntRange(int(Contain), int(Preserve)).Draw(t, "fit"))
		pl := place(size, box, fit)
		if !pl.win.In(image.Rectangle{Max: pl.virt}) || pl.win.Empty() || pl.win.Size() != pl.rect.Size() ||
			!pl.rect.In(image.Rectangle{Max: box}) {
			t.Fatalf("got %+v for %v in %v", pl, size, box)
		}
		if full := (image.Rectangle{Max: box}); fit != Contain && fit != Legacy && fit != Preserve && pl.rect != full {
			t.Fatalf("got %v, want the whole box %v", pl.rect, full)
		}
	})
}
