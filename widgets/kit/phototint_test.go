package kit

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
)

// TestPhotoTint checks the colors for 200 photos. Cards are at most as bright as in the theme and have the theme's opacity. Icons have a
// contrast of at least 4.5:1. Opaque cards keep the colors of the theme.
func TestPhotoTint(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	photos := [][]color.RGBA{{{255, 255, 255, 255}}, {{0, 0, 0, 255}}, {{255, 0, 0, 255}, {0, 255, 0, 255}}, {{0, 0, 255, 255}}}
	for len(photos) < 200 {
		var p []color.RGBA
		for range 5 {
			p = append(p, color.RGBA{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), 255})
		}
		photos = append(photos, p)
	}
	for _, night := range []bool{true, false} {
		l, _ := look.Named("photo", night)
		b := NewBuilder(Env{Drawing: Drawing{Text: text.NewCache(1 << 20), Look: l}}, Catalog{})
		card := l.Colors["surface"]
		opaque := color.NRGBA{card.R, card.G, card.B, 255}
		for i, p := range photos {
			b.TintBy(p)
			if b.Photo.seq != i+1 {
				t.Fatalf("photo %d gives no colors", i)
			}
			got := b.Photo.surface
			if got.A != card.A {
				t.Fatalf("photo %d: opacity %d, want %d", i, got.A, card.A)
			}
			f := func(v uint8) uint8 { return uint8(min(255, int(v)*255/int(got.A))) }
			plain := color.NRGBA{f(got.R), f(got.G), f(got.B), 255}
			if look.Luminance(plain) > look.Luminance(opaque)+0.002 {
				t.Errorf("photo %d, night %v: the card %v is lighter than %v", i, night, plain, opaque)
			}
			for _, role := range []string{"text", "muted"} {
				if c, was := look.Contrast(l.Colors[role], plain), look.Contrast(l.Colors[role], opaque); c < was-0.5 {
					t.Errorf("photo %d: %s has a contrast of %.1f, before %.1f", i, role, c, was)
				}
			}
			ink := b.Photo.accent
			if c := look.Contrast(color.NRGBA{ink.R, ink.G, ink.B, 255}, opaque); c < photoContrast {
				t.Errorf("photo %d: icons %v have a contrast of %.2f", i, ink, c)
			}
		}
	}
	b := NewBuilder(Env{Drawing: Drawing{Text: text.NewCache(1 << 20), Look: look.Calm(true)}}, Catalog{})
	if b.TintBy(photos[5]); b.Photo.seq != 0 {
		t.Error("opaque cards take the colors of a photo")
	}
}

// TestPhotoKeepsTintOfContent checks that a new photo does not change the color of the icon in a card with a color of its content.
func TestPhotoKeepsTintOfContent(t *testing.T) {
	l, _ := look.Named("photo", true)
	b := NewBuilder(Env{Drawing: Drawing{Text: text.NewCache(1 << 20), Look: l}}, Catalog{})
	b.TintBy([]color.RGBA{{0, 0, 255, 255}})
	red := color.RGBA{255, 0, 0, 255}
	for _, tint := range []color.RGBA{{}, red} {
		box := image.Rect(0, 0, 300, 200)
		title := config.Live[string]{Plain: "Room"}
		w := &Frame{b: b, frost: &frost{}, tint: tint, Head: b.NewHead(&Spec{}, &Framed{Title: &title}, box)}
		w.Head.lit(b, tint)
		w.takeTint(render.NewTick(time.Time{}, image.Point{}))
		want := b.Photo.accent
		if tint.A > 0 {
			want = red
		}
		if w.Head.iconInk != want || w.surface.Color != b.Photo.surface {
			t.Errorf("the tint %v: got an icon in %v, want %v, and the card %v", tint, w.Head.iconInk, want, w.surface.Color)
		}
	}
}

// TestAsBright checks that a color is darkened only as far as necessary.
func TestAsBright(t *testing.T) {
	for _, c := range []color.NRGBA{{255, 255, 255, 255}, {200, 40, 90, 255}, {10, 250, 3, 255}, {0, 0, 255, 255}} {
		for _, most := range []float64{0.01, 0.05, 0.3, 1} {
			got := asBright(c, most)
			brighter := got
			for _, channel := range []*uint8{&brighter.R, &brighter.G, &brighter.B} {
				*channel = uint8(min(255, int(*channel)+2))
			}
			if look.Luminance(got) > most || got != c && look.Luminance(brighter) <= most {
				t.Errorf("%v with a luminance of at most %v: got %v with %.4f", c, most, got, look.Luminance(got))
			}
		}
	}
}
