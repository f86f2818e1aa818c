package calendar

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestAgendaDropsNoEventInSilence checks agendas of many heights. An agenda must show all events of its last day, or the number of events
// of this day that do not fit.
func TestAgendaDropsNoEventInSilence(t *testing.T) {
	for _, options := range []string{"", ", headings: false", ", card: false", ", padding: 0, card: false"} {
		for _, picture := range []image.Point{{1280, 720}, {480, 320}, {320, 240}} {
			for high := 40; high < 330; high += 3 {
				s := walltest.Scene{Size: image.Pt(300, high), Picture: picture}
				walltest.ModernBubble(t, "widgets: ["+walltest.FamilyAgenda+options+"}]\n", s, look.Calm(true), func(d *walltest.Data) {
					walltest.Planning(walltest.Plans)(d)
					d.Step(0)
					w := walltest.Only[*kit.Frame](d).Inner.(*agenda)
					shown := map[int]int{}
					for _, r := range w.slots[:w.used] {
						if !r.isHeading() {
							shown[r.entry.ahead]++
						}
					}
					last, told := -1, 0
					for _, r := range w.slots[:w.used] {
						last = r.entry.ahead
						told += r.left
					}
					if len(w.more.Raw) > 0 {
						told += w.left
					}
					if last < 0 {
						return
					}
					all := 0
					for _, e := range w.entries {
						if e.ahead == last {
							all++
						}
					}
					if all > shown[last]+told { // events of the next day may be counted, too
						t.Errorf("%s %v, %d px high: of %d events of a day %d are shown, %d are counted: %q", options, picture, high, all, shown[last], told, fmt.Sprint(strings.TrimSpace(string(w.more.Raw))))
					}
				})
			}
		}
	}
}

// TestAgendaTimesAreComplete checks that times are never cut in a narrow agenda, in several languages.
func TestAgendaTimesAreComplete(t *testing.T) {
	for _, language := range []string{"ar", "hi", "en-US", "de", "ta"} {
		for wide := 110; wide < 300; wide += 10 {
			s := walltest.Scene{Size: image.Pt(wide, 260), Picture: image.Pt(480, 320), Locale: language}
			walltest.ModernBubble(t, "widgets: ["+walltest.FamilyAgenda+", card: false, padding: 0, margin: 0}]\n", s, look.Calm(true), func(d *walltest.Data) {
				walltest.Planning(walltest.Plans)(d)
				d.Step(0)
				w := walltest.Only[*kit.Frame](d).Inner.(*agenda)
				for _, r := range w.slots[:w.used] {
					if r.time.Want() > r.time.Box.Dx() {
						t.Errorf("%s, %d px: %q is cut", language, wide, r.time.Raw)
					}
				}
			})
		}
	}
}
