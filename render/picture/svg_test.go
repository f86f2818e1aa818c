package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/image/math/fixed"

	"dashboard/internal/budget"
	"dashboard/internal/testing/race"
	"dashboard/internal/testing/thorough"
)

const svgHead = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10">`

// svgSeeds are the seed inputs of the fuzz test.
var svgSeeds = []string{
	svgHead + `<path d="M0 0L10 10A5 5 0 015 5z" stroke="red" stroke-dasharray="1 2" fill="url(#a)"/></svg>`,
	svgHead + `<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><rect width="5" height="5" fill="url(#a)"/></svg>`,
	svgHead + `<style>.a{fill:red}</style><g class="a" transform="rotate(9 1 2)"><use href="#x"/></g><circle id="x" r="3"/></svg>`,
}

// TestSVGEqualsLibrsvg compares our drawings with drawings of the same files by librsvg (rsvg-convert -w 240). Edges differ by their
// anti-aliasing and gradients by rounding. Therefore the mean error of all channels has a small bound. A wrong shape or color causes
// clearly different pixels, so their share has a small bound too.
func TestSVGEqualsLibrsvg(t *testing.T) {
	for _, name := range []string{"icon", "transforms", "gradients"} {
		t.Run(name, func(t *testing.T) {
			want := rgbaOf(t, file(t, filepath.Join("svg", name+".png")))
			p, err := Decode(t.Context(), file(t, filepath.Join("svg", name+".svg")), want.Rect.Size(), Contain, true)
			if err != nil {
				t.Fatal(err)
			}
			got := p.Frames[0].Img
			if got.Rect != want.Rect || p.Opaque {
				t.Fatalf("got %v, opaque %v, want %v", got.Rect, p.Opaque, want.Rect)
			}
			mean, worst := difference(got, want)
			off := clearlyOff(got, want)
			t.Logf("mean %.3f, worst %d, off %.2f %%", mean, worst, off)
			if mean > 0.6 || off > 0.3 {
				if dir := os.Getenv("PICTURE_KEEP"); dir != "" {
					_ = os.WriteFile(filepath.Join(dir, name+".png"), pngOf(t, got), 0o600)
				}
				t.Errorf("got mean %.3f, %.2f %% clearly off, want at most 0.6, 0.3 %%", mean, off)
			}
		})
	}
}

func rgbaOf(t testing.TB, data []byte) *image.RGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := image.NewRGBA(img.Bounds())
	draw.Draw(c, c.Rect, img, image.Point{}, draw.Src)
	return c
}

// clearlyOff returns the percentage of pixels in which one channel differs by more than a quarter of its range.
func clearlyOff(a, b *image.RGBA) float64 {
	n := 0
	for i := 0; i < len(a.Pix); i += 4 {
		for c := range 4 {
			if d := int(a.Pix[i+c]) - int(b.Pix[i+c]); d > 64 || d < -64 {
				n++
				break
			}
		}
	}
	return float64(n) * 400 / float64(len(a.Pix))
}

// TestSVGIsDrawnAtTheSizeShown: an SVG is drawn at its final size, and its pixels are not enlarged. A part of a large drawing equals the
// same part of the whole drawing.
func TestSVGIsDrawnAtTheSizeShown(t *testing.T) {
	data := file(t, filepath.Join("svg", "icon.svg"))
	whole, err := Decode(t.Context(), data, image.Pt(600, 600), Contain, true)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := Decode(t.Context(), data, image.Pt(600, 200), Cover, true)
	if err != nil {
		t.Fatal(err)
	}
	part := image.NewRGBA(image.Rect(0, 0, 600, 200))
	draw.Draw(part, part.Rect, whole.Frames[0].Img, image.Pt(0, 200), draw.Src)
	// There are small differences, because the rasterizer rounds floating point numbers relative to the corner of each shape. A cut shape
	// has a different corner than the whole shape.
	if mean, worst := difference(cut.Frames[0].Img, part); worst > 8 || mean > 0.01 {
		t.Errorf("got mean %.3f, worst %d, want 0.01, 8", mean, worst)
	}
}

