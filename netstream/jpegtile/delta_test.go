package jpegtile

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"testing"

	"dashboard/internal/testing/testpic"
)

// TestDeltaEqualsFullPicture copies the pieces of a delta over the old picture. The result must be the new picture.
func TestDeltaEqualsFullPicture(t *testing.T) {
	eachSize(t, func(t *testing.T, pic *image.RGBA, o Options) {
		e := encoder(t, pic, o)
		shown := image.NewRGBA(pic.Rect)
		draw.Draw(shown, shown.Rect, decode(t, e.AppendTo(nil)), image.Point{}, draw.Src)
		for step := range uint32(4) {
			w, h := pic.Rect.Dx(), pic.Rect.Dy()
			r := image.Rect(int(step)*w/5, h/3, w, h)
			draw.Draw(pic, r, testpic.Noise(w, h, step), r.Min, draw.Src)
			tiles := slices.Clone(e.Update(pic, r))
			delta, err := e.AppendDelta(nil, tiles)
			if err != nil {
				t.Fatal(err)
			}
			paste(t, e, shown, delta, tiles)
			want := decode(t, e.AppendTo(nil))
			if at, ok := firstDifference(shown, want); !ok {
				t.Fatalf("step %d: pixel %v differs", step, at)
			}
		}
	})
}

func paste(t *testing.T, e *Encoder, dst *image.RGBA, delta []byte, tiles []int) {
	t.Helper()
	img := decode(t, delta)
	if w, h := e.DeltaSize(len(tiles)); img.Bounds() != image.Rect(0, 0, w, h) {
		t.Fatalf("delta: got %v, want %dx%d", img.Bounds(), w, h)
	}
	for _, p := range e.AppendPieces(nil, tiles) {
		draw.Draw(dst, p.To, img, p.From, draw.Src)
	}
}

func firstDifference(a *image.RGBA, b image.Image) (image.Point, bool) {
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			if a.RGBAAt(x, y) != color.RGBAModel.Convert(b.At(x, y)) {
				return image.Pt(x, y), false
			}
		}
	}
	return image.Point{}, true
}

func TestDeltaBounds(t *testing.T) {
	e, err := New(64, 64, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.AppendDelta(nil, nil); err == nil {
		t.Error("a delta of nothing: got no error")
	}
	if _, err := e.AppendDelta(nil, make([]int, e.MaxDelta()+1)); err == nil {
		t.Error("a delta higher than a JPEG can be: got no error")
	}
}

// TestClockTickIsSmall: the delta of a clock's tick has at most 5 % of the file's bytes.
func TestClockTickIsSmall(t *testing.T) {
	for _, size := range [][2]int{{1920, 1080}, {1366, 768}} {
		for _, chroma := range []Chroma{Chroma420, Chroma444} {
			pic := testpic.Dashboard(size[0], size[1])
			testpic.Tick(pic, 10)
			e := encoder(t, pic, Options{85, chroma})
			testpic.Tick(pic, 11)
			tiles := e.Update(pic, testpic.Clock(size[0], size[1]))
			delta, err := e.AppendDelta(nil, tiles)
			if err != nil {
				t.Fatal(err)
			}
			share := float64(len(delta)) / float64(e.Size())
			t.Logf("%v %v: %d tiles, %d of %d bytes, %.3f", size, chroma, len(tiles), len(delta), e.Size(), share)
			if share > 0.05 {
				t.Errorf("%v %v: got %.3f of the file, want at most 0.05", size, chroma, share)
			}
		}
	}
}

// TestLayoutCoversPicture: each pixel belongs to exactly one tile, and AppendTiles returns this tile for the pixel.
func TestLayoutCoversPicture(t *testing.T) {
	for _, size := range sizes {
		for _, chroma := range []Chroma{Chroma420, Chroma444} {
			l, err := NewLayout(size[0], size[1], chroma)
			if err != nil {
				t.Fatal(err)
			}
			owner := make(map[image.Point]int)
			for i := range l.Tiles() {
				first, second := l.TileRects(i)
				for _, r := range []image.Rectangle{first, second} {
					for y := r.Min.Y; y < r.Max.Y; y++ {
						for x := r.Min.X; x < r.Max.X; x++ {
							if _, twice := owner[image.Pt(x, y)]; twice {
								t.Fatalf("%v %v: (%d,%d) is in two tiles", size, chroma, x, y)
							}
							owner[image.Pt(x, y)] = i
						}
					}
				}
			}
			if len(owner) != size[0]*size[1] {
				t.Errorf("%v %v: got %d pixels in tiles, want %d", size, chroma, len(owner), size[0]*size[1])
			}
			checkAppendTiles(t, &l, owner)
		}
	}
}

func checkAppendTiles(t *testing.T, l *Layout, owner map[image.Point]int) {
	t.Helper()
	w, h := l.Bounds().Dx(), l.Bounds().Dy()
	for step := range uint32(30) {
		at := step * 2654435761
		rects := []image.Rectangle{
			image.Rect(int(at>>8)%w, int(at>>16)%h, int(at>>4)%w+1, int(at>>12)%h+1),
			image.Rect(int(at>>9)%w-5, int(at>>17)%h-5, int(at>>5)%w+9, int(at>>13)%h+3),
			image.Rect(w, 0, w+5, h),
		}
		hit := map[int]bool{}
		for p, i := range owner {
			if p.In(rects[0]) || p.In(rects[1]) {
				hit[i] = true
			}
		}
		want := []int{7, -1}
		for i := range l.Tiles() {
			if hit[i] {
				want = append(want, i)
			}
		}
		if got := l.AppendTiles([]int{7, -1}, rects...); !slices.Equal(got, want) {
			t.Fatalf("%dx%d %v: got %v, want %v", w, h, rects, got, want)
		}
	}
}

func ExampleLayout_TileRects() {
	l, _ := NewLayout(1366, 768, Chroma420) // 86 MCUs in a row, 8 in a tile
	fmt.Println(l.Tiles())
	fmt.Println(l.TileRects(0))
	fmt.Println(l.TileRects(10))
	// Output:
	// 516
	// (0,0)-(128,16) (0,0)-(0,0)
	// (1280,0)-(1366,16) (0,16)-(32,32)
}
