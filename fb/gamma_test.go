package fb

import (
	"image"
	"slices"
	"testing"

	"dashboard/fb/drm/drmtest"
)

// TestConnectorTint: if the card has gamma curves, they make the screen darker and warmer, and the
// picture in memory stays unchanged. Without gamma curves, the pixels are changed instead.
func TestConnectorTint(t *testing.T) {
	r := newRack(t)
	r.GammaSize = 256
	repaints := 0
	k := r.keeper(func(o *Options) { o.OnRepaint = func() { repaints++ } })
	m := noise(k.Bounds())
	shown := func(what string) {
		t.Helper()
		if err := k.DrawFrame(m, nil); err != nil {
			t.Fatal(err)
		}
		if err := r.sees(m); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	shown("at first")
	if r.Gamma() != nil {
		t.Error("full light is set, and costs something")
	}
	k.Tint(0.5, 1)
	want := []uint16{32768, 26869, 19661}
	if got := r.Gamma(); !slices.Equal(got, want) {
		t.Errorf("got curves that end with %v, want %v", got, want)
	}
	shown("tinted by the card")
	r.Do(func(k *drmtest.Kernel) { k.GammaSize = 0 }) // this size is read once for each screen, so connect the screen again
	r.plug(k, image.Pt(64, 48))
	r.plug(k)
	r.plug(k, image.Pt(64, 48))
	if err := k.DrawFrame(m, nil); err != nil {
		t.Fatal(err)
	}
	if r.sees(m) == nil {
		t.Error("a card without curves: the picture is as bright as before")
	}
	k.Tint(1, 0)
	shown("full light again")
}

// TestConnectorTintKept: a new screen gets the curves of the previous screen. When the program ends, it resets the curves.
func TestConnectorTintKept(t *testing.T) {
	r := newRack(t)
	r.GammaSize = 1024
	k := r.keeper(nil)
	k.Tint(0.2, 0)
	dim := r.Gamma()
	r.plug(k, image.Pt(100, 30))
	if got := r.Gamma(); !slices.Equal(got, dim) || dim[0] > 14000 {
		t.Errorf("got %v, before %v", got, dim)
	}
	if err := k.Halt(); err != nil {
		t.Fatal(err)
	}
	if got := r.Gamma(); !slices.Equal(got, []uint16{65535, 65535, 65535}) {
		t.Errorf("left with %v", got)
	}
}
