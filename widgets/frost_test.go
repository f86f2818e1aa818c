package widgets

import (
	"image"
	"image/draw"
	"os"
	"slices"
	"testing"
	"time"

	"dashboard/internal/testing/golden"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// frostWall returns a wall with cards over a photo. The second card has its own blur, and the last card has no blur.
func frostWall(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return `
background_color: black
widgets:
  - widget: stack
    children:
      - {widget: image, path: ` + walltest.Flow(dir+"/../samples/family/photos/lake.jpg") + `, fit: cover}
      - widget: row
        gap: 20
        margin: 24
        children:
          - {widget: card, title: Greenhouse, icon: mdi:sprout-outline, value: !data .p, unit: °C}
          - {widget: card, title: Pond, icon: mdi:fish, value: 14.5, unit: °C, blur: 6}
          - {widget: card, title: Shed, icon: mdi:home-outline, value: 3, unit: °C, blur: 0}
`
}

// TestGoldenFrost draws cards with translucent colors, which blur the picture behind them. A new value on a card does not change the
// blur. Painting the whole frame allocates no memory.
func TestGoldenFrost(t *testing.T) {
	s := walltest.Scene{Size: image.Pt(900, 300), Locale: "en-GB"}
	photo, _ := look.Named("photo", true)
	walltest.ModernBubble(t, frostWall(t), s, photo, func(d *walltest.Data) {
		d.ByName["p"].Publish(21.5, walltest.T0)
		d.Step(0)
		d.Step(0)
		golden.Compare(t, "modern-frost", d.R.Frame())
		first := image.NewRGBA(d.R.Frame().Rect)
		draw.Draw(first, first.Rect, d.R.Frame(), image.Point{}, draw.Src)
		d.ByName["p"].Publish(7, walltest.T0)
		if changed, _ := d.Step(time.Second); len(changed) != 1 || changed[0].Dx() > 200 {
			t.Errorf("a value changes %v", slices.Clone(changed))
		}
		d.ByName["p"].Publish(21.5, walltest.T0)
		d.Step(2 * time.Second)
		if string(first.Pix) != string(d.R.Frame().Pix) {
			t.Error("the frost is another after a value came and went")
		}
		if n := testing.AllocsPerRun(5, func() { d.R.Repaint(); d.R.Step(walltest.T0.Add(2 * time.Second)) }); n > 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// TestFrostFollows checks that a change behind a card updates the blur of the card. Painting everything again afterwards gives the same
// picture.
func TestFrostFollows(t *testing.T) {
	const wall = `
background_color: black
widgets:
  - widget: stack
    children:
      - {widget: progress, value: !data .p, max: 100, thickness: 60, place: top left, size: [200, 200]}
      - {widget: card, title: Here, place: top left, size: [200, 200], inset: 0, blur: 12}
      - {widget: text, text: !data .p, place: right, size: [80, 40]}
`
	photo, _ := look.Named("photo", true)
	walltest.ModernBubble(t, wall, walltest.Scene{Size: image.Pt(400, 200), Locale: "en"}, photo, func(d *walltest.Data) {
		d.ByName["p"].Publish(0, walltest.T0)
		d.Step(0)
		empty := image.NewRGBA(image.Rect(0, 0, 200, 200))
		draw.Draw(empty, empty.Rect, d.R.Frame(), image.Point{}, draw.Src)
		d.ByName["p"].Publish(100, walltest.T0)
		for i := range 20 {
			d.Step(time.Duration(i+1) * time.Second)
		}
		differ := 0
		for i := range empty.Pix {
			x, y := i/4%200, i/4/200
			if empty.Pix[i] != d.R.Frame().Pix[d.R.Frame().PixOffset(x, y)+i%4] {
				differ++
			}
		}
		whole := image.NewRGBA(empty.Rect)
		draw.Draw(whole, whole.Rect, d.R.Frame(), image.Point{}, draw.Src)
		d.R.Repaint()
		d.Step(30 * time.Second)
		for i := range whole.Pix {
			if x, y := i/4%200, i/4/200; whole.Pix[i] != d.R.Frame().Pix[d.R.Frame().PixOffset(x, y)+i%4] {
				t.Fatalf("%d,%d is old", x, y)
			}
		}
		if differ == 0 {
			t.Error("the frost did not follow")
		}
	})
}
