package startscreen

import (
	"fmt"
	"image"
	"testing"

	"dashboard/render/text"
)

// updateNotes returns notes about updates. The keys are names for the test.
func updateNotes() map[string]Update {
	return map[string]Update{
		"updating": {Icon: "progress-download", Role: "accent", Title: "Updating to 1.6.0", Text: []string{"the wall keeps running"}, Percent: 62},
		"begins":   {Icon: "progress-download", Role: "accent", Title: "Updating to 1.6.0", Text: []string{"the wall keeps running"}},
		"full":     {Icon: "restart", Role: "accent", Title: "Updating to 1.6.0", Text: []string{"the wall returns in a moment"}, Percent: 100},
		"runs":     {Icon: "check-circle", Role: "good", Title: "1.6.0 runs", Text: []string{"the update is done"}, Percent: -1},
		"long": {
			Icon: "progress-download", Role: "accent", Title: "Updating to 0.1.0~20261124.d4f8a1b2c3e4-dirty-with-a-long-name",
			Text: []string{"the wall keeps running"}, Percent: 9,
		},
		"kept": {Icon: "backup-restore", Role: "warn", Title: "Still on 1.5.2", At: "3:12", Card: true, Percent: -1, Text: []string{
			"1.6.0 showed no picture in time, so 1.5.2 came back.", "Nothing was lost. 1.6.0 is not tried again.",
		}},
	}
}

// Every note is narrower than its wall and leaves its edges free. The notes have their design sizes.
func TestUpdateNote(t *testing.T) {
	cache := text.NewCache(4 << 20)
	for name, u := range updateNotes() {
		for _, size := range append(guideSizes, image.Pt(320, 240)) {
			for _, night := range []bool{true, false} {
				pic := UpdateNote(size, u, night, cache)
				save(t, fmt.Sprintf("update-%s-%dx%d-%v", name, size.X, size.Y, night), pic)
				if got := pic.Rect.Size(); got.X > size.X-10 || got.Y > size.Y*2/3 {
					t.Errorf("%s %v: got a note of %v", name, size, got)
				}
				if edge := pic.RGBAAt(pic.Rect.Dx()-3, pic.Rect.Dy()/2); edge != pic.RGBAAt(2, pic.Rect.Dy()/2) {
					t.Errorf("%s %v: something is painted at the edge", name, size)
				}
			}
		}
	}
	wall := image.Pt(1280, 720)
	if got := UpdateNote(wall, updateNotes()["updating"], true, cache).Rect.Size(); got != image.Pt(updateWide, updateHigh) {
		t.Errorf("updating: got %v, want %d x %d", got, updateWide, updateHigh)
	}
	if got := UpdateNote(wall, updateNotes()["kept"], true, cache).Rect.Size(); got.X != cardWide || got.Y < 140 || got.Y > 165 {
		t.Errorf("kept: got %v, want %d x 152", got, cardWide)
	}
}

// The bar grows with the progress.
func TestUpdateProgress(t *testing.T) {
	cache := text.NewCache(1 << 20)
	last := 0
	for _, percent := range []int{0, 1, 30, 62, 100} {
		u := updateNotes()["updating"]
		u.Percent = percent
		pic := UpdateNote(image.Pt(1280, 720), u, true, cache)
		p := newPainter(image.Pt(1280, 720), cache, true)
		n := 0
		for x := range pic.Rect.Dx() {
			if pic.RGBAAt(x, pic.Rect.Dy()-2) == p.color("accent") {
				n++
			}
		}
		if n < last || percent == 100 && n < updateWide-20 || percent == 0 && n > 0 {
			t.Errorf("%d %%: got a bar of %d px, after %d", percent, n, last)
		}
		last = n
	}
}
