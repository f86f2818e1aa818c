package list

import (
	"testing"

	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

func TestListSaysHowManyAreLeft(t *testing.T) {
	walltest.LeftWhole(t, "list", func(w any) *piece.Snippet { return &w.(*List).more })
}

func TestTableSaysHowManyAreLeft(t *testing.T) {
	walltest.LeftWhole(t, "table", func(w any) *piece.Snippet { return &w.(*table).more })
}