func TestSVGSize(t *testing.T) {
	tests := []struct {
		name, attrs string
		size        image.Point
	}{
		{"view box", `viewBox="3 4 40 20"`, image.Pt(100, 50)},
		{"width and height", `width="20" height="40"`, image.Pt(50, 100)},
		{"units", `width="1in" height="48px"`, image.Pt(100, 50)},
		{"percentages are ignored", `width="100%" height="100%" viewBox="0 0 2 1"`, image.Pt(100, 50)},
		{"width alone", `width="7" viewBox="0 0 1 2"`, image.Pt(50, 100)},
		{"fractions", `viewBox="0 0 .5 .25"`, image.Pt(100, 50)},
		{"nothing", ``, image.Pt(100, 50)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" %s><rect x="-900" y="-900" width="2000" height="2000" fill="#00ff00"/></svg>`, tt.attrs)
			p, err := Decode(t.Context(), []byte(svg), image.Pt(100, 100), Contain, true)
			if err != nil {
				t.Fatal(err)
			}
			if p.Rect.Size() != tt.size || !p.Opaque {
				t.Errorf("got %v, opaque %v, want %v all green", p.Rect, p.Opaque, tt.size)
			}
		})
	}
}

// TestSVGColours draws one square for each way of writing a paint.
func TestSVGColours(t *testing.T) {
	tests := []struct {
		name, attrs string
		want        [4]uint8
	}{
		{"default", ``, [4]uint8{0, 0, 0, 255}},
		{"name", `fill="Red"`, [4]uint8{255, 0, 0, 255}},
		{"short", `fill="#0f0"`, [4]uint8{0, 255, 0, 255}},
		{"with alpha", `fill="#00ff0080"`, [4]uint8{0, 128, 0, 128}},
		{"rgba", `fill="rgba(0, 0, 255, 0.2)"`, [4]uint8{0, 0, 51, 51}},
		{"hsl", `fill="hsl(210, 50%, 40%)"`, [4]uint8{51, 102, 153, 255}},
		{"hsl with alpha", `fill="hsl(-120deg 100% 50% / 20%)"`, [4]uint8{0, 0, 51, 51}},
		{"unknown stays", `fill="no-such-colour"`, [4]uint8{0, 0, 0, 255}},
		{"none", `fill="none"`, [4]uint8{}},
		{"style wins", `fill="red" style="fill:blue"`, [4]uint8{0, 0, 255, 255}},
		{"current", `color="#112233" fill="currentColor"`, [4]uint8{0x11, 0x22, 0x33, 255}},
		{"opacity", `fill="white" opacity="40%"`, [4]uint8{102, 102, 102, 102}},
		{"broken number", `fill="white" opacity="x" stroke-width="wide" transform="twist(3)"`, [4]uint8{255, 255, 255, 255}},
		{"hidden", `visibility="hidden"`, [4]uint8{}},
		{"rule", `/><style>rect{fill:red}</style><path d=""`, [4]uint8{255, 0, 0, 255}},
		{"rule without its end", `/><style>rect{fill:red</style><path d=""`, [4]uint8{255, 0, 0, 255}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Decode(t.Context(), []byte(svgHead+`<rect width="10" height="10" `+tt.attrs+`/></svg>`), image.Pt(10, 10), Contain, true)
			if err != nil {
				t.Fatal(err)
			}
			c := p.Frames[0].Img.RGBAAt(5, 5)
			for i, g := range []uint8{c.R, c.G, c.B, c.A} {
				if max(g, tt.want[i])-min(g, tt.want[i]) > 1 {
					t.Errorf("got %v, want %v", c, tt.want)
				}
			}
		})
	}
}

