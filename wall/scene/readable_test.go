package scene

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/race"
	"dashboard/internal/testing/thorough"
	"dashboard/render"
	fonts "dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/theme/sun"
)

// TestTextsOverPhotos shows 200 photos on the sample of a photo frame, by day and night. The photos are bright, dark, busy, striped or
// smooth. The contrast of a text to 95 % of the pixels below it is at least 4.5:1, or 3:1 if the text is large.
func TestTextsOverPhotos(t *testing.T) {
	t.Parallel()
	photos := 200
	if testing.Short() || race.Enabled {
		photos = 8
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../samples/frame")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "photos")); err != nil {
		t.Fatal(err)
	}
	writePhotos(t, filepath.Join(dir, "photos"), photos)
	for mode, word := range map[sun.Mode]string{sun.Day: "day", sun.Night: "night"} {
		t.Run(word, func(t *testing.T) {
			standBuilt(t, dir, image.Pt(480, 320), mode, true, "", func(b *Builder, _ *Scene, r *render.Renderer) {
				shown := map[string]bool{}
				for range photos {
					fadedIn(r)
					list, photo := paleTexts(b, r)
					if shown[photo] = true; len(list) > 0 {
						t.Errorf("photo %s: %s", photo, strings.Join(list, ", "))
					}
					time.Sleep(time.Minute - fadeIn) // each photo is shown for a minute
				}
				if len(shown) < photos {
					t.Errorf("%d photos were shown, want %d", len(shown), photos)
				}
			})
		})
	}
}

// TestFrameHasOneEdge checks the left edge of the texts on the sample named frame, on small and large screens. The icon before the
// caption of a photo starts at most 3 px left or right of the start of the date.
func TestFrameHasOneEdge(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	for i, size := range wallSizes {
		if race.Left(i, 4) {
			continue
		}
		standBuilt(t, "../../samples/frame", size, sun.Night, true, "", func(b *Builder, _ *Scene, r *render.Renderer) {
			var date, caption fonts.Painted
			b.Text.OnPaint(func(p fonts.Painted) {
				switch line := string(p.Line); {
				case strings.HasSuffix(line, "15 May"):
					date = p
				case line == "First light on the lake":
					caption = p
				}
			})
			defer b.Text.OnPaint(nil)
			r.Trace()
			icon := caption.Size*5/4 + caption.Size/2
			if off := caption.Ink.Min.X - icon - date.Ink.Min.X; caption.Size == 0 || date.Size == 0 || max(off, -off) > 3 {
				t.Errorf("%v: the icon of the caption is %d px right of the date, want 3 at most", size, off)
			}
		})
	}
}

// fadeIn is more than the time that a photo needs to arrive and to fade in.
const fadeIn = 4 * time.Second

// fadedIn paints until the new photo has faded in.
func fadedIn(r *render.Renderer) {
	for range 4 {
		synctest.Wait()
		r.Step(time.Now())
		time.Sleep(fadeIn / 4)
	}
	r.Step(time.Now())
}

// paleTexts returns the texts that have too little contrast to the picture below them. `photo` describes the photo by some colors of its
// upper part.
func paleTexts(b *Builder, r *render.Renderer) (list []string, photo string) {
	texts := 0
	b.Text.OnPaint(func(p fonts.Painted) { // everything below the text has been painted at this time
		texts++
		least := 4.5
		if p.Size >= 32 {
			least = 3
		}
		if got := contrastBelow(r.Frame(), p); got < least {
			list = append(list, fmt.Sprintf("%q has a contrast of %.2f", p.Line, got))
		}
	})
	r.Trace()
	b.Text.OnPaint(nil)
	if texts < 4 {
		list = append(list, fmt.Sprintf("only %d texts", texts))
	}
	for x := 100; x < 480; x += 60 {
		photo += fmt.Sprintf("%x", r.Frame().RGBAAt(x, 20))
	}
	return list, photo
}

// contrastBelow returns the contrast that at least 95 % of the pixels below a text reach.
func contrastBelow(img *image.RGBA, p fonts.Painted) float64 {
	var all []float64
	area := p.Ink.Intersect(img.Rect)
	for y := area.Min.Y; y < area.Max.Y; y += 1 + area.Dy()/30 {
		for x := area.Min.X; x < area.Max.X; x++ {
			below := img.RGBAAt(x, y)
			over := func(text, under uint8) uint8 { return uint8(min(255, int(text)+int(under)*int(255-p.Color.A)/255)) }
			text := color.NRGBA{over(p.Color.R, below.R), over(p.Color.G, below.G), over(p.Color.B, below.B), 255}
			all = append(all, look.Contrast(text, color.NRGBA{below.R, below.G, below.B, 255}))
		}
	}
	if len(all) == 0 {
		return 21
	}
	slices.Sort(all)
	return all[len(all)*5/100]
}

// writePhotos writes n photos of five different kinds to `dir`.
func writePhotos(t *testing.T, dir string, n int) {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 11))
	for i := range n {
		img := image.NewRGBA(image.Rect(0, 0, 400, 240))
		from, to, hue := random.Float64()*255, random.Float64()*255, random.Float64()
		for y := range img.Rect.Dy() {
			for x := range img.Rect.Dx() {
				v := []float64{
					240 + random.Float64()*15, random.Float64() * 60, random.Float64() * 255,
					from + (to-from)*float64(x/(1+i%7)%2), from + (to-from)*float64(x+y)/640,
				}[i%5]
				img.SetRGBA(x, y, color.RGBA{uint8(v), uint8(v * (0.6 + 0.4*hue)), uint8(v * (1 - 0.4*hue)), 255})
			}
		}
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%03d.png", i)))
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, img); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
