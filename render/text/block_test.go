package text

import (
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// texts() returns the texts of a block's lines.
func (b *Block) texts() []string {
	var out []string
	for i := range b.rows {
		var s strings.Builder
		for _, seg := range b.rows[i].line.segments {
			s.WriteString(seg.text)
		}
		out = append(out, s.String())
	}
	return out
}

func TestBlockLines(t *testing.T) {
	c := newCache()
	for _, tt := range []struct {
		name, text string
		o          Options
		want       []string
	}{
		{"one line", "a b c", Options{Box: image.Pt(100, 20)}, []string{"a b c"}},
		{"newlines", "a\nb\r\n\nc\n", Options{Box: image.Pt(100, 100)}, []string{"a", "b", "", "c"}},
		{"wrap", "aaaa bbbb cccc", Options{Box: image.Pt(60, 80), Size: 20, Wrap: true}, []string{"aaaa", "bbbb", "cccc"}},
		{"wrap keeps what fits", "aa bb cc", Options{Box: image.Pt(62, 80), Size: 20, Wrap: true}, []string{"aa bb", "cc"}},
		{"wrap at a newline too", "a\nb c", Options{Box: image.Pt(300, 80), Size: 20, Wrap: true}, []string{"a", "b c"}},
		{"wrap cjk anywhere", "\u65e5\u672c\u8a9e\u65e5", Options{Box: image.Pt(26, 80), Size: 20, Wrap: true}, []string{"日本", "語日"}},
		{"ellipsis", "Hello world", Options{Box: image.Pt(60, 40), Size: 20, Ellipsis: true}, []string{"Hell…"}},
		{"ellipsis not needed", "Hello", Options{Box: image.Pt(60, 40), Size: 20, Ellipsis: true}, []string{"Hello"}},
		{"ellipsis takes no blank along", "aaa bbb", Options{Box: image.Pt(58, 40), Size: 20, Ellipsis: true}, []string{"aaa…"}},
		{"ellipsis alone", "Hello", Options{Box: image.Pt(10, 40), Size: 20, Ellipsis: true}, []string{"…"}},
		{"ellipsis after dropped lines", "a\nb\nc\nd", Options{Box: image.Pt(60, 50), Size: 20, Ellipsis: true}, []string{"a", "b…"}},
		{"even lines instead of a short word", "aaaa bbbb cc d", Options{Box: image.Pt(132, 80), Size: 20, Wrap: true, Even: true}, []string{"aaaa", "bbbb cc d"}},
		{"even lines of a longer text", "aaaa bbbb cccc", Options{Box: image.Pt(110, 80), Size: 20, Wrap: true, Even: true}, []string{"aaaa bbbb", "cccc"}},
		{"wrap and ellipsis", "aaaa bbbb cccc", Options{Box: image.Pt(70, 50), Size: 20, Wrap: true, Ellipsis: true}, []string{"aaaa", "bbbb…"}},
		{"empty", "", Options{Box: image.Pt(60, 40)}, nil},
		{"breaks alone", "\n\n", Options{Box: image.Pt(60, 40)}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := NewBlock(c, tt.o)
			b.Set(tt.text)
			if got := b.texts(); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q (size %d)", got, tt.want, b.Size())
			}
			if strings.Contains(tt.name, "ellipsis") && b.Size() != 20 {
				t.Errorf("size: got %d, want 20", b.Size())
			}
		})
	}
}

// TestEllipsisKeepsClusters cuts a text of flag emoji, a family emoji, and a letter with a mark, at every width. There must be only whole
// clusters before the ellipsis.
func TestEllipsisKeepsClusters(t *testing.T) {
	c := newCache()
	clusters := []string{"🇩🇪", "👨\u200d👩\u200d👧", "e\u0301", "🇫🇷", "x"}
	whole := map[string]bool{}
	for i := range clusters {
		whole[strings.Join(clusters[:i], "")+ellipsis] = true
	}
	for w := 20; w < 60; w++ {
		b := NewBlock(c, Options{Box: image.Pt(w, 40), Size: 20, Ellipsis: true})
		b.Set(strings.Join(clusters, ""))
		got := b.texts()[0]
		if strings.HasSuffix(got, ellipsis) && !whole[got] {
			t.Errorf("width %d: got %q", w, got)
		}
	}
}

func TestRightToLeftParagraphWraps(t *testing.T) {
	c := newCache()
	f := freeSans(t)
	b := NewBlock(c, Options{Font: f, Box: image.Pt(90, 100), Size: 20, Wrap: true})
	b.Set("אבגדהוז ab!")
	rows := b.texts()
	if len(rows) != 2 || !strings.HasPrefix(rows[1], "\u200f") {
		t.Fatalf("got %q, want a second line marked as right to left", rows)
	}
	if got := visual(c, f, rows[1]); !strings.HasPrefix(strings.Trim(got, "\u200f"), "!ab") {
		t.Errorf("second line: got %q, want the mark left of ab", got)
	}
}

