package screen_test

import (
	"image"
	"testing"
	"time"

	"dashboard/control/touch"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

const redWall = `
red_night: {when: !data .p.dark, show: [clock, list]}
widgets:
  - widget: row
    children:
      - {widget: clock, seconds: raised}
      - {widget: list, items: [{text: Power, value: !data .p.n, color: '#40ff80', icon: mdi:flash}, {text: Door, value: open, color: '#2030ff'}]}
`

// TestRedNight checks that the wall is red on black and changes at most once a second. When the room becomes light, the usual wall is
// shown again.
func TestRedNight(t *testing.T) {
	walltest.ModernBubble(t, redWall, walltest.Scene{Size: image.Pt(640, 360)}, look.Calm(false), func(d *walltest.Data) {
		at := time.Duration(0)
		publish := func(dark bool, n int) {
			d.ByName["p"].Publish(map[string]any{"dark": dark, "n": float64(n)}, walltest.T0.Add(at))
		}
		publish(false, 0)
		d.Step(0)
		whole := clonePicture(d.R.Frame())
		publish(true, 0)
		for at = time.Second; at < 2*time.Second; at += 20 * time.Millisecond {
			d.Step(at)
		}
		m := d.R.Frame()
		lit := 0
		for i := 0; i < len(m.Pix); i += 4 {
			r, g, b := int(m.Pix[i]), int(m.Pix[i+1]), int(m.Pix[i+2])
			if r > 0xb3 || g*0xb3 > r*0x26+2*0xb3 || b*0xb3 > r*0x1e+2*0xb3 {
				t.Fatalf("pixel %d is %d %d %d, which is no shade of the red", i/4, r, g, b)
			}
			if r > 0x80 {
				lit++
			}
		}
		if share := float64(lit) / float64(len(m.Pix)/4); share < 0.01 || share > 0.25 {
			t.Errorf("%.1f %% of the wall is red", 100*share)
		}
		pictures := 0
		for n := 1; at < 12*time.Second; n++ {
			at += 50 * time.Millisecond
			publish(true, n%10)
			if damage, _ := d.Step(at); len(damage) > 0 {
				pictures++
			}
		}
		if pictures < 9 || pictures > 11 {
			t.Errorf("got %d pictures in ten seconds", pictures)
		}
		publish(false, 0)
		d.Step(13 * time.Second)
		d.Step(14 * time.Second)
		if !samePicture(whole, d.R.Frame(), 20) {
			t.Error("the wall did not come back")
		}
	})
}

// TestTouchInTheDark checks that one touch shows the whole wall if the room is dark and no person was near.
func TestTouchInTheDark(t *testing.T) {
	const wall = `
glance: {show: [clock], when: !data .p.away, after: 2s, stay: 5s}
red_night: {when: !data .p.dark, show: [clock]}
widgets:
  - widget: row
    children:
      - {widget: clock, seconds: raised}
      - {widget: list, items: [{text: Power, value: 1}, {text: Door, value: open}]}
`
	walltest.ModernBubble(t, wall, walltest.Scene{Size: image.Pt(640, 360), Reduced: true}, look.Calm(false), func(d *walltest.Data) {
		d.ByName["p"].Publish(map[string]any{"dark": false, "away": false}, walltest.T0)
		d.Step(0)
		whole := clonePicture(d.R.Frame())
		d.ByName["p"].Publish(map[string]any{"dark": true, "away": true}, walltest.T0.Add(time.Second))
		d.Step(time.Second)
		d.Step(4 * time.Second)
		if samePicture(whole, d.R.Frame(), 20) {
			t.Fatal("the wall is not red")
		}
		d.Tree.Touch(touch.Gesture{Kind: touch.Tap, From: image.Pt(100, 300)}, walltest.T0.Add(5*time.Second))
		d.Step(5 * time.Second)
		if !samePicture(whole, d.R.Frame(), 20) {
			t.Error("a touch does not show the whole wall")
		}
	})
}

func TestRedNightMistakes(t *testing.T) {
	wall := "\nwidgets: [{widget: text, text: x}]"
	walltest.WantErrors(t, "red_night: true"+wall, "needs 'when', or")
	walltest.WantErrors(t, "red_night: {when: {time: '22:00-06:00'}}"+wall, "needs 'show'")
	walltest.WantErrors(t, "red_night: dark"+wall, "must be true, or a mapping")
}
