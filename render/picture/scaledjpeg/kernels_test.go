package scaledjpeg

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// Transforming several blocks at once gives the same result as transforming single blocks. The test uses random values, extreme values,
// and blocks that only broken files have.
func TestTransformKernel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for round := range 500 {
		blocks := rnd.IntN(23)
		coefs := make([]int16, 16*blocks+beyond)
		var factors [16]int16
		reach := int32([]int{20, 300, 2100, math.MaxInt16}[round%4])
		for i := range factors {
			factors[i] = int16(1 + rnd.Uint32()%uint32(1+(round/4%3)*200))
		}
		for i := range coefs {
			coefs[i] = int16(rnd.Int32N(2*reach+1) - reach)
			if rnd.IntN(9) == 0 {
				coefs[i] = []int16{math.MinInt16, math.MaxInt16, mostCoefficient, -mostCoefficient, 0}[rnd.IntN(5)]
			}
		}
		stride := 4*blocks + rnd.IntN(5)
		got, want := make([]uint8, 4*stride+16), make([]uint8, 4*stride+16)
		done := transform4(got, stride, coefs, &factors, blocks)
		for x := range blocks {
			inverse4(want[4*x:], stride, coefs[16*x:], &factors)
			if x >= done {
				inverse4(got[4*x:], stride, coefs[16*x:], &factors)
			}
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%d blocks, to %d: not what they are one by one", blocks, reach)
		}
	}
}

// For many combinations of brightness and color, the vector code gives the same pixels as the plain code.
func TestColorKernel(t *testing.T) {
	const wide = 256
	ys, cbs, crs := make([]uint8, wide), make([]uint8, wide/2), make([]uint8, wide/2)
	for i := range ys {
		ys[i] = uint8(i * 7)
	}
	got, want := make([]uint8, 4*wide), make([]uint8, 4*wide)
	for shift := range 256 {
		for i := range cbs {
			cbs[i], crs[i] = uint8(2*i+shift), uint8(3*i*shift)
		}
		done := convertVector(got, ys, cbs, crs)
		for i := range wide {
			toRGB(want[4*i:4*i+4:4*i+4], ys[i], cbs[i/2], crs[i/2])
		}
		if !bytes.Equal(got[:4*done], want[:4*done]) {
			t.Fatalf("shift %d: not what pixels are one by one", shift)
		}
	}
}
