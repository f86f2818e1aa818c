package bilinear

import (
	"bytes"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"dashboard/internal/testing/race"
)

// TestRectsAreCuts scales only a part of a picture. The pixels in this part must equal the pixels of the whole scaled picture, and no
// other pixel may be written. The test covers all kernels, both filters, and different strides and origins.
func TestRectsAreCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range shapes {
		src := noise(n[2], n[3], 11)
		for _, k := range sets() {
			s := newScaler(n[0], n[1], n[2], n[3], k, pointNum, pointDen)
			want := image.NewRGBA(image.Rect(0, 0, n[0], n[1]))
			s.Scale(want, want.Rect, src)
			for range 12 {
				checkCut(t, s, want, src, randomRect(r, n[0], n[1]))
			}
		}
	}
}

// randomRect returns a rectangle that may extend beyond w x h, or be empty.
func randomRect(r *rand.Rand, w, h int) image.Rectangle {
	x0, y0 := r.IntN(w+2)-1, r.IntN(h+2)-1
	return image.Rect(x0, y0, x0+r.IntN(w+1), y0+r.IntN(h+1))
}

func checkCut(t *testing.T, s *Scaler, want, src *image.RGBA, dr image.Rectangle) {
	t.Helper()
	const untouched = 0x5a
	dst := &image.RGBA{Stride: want.Stride + 20, Rect: want.Rect}
	dst.Pix = bytes.Repeat([]byte{untouched}, dst.Stride*want.Rect.Dy())
	s.Scale(dst, dr, src)
	for y := range want.Rect.Dy() {
		row := dst.Pix[y*dst.Stride:][:dst.Stride]
		for i, got := range row {
			expect := byte(untouched)
			if image.Pt(i/4, y).In(dr) && i < want.Stride {
				expect = want.Pix[y*want.Stride+i]
			}
			if got != expect {
				t.Fatalf("%s %v to %v, part %v: row %d byte %d: got %d, want %d",
					s.Kernels(), src.Rect.Size(), want.Rect.Size(), dr, y, i, got, expect)
			}
		}
	}
}

// TestSubImages: the source and the destination may be parts of larger pictures, for example strips.
func TestSubImages(t *testing.T) {
	big := noise(150, 90, 4)
	at := image.Rect(13, 7, 133, 77)
	src := big.SubImage(at).(*image.RGBA)
	flat := image.NewRGBA(image.Rect(0, 0, 120, 70))
	for y := range 70 {
		copy(flat.Pix[y*flat.Stride:][:flat.Stride], big.Pix[big.PixOffset(13, 7+y):])
	}
	for _, size := range []image.Point{{120, 70}, {90, 50}, {31, 33}} {
		s := New(size.X, size.Y, 120, 70)
		want, got := image.NewRGBA(image.Rectangle{Max: size}), image.NewRGBA(image.Rectangle{Max: size})
		s.Scale(want, want.Rect, flat)
		part := image.Rect(9, 5, 30, 30)
		s.Scale(got, got.Rect, src)
		s.Scale(got.SubImage(part).(*image.RGBA), got.Rect, src)
		if !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("%v: %s", size, firstDiff(got, want))
		}
	}
}

func TestScaleRows(t *testing.T) {
	src := noise(200, 120, 9)
	for _, size := range []image.Point{{200, 120}, {150, 90}, {64, 37}, {260, 250}} {
		s := New(size.X, size.Y, 200, 120)
		want := image.NewRGBA(image.Rectangle{Max: size})
		s.Scale(want, want.Rect, src)
		strip := image.NewRGBA(image.Rect(0, 0, size.X, 16))
		for y := 0; y < size.Y; y += 16 {
			end := min(y+16, size.Y)
			s.ScaleRows(strip, y, end, src)
			if strip.Rect != image.Rect(0, y, size.X, end) {
				t.Fatalf("strip at %d: got %v", y, strip.Rect)
			}
			got := strip.Pix[:4*size.X*(end-y)]
			if !bytes.Equal(got, want.Pix[4*size.X*y:][:len(got)]) {
				t.Errorf("%v: rows %d to %d differ from the full scale", size, y, end)
			}
		}
	}
}