// TestBottomShowsDescenders checks that the tail of the letter g is visible at the bottom. Grydgets cuts the tail off.
func TestBottomShowsDescenders(t *testing.T) {
	c := newCache()
	for _, padding := range []int{0, 4, 40} {
		b := NewBlock(c, Options{Box: image.Pt(400, 200), VAlign: Bottom, Padding: padding})
		b.Set("g")
		var l Line
		c.Shape(&l, Default(), b.Size(), "g")
		if b.Ink().Dy() != l.Ink().Dy() {
			t.Errorf("padding %d: ink is %d high, want %d", padding, b.Ink().Dy(), l.Ink().Dy())
		}
		if b.Ink().Max.Y < 198-padding {
			t.Errorf("padding %d: ink ends at %d, want the bottom", padding, b.Ink().Max.Y)
		}
	}
}

// TestBottomHasOneBaseline checks that texts at the bottom have the same baseline, with and without descenders, if Options.Even is set.
func TestBottomHasOneBaseline(t *testing.T) {
	c := NewCache(0)
	bottom := func(s string, even bool) int {
		b := NewBlock(c, Options{Size: 40, Box: image.Pt(400, 100), VAlign: Bottom, Even: even})
		b.Set(s)
		return b.rows[0].at.Y
	}
	if got, want := bottom("100 %", true), bottom("kg today", true); got != want {
		t.Errorf("got the baselines %d and %d, want one", got, want)
	}
	top, low := NewBlock(c, Options{Size: 40, Box: image.Pt(400, 40), Even: true}), NewBlock(c, Options{Size: 40, Box: image.Pt(400, 40), VAlign: Bottom, Even: true})
	top.Set("kg")
	low.Set("kg")
	if top.rows[0].at.Y != low.rows[0].at.Y {
		t.Errorf("in a low box, got the baseline %d, want %d as at the top", low.rows[0].at.Y, top.rows[0].at.Y)
	}
	if got, other := bottom("100 %", false), bottom("kg today", false); got <= other {
		t.Errorf("as in Grydgets: got %d without descenders, want more than %d", got, other)
	}
}

// TestTextLayout contains the cases from the tests of Grydgets.
func TestTextLayout(t *testing.T) {
	c := newCache()
	set := func(o Options) image.Rectangle {
		o.Box = image.Pt(400, 480)
		b := NewBlock(c, o)
		b.Set("Hello")
		return b.Ink()
	}
	mid := set(Options{Align: Center, VAlign: Middle})
	if x := (mid.Min.X + mid.Max.X) / 2; !near(x, 200, 5) {
		t.Errorf("centre: got x %d, want 200", x)
	}
	if y := (mid.Min.Y + mid.Max.Y) / 2; !near(y, 240, 15) {
		t.Errorf("centre: got y %d, want 240", y)
	}
	if r := set(Options{Align: Right, Size: 100}); r.Max.X < 395 {
		t.Errorf("right: ink ends at %d, want 395 or more", r.Max.X)
	}
	if r := set(Options{Size: 60}); r.Min.X > 5 {
		t.Errorf("left: ink starts at %d, want 5 or less", r.Min.X)
	}
}

// TestLargestFit compares the chosen size with plainSize, which tries one size after the other.
func TestLargestFit(t *testing.T) {
	c := newCache()
	for _, text := range []string{"8", "12:34", "Hello", "illi", "Saturday, November 21", "a\nbb\nccc", "two words\nx"} {
		for _, box := range []image.Point{{400, 200}, {37, 300}, {1000, 60}, {9, 9}, {300, 20}} {
			for v := Top; v <= Bottom; v++ {
				for _, wrap := range []bool{false, true} {
					b := NewBlock(c, Options{Box: box, VAlign: v, Wrap: wrap, Padding: 2})
					b.Set(text)
					if want := plainSize(c, b.o, text); b.Size() != want {
						t.Errorf("%q in %v, align %d, wrap %v: got %d, want %d", text, box, v, wrap, b.Size(), want)
					}
				}
			}
		}
	}
}

// A line height of the caller replaces the font's distance between two baselines, also while the size of the text is chosen.
func TestLineHeight(t *testing.T) {
	c := newCache()
	for _, high := range []int{9, 30, 70} {
		for v := Top; v <= Bottom; v++ {
			b := NewBlock(c, Options{Box: image.Pt(400, 150), VAlign: v, LineHeight: high})
			b.Set("H\nH\nH")
			if want := plainSize(c, b.o, "H\nH\nH"); b.Size() != want {
				t.Errorf("%d px, align %d: got size %d, want %d", high, v, b.Size(), want)
			}
			if got := b.rows[2].at.Y - b.rows[0].at.Y; got != 2*high {
				t.Errorf("%d px, align %d: got %d px for two lines", high, v, got)
			}
		}
	}
}

// plainSize returns the largest size at which the text fits. It tries all sizes, from large to small.
func plainSize(c *Cache, o Options, text string) int {
	b := NewBlock(c, o)
	b.clean = append(b.clean, text...)
	b.paragraphs()
	b.findUnits()
	for size := b.startSize(); size > 1; size-- {
		ok := true
		if o.Wrap {
			ok = b.breakLines(size)
		}
		b.fill()
		for i := range b.rows {
			segs := b.rows[i].line.segments
			wide, _ := inkWidth(segs, size)
			if o.Wrap {
				wide = width(segs, size)
			}
			ok = ok && wide <= b.w
		}
		if ok && b.fitsHeight(size, len(b.rows)) {
			return size
		}
	}
	return 1
}

