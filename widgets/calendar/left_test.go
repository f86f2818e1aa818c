package calendar

import (
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

func TestAgendaSaysHowManyAreLeft(t *testing.T) {
	walltest.LeftWhole(t, "agenda", func(w any) *piece.Snippet { return &w.(*agenda).more })
}

// TestEventsSayItInShort checks that small cells shorten or omit texts instead of cutting them.
func TestEventsSayItInShort(t *testing.T) {
	when := func(w any) string { return string(w.(*nextEvent).when.Raw) }
	time := func(w any) string { return string(w.(*agenda).slots[1].time.Raw) }
	walltest.SaidInShort(t,
		walltest.WordingCase{Kind: "nextevent", Size: walltest.LowCell, Picture: walltest.HatWall, Of: when, Want: "bis 13:00"},
		walltest.WordingCase{Kind: "nextevent", Size: walltest.TallCell, Picture: walltest.HatWall, Of: when, Want: "jetzt"},
		walltest.WordingCase{Kind: "nextevent", Size: walltest.MiddleCell, Picture: walltest.PanelWall, Of: when, Want: "jetzt · bis 13:00"},
		walltest.WordingCase{Kind: "agenda", Size: walltest.MiddleCell, Picture: walltest.PanelWall, Of: time, Want: ""},
		walltest.WordingCase{Kind: "agenda", Size: image.Pt(320, 240), Picture: walltest.PanelWall, Of: time, Want: "ganztägig"},
	)
}

// TestHeadingsAreNearTheirRows checks that free room is above a day's heading and not between the heading and the day's rows.
func TestHeadingsAreNearTheirRows(t *testing.T) {
	file := "widgets: [{widget: agenda, provider: calendar-family, days: 3}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(600, 700)}, look.Calm(true), func(d *walltest.Data) {
		walltest.Planning(walltest.Plans)(d)
		d.Step(0)
		w, seen := walltest.Only[*kit.Frame](d).Inner.(*agenda), 0
		for i, r := range w.slots[:w.used] {
			if i == 0 || !r.isHeading() {
				continue
			}
			above, below := r.title.Ink.Min.Y-w.slots[i-1].bar.Max.Y, w.slots[i+1].bar.Min.Y-r.title.Ink.Max.Y
			if seen++; 2*above < 3*below {
				t.Errorf("%s: %d px above, %d px below", r.title.Raw, above, below)
			}
		}
		if seen == 0 || w.look.more == 0 {
			t.Errorf("%d headings, %d px of free room around a row", seen, w.look.more)
		}
	})
}
