package list

import (
	"image"
	"strings"
	"testing"

	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

// TestEmptySentenceTakesLines checks that a narrow card shows the whole sentence of an empty list on several lines, inside the card. A
// wide card shows the sentence on one line.
func TestEmptySentenceTakesLines(t *testing.T) {
	const sentence, next = "Nothing left to do today", "Saturday: Market"
	scene := walltest.Scene{Size: image.Pt(400, 200), Picture: image.Pt(1280, 720)}
	walltest.ModernBubble(t, "widgets: [{widget: list, items: !data .p}]", scene, look.Calm(true), func(d *walltest.Data) {
		b := listIn(d).b
		for wide, lines := range map[int]int{100: 3, 130: 2, 145: 2, 160: 2, 400: 1} {
			box := image.Rect(10, 10, 10+wide, 210)
			empty := piece.NewEmpty(b, box)
			empty.Say("mdi:check", sentence, next)
			var all []walltest.Text
			walltest.TextsOf(b.Text, &all)
			frame := image.NewRGBA(image.Rect(0, 0, 500, 300))
			empty.Paint(render.Canvas{Dst: frame, Clip: frame.Rect})
			b.Text.OnPaint(nil)
			var words []string
			for _, one := range all {
				words = append(words, one.Text)
			}
			if got := strings.Join(words, " "); !strings.HasPrefix(got, sentence) || !strings.HasSuffix(got, next) {
				t.Errorf("%d px: %q", wide, words)
			}
			if len(words) != lines+1 {
				t.Errorf("%d px: %q, want %d lines and a note", wide, words, lines)
			}
			for y := range frame.Rect.Dy() {
				for x := range frame.Rect.Dx() {
					if p := image.Pt(x, y); frame.RGBAAt(x, y).A > 0 && !p.In(box) {
						t.Fatalf("%d px: a pixel at %v", wide, p)
					}
				}
			}
		}
	})
}
