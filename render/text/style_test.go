package text

import (
	"image"
	"image/color"
	"regexp"
	"strings"
	"testing"

	"dashboard/render/icon"
)

// probe returns the width of a text, and the coverage of all its glyphs. The width is in units of 1/refEm of an em. The coverage is in
// pixels, for a text of the given size.
func (c *Cache) probe(f *Font, s string, size int) (int64, int) {
	var l Line
	c.Shape(&l, f, size, s)
	ink := 0
	l.draw()
	for _, g := range l.glyphs {
		for _, v := range g.mask.Pix {
			ink += int(v)
		}
	}
	return units(l.segments), ink / 255
}

// TestWeights expects different widths and ink for different weights, and the same results in any order of requests. The shaper caches a
// font's data, so a mistake could give a text the width of another weight.
func TestWeights(t *testing.T) {
	c := newCache()
	type measured struct {
		width int64
		ink   int
	}
	first := map[int]measured{}
	for _, weight := range []int{400, 900, 100, 650} {
		w, ink := c.probe(c.Style(Inter(), Style{Weight: weight}), "AVATo Rate", 40)
		first[weight] = measured{w, ink}
	}
	if a, b, d := first[100], first[400], first[900]; !(a.ink < b.ink && b.ink < d.ink) || a.width == b.width || b.width == d.width {
		t.Errorf("weights 100, 400, 900: got %v, %v, %v; want them apart, and more ink each time", a, b, d)
	}
	other := newCache()
	for _, weight := range []int{100, 650, 900, 400} {
		w, ink := other.probe(other.Style(Inter(), Style{Weight: weight}), "AVATo Rate", 40)
		if got := (measured{w, ink}); got != first[weight] {
			t.Errorf("weight %d in another order: got %v, want %v", weight, got, first[weight])
		}
	}
	if w, ink := c.probe(Inter(), "AVATo Rate", 40); (measured{w, ink}) != first[400] {
		t.Errorf("without a style: got %d, %d, want those of weight 400: %v", w, ink, first[400])
	}
}

func TestStylesAreKept(t *testing.T) {
	c := newCache()
	a := c.Style(Inter(), Style{Weight: 300, Optical: 200, Features: "zero"})
	for _, tc := range []struct {
		name string
		s    Style
		same bool
	}{
		{"the same", Style{Weight: 300, Optical: 200, Features: "zero"}, true},
		{"beyond the end of the axis too", Style{Weight: 300, Optical: 32, Features: "zero"}, true},
		{"another weight", Style{Weight: 301, Optical: 200, Features: "zero"}, false},
		{"another feature", Style{Weight: 300, Optical: 200}, false},
		{"another optical size", Style{Weight: 300, Optical: 20, Features: "zero"}, false},
		{"tracked", Style{Weight: 300, Optical: 200, Features: "zero", Tracking: 10}, false},
	} {
		if b := c.Style(Inter(), tc.s); (a == b) != tc.same {
			t.Errorf("%s: same font %v, want %v", tc.name, a == b, tc.same)
		}
	}
	if c.Style(Inter(), Style{}) != Inter() {
		t.Error("no style must be the font itself")
	}
	for i := range 3 * maxStyles {
		c.Style(Liberation(), Style{Tracking: i%1000 + 1, Weight: 100 + i%801})
	}
	if len(c.styles) > maxStyles {
		t.Errorf("%d styles are kept, want at most %d", len(c.styles), maxStyles)
	}
}

// TestTabular checks that the ten digits have the same width in every weight. Inter's own tabular digits differ slightly.
func TestTabular(t *testing.T) {
	c := newCache()
	for _, weight := range []int{100, 400, 650, 700, 900} {
		f := c.Style(Inter(), Style{Weight: weight, Tabular: true})
		want, _ := c.probe(f, "0000", 40)
		for _, s := range []string{"1111", "4444", "1794", "2568"} {
			if got, _ := c.probe(f, s, 40); got != want {
				t.Errorf("weight %d: %s takes %d, 0000 %d", weight, s, got, want)
			}
		}
		a, _ := c.probe(c.Style(Inter(), Style{Weight: weight}), "1111", 40)
		if a == want {
			t.Errorf("weight %d: the plain ones are narrower than %d", weight, a)
		}
	}
}

func TestTrackingAndFeatures(t *testing.T) {
	c := newCache()
	plain, _ := c.probe(Inter(), "HELLO", 40)
	wide, _ := c.probe(c.Style(Inter(), Style{Tracking: 100}), "HELLO", 40)
	if got, want := wide-plain, int64(5*refEm/10); got < want-5 || got > want {
		t.Errorf("tracking adds %d, want %d", got, want)
	}
	_, zero := c.probe(Inter(), "0", 100)
	if _, slashed := c.probe(c.Style(Inter(), Style{Features: "zero nonsense"}), "0", 100); slashed <= zero {
		t.Errorf("a slashed zero has %d px of ink, a plain one %d", slashed, zero)
	}
}