// TestSVGNestedTransforms: the transform of a shape is relative to the transform of its group.
func TestSVGNestedTransforms(t *testing.T) {
	const at7x4 = `<rect width="1" height="1" fill="red" `
	for name, shape := range map[string]string{
		"rotated, then moved":  `<g transform="rotate(90)">` + at7x4 + `transform="translate(4 -8)"/></g>`,
		"moved, then rotated":  `<g transform="translate(8 4)">` + at7x4 + `transform="rotate(90)"/></g>`,
		"skewed, then moved":   `<g transform="skewX(45)">` + at7x4 + `transform="translate(3 4)"/></g>`,
		"tilted, then moved":   `<g transform="skewY(45)">` + at7x4 + `transform="translate(7 -3)"/></g>`,
		"enlarged, then moved": `<g transform="scale(2 4)"><rect width=".5" height=".25" fill="red" transform="translate(3.5 1)"/></g>`,
		"moved by a list":      at7x4 + `transform="rotate(90) translate(4 -8)"/>`,
	} {
		p, err := Decode(t.Context(), []byte(svgHead+shape+`</svg>`), image.Pt(10, 10), Contain, true)
		if err != nil {
			t.Fatal(err)
		}
		red := image.Point{}
		most := uint8(0)
		for y := range 10 {
			for x := range 10 {
				if c := p.Frames[0].Img.RGBAAt(x, y); c.R > most {
					red, most = image.Pt(x, y), c.R
				}
			}
		}
		if red != image.Pt(7, 4) {
			t.Errorf("%s: got the square at %v, want (7,4)", name, red)
		}
	}
}

// TestHostileSVG: without limits, each of these drawings would make the program hang or crash. With the limits, decoding ends soon. The
// time limit of the test is far above the usual time, and far below the time without limits.
func TestHostileSVG(t *testing.T) {
	thorough.Only(t)
	if race.Enabled {
		t.Skip("one goroutine, a minute under the race detector")
	}
	laugh := func() string {
		var b strings.Builder
		b.WriteString(svgHead + `<g id="l0"><rect width="10" height="10"/></g>`)
		for i := 1; i <= 12; i++ {
			fmt.Fprintf(&b, `<g id="l%d">%s</g>`, i, strings.Repeat(fmt.Sprintf(`<use href="#l%d"/>`, i-1), 10))
		}
		return b.String() + `<use href="#l12"/></svg>`
	}
	tests := []struct {
		name, svg string
		is        error // nil: the drawing may succeed or fail with any error
	}{
		{"use of itself", svgHead + `<use id="a" href="#a"/></svg>`, ErrTooLarge},
		{"use in a circle", svgHead + `<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>`, ErrTooLarge},
		{"a billion laughs", laugh(), ErrTooLarge},
		{"deep", svgHead + strings.Repeat("<g>", 100_000), ErrTooLarge},
		{"many elements", svgHead + strings.Repeat("<g/>", 200_000) + "</svg>", ErrTooLarge},
		{"many large shapes", svgHead + strings.Repeat(`<rect width="10" height="10"/>`, 90_000) + "</svg>", ErrTooLarge},
		{"many shaded shapes", svgHead + `<linearGradient id="a"><stop/><stop offset="1"/></linearGradient>` + strings.Repeat(`<rect width="10" height="10" fill="url(#a)"/>`, 20_000) + "</svg>", ErrTooLarge},
		{"fine dashes", svgHead + `<path stroke="red" stroke-dasharray=".01 .01" d="M0 0` + strings.Repeat("L9999 9999L0 0", 2000) + `"/></svg>`, ErrTooLarge},
		{"vanishing dashes", svgHead + `<path stroke="red" stroke-dasharray=".0000001" stroke-dashoffset="9e9" d="M0 0L9999 9999"/></svg>`, nil},
		{"long attribute, often used", svgHead + `<g id="a" transform="` + strings.Repeat(" ", 1<<20) + `"/>` + strings.Repeat(`<use href="#a"/>`, 50_000) + `</svg>`, ErrTooLarge},
		{"huge numbers", svgHead + `<path stroke="red" d="M1e300 -1e300L1e308 1e308A1e200 1e-200 1e99 0 0 9 9C1 1 1e38 1e38 5 5z" transform="scale(1e200)"/></svg>`, nil},
		{"no numbers", svgHead + `<path d="M nan inf L . - e"/><circle r="NaN"/></svg>`, nil},
		{"empty view box", `<svg viewBox="0 0 0 0" width="0" height="-1"/>`, nil},
		{"endless view box", `<svg viewBox="0 0 1e300 1e-300"/>`, nil},
		{"thin", `<svg viewBox="0 0 900000 1"><rect width="9" height="9"/></svg>`, nil},
		{"gradient in a circle", svgHead + `<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="9" height="9" fill="url(#a)"/></svg>`, nil},
		{"gradient of no size", svgHead + `<linearGradient id="a" x2="0"><stop offset="nan" stop-color="x"/><stop/></linearGradient><rect width="9" height="9" fill="url(#a)" stroke="url(#a)"/></svg>`, nil},
		{"entities", `<!DOCTYPE svg [<!ENTITY a "aaa"><!ENTITY b "&a;&a;">]><svg viewBox="0 0 9 9"><g id="&b;"/></svg>`, nil},
		{"comments in a style", svgHead + "<style>" + strings.Repeat("/**/", 15_000) + "</style></svg>", nil},
		{"too many bytes", svgHead + strings.Repeat(" ", maxSVGBytes), ErrTooLarge},
		{"cut", svgHead + `<g><rect`, nil},
		{"not an svg", `<html><svg/></html>`, nil},
		{"latin-1", `<?xml version="1.0" encoding="iso-8859-1"?><svg viewBox="0 0 9 9"><g id="` + "\xe4" + `"/></svg>`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			begun := time.Now()
			_, err := Decode(t.Context(), []byte(tt.svg), image.Pt(1000, 1000), Contain, true)
			if took := time.Since(begun); took > 5*time.Minute {
				t.Errorf("took %v", took)
			} else {
				t.Logf("%v: %v", took.Round(time.Millisecond), err)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("got %v, want %v", err, tt.is)
			}
		})
	}
}

