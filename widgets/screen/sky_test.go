package screen_test

import (
	"fmt"
	"image"
	"image/color"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config/value"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestSkyBehindWall checks that the sky is painted again after the sun has moved, but at most once a minute. Painting the sky allocates
// no memory. Texts keep their contrast in every theme and at every hour. On e-paper, the sky does not change.
func TestSkyBehindWall(t *testing.T) {
	for _, name := range look.Names() {
		for _, night := range []bool{false, true} {
			l, _ := look.Named(name, night)
			synctest.Test(t, func(t *testing.T) {
				e := walltest.TestEnv()
				e.Look, e.Picture, e.Place = l, image.Pt(320, 240), value.Location{Known: true, Latitude: 52, Longitude: 13}
				d := walltest.NewDataIn(t, e, "sky: {clouds: 40}\nwidgets: [{widget: text, text: ''}]", image.Pt(320, 240))
				start := walltest.T0.Truncate(time.Minute)
				d.R.Step(start)
				if damage, next := d.R.Step(start.Add(time.Second)); len(damage) != 0 || !l.Ink && next.After(start.Add(time.Minute)) {
					t.Errorf("%s: a second later %v is painted again, and the next pass is at %v", name, damage, next)
				}
				changed := 0
				for at := range 24 * 6 {
					if damage, _ := d.R.Step(start.Add(time.Duration(at) * 10 * time.Minute)); len(damage) > 0 {
						changed++
					}
					for y := range 240 {
						ground := d.R.Frame().RGBAAt(150, y)
						for role, least := range map[string]float64{"text": 4.5, "muted": 4.4, "faint": 2.45} {
							got := look.Contrast(l.Colors[role], color.NRGBA{ground.R, ground.G, ground.B, 255})
							if got < least && !l.Ink {
								t.Fatalf("%s, night %v, after %d: %s on %v has a contrast of %.2f", name, night, at, role, ground, got)
							}
						}
					}
				}
				if moved := changed > 20; moved == l.Ink {
					t.Errorf("%s, night %v: the sky changed %d times in a day", name, night, changed)
				}
				now := start.Add(24 * time.Hour)
				if n := testing.AllocsPerRun(9, func() { now = now.Add(time.Minute); d.R.Step(now) }); n != 0 && !walltest.RaceEnabled {
					t.Errorf("%s: %v allocations a minute", name, n)
				}
			})
		}
	}
}

// TestCloudsOfSky checks that the color of the sky depends on the share of clouds, in percent.
func TestCloudsOfSky(t *testing.T) {
	seen := map[color.RGBA]int{}
	for _, clouds := range []int{0, 20, 60, 100} {
		e := walltest.TestEnv()
		e.Picture, e.Place = image.Pt(320, 240), value.Location{Known: true, Latitude: 52, Longitude: 13}
		d := walltest.NewDataIn(t, e, fmt.Sprintf("sky: {clouds: %d}\nwidgets: [{widget: text, text: ''}]", clouds), image.Pt(320, 240))
		d.R.Step(walltest.T0)
		c := d.R.Frame().RGBAAt(150, 20)
		if same, ok := seen[c]; ok {
			t.Errorf("with %d and with %d percent of clouds, the sky is %v", same, clouds, c)
		}
		seen[c] = clouds
	}
}

func TestSkyMistakes(t *testing.T) {
	wall := "\nwidgets: [{widget: clock}]"
	walltest.WantErrors(t, "sky: [1]"+wall, "must be")
}
