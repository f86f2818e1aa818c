package clock

import (
	"testing"

	"dashboard/widgets/walltest"
)

func TestClocksSayItInShort(t *testing.T) {
	foot := func(w any) string { return string(w.(*timerWidget).foot.Raw) }
	walltest.SaidInShort(t,
		walltest.WordingCase{Kind: "timer", Size: walltest.TallCell, Picture: walltest.HatWall, Of: foot, Want: "12:36"},
		walltest.WordingCase{Kind: "timer", Size: walltest.MiddleCell, Picture: walltest.PanelWall, Of: foot, Want: "4:00 · bis 12:36"},
		walltest.WordingCase{Kind: "sunpath", Size: walltest.MiddleCell, Picture: walltest.PanelWall, Of: func(w any) string { return w.(*sunpath).times[0].Raw + " " + w.(*sunpath).names[0].Raw }, Want: "07:27 "},
	)
}
