package weather

import (
	"strconv"
	"testing"

	"dashboard/widgets/walltest"
)

func TestAirSaysItInShort(t *testing.T) {
	used := func(w any) string { return strconv.Itoa(w.(*airquality).used) }
	walltest.SaidInShort(t, walltest.WordingCase{Kind: "airquality", Size: walltest.TallCell, Picture: walltest.HatWall, Of: used, Want: "0"}, walltest.WordingCase{Kind: "airquality", Size: walltest.MiddleCell, Picture: walltest.PanelWall, Of: used, Want: "1"})
}
