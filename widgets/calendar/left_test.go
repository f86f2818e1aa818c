package calendar

import (
	"image"
	"testing"

	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

func TestAgendaSaysHowManyAreLeft(t *testing.T) {
	walltest.LeftWhole(t, "agenda", func(w any) *piece.Snippet { return &w.(*agenda).more })
}

// TestEventsSayItInShort checks that texts in small cells are shortened or left out instead of being cut.
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
