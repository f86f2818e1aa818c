package classic

import (
	"image"
	"os"
	"strings"
	"testing"
	"time"

	"dashboard/widgets/walltest"
)

// grydgetsFont is the font of Grydgets, at its path on Debian.
const grydgetsFont = "/usr/share/fonts/truetype/freefont/FreeSansBold.ttf"

// grydgetsWall is a wall of 1920x1080 px. The expected rectangles were measured in the picture that Grydgets draws for this wall.
const grydgetsWall = `
background_color: [240, 240, 240]
widgets:
- widget: grid
  rows: 3
  columns: 4
  padding: 10
  widget_background_color: [216, 222, 233]
  widget_corner_radius: 20
  children:
  - {widget: dateclock, time_font_path: FONT, date_font_path: FONT}
  - {widget: text, font_path: FONT, color: [32, 32, 32], text: cell 1 (second in column 1)}
  - {widget: text, font_path: FONT, color: [32, 32, 32], text: Kitchen 21.4, align: center, vertical_align: center}
  - {widget: empty}
  - {widget: text, font_path: FONT, color: [32, 32, 32], text: small, text_size: 30}
  - {widget: empty}
  - {widget: text, font_path: FONT, color: [32, 32, 32], text: x}
  - {widget: label, font_path: FONT, text: Outside, children: [{widget: text, font_path: FONT, color: [32, 32, 32], text: 12, align: center, vertical_align: center}]}
  - {widget: label, font_path: FONT, text: Below, position: below, children: [{widget: text, font_path: FONT, color: [32, 32, 32], text: 12, align: center, vertical_align: center}]}
  - {widget: empty}
  - {widget: text, font_path: FONT, color: [32, 32, 32], text: 8, vertical_align: center}
  - {widget: text, font_path: FONT, color: [32, 32, 32], text: last}
`

// TestLooksLikeGrydgets compares the rectangles of texts with the measurements in Grydgets' picture of the same wall.
func TestLooksLikeGrydgets(t *testing.T) {
	if _, err := os.Stat(grydgetsFont); err != nil {
		t.Skip("needs Grydgets' built-in font, FreeSansBold")
	}
	size := image.Pt(1920, 1080)
	root := walltest.Build(t, walltest.TestEnv(), strings.ReplaceAll(grydgetsWall, "FONT", grydgetsFont), size)
	m := walltest.PaintOnce(root, size, time.Date(2026, 11, 21, 4, 42, 0, 0, time.UTC))
	for _, tc := range []struct {
		name string
		cell image.Point
		want image.Rectangle
		off  int // tolerance in px. FreeType aligns outlines with the pixel grid, and this program does not
	}{
		{"clock", image.Pt(10, 10), image.Rect(16, 84, 460, 277), 1},
		{"long text", image.Pt(10, 370), image.Rect(11, 372, 455, 405), 3},
		{"centred text", image.Pt(10, 730), image.Rect(16, 874, 468, 933), 1},
		{"text of a given size", image.Pt(490, 370), image.Rect(491, 372, 566, 395), 1},
		{"low letter", image.Pt(970, 10), image.Rect(975, 97, 1148, 277), 2},
		{"label above", image.Pt(970, 370), image.Rect(1031, 395, 1369, 669), 1},
		{"label below", image.Pt(970, 730), image.Rect(1046, 784, 1361, 1047), 1},
		{"digit", image.Pt(1450, 370), image.Rect(1456, 451, 1594, 657), 1},
		{"wide text", image.Pt(1450, 730), image.Rect(1467, 748, 1901, 949), 1},
	} {
		// The corners of the cell have another color, so these two overlapping rectangles cover the cell without its corners.
		got := walltest.InkOf(m, image.Rectangle{tc.cell.Add(image.Pt(0, 20)), tc.cell.Add(image.Pt(460, 320))}).Union(
			walltest.InkOf(m, image.Rectangle{tc.cell.Add(image.Pt(25, 0)), tc.cell.Add(image.Pt(435, 340))}))
		if !near(got, tc.want, tc.off) {
			t.Errorf("%s: got ink %v, want %v within %d px", tc.name, got, tc.want, tc.off)
		}
	}
}

// near() reports whether the edges of `a` and `b` differ by at most `off` px.
func near(a, b image.Rectangle, off int) bool {
	for _, d := range []int{a.Min.X - b.Min.X, a.Min.Y - b.Min.Y, a.Max.X - b.Max.X, a.Max.Y - b.Max.Y} {
		if d < -off || d > off {
			return false
		}
	}
	return true
}