// Letters for a larger optical size are narrower. The fallback of a bold style is bold.
func TestOpticalSizeAndFallback(t *testing.T) {
	c := newCache()
	small, _ := c.probe(c.Style(Inter(), Style{Optical: 14}), "Rate", 40)
	large, _ := c.probe(c.Style(Inter(), Style{Optical: 32}), "Rate", 40)
	if large >= small {
		t.Errorf("letters for 32 px take %d, for 14 px %d; want them tighter", large, small)
	}
	if f := c.Style(Inter(), Style{Weight: 700}); f.chain[1] != builtinBold() {
		t.Error("bold Inter falls back to regular Liberation")
	}
	if f := c.Style(Default(), Style{Weight: 300}); f.bold {
		t.Error("a light Liberation is bold")
	}
}

// TestInterHasWhatWallsNeed checks that the subset of Inter has every promised script and symbol.
func TestInterHasWhatWallsNeed(t *testing.T) {
	for _, r := range "AzÄßÉłŒğșΑωЖяїҚễỮđ−–—…„“”‘’·•°′″€£¥₴₹₿→↑↓↗½²₂×÷≤≥≠±∞✓★ " {
		if _, ok := Inter().chain[0].ft.Cmap.Lookup(r); !ok {
			t.Errorf("no %c (%U)", r, r)
		}
	}
}

// TestLettersAreNotJoined checks that the letters f and i are not joined to a ligature. Grydgets does not join them either.
func TestLettersAreNotJoined(t *testing.T) {
	c := newCache()
	for name, f := range map[string]*Font{"Liberation": Default(), "FreeSans": freeSans(t)} {
		if n := len(c.shape(f, "fi").glyphs); n != 2 {
			t.Errorf("%s: fi is %d glyphs, want 2", name, n)
		}
	}
}

func TestIcon(t *testing.T) {
	c := newCache()
	r, _ := icon.Lookup("mdi:square")
	m := c.Icon(r, 96)
	if want := image.Rect(12, 12, 84, 84); m.Rect != want { // the icon reaches from 3 to 21 of 24 units
		t.Errorf("a square of 96 px covers %v, want %v", m.Rect, want)
	}
	if m.AlphaAt(48, 48).A != 255 {
		t.Error("its middle is not covered")
	}
	if c.Icon(r, 96) != m {
		t.Error("it is drawn anew each time")
	}
	if n := testing.AllocsPerRun(10, func() { c.Icon(r, 96) }); n != 0 {
		t.Errorf("a known icon takes %v allocations", n)
	}
	if m := c.Icon(0x10ffff, 96); !m.Rect.Empty() {
		t.Errorf("no icon covers %v", m.Rect)
	}
}

func TestStyledTickAllocatesNothing(t *testing.T) {
	c := newCache()
	f := c.Style(Inter(), Style{Weight: 250, Tabular: true, Optical: 32})
	b := NewBlock(c, Options{Font: f, Box: image.Pt(400, 100)})
	img := image.NewRGBA(image.Rect(0, 0, 400, 100))
	texts := []string{"12:34", "12:35"}
	i := 0
	tick := func() {
		b.Set(texts[i%2])
		b.Paint(img, img.Rect, image.Point{}, color.RGBA{255, 255, 255, 255})
		i++
	}
	tick()
	tick()
	if n := testing.AllocsPerRun(10, tick); n != 0 {
		t.Errorf("got %v allocations a tick, want 0", n)
	}
}

// In the SVG path data of an icon, a quadratic curve (Q) has two points, and a line (L) has one.
func TestIconPath(t *testing.T) {
	r, _ := icon.Lookup("mdi:circle")
	parts := regexp.MustCompile(`[A-Z][^A-Z]*`).FindAllString(newCache().IconPath(r), -1)
	curves := 0
	for _, part := range parts {
		numbers := len(strings.FieldsFunc(part[1:], func(r rune) bool { return r == ' ' || r == ',' }))
		if want := map[byte]int{'M': 2, 'L': 2, 'Q': 4, 'C': 6, 'Z': 0}[part[0]]; numbers != want {
			t.Errorf("%s: got %d numbers, want %d", part, numbers, want)
		}
		if part[0] == 'Q' {
			curves++
		}
	}
	if curves == 0 {
		t.Error("a circle has no curves")
	}
}
