package list

import (
	"bytes"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// smallPages runs f with a list with pages on a wall of 320x240 px. `items` is the value of the key `items`.
func smallPages(t *testing.T, size image.Point, items string, f func(d *walltest.Data, w *List)) {
	t.Helper()
	file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, dwell: 9s, items: " + items + "}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: size, Picture: image.Pt(320, 240)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		f(d, listIn(d))
	})
}

// TestPagesStayInRows checks that texts that are alone on their page stay inside their rows. A text below its row would be cut, or it would
// remain visible when the page turns.
func TestPagesStayInRows(t *testing.T) {
	const items = "[{text: The library opens every Sunday from June on jpg}, {text: Quarry paths stay open until the first snow comes}]"
	alone := 0
	for i := range 200 {
		if testing.Short() && i%3 != 0 {
			continue
		}
		size := image.Pt(60+i%10*8, 60+i/10*4)
		smallPages(t, size, items, func(d *walltest.Data, w *List) {
			for turn := range 4 {
				d.Step(time.Duration(turn) * 9 * time.Second)
				r := w.slots[0]
				if r.block != nil && w.look.alone {
					alone++
					if ink := r.block.Block.Ink().Add(r.text.Box.Min).Add(image.Pt(0, w.look.drop)); !ink.In(r.rect) {
						t.Errorf("%v: the text %v leaves the row %v", size, ink, r.rect)
					}
				}
				before := slices.Clone(d.R.Frame().Pix)
				d.R.Repaint()
				if d.Step(time.Duration(turn) * 9 * time.Second); !bytes.Equal(before, d.R.Frame().Pix) {
					t.Errorf("%v: pixels of an earlier page remain", size)
				}
			}
		})
	}
	if alone == 0 {
		t.Error("no text was alone on its page")
	}
}

// TestAloneKeepsLines checks that a text that is alone on its page has at most the number of lines that the file allows.
func TestAloneKeepsLines(t *testing.T) {
	const text = "The library opens on Sundays from June on"
	for wide := 80; wide <= 140; wide += 4 {
		for high := 60; high <= 110; high += 4 {
			size := image.Pt(wide, high)
			smallPages(t, size, "[{text: "+text+", lines: 2, note: abc}, {text: "+text+" again, lines: 2, note: abc}]", func(d *walltest.Data, w *List) {
				r := w.slots[0]
				if r.block == nil {
					return
				}
				ink := r.block.Block.Ink().Add(r.text.Box.Min).Add(image.Pt(0, w.look.drop))
				if n := r.block.Block.Lines(); n > 2 || ink.Overlaps(r.note.Ink) {
					t.Errorf("%v: %d lines at %v, and the note at %v", size, n, ink, r.note.Ink)
				}
			})
		}
	}
}

// TestPagesUseTheirSize checks that the size of a text that is alone on its page does not depend on the page before.
func TestPagesUseTheirSize(t *testing.T) {
	const long, short = "The library in the old town opens every Sunday from June on until late", "Quarry paths stay open"
	smaller, step := 0, 4
	if testing.Short() {
		step = 12
	}
	for wide := 60; wide <= 160; wide += step {
		for high := 50; high <= 110; high += step {
			size := image.Pt(wide, high)
			var first, later int
			of := func(w *List) int {
				if w.slots[0].block == nil {
					return 0
				}
				return w.slots[0].block.Face.Size
			}
			smallPages(t, size, "[{text: "+short+"}, {text: "+long+"}]", func(d *walltest.Data, w *List) { first = of(w) })
			smallPages(t, size, "[{text: "+long+"}, {text: "+short+"}]", func(d *walltest.Data, w *List) {
				before := of(w)
				if d.Step(9 * time.Second); !strings.HasPrefix(w.slots[0].from.raw(partText), short) {
					first = 0
				}
				if later = of(w); before < later {
					smaller++
				}
			})
			if first != 0 && later != first {
				t.Errorf("%v: the text has %d px after another page, and %d px on the first page", size, later, first)
			}
		}
	}
	if smaller == 0 {
		t.Error("no page has larger text than the page before")
	}
}
