package widgets

import (
	"image"
	"image/color"
	"image/draw"
	"sync"
	"testing"
	"time"

	"dashboard/internal/locale"
	"dashboard/internal/testing/golden"
	"dashboard/render"
	"dashboard/theme/look"
)

// A scene is a newer widget in one cell of a wall.
type scene struct {
	size    image.Point
	picture image.Point // of the wall; zero is 1280x720
	widget  string
	locale  string
	zone    *time.Location // of the wall; nil is UTC
	fonts   string         // folder of the machine's fonts, for what the built-in ones lack
	feed    func(*data)
	after   time.Duration // since the first frame
}

// modernSheet draws scenes side by side, by night above and by day below.
func modernSheet(t *testing.T, name string, scenes []scene) {
	t.Helper()
	var width, height int
	for _, s := range scenes {
		width, height = width+s.size.X+goldenGap, max(height, s.size.Y+goldenGap)
	}
	m := image.NewRGBA(image.Rect(0, 0, width+goldenGap, 2*height+goldenGap))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
	for i, night := range []bool{true, false} {
		at := image.Pt(goldenGap, goldenGap+i*height)
		for _, s := range scenes {
			s.draw(t, night, func(frame *image.RGBA) { draw.Draw(m, frame.Rect.Add(at), frame, image.Point{}, draw.Src) })
			at.X += s.size.X + goldenGap
		}
	}
	golden.Compare(t, name, m)
}

// draw hands over the frame of a scene.
func (s scene) draw(t *testing.T, night bool, use func(*image.RGBA)) {
	t.Helper()
	l := look.Calm(night)
	ground := flow(hexOf(l.Colors["background"]))
	modernBubble(t, "background_color: "+ground+"\nwidgets: ["+s.widget+"]\n", s, l, func(d *data) {
		if s.feed != nil {
			s.feed(d)
		}
		d.step(0)
		d.step(s.after)
		use(d.r.Frame())
	})
}

func hexOf(c color.NRGBA) string {
	const digits = "0123456789abcdef"
	out := []byte{'#'}
	for _, v := range []uint8{c.R, c.G, c.B} {
		out = append(out, digits[v>>4], digits[v&15])
	}
	return string(out)
}

// testLocale is a language, English without one.
func testLocale(t testing.TB, tag string) *locale.Locale {
	t.Helper()
	if tag == "" {
		return locale.English()
	}
	if l, ok := locales.Load(tag); ok {
		return l.(*locale.Locale)
	}
	l, err := locale.Load(tag, nil)
	if err != nil {
		t.Fatal(err)
	}
	locales.Store(tag, l)
	return l
}

// locales are those that were read, by tag.
var locales sync.Map

var _ render.Widget = (*list)(nil)

// drawIn compares the frame of a scene in a look with a golden picture.
func (s scene) drawIn(t *testing.T, l *look.Look, name string) {
	t.Helper()
	ground := flow(hexOf(l.Colors["background"]))
	modernBubble(t, "background_color: "+ground+"\nwidgets: ["+s.widget+"]\n", s, l, func(d *data) {
		if s.feed != nil {
			s.feed(d)
		}
		d.step(0)
		d.step(s.after)
		golden.Compare(t, name, d.r.Frame())
	})
}