// TestPlainPath checks the rewritten path data.
func TestPlainPath(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"implicit lines", "m1 2 3 4", "m1 2l3 4"},
		{"packed", "M1-2.5.5L3,4z", "M1 -2.5"},
		{"packed pairs", "M1-2L.5.5-3-4", "M1 -2L0.5 0.5L-3 -4"},
		{"flags", "M0 0a1 2 3 012-5", "M0 0a1 2 3 0 1 2 -5"},
		{"exponents", "M1e1 2E-1", "M10 0.2"},
		{"more after close", "M1 1zL2 2", "M1 1zL2 2"},
		{"does not begin with a move", "L1 1", ""},
		{"up to the error", "M1 1L2 2L3", "M1 1L2 2"},
		{"numbers after close", "M1 1z5", "M1 1z"},
		{"unknown command", "M1 1X", "M1 1"},
		{"a flag that is none", "M0 0A1 1 0 2 0 5 5", "M0 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			plainPath(&b, tt.in, 1)
			got := strings.NewReplacer(".000000", "", "00000", "").Replace(b.String())
			for c := range arguments {
				got = strings.ReplaceAll(got, string(c)+" ", string(c))
				got = strings.ReplaceAll(got, strings.ToUpper(string(c))+" ", strings.ToUpper(string(c)))
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestCompilePath compares the points of a path, in pixels. The letters are the commands of rasterx: M, L, Q, C (cubic curve), Z.
func TestCompilePath(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"lines", "M1 2l3 4h5v-6H1V2z", "M1,2 L4,6 L9,6 L9,0 L1,0 L1,2 Z"},
		{"after close, without a move", "M1 2l3 4zl1 1", "M1,2 L4,6 Z M1,2 L2,3"},
		{"closed twice", "M1 2L3 4zz", "M1,2 L3,4 Z"},
		{"a curve goes on", "M0 0c1 1 2 2 4 4s3 3 4 4", "M0,0 C1,1,2,2,4,4 C6,6,7,7,8,8"},
		{"a curve after a line has no control point", "M0 0L2 2S3 4 5 5", "M0,0 L2,2 C2,2,3,4,5,5"},
		{"quadratic curves go on", "M0 0q1 2 2 0t2 0", "M0,0 Q1,2,2,0 Q3,-2,4,0"},
		{"arc without a radius", "M0 0A0 5 0 0 0 3 4", "M0,0 L3,4"},
		{"arc without a distance", "M1 1a5 5 0 1 1 0 0L2 2", "M1,1 L2,2"},
		{"arc with a negative radius", "M0 0a-1 1 0 0 1 0 0.02", compiled("M0 0a1 1 0 0 1 0 0.02")},
		{"moves add up beyond what fits", "M0 0l16777216 0l16777216 0l16777216 0", "M0,0 L16777216,0 L16777216,0 L16777216,0"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := compiled(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// compiled() returns the compiled path of path data, as text.
func compiled(d string) string {
	var plain strings.Builder
	plainPath(&plain, d, 1)
	var b strings.Builder
	compilePath(plain.String()).AddTo(pathText{&b})
	return strings.TrimSpace(b.String())
}

// pathText writes the commands of a path as text.
type pathText struct{ to *strings.Builder }

func (p pathText) add(letter string, points ...fixed.Point26_6) {
	var list []string
	for _, q := range points {
		list = append(list, strconv.FormatFloat(float64(q.X)/64, 'f', -1, 64), strconv.FormatFloat(float64(q.Y)/64, 'f', -1, 64))
	}
	p.to.WriteString(letter + strings.Join(list, ",") + " ")
}

func (p pathText) Start(a fixed.Point26_6)            { p.add("M", a) }
func (p pathText) Line(a fixed.Point26_6)             { p.add("L", a) }
func (p pathText) QuadBezier(a, b fixed.Point26_6)    { p.add("Q", a, b) }
func (p pathText) CubeBezier(a, b, c fixed.Point26_6) { p.add("C", a, b, c) }
func (p pathText) Stop(closed bool) {
	if closed {
		p.add("Z")
	}
}

// TestScannerClip: a shape that is far larger than the picture covers every pixel of the picture.
func TestScannerClip(t *testing.T) {
	for _, d := range []string{
		"M-1e5 -1e5H1e5V1e5H-1e5z", "M-1e5 5L5 -1e5L1e5 5L5 1e5z", "M5 5m-90000 0a90000 90000 0 1 0 180000 0a90000 90000 0 1 0-180000 0z",
	} {
		p, err := Decode(t.Context(), []byte(svgHead+`<path fill="#ff0000" d="`+d+`"/></svg>`), image.Pt(50, 50), Contain, true)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(p.Frames[0].Img.Pix); i += 4 {
			if px := p.Frames[0].Img.Pix[i : i+4]; px[0] != 255 || px[3] != 255 {
				t.Fatalf("%s: pixel %d: got %v, want red", d, i/4, px)
			}
		}
	}
}

// A small SVG file can produce long lists of paths. Decoding of such a file waits until the budget has memory for the lists. Decoding of
// an icon does not wait.
func TestSVGWaitsForItsLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const room = 16 << 20
		m := budget.New()
		ctx := budget.With(t.Context(), m)
		if err := m.Jobs.Take(ctx, budget.MaxJobs-room); err != nil {
			t.Fatal(err)
		}
		box := image.Pt(100, 100)
		const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">`
		if _, err := Decode(ctx, []byte(svg+`<rect width="5" height="5"/></svg>`), box, Contain, true); err != nil {
			t.Errorf("an icon: %v", err)
		}
		done := make(chan error, 1)
		go func() {
			dashes := `<path stroke="red" stroke-dasharray=".1 .1" d="M0 0` + strings.Repeat("L9 9L0 0", 1000) + `"/></svg>`
			_, err := Decode(ctx, []byte(svg+dashes), box, Contain, true)
			done <- err
		}()
		synctest.Wait()
		if len(done) > 0 {
			t.Errorf("dashes: got %v, want it to wait", <-done)
		}
		m.Jobs.Give(budget.MaxJobs - room)
		if err := <-done; err != nil {
			t.Errorf("dashes: %v", err)
		}
	})
}
