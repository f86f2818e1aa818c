package widgets

import (
	"bytes"
	"image"
	"image/jpeg"
	"slices"
	"testing"
	"time"

	"dashboard/internal/testing/testpic"
	"dashboard/render/ink"
	"dashboard/render/picture"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestRegions checks that every frame reports the rectangles of its photos and of the widgets above them.
func TestRegions(t *testing.T) {
	size := image.Pt(400, 200)
	yaml := "background_color: black\nwidgets:\n- widget: stack\n  children:\n  - " + walltest.Door + "\n  - {widget: card, value: 7, card: true, margin: 60px}\n"
	walltest.ModernBubble(t, yaml, walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		if got := d.R.Regions().List(); len(got) != 0 {
			t.Errorf("without a picture: got %v", got)
		}
		walltest.Seen(d, d.Made())
		want := []ink.Region{{Rect: image.Rectangle{Max: size}, Photo: true}, {Rect: image.Rect(60, 60, 340, 140)}}
		for _, after := range []time.Duration{0, time.Second, time.Minute} {
			d.Step(after)
			if got := d.R.Regions().List(); !slices.Equal(got, want) {
				t.Errorf("after %v: got %v, want %v", after, got, want)
			}
		}
	})
}

// TestDrawingsAreNoPhotos checks that a vector picture is marked as a drawing, and that a photo is not. Only the pixels of photos are
// dithered.
func TestDrawingsAreNoPhotos(t *testing.T) {
	for name, data := range map[string][]byte{
		"svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle r="9" fill="red"/></svg>`),
		"jpg": jpegOf(t, testpic.Photo(20, 20)),
	} {
		p, err := picture.Decode(t.Context(), data, image.Pt(20, 20), picture.Cover, true)
		if err != nil {
			t.Fatal(err)
		}
		if want := name == "svg"; p.Drawing != want {
			t.Errorf("%s: got drawing %v, want %v", name, p.Drawing, want)
		}
	}
}

func jpegOf(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
