package calendar

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

// TestSmallRoomSigns checks that the small sign of a meeting room cuts no text. If a sign shows the remaining time of the state, it also
// shows the end of the state. Hour labels must have gaps between them.
func TestSmallRoomSigns(t *testing.T) {
	file := "widgets: [{widget: nextevent, provider: calendar-family, card: false, margin: 0, padding: 0, free: Free, calendars: [Anna]}]"
	for _, size := range []image.Point{{X: 100, Y: 150}, {X: 130, Y: 40}, {X: 150, Y: 210}, {X: 170, Y: 210}, {X: 200, Y: 210}, {X: 240, Y: 210}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			walltest.ModernBubble(t, file, walltest.Scene{Size: size, Picture: image.Pt(480, 320)}, look.Calm(true), func(d *walltest.Data) {
				walltest.Planning(walltest.Plans)(d)
				d.Step(0)
				w := walltest.Only[*kit.Frame](d).Inner.(*roomSign)
				for _, s := range []*piece.Snippet{&w.until, &w.left, &w.what} {
					if text := string(s.Raw); w.b.TextWidth(s.Face, text) > size.X-s.Box.Min.X {
						t.Errorf("%q is cut", text)
					}
				}
				if len(w.until.Raw) == 0 && len(w.left.Raw) > 0 {
					t.Errorf("the sign shows %q without the end of the state", w.left.Raw)
				}
				for i := 1; w.day != nil && i < len(w.day.hours) && !w.day.hours[i].Box.Empty(); i++ {
					if a, b := w.day.hours[i-1].Box, w.day.hours[i].Box; a.Max.X >= b.Min.X {
						t.Errorf("the hour labels %d and %d touch: %v and %v", i-1, i, a, b)
					}
				}
			})
		})
	}
}

// TestLongWordOfASign checks that a very long word for one state of a sign does not make the word for the other state too small. The
// long word ends in an ellipsis.
func TestLongWordOfASign(t *testing.T) {
	long := strings.Repeat("תפוס 使用中 Besprechung ", 20)
	for _, words := range []string{"free: Free, busy: " + long, "free: " + long + ", busy: Busy"} {
		file := "widgets: [{widget: nextevent, provider: calendar-family, calendars: [Anna], " + words + "}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 300)}, look.Calm(true), func(d *walltest.Data) {
			walltest.Planning(walltest.Plans)(d)
			d.Step(0)
			var all []walltest.Text
			cache := walltest.TestEnv().Text
			walltest.TextsOf(cache, &all)
			defer cache.OnPaint(nil)
			w := walltest.Only[*kit.Frame](d).Inner.(*roomSign)
			w.Paint(render.NewCanvas(image.NewRGBA(image.Rectangle{Max: w.size})))
			if least := w.b.Face("body").Size; w.word.Face.Size < least {
				t.Errorf("%.12s: the word has %d px, want at least %d", words, w.word.Face.Size, least)
			}
			word := string(w.word.Raw)
			if !slices.ContainsFunc(all, func(p walltest.Text) bool {
				return p.Text == word || strings.HasPrefix(word, strings.TrimSuffix(p.Text, kit.Ellipsis)) && p.Text != kit.Ellipsis && p.Ink.Max.X <= w.size.X
			}) {
				t.Errorf("%.12s: the word %q is not drawn in %v", words, word, w.size)
			}
		})
	}
}

// TestTimelineOfNarrowSigns checks that a sign has a timeline if the hours of its first and its last label fit.
func TestTimelineOfNarrowSigns(t *testing.T) {
	file := "widgets: [{widget: nextevent, provider: calendar-family, card: false, margin: 0, padding: 0, free: Free, calendars: [Anna]}]"
	for wide, want := range map[int]bool{60: false, 104: true, 120: true, 150: true} {
		scene := walltest.Scene{Size: image.Pt(wide, 200), Picture: image.Pt(400, 300)}
		walltest.ModernBubble(t, file, scene, look.Calm(true), func(d *walltest.Data) {
			walltest.Planning(walltest.Plans)(d)
			d.Step(0)
			if w := walltest.Only[*kit.Frame](d).Inner.(*roomSign); (w.day != nil) != want {
				t.Errorf("%d px: a timeline: %v, want %v", wide, w.day != nil, want)
			}
		})
	}
}
