package chart

import (
	"image"
	"testing"

	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

func TestScaleShares(t *testing.T) {
	at := func(v any) kit.Input { return kit.Input{Plain: v} }
	for _, tc := range []struct {
		name string
		s    piece.Scale
		v    float64
		want float64
	}{
		{"by default from 0 to 100", piece.Scale{}, 25, 0.25},
		{"below", piece.Scale{}, -5, 0},
		{"above", piece.Scale{}, 500, 1},
		{"written", piece.Scale{Min: at(-20.0), Max: at(20.0)}, 0, 0.5},
		{"an end alone", piece.Scale{Max: at(10.0)}, 5, 0.5},
		{"ends that are equal", piece.Scale{Min: at(3.0), Max: at(3.0)}, 3, 0},
		{"ends the wrong way round", piece.Scale{Min: at(5.0), Max: at(1.0)}, 3, 0},
	} {
		if got := tc.s.Share(tc.v); got != tc.want {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestCrampedGaugeIsANumber checks that a gauge without room for its arc shows only its number.
func TestCrampedGaugeIsANumber(t *testing.T) {
	for _, tc := range []struct {
		kind string
		size image.Point
		arc  bool
	}{{"arc", image.Pt(300, 200), true}, {"arc", image.Pt(300, 40), false}, {"bar", image.Pt(300, 30), false}} {
		e := walltest.TestEnv()
		e.Picture = image.Pt(1280, 720)
		f := walltest.BuildOne[*kit.Frame](t, e, "{widget: gauge, kind: "+tc.kind+", margin: 0, card: false, padding: 0, value: 5}", tc.size)
		w := f.Inner.(*gauge)
		if got := w.round != nil || w.bar != nil; got != tc.arc {
			t.Errorf("%s in %v: got a scale %v, want %v", tc.kind, tc.size, got, tc.arc)
		}
		if w.figure.Main.Raw != "5" {
			t.Errorf("%s in %v: got the figure %q, want 5", tc.kind, tc.size, w.figure.Main.Raw)
		}
	}
}
