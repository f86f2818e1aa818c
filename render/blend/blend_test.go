package blend

import (
	"bytes"
	"image/color"
	"math/rand/v2"
	"testing"
)

// levels() returns a row that contains every byte value in every channel of a pixel. Its length is not a multiple of the vector length.
func levels() []uint8 {
	row := make([]uint8, 0, 4*256+20)
	for v := range 256 + 5 {
		row = append(row, uint8(v), uint8(v+64), uint8(v+128), uint8(v+192))
	}
	return row
}

// TestFillExact compares every version of fill() with the plain version, for every level and every alpha.
func TestFillExact(t *testing.T) {
	ways := map[string]func([]uint8, color.RGBA){Kernels(): fill, "64 bits": fill64, "32 bits": fill32}
	for alpha := range 256 {
		a := uint8(alpha)
		col := color.RGBA{a, a / 2, 0, a}
		want := levels()
		fillPlain(want, col)
		for name, fill := range ways {
			got := levels()
			fill(got, col)
			if !bytes.Equal(got, want) {
				t.Fatalf("%s: alpha %d differs from the plain version", name, alpha)
			}
		}
	}
}

// TestFadeExact compares every version of fade() with the plain version, for every pair of levels at every step.
func TestFadeExact(t *testing.T) {
	ways := map[string]func(dst, a, b []uint8, t uint32){Kernels(): fade, "64 bits": fade64, "32 bits": fade32}
	a, b := make([]uint8, 256*256+7), make([]uint8, 256*256+7)
	for i := range a {
		a[i], b[i] = uint8(i), uint8(i>>8)
	}
	want, got := make([]uint8, len(a)), make([]uint8, len(a))
	for step := uint32(1); step < Steps; step++ {
		fadePlain(want, a, b, step)
		for name, fade := range ways {
			clear(got)
			fade(got, a, b, step)
			if !bytes.Equal(got, want) {
				t.Fatalf("%s: step %d differs from the plain version", name, step)
			}
		}
	}
}

// TestFadeInPlace checks that dst of Fade may be the same slice as a or b, with and without runs of one color.
func TestFadeInPlace(t *testing.T) {
	a, b := levels(), levels()
	for i := range a {
		b[len(b)-1-i] = a[i]
	}
	copy(a[100:], bytes.Repeat([]uint8{1, 2, 3, 255}, 50))
	copy(b[100:], bytes.Repeat([]uint8{200, 100, 0, 255}, 40))
	want := make([]uint8, len(a))
	fadePlain(want, a, b, 50)
	ways := map[string]func(dst, a, b []uint8, t uint32){Kernels(): fade, "64 bits": fade64, "32 bits": fade32}
	for name, fade := range ways {
		over, under := bytes.Clone(a), bytes.Clone(b)
		if fade(over, over, b, 50); !bytes.Equal(over, want) {
			t.Errorf("%s: written over its first row, the mixture differs", name)
		}
		if fade(under, a, under, 50); !bytes.Equal(under, want) {
			t.Errorf("%s: written over its second row, the mixture differs", name)
		}
	}
}

func TestFadeEnds(t *testing.T) {
	a, b, got := levels(), bytes.Repeat([]uint8{9}, len(levels())), make([]uint8, len(levels()))
	if Fade(got, a, b, 0); !bytes.Equal(got, a) {
		t.Error("step 0 is not the first row")
	}
	if Fade(got, a, b, Steps); !bytes.Equal(got, b) {
		t.Error("the last step is not the second row")
	}
}

// TestOverExact compares OverAs with the plain version, for every alpha and several opacities.
func TestOverExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for alpha := range 256 {
		src, under := make([]uint8, 4*64), make([]uint8, 4*64)
		for i := range src {
			under[i] = uint8(rnd.Uint32())
			src[i] = uint8(rnd.IntN(alpha + 1))
			if i%4 == 3 {
				src[i] = uint8(alpha)
			}
		}
		for _, opacity := range []uint8{255, 1, 77, 128, 254} {
			got, want := bytes.Clone(under), bytes.Clone(under)
			overPlain(want, src, opacity)
			if OverAs(got, src, opacity); !bytes.Equal(got, want) {
				t.Fatalf("alpha %d, opacity %d differs from the plain version", alpha, opacity)
			}
		}
	}
}

// TestUnaligned: the result does not depend on the memory address at which a row starts.
func TestUnaligned(t *testing.T) {
	col := color.RGBA{10, 20, 30, 40}
	for from := range 9 {
		got, want := levels()[from:], levels()[from:]
		fillPlain(want, col)
		if fill32(got, col); !bytes.Equal(got, want) {
			t.Errorf("32 bits from byte %d differs", from)
		}
		got = levels()[from:]
		if fill(got, col); !bytes.Equal(got, want) {
			t.Errorf("from byte %d differs", from)
		}
	}
}

func TestMul(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			if got, want := int(Mul(uint8(a), uint8(b))), (2*a*b+255)/510; got != want {
				t.Fatalf("%d*%d/255: got %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestAllocatesNothing(t *testing.T) {
	a, b, cover := levels(), levels(), levels()
	got := testing.AllocsPerRun(10, func() {
		Fill(a, color.RGBA{1, 2, 3, 100})
		fill32(a, color.RGBA{1, 2, 3, 100})
		Cover(a, cover, color.RGBA{1, 2, 3, 255})
		OverAs(a, b, 100)
		Fade(a, a, b, 40)
	})
	if got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

const frame = 1920 * 1080 * 4

func BenchmarkFill(b *testing.B) {
	row := make([]uint8, frame)
	for name, f := range map[string]func([]uint8, color.RGBA){Kernels(): fill, "lanes64": fill64, "lanes32": fill32} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(frame)
			for b.Loop() {
				f(row, color.RGBA{10, 20, 30, 100})
			}
		})
	}
}

func BenchmarkFade(b *testing.B) {
	x, y, z := make([]uint8, frame), make([]uint8, frame), make([]uint8, 4*1920)
	for name, f := range map[string]func(dst, a, b []uint8, t uint32){Kernels(): fade, "lanes64": fade64} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(frame)
			for b.Loop() {
				for i := 0; i < frame; i += len(z) {
					f(z, x[i:i+len(z)], y[i:i+len(z)], 40)
				}
			}
		})
	}
}

func BenchmarkCopy(b *testing.B) {
	x, y := make([]uint8, frame), make([]uint8, frame)
	b.SetBytes(frame)
	for b.Loop() {
		for i := 0; i < frame; i += 4 * 1920 {
			copy(y[i:i+4*1920], x[i:i+4*1920])
		}
	}
}
