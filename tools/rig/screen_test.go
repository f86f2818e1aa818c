package rig

import (
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/fb"
)

var (
	screenSize = image.Pt(320, 240)
	night      = color.RGBA{16, 20, 28, 255}
	white      = color.RGBA{255, 255, 255, 255}
)

// plainScreen returns a screen of one color with rectangles of another color.
func plainScreen(c, over color.RGBA, rs ...image.Rectangle) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: screenSize})
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	for _, r := range rs {
		draw.Draw(m, r, image.NewUniform(over), image.Point{}, draw.Src)
	}
	return m
}

func TestSigns(t *testing.T) {
	s := &screen{lens: newLens(fb.XRGB8888)}
	wall := plainScreen(night, night)
	dark := color.RGBA{9, 12, 16, 255}
	banner, triangle, offline := s.showsBanner(wall), s.showsTriangle(wall), s.showsOffline(wall)
	for _, c := range []struct {
		name string
		met  condition
		m    *image.RGBA
		want string // text of the error, or empty if no error is expected
	}{
		{"banner", banner, plainScreen(night, amber, image.Rect(0, 220, 320, 240)), ""},
		{"no banner", banner, wall, "there is no banner"},
		{"banner in the middle", banner, plainScreen(night, amber, image.Rect(0, 120, 320, 240)), "not the banner's place"},
		{"narrow banner", banner, plainScreen(night, amber, image.Rect(0, 220, 300, 240)), "not the banner's place"},
		{"white banner", banner, plainScreen(night, white, image.Rect(0, 220, 320, 240)), "want {255 176 32 255}"},
		{"triangle", triangle, plainScreen(night, amber, image.Rect(300, 220, 312, 232)), ""},
		{"no triangle", triangle, wall, "0 pixels of the triangle's place are amber"},
		{"half of a triangle", s.mayHaveTriangle(wall), plainScreen(night, amber, image.Rect(300, 220, 312, 224)), ""},
		{"more than a triangle", s.mayHaveTriangle(wall), plainScreen(night, amber, image.Rect(0, 220, 320, 240)), "not the triangle's place"},
		{"half of the offline screen", s.becomesOffline(wall, false), plainScreen(night, dark, image.Rect(0, 0, 320, 94)), ""},
		{"a blank on the way there", s.becomesOffline(wall, false), plainScreen(night, color.RGBA{}, image.Rect(0, 0, 320, 94)), "not the offline screen"},
		{"triangle elsewhere", triangle, plainScreen(night, amber, image.Rect(0, 220, 12, 232)), "not the triangle's place"},
		{"white triangle", triangle, plainScreen(night, white, image.Rect(300, 220, 312, 232)), "are amber"},
		{"offline", offline, plainScreen(dark, offlineInk, image.Rect(100, 80, 220, 160)), ""},
		{"offline, not dark", offline, plainScreen(night, white, image.Rect(100, 80, 220, 160)), "not the offline screen"},
		{"offline, all black", offline, plainScreen(color.RGBA{A: 255}, white, image.Rect(100, 80, 220, 160)), "not the offline screen"},
		{"offline, text at the edge", offline, plainScreen(dark, white, image.Rect(100, 0, 220, 160)), "not the offline screen"},
		{"offline, a sharp wall", s.showsOffline(plainScreen(night, white, image.Rect(0, 0, 160, 20))),
			plainScreen(dark, color.RGBA{153, 153, 153, 255}, image.Rect(0, 0, 160, 20)), "not the offline screen"},
		{"offline, no text", offline, plainScreen(dark, dark), "0 pixels"},
		{"console", s.showsText, plainScreen(night, blockColor, blockShown), ""},
		{"no console", s.showsText, wall, "not on the screen"},
	} {
		err := c.met(c.m)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// film returns a screen that first shows the picture `from`, and shows the picture `to` when `at` has passed.
func film(from, to *image.RGBA, at time.Duration) *screen {
	began := time.Now()
	return &screen{lens: newLens(fb.XRGB8888), take: func() (*image.RGBA, error) {
		if time.Since(began) < at {
			return from, nil
		}
		return to, nil
	}}
}

func TestAwaitFrom(t *testing.T) {
	a, b, other := plainScreen(night, night), plainScreen(white, white), plainScreen(amber, amber)
	for _, c := range []struct {
		name        string
		from        *image.RGBA
		at          time.Duration
		least, most time.Duration
		want        string
	}{
		{"in time", a, 5 * time.Second, 3 * time.Second, 8 * time.Second, ""},
		{"too early", a, 2 * time.Second, 3 * time.Second, 8 * time.Second, "already"},
		{"too late", a, 9 * time.Second, 3 * time.Second, 8 * time.Second, "after 8s"},
		{"something else before", other, 5 * time.Second, 3 * time.Second, 8 * time.Second, "has to stay as it was"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := film(c.from, b, c.at)
			err := s.awaitFrom(s.shows(a), s.shows(b), c.least, c.most)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %q", c.name, err, c.want)
			}
		})
	}
}

func TestSteady(t *testing.T) {
	a, b := plainScreen(night, night), plainScreen(white, white)
	synctest.Test(t, func(t *testing.T) {
		s := film(a, b, time.Second)
		if s.steady(s.shows(a)) == nil {
			t.Error("a picture that changed after a second was steady")
		}
		if err := s.steady(s.shows(b)); err != nil {
			t.Errorf("got %v for a picture that did not change", err)
		}
	})
}

// The bytes between two rows in memory are not part of the screen, and the program must not write to them.
func TestPadded(t *testing.T) {
	const pad = 16
	whole := image.NewRGBA(image.Rect(0, 0, screenSize.X+pad, screenSize.Y))
	draw.Draw(whole, image.Rectangle{Max: screenSize}, image.NewUniform(amber), image.Point{}, draw.Src)
	m, err := padded(whole, pad)
	if err != nil || m.Rect.Size() != screenSize || m.RGBAAt(screenSize.X-1, screenSize.Y-1) != amber {
		t.Errorf("got %v, %v, want the screen", m, err)
	}
	whole.Set(screenSize.X, 7, night)
	if m, err := padded(whole, pad); err == nil {
		t.Errorf("got %v, want an error: somebody wrote between the rows", m.Rect)
	}
}
