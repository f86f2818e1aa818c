package widgets

import (
	"image"
	"testing"
)

func TestScaleShares(t *testing.T) {
	at := func(v any) input { return input{plain: v} }
	for _, tc := range []struct {
		name string
		s    scale
		v    float64
		want float64
	}{
		{"by default from 0 to 100", scale{}, 25, 0.25},
		{"below", scale{}, -5, 0},
		{"above", scale{}, 500, 1},
		{"written", scale{at(-20.0), at(20.0)}, 0, 0.5},
		{"an end alone", scale{max: at(10.0)}, 5, 0.5},
		{"ends that are equal", scale{at(3.0), at(3.0)}, 3, 0},
		{"ends the wrong way round", scale{at(5.0), at(1.0)}, 3, 0},
	} {
		if got := tc.s.share(tc.v); got != tc.want {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
	}
}

// A gauge without room for its arc shows its number.
func TestCrampedGaugeIsANumber(t *testing.T) {
	for _, tc := range []struct {
		kind string
		size image.Point
		arc  bool
	}{{"arc", image.Pt(300, 200), true}, {"arc", image.Pt(300, 40), false}, {"bar", image.Pt(300, 30), false}} {
		e := testEnv()
		e.Picture = image.Pt(1280, 720)
		f := buildOne[*frame](t, e, "{widget: gauge, kind: "+tc.kind+", margin: 0, card: false, padding: 0, value: 5}", tc.size)
		w := f.inner.(*gauge)
		if got := w.round != nil || w.bar != nil; got != tc.arc {
			t.Errorf("%s in %v: got a scale %v, want %v", tc.kind, tc.size, got, tc.arc)
		}
		if w.figure.main.raw != "5" {
			t.Errorf("%s in %v: got the figure %q, want 5", tc.kind, tc.size, w.figure.main.raw)
		}
	}
}
