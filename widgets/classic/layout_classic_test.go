package classic

import (
	"image"
	"os"
	"testing"

	"dashboard/widgets/walltest"
)

func TestLabelThirds(t *testing.T) {
	for _, tc := range []struct {
		position string
		at, room image.Rectangle
	}{
		{"above", image.Rect(0, 0, 100, 33), image.Rect(0, 33, 100, 99)},
		{"below", image.Rect(0, 66, 100, 99), image.Rect(0, 0, 100, 66)},
	} {
		l := walltest.BuildOne[*label](t, walltest.TestEnv(), walltest.Flow(map[string]any{
			"widget": "label", "text": "x", "position": tc.position, "children": []any{map[string]any{"widget": "empty"}},
		}), image.Pt(100, 100))
		if l.at != tc.at || l.room != tc.room {
			t.Errorf("%s: got label %v and child %v, want %v and %v", tc.position, l.at, l.room, tc.at, tc.room)
		}
	}
}

func TestPillGeometry(t *testing.T) {
	for _, tc := range []struct {
		name        string
		params      string
		size        image.Point
		base, badge image.Rectangle
		radius      int
	}{
		{"plain", "", image.Pt(200, 100), image.Rect(0, 0, 200, 100), image.Rect(20, 70, 180, 90), 10},
		{"circle", "circular_mask: true", image.Pt(200, 101), image.Rect(50, 0, 150, 100), image.Rect(20, 70, 180, 90), 10},
		{"portrait circle", "circular_mask: true", image.Pt(100, 200), image.Rect(0, 50, 100, 150), image.Rect(10, 140, 90, 180), 20},
		{"measured by the circle", "pill_size_relative_to_circle: true, pill_position_y: 0.5, pill_corner_radius: 3", image.Pt(300, 100),
			image.Rect(0, 0, 300, 100), image.Rect(110, 40, 190, 60), 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := walltest.BuildOne[*pill](t, walltest.TestEnv(), "{widget: pill, children: [{widget: empty}, {widget: empty}], "+tc.params+"}", tc.size)
			if w.baseAt != tc.base || w.badgeAt != tc.badge {
				t.Errorf("got base %v and badge %v, want %v and %v", w.baseAt, w.badgeAt, tc.base, tc.badge)
			}
			p := walltest.PaintOnce(walltest.BuildOne[*pill](t, walltest.TestEnv(), "{widget: pill, pill_background_color: red, children: [{widget: empty}, {widget: empty}], "+tc.params+"}", tc.size), tc.size, walltest.T0)
			corner := tc.badge.Min
			if got := p.RGBAAt(corner.X, corner.Y).A; got == 255 {
				t.Errorf("badge's corner: got alpha %d, want a round corner", got)
			}
			if got := p.RGBAAt(corner.X+tc.radius, corner.Y).A; got != 255 {
				t.Errorf("badge's edge behind the corner: got alpha %d, want 255", got)
			}
		})
	}
}

// TestDateClockGeometry checks the letters of a clock with 640x360 px and with the font of Grydgets. The letters must cover the same rows
// of pixels as in Grydgets.
func TestDateClockGeometry(t *testing.T) {
	if _, err := os.Stat(grydgetsFont); err != nil {
		t.Skip("needs Grydgets' built-in font, FreeSansBold")
	}
	size := image.Pt(640, 360)
	w := walltest.BuildOne[*dateClock](t, walltest.TestEnv(), walltest.Flow(map[string]any{"widget": "dateclock", "time_font_path": grydgetsFont, "date_font_path": grydgetsFont}), size)
	m := walltest.PaintOnce(w, size, walltest.T0)
	upper, lower := walltest.InkOf(m, image.Rect(0, 0, 640, 245)), walltest.InkOf(m, image.Rect(0, 245, 640, 360))
	for _, tc := range []struct {
		name      string
		got, want int
	}{
		{"first row of the time", upper.Min.Y, 48}, {"last row of the time", upper.Max.Y - 1, 233},
		{"first row of the date", lower.Min.Y, 256}, {"last row of the date", lower.Max.Y - 1, 310},
	} {
		if d := tc.got - tc.want; d < -1 || d > 1 {
			t.Errorf("%s: got %d, want %d", tc.name, tc.got, tc.want)
		}
	}
	for _, ink := range []image.Rectangle{upper, lower} {
		if d := ink.Min.X - (size.X - ink.Max.X); d < -12 || d > 12 {
			t.Errorf("ink %v is not centred", ink)
		}
	}
}
