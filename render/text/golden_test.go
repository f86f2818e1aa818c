package text

import (
	"image"
	"image/color"
	"os"
	"testing"

	"dashboard/internal/folder"
)

// freeSansBold is the path of Grydgets' built-in font in Debian's package fonts-freefont-ttf.
const freeSansBold = "/usr/share/fonts/truetype/freefont/FreeSansBold.ttf"

var white = color.RGBA{255, 255, 255, 255}

// freeSans opens FreeSansBold. If the font is missing, it skips the test with a message.
func freeSans(t testing.TB) *Font {
	t.Helper()
	if _, err := os.Stat(freeSansBold); err != nil {
		t.Skipf("SKIPPED, compatibility with Grydgets NOT checked: %s is missing (package fonts-freefont-ttf)", freeSansBold)
	}
	f, err := Open(folder.Dir(""), freeSansBold)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// newCache returns a cache that does not search for the machine's fonts.
func newCache() *Cache {
	c := NewCache(8 << 20)
	c.SystemFonts()
	return c
}

func near(got, want, tolerance int) bool {
	return got >= want-tolerance && got <= want+tolerance
}

// nearRect compares the left edge, the top edge, the width and the height of two rectangles, each with the given tolerance.
func nearRect(got, want image.Rectangle, tolerance int) bool {
	return near(got.Min.X, want.Min.X, tolerance) && near(got.Min.Y, want.Min.Y, tolerance) &&
		near(got.Dx(), want.Dx(), tolerance) && near(got.Dy(), want.Dy(), tolerance)
}

func rect(x, y, w, h int) image.Rectangle { return image.Rect(x, y, x+w, y+h) }

// TestBlockAsGrydgets compares a block with Grydgets' result for a box of 400x200 and the same font. Grydgets' rasterizer uses hinting,
// so the ink may differ by up to 2 pixels. The text size may differ by 1, although all sizes are equal today.
func TestBlockAsGrydgets(t *testing.T) {
	f := freeSans(t)
	c := newCache()
	for _, tt := range []struct {
		name, text string
		o          Options
		size       int
		ink        image.Rectangle
	}{
		{"top left", "Hello", Options{}, 161, rect(12, 11, 382, 122)},
		{"centre", "Hello", Options{Align: Center, VAlign: Middle}, 160, rect(13, 47, 379, 121)},
		{"bottom right", "Hello", Options{Align: Right, VAlign: Bottom}, 161, rect(12, 82, 382, 118)},
		// Grydgets cuts the tail of the p off at y = 200, the lower edge of the box.
		{"bottom, with a descender", "Heap", Options{VAlign: Bottom, Size: 100}, 100, rect(8, 105, 243, 95)},
		{"descenders", "gjpqy", Options{Align: Center, VAlign: Middle}, 148, rect(6, 51, 391, 141)},
		{"given size", "Hello", Options{Size: 50}, 50, rect(4, 3, 119, 39)},
		{"given size too large", "8", Options{Size: 500, VAlign: Top}, 196, image.Rectangle{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Font, tt.o.Box = f, image.Pt(400, 200)
			b := NewBlock(c, tt.o)
			b.Set(tt.text)
			if b.Size() != tt.size {
				t.Errorf("size: got %d, want %d", b.Size(), tt.size)
			}
			if !tt.ink.Empty() && !nearRect(b.Ink(), tt.ink, 2) {
				t.Errorf("ink: got %v, want %v", b.Ink(), tt.ink)
			}
		})
	}
}

func TestMetricsAsSDLttf(t *testing.T) {
	f := freeSans(t)
	for size, want := range map[int]Metrics{
		8:   {7, 1, 8, 9, 2},
		12:  {10, 2, 12, 14, 3},
		16:  {13, 3, 16, 18, 4},
		24:  {20, 4, 24, 27, 6},
		33:  {27, 6, 33, 37, 8},
		50:  {40, 10, 50, 55, 11},
		100: {80, 20, 100, 110, 22},
		148: {119, 29, 148, 163, 33},
		161: {129, 32, 161, 178, 36},
		307: {246, 61, 307, 338, 68},
		500: {400, 100, 500, 550, 110},
	} {
		if got := f.Metrics(size); got != want {
			t.Errorf("size %d: got %+v, want %+v", size, got, want)
		}
	}
}

// TestWidthAsSDLttf compares advances with the advances of SDL_ttf 2.20. Below subpixelMax our advances are fractional, so they may differ
// by up to 2 pixels.
func TestWidthAsSDLttf(t *testing.T) {
	f := freeSans(t)
	c := newCache()
	texts := []string{"Hello", "gjpqy", "12:34", "Saturday, November 21"}
	for size, want := range map[int][]int{
		16:  {39, 43, 40, 178},
		24:  {59, 65, 58, 269},
		50:  {125, 134, 125, 563},
		100: {248, 268, 249, 1122},
		161: {400, 432, 400, 1808},
		307: {764, 825, 761, 3447},
	} {
		for i, s := range texts {
			var l Line
			c.Shape(&l, f, size, s)
			if !near(l.Width(), want[i], 2) {
				t.Errorf("%q at %d: got %d, want %d", s, size, l.Width(), want[i])
			}
		}
	}
}

// TestDateclockAsGrydgets chooses the size and position of the two lines of a date clock in 640x360 as Grydgets does. It compares the rows
// that contain ink.
func TestDateclockAsGrydgets(t *testing.T) {
	f := freeSans(t)
	c := newCache()
	const w, h, split = 640, 360, 252 // round(0.7*360)
	var clock, date Line
	c.Shape(&clock, f, c.FitWidth(f, "12:34", split-4, w-4), "12:34")
	c.Shape(&date, f, c.FitWidth(f, "Saturday, November 21", h-split-4, w-4), "Saturday, November 21")
	gap := (date.Ink().Dy()*2 + 2) / 5
	top := (h - clock.Ink().Dy() - gap - date.Ink().Dy()) / 2
	got := [4]int{top, top + clock.Ink().Dy() - 1}
	got[2] = got[1] + 1 + gap
	got[3] = got[2] + date.Ink().Dy() - 1
	for i, want := range [4]int{48, 233, 256, 310} {
		if !near(got[i], want, 1) {
			t.Errorf("rows: got %v, want [48 233 256 310]", got)
			break
		}
	}
}

// TestOfflineScreenAsGrydgets compares the ink of the remote screen's clock and message, at the sizes that Grydgets' client chooses.
func TestOfflineScreenAsGrydgets(t *testing.T) {
	f := freeSans(t)
	c := newCache()
	for _, tt := range []struct {
		text       string
		size, w, h int
	}{
		{"12:34", 307, 731, 231}, {"Dashboard server unavailable", 69, 981, 53},
		{"12:34", 431, 1024, 323}, {"Dashboard server unavailable", 98, 1390, 75},
	} {
		var l Line
		c.Shape(&l, f, tt.size, tt.text)
		if !near(l.Ink().Dx(), tt.w, 2) || !near(l.Ink().Dy(), tt.h, 2) {
			t.Errorf("%q at %d: got %v, want %dx%d", tt.text, tt.size, l.Ink().Size(), tt.w, tt.h)
		}
	}
}
