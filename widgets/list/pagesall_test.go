package list

import (
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestPagesShowEveryRow checks lists of headlines with notes in random sizes. Texts take up to three lines, and the choice of lines may differ
// from page to page. During two rounds of pages, every row must be shown.
func TestPagesShowEveryRow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the library opens on Sundays from June on because many people asked for it at noon")
	lists := 60
	if testing.Short() {
		lists = 20
	}
	for range lists {
		n, items := 2+r.IntN(6), ""
		for i := range n {
			text := fmt.Sprint("N", i, " ", strings.Join(words[:1+r.IntN(len(words)-1)], " "))
			items += fmt.Sprintf("{text: %s, note: %s}, ", text, strings.Join(words[:1+r.IntN(6)], " "))
		}
		size := image.Pt(90+r.IntN(300), 50+r.IntN(250))
		walltest.ModernBubble(t, "widgets: [{widget: list, card: false, padding: 0, margin: 0, dwell: 10s, items: ["+items+"]}]", walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
			seen := map[string]bool{}
			for step := range 2*n + 2 {
				d.Step(time.Duration(step) * 10 * time.Second)
				for _, s := range listIn(d).slots {
					if s.used {
						seen[s.from.raw(partText)[:2]] = true
					}
				}
			}
			if len(seen) != n {
				t.Errorf("%v: %d of %d rows were shown: %s", size, len(seen), n, items)
			}
		})
	}
}