// TestRectsExact compares DstRect and SrcRect with the weights of the reference implementation. It also compares them with the pixels
// that change when a random rectangle of the source changes.
func TestRectsExact(t *testing.T) {
	for _, n := range shapes {
		if n[2]*n[3]*n[0]*n[1] > 1<<30 {
			continue
		}
		s := New(n[0], n[1], n[2], n[3])
		checkAxis(t, n, &s.x)
		checkAxis(t, n, &s.y)
		r := rand.New(rand.NewPCG(5, 6))
		for range 20 {
			checkCover(t, s, n, randomRect(r, n[2], n[3]))
		}
	}
}

// checkAxis compares the spans with the weights of the reference implementation. The span of a destination pixel contains every source
// pixel with a weight above 1/128, and no source pixel with the weight 0.
func checkAxis(t *testing.T, n [4]int, a *axis) {
	t.Helper()
	point := New(n[0], n[1], n[2], n[3]).two != nil
	if n[0] == n[2] && n[1] == n[3] {
		point = true
	}
	for i, w := range refWeights(a.dst, a.src, point) {
		for j := range a.src {
			v := w.at(j)
			inside := int(a.lo[i]) <= j && j <= int(a.hi[i])
			if !inside && v > 1.0/128 || inside && v == 0 {
				t.Errorf("%v: pixel %d of %d, source %d: weight %.4f, span %d to %d", n, i, a.dst, j, v, a.lo[i], a.hi[i])
			}
		}
		if i > 0 && (a.lo[i] < a.lo[i-1] || a.hi[i] < a.hi[i-1]) {
			t.Errorf("%v: span of pixel %d falls back", n, i)
		}
	}
}

// checkCover changes the source inside r. All changes in the destination must lie in DstRect(r). DstRect(r) must be the smallest
// rectangle that contains every pixel whose SrcRect overlaps r.
func checkCover(t *testing.T, s *Scaler, n [4]int, r image.Rectangle) {
	t.Helper()
	src := noise(n[2], n[3], 21)
	before := full(src, n[0], n[1], best, pointNum, pointDen)
	in := r.Intersect(src.Rect)
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := 4 * in.Min.X; x < 4*in.Max.X; x++ {
			src.Pix[y*src.Stride+x] ^= 0xff
		}
	}
	after := full(src, n[0], n[1], best, pointNum, pointDen)
	cover := s.DstRect(r)
	var want image.Rectangle
	for y := range n[1] {
		for x := range n[0] {
			p := image.Rect(x, y, x+1, y+1)
			if s.SrcRect(p).Overlaps(in) {
				want = want.Union(p)
			}
			if before.RGBAAt(x, y) != after.RGBAAt(x, y) && !p.In(cover) {
				t.Fatalf("%v: source %v changed pixel %d,%d outside %v", n, r, x, y, cover)
			}
		}
	}
	if cover != want {
		t.Errorf("%v: DstRect(%v): got %v, want %v", n, r, cover, want)
	}
}

func TestNoAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	src := noise(192, 108, 2)
	strip := image.NewRGBA(image.Rect(0, 0, 384, 16))
	for _, size := range []image.Point{{192, 108}, {150, 80}, {384, 216}, {80, 48}, {12, 3}} {
		for _, k := range sets() {
			s := newScaler(size.X, size.Y, 192, 108, k, pointNum, pointDen)
			dst := image.NewRGBA(image.Rectangle{Max: size})
			if got := testing.AllocsPerRun(20, func() {
				s.Scale(dst, s.DstRect(image.Rect(20, 30, 90, 70)), src)
				s.ScaleRows(strip, 0, min(16, size.Y), src)
			}); got != 0 {
				t.Errorf("%v, %s: got %v allocations, want 0", size, k.name, got)
			}
		}
	}
}

// TestBytes: the memory of a Scaler grows with the sum of the four sides, and not with the number of pixels.
func TestBytes(t *testing.T) {
	const perPixel = 80 // bytes for each pixel of the sum of the four sides
	for _, n := range shapes {
		got, limit := New(n[0], n[1], n[2], n[3]).Bytes(), 4096+perPixel*(n[0]+n[1]+n[2]+n[3])
		if got <= 0 || got > limit {
			t.Errorf("%v: got %d bytes, want at most %d", n, got, limit)
		}
	}
}

