package calendar

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"dashboard/control"
	"dashboard/provider/calendar"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
	"dashboard/widgets/walltest"
)

// TestAgendaTicks checks that a tap on an open task completes it, and that a tap on a completed task reopens it. A completed task stays
// visible until the server has received the change. If the server rejects the change, the row shows the reason.
func TestAgendaTicks(t *testing.T) {
	file := "widgets: [{widget: agenda, provider: calendar-family, card: false, padding: 0, margin: 0, kinds: [tasks, event], days: 1, match: '*e*'}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(600, 600), Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
		todo(d)
		a := *d.ByName[walltest.Family].Load().Value.(*calendar.Agenda)
		for i, own := range a.Tasks {
			v := *own
			v.Key = "k:" + v.Title
			switch v.Title {
			case "Pay the rent":
				v.Done, v.Waiting = true, true
			case "Oven off":
				v.Problem = "it is gone"
			case "Tea bags":
				v.Key = ""
			}
			a.Tasks[i] = &v
		}
		d.ByName[walltest.Family].Publish(&a, walltest.T0)
		d.Step(0)
		w := walltest.Only[*kit.Frame](d).Inner.(*agenda)
		var got []string
		for _, r := range w.slots[:w.used] {
			if r.isHeading() || !r.entry.task {
				continue
			}
			action, ok := d.TapAt(r.rect.Min.Add(image.Pt(5, 5)))
			got = append(got, fmt.Sprint(r.text, ok, action.Verb, action.Args, r.mark.Name, r.after))
		}
		want := []string{
			"Pay the renttruetodomap[action:open item:k:Pay the rent]" + iconWaiting,
			"Water the plantstruetodomap[action:done item:k:Water the plants]" + iconTask,
			"Tea bagsfalsemap[]" + iconTask,
			"Oven offtruetodomap[action:done item:k:Oven off]" + iconRefused + "it is gone",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		handles := 0
		w.Handles(func(image.Rectangle, *control.Action, func(*speech.Speech)) { handles++ })
		if handles != 3 {
			t.Errorf("%d handles, want 3", handles)
		}
	})
}
