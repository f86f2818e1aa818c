package widgets

import (
	"image"
	"strconv"
	"testing"
	"time"

	"dashboard/theme/look"
)

// leftWhole fails if a narrow cell cuts the text with the number of entries that are left: "+3" stands where "+3 more" has no room.
func leftWhole(t *testing.T, kind string, of func(w any) *snippet) {
	t.Helper()
	for _, tag := range []string{"en-GB", "de", "he"} {
		k := everyKind(t)[kind]
		s := scene{size: image.Pt(108, 148), picture: image.Pt(240, 320), locale: tag}
		modernBubble(t, "widgets: ["+k.widget+"]\n", s, look.Calm(true), func(d *data) {
			k.feed(d, "full")
			d.step(0)
			d.step(2 * time.Second)
			more := of(only[*frame](d).inner)
			if len(more.raw) == 0 || more.raw[0] != '+' && tag != "he" || more.want() > more.box.Dx() {
				t.Errorf("%s, %s: %q is %d px wide in %d", kind, tag, more.raw, more.want(), more.box.Dx())
			}
		})
	}
}

func TestAgendaSaysHowManyAreLeft(t *testing.T) {
	leftWhole(t, "agenda", func(w any) *snippet { return &w.(*agenda).more })
}

func TestListSaysHowManyAreLeft(t *testing.T) {
	leftWhole(t, "list", func(w any) *snippet { return &w.(*list).more })
}

func TestTableSaysHowManyAreLeft(t *testing.T) {
	leftWhole(t, "table", func(w any) *snippet { return &w.(*table).more })
}

// A wording is what a part of a kind reads in a cell of a wall.
type wordingCase struct {
	kind          string
	size, picture image.Point
	of            func(w any) string
	want          string
}

// The cells of small walls.
var (
	tallCell, lowCell, middleCell = image.Pt(108, 148), image.Pt(160, 120), image.Pt(253, 210)
	hatWall, panelWall            = image.Pt(240, 320), image.Pt(800, 480)
)

// saidInShort fails if a part of a kind does not read as wanted.
func saidInShort(t *testing.T, all ...wordingCase) {
	t.Helper()
	for _, c := range all {
		k := everyKind(t)[c.kind]
		modernBubble(t, "widgets: ["+k.widget+"]\n", scene{size: c.size, picture: c.picture, locale: "de"}, look.Calm(true), func(d *data) {
			k.feed(d, "usual")
			d.step(0)
			d.step(2 * time.Second)
			if got := c.of(only[*frame](d).inner); got != c.want {
				t.Errorf("%s, %v: got %q, want %q", c.kind, c.size, got, c.want)
			}
		})
	}
}

// In small cells a time, a word or a name is said in short, or not at all, before it would be cut.
func TestEventsSayItInShort(t *testing.T) {
	when := func(w any) string { return string(w.(*nextEvent).when.raw) }
	time := func(w any) string { return string(w.(*agenda).slots[1].time.raw) }
	saidInShort(t,
		wordingCase{"nextevent", lowCell, hatWall, when, "bis 13:00"},
		wordingCase{"nextevent", tallCell, hatWall, when, "jetzt"},
		wordingCase{"nextevent", middleCell, panelWall, when, "jetzt · bis 13:00"},
		wordingCase{"agenda", middleCell, panelWall, time, ""},
		wordingCase{"agenda", image.Pt(320, 240), panelWall, time, "ganztägig"},
	)
}

func TestClocksSayItInShort(t *testing.T) {
	foot := func(w any) string { return string(w.(*timerWidget).foot.raw) }
	saidInShort(t,
		wordingCase{"timer", tallCell, hatWall, foot, "→ 12:36"},
		wordingCase{"timer", middleCell, panelWall, foot, "4:00 → 12:36"},
		wordingCase{"sunpath", middleCell, panelWall, func(w any) string { return w.(*sunpath).times[0].raw + " " + w.(*sunpath).names[0].raw }, "07:27 "},
	)
}

func TestAirSaysItInShort(t *testing.T) {
	used := func(w any) string { return strconv.Itoa(w.(*airquality).used) }
	saidInShort(t, wordingCase{"airquality", tallCell, hatWall, used, "0"}, wordingCase{"airquality", middleCell, panelWall, used, "1"})
}

func TestProgressSaysItInShort(t *testing.T) {
	saidInShort(t, wordingCase{"progress", tallCell, hatWall, func(w any) string { return w.(*progress).note.raw }, "64\u202f%"})
}
