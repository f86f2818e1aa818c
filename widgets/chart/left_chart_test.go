package chart

import (
	"testing"

	"dashboard/widgets/walltest"
)

func TestProgressSaysItInShort(t *testing.T) {
	walltest.SaidInShort(t, walltest.WordingCase{Kind: "progress", Size: walltest.TallCell, Picture: walltest.HatWall, Of: func(w any) string { return w.(*progress).note.Raw }, Want: "64\u202f%"})
}