// TestOverhangFits checks ink that begins before the start of a text, such as the tail of j. This ink must be inside the box, so it
// counts as part of the width and the text moves to the right. The expected widths are the widths that SDL_ttf reports for Liberation
// Sans Bold.
func TestOverhangFits(t *testing.T) {
	c := newCache()
	var l Line
	for _, tt := range []struct {
		text         string
		size, w, gap int
	}{{"jq", 20, 19, 1}, {"jq", 50, 46, 1}, {"jq", 100, 91, 2}, {"jq", 161, 146, 3}, {"qj", 100, 89, 0}, {"Hello", 161, 394, 0}} {
		c.Shape(&l, Default(), tt.size, tt.text)
		if w, before := inkWidth(l.segments, tt.size); w != tt.w || before != tt.gap {
			t.Errorf("%s at %d: got %d px, %d before the start; want %d, %d", tt.text, tt.size, w, before, tt.w, tt.gap)
		}
	}
	b := NewBlock(c, Options{Box: image.Pt(200, 400)})
	if b.Set("jq"); b.Size() != 221 || b.Ink().Min.X != 0 {
		t.Errorf("got size %d, ink from %d; want 221 as in Grydgets, and 0", b.Size(), b.Ink().Min.X)
	}
}

// If the requested text size is too large, the text shrinks until the capitals fit. This holds for every vertical position of the text.
func TestAskedSizeFitsHeight(t *testing.T) {
	for _, v := range []VAlign{Top, Middle, Bottom} {
		for _, cut := range []bool{false, true} {
			b := NewBlock(newCache(), Options{Box: image.Pt(400, 30), Size: 60, VAlign: v, Ellipsis: cut})
			b.Set("H")
			if ink := b.Ink(); ink.Min.Y <= 0 || ink.Dy() < 16 {
				t.Errorf("align %d, ellipsis %v: got ink %v of size %d, want a whole capital, as high as fits", v, cut, ink, b.Size())
			}
		}
	}
}

func TestSetReportsChange(t *testing.T) {
	b := NewBlock(newCache(), Options{Box: image.Pt(100, 20)})
	for i, step := range []struct {
		text string
		want bool
	}{{"", false}, {"a", true}, {"a", false}, {"b", true}, {"", true}} {
		got := b.Set(step.text)
		if i%2 == 1 {
			got = got || b.SetBytes([]byte(step.text))
		}
		if got != step.want {
			t.Errorf("step %d: got %v, want %v", i, got, step.want)
		}
	}
	if !b.Ink().Empty() || b.Size() != 0 {
		t.Errorf("empty: got ink %v, size %d", b.Ink(), b.Size())
	}
}

// checkInk paints b. It fails if a pixel outside of b's ink changes, or if the ink is not inside the box.
func checkInk(t *testing.T, b *Block) {
	t.Helper()
	const margin = 3
	box := image.Rectangle{Max: b.o.Box}
	img := image.NewRGBA(image.Rectangle{Max: b.o.Box.Add(image.Pt(2*margin, 2*margin))})
	org := image.Pt(margin, margin)
	b.Paint(img, img.Rect, org, white)
	painted := image.Rectangle{}
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if (img.RGBAAt(x, y) != color.RGBA{}) {
				painted = painted.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if got := painted.Sub(org); !painted.Empty() && !got.In(b.Ink()) {
		t.Errorf("painted %v, outside of the ink %v", got, b.Ink())
	}
	if !b.Ink().In(box) {
		t.Errorf("ink %v outside the box %v", b.Ink(), box)
	}
}

func FuzzBlock(f *testing.F) {
	for _, s := range []string{"12:34", "Hello\nworld", "", "\xff\x00\u202e abc", "שלום 12 (ab) \u2067x", "👨\u200d👩\u200d👧🇩🇪", "a\u0301\u0301\u0301", "日本語", strings.Repeat("ab ", 50)} {
		f.Add(s, 40, 20, 0, 0, uint8(0))
		f.Add(s, 1, 1, 0, 3, uint8(0xff))
		f.Add(s, 0, 0, 9, 12, uint8(0x35))
	}
	c := newCache()
	f.Fuzz(func(t *testing.T, s string, w, h, padding, size int, flags uint8) {
		o := Options{
			Box: image.Pt(w%300, h%300), Padding: padding % 300, Size: size % 600,
			Align: Align(flags & 3), VAlign: VAlign(flags >> 2 & 3), Wrap: flags&16 != 0, Ellipsis: flags&32 != 0,
		}
		o.Box.X, o.Box.Y = max(o.Box.X, 0), max(o.Box.Y, 0)
		b := NewBlock(c, o)
		b.Set(s)
		checkInk(t, b)
		for _, l := range b.texts() {
			if !utf8.ValidString(l) {
				t.Errorf("line %q is not valid", l)
			}
		}
		b.Set("x" + s)
		b.Set(s)
		checkInk(t, b)
	})
}
