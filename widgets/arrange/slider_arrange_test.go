package arrange

import (
	"math"
	"testing"
)

func TestEase(t *testing.T) {
	for _, tc := range []struct{ x, ease, want float64 }{
		{0, 2, 0}, {1, 2, 1}, {0.5, 2, 0.5}, {0.25, 2, 0.1}, {0.75, 2, 0.9}, {0.3, 1, 0.3}, {0.25, 3, 1.0 / 28}, {0.7, 0, 0.5},
		{0.5, 1e4, 1}, {0.4, 1e4, 0},
	} {
		if got := eased(tc.x, tc.ease); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("eased(%v, %v): got %v, want %v", tc.x, tc.ease, got, tc.want)
		}
	}
}