func TestPanics(t *testing.T) {
	s, src := New(20, 20, 40, 40), image.NewRGBA(image.Rect(0, 0, 40, 40))
	small := image.NewRGBA(image.Rect(0, 0, 20, 3))
	for name, f := range map[string]func(){
		"no width":        func() { New(0, 1, 1, 1) },
		"too high":        func() { New(1, 1, 1, MaxSide+1) },
		"other source":    func() { s.Scale(small, small.Rect, small) },
		"rows outside":    func() { s.ScaleRows(small, 18, 21, src) },
		"strip too small": func() { s.ScaleRows(small, 0, 4, src) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("got no panic")
				}
			}()
			f()
		})
	}
}

// TestExtremes builds and runs scalers with the longest sides, where sums and indexes are largest.
func TestExtremes(t *testing.T) {
	for _, n := range [][4]int{
		{1, 1, MaxSide, 2}, {1, 1, 2, MaxSide}, {MaxSide, 2, 1, 1}, {2, MaxSide, 1, 1},
		{MaxSide, 2, MaxSide - 1, 3}, {9, MaxSide, 10, 7}, {8, 8, MaxSide, 9}, {8, 3, 9, MaxSide},
	} {
		src := noise(n[2], n[3], 1)
		want := full(src, n[0], n[1], portable, pointNum, pointDen)
		for _, k := range sets()[1:] {
			if got := full(src, n[0], n[1], k, pointNum, pointDen); !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%v, %s: %s", n, k.name, firstDiff(got, want))
			}
		}
		worst := 0.0
		if _, worst = quality(want, reference(src, n[0], n[1], New(n[0], n[1], n[2], n[3]).two != nil)); worst > 2 {
			t.Errorf("%v: error of %.2f levels", n, worst)
		}
	}
}

func FuzzSizes(f *testing.F) {
	for _, n := range shapes {
		f.Add(uint16(n[0]), uint16(n[1]), uint16(n[2]), uint16(n[3]), uint64(n[0]))
	}
	const side = 400 // small, so that a run is short
	f.Fuzz(func(t *testing.T, dw, dh, sw, sh uint16, seed uint64) {
		n := [4]int{1 + int(dw)%side, 1 + int(dh)%side, 1 + int(sw)%side, 1 + int(sh)%side}
		src := noise(n[2], n[3], seed)
		want := full(src, n[0], n[1], portable, pointNum, pointDen)
		r := rand.New(rand.NewPCG(seed, 1))
		for _, k := range sets() {
			s := newScaler(n[0], n[1], n[2], n[3], k, pointNum, pointDen)
			checkCut(t, s, want, src, want.Rect)
			checkCut(t, s, want, src, s.DstRect(randomRect(r, n[2], n[3])))
		}
	})
}

// TestSpansNeverFallBack: at every size, the spans must be sorted, because DstRect uses binary search.
func TestSpansNeverFallBack(t *testing.T) {
	r, sizes := rand.New(rand.NewPCG(8, 8)), 600
	if testing.Short() {
		sizes = 200
	}
	for range sizes {
		dst, src := 1+r.IntN(300), 1+r.IntN(900)
		for _, s := range []*Scaler{New(dst, dst, src, src), New(dst, 1, src, 2), New(1, dst, 2, src)} {
			for _, a := range []*axis{&s.x, &s.y} {
				if !slices.IsSorted(a.lo) || !slices.IsSorted(a.hi) || len(a.lo) != a.dst {
					t.Errorf("%d to %d: spans %v, %v", src, dst, a.lo, a.hi)
				}
			}
		}
	}
}

// TestUnaligned: the first byte of a picture may have any alignment.
func TestUnaligned(t *testing.T) {
	flat := noise(61, 40, 3)
	src := &image.RGBA{Pix: make([]byte, len(flat.Pix)+1)[1:], Stride: flat.Stride, Rect: flat.Rect}
	copy(src.Pix, flat.Pix)
	for _, size := range []image.Point{{61, 40}, {50, 33}, {20, 11}, {3, 2}, {80, 70}} {
		for _, k := range sets() {
			s := newScaler(size.X, size.Y, 61, 40, k, pointNum, pointDen)
			want := image.NewRGBA(image.Rectangle{Max: size})
			s.Scale(want, want.Rect, flat)
			got := &image.RGBA{Pix: make([]byte, len(want.Pix)+3)[3:], Stride: want.Stride, Rect: want.Rect}
			s.Scale(got, got.Rect, src)
			if !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%s to %v: %s", s.Kernels(), size, firstDiff(got, want))
			}
		}
	}
}
