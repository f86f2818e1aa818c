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
)

// frostWall is cards over a photograph, the second with a blur of its own and the last without one.
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
      - {widget: image, path: ` + flow(dir+"/../samples/family/photos/lake.jpg") + `, fit: cover}
      - widget: row
        gap: 20
        margin: 24
        children:
          - {widget: card, title: Greenhouse, icon: mdi:sprout-outline, value: !data .p, unit: °C}
          - {widget: card, title: Pond, icon: mdi:fish, value: 14.5, unit: °C, blur: 6}
          - {widget: card, title: Shed, icon: mdi:home-outline, value: 3, unit: °C, blur: 0}
`
}

// Cards of a translucent color blur the picture behind them; a value on one of them changes nothing of it, and a frame of either kind
// allocates nothing.
func TestGoldenFrost(t *testing.T) {
	s := scene{size: image.Pt(900, 300), locale: "en-GB"}
	photo, _ := look.Named("photo", true)
	modernBubble(t, frostWall(t), s, photo, func(d *data) {
		d.named["p"].Publish(21.5, t0)
		d.step(0)
		d.step(0)
		golden.Compare(t, "modern-frost", d.r.Frame())
		first := image.NewRGBA(d.r.Frame().Rect)
		draw.Draw(first, first.Rect, d.r.Frame(), image.Point{}, draw.Src)
		d.named["p"].Publish(7, t0)
		if changed, _ := d.step(time.Second); len(changed) != 1 || changed[0].Dx() > 200 {
			t.Errorf("a value changes %v", slices.Clone(changed))
		}
		d.named["p"].Publish(21.5, t0)
		d.step(2 * time.Second)
		if string(first.Pix) != string(d.r.Frame().Pix) {
			t.Error("the frost is another after a value came and went")
		}
		if n := testing.AllocsPerRun(5, func() { d.r.Repaint(); d.r.Step(t0.Add(2 * time.Second)) }); n > 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// What changes behind a card changes its frost, all over the card; what changes beside it does not.
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
	modernBubble(t, wall, scene{size: image.Pt(400, 200), locale: "en"}, photo, func(d *data) {
		d.named["p"].Publish(0, t0)
		d.step(0)
		empty := image.NewRGBA(image.Rect(0, 0, 200, 200))
		draw.Draw(empty, empty.Rect, d.r.Frame(), image.Point{}, draw.Src)
		d.named["p"].Publish(100, t0)
		for i := range 20 {
			d.step(time.Duration(i+1) * time.Second)
		}
		differ := 0
		for i := range empty.Pix {
			x, y := i/4%200, i/4/200
			if empty.Pix[i] != d.r.Frame().Pix[d.r.Frame().PixOffset(x, y)+i%4] {
				differ++
			}
		}
		whole := image.NewRGBA(empty.Rect)
		draw.Draw(whole, whole.Rect, d.r.Frame(), image.Point{}, draw.Src)
		d.r.Repaint()
		d.step(30 * time.Second)
		for i := range whole.Pix {
			if x, y := i/4%200, i/4/200; whole.Pix[i] != d.r.Frame().Pix[d.r.Frame().PixOffset(x, y)+i%4] {
				t.Fatalf("%d,%d is old", x, y)
			}
		}
		if differ == 0 {
			t.Error("the frost did not follow")
		}
	})
}
