package notice

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/control/notify"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
	"dashboard/widgets/walltest"
)

// TestSpokenNotices checks that notifications are described first, with their time, text without marks, progress and actions. The number
// of waiting notifications is described, too.
func TestSpokenNotices(t *testing.T) {
	half := 0.5
	noticed(t, image.Pt(1280, 720), look.Calm(true), "en-GB", kit.Notices{Limit: 2}, false, func(d *walltest.Data) {
		d.Tell(notify.Notification{ID: "c", Title: "Third"})
		d.Tell(notify.Notification{ID: "a", Title: "Laundry is done", Text: "Please take it **out**", Marked: true, Actions: []notify.Choice{{Label: "Later"}}})
		d.Tell(notify.Notification{ID: "b", Text: "Dinner is ready", Progress: &half})
		d.Step(0)
		d.Step(2 * time.Second)
		s := &speech.Speech{}
		s.Begin(walltest.TestLocale(t, "en-GB"), time.UTC, walltest.After(2*time.Second), false)
		d.Tree.Speak(s)
		got := string(s.AppendText(nil))
		for _, want := range []string{
			"## Notification\n! 12:34: Laundry is done.\n! Please take it out.\n> Later\n", "## Notification\n! 12:34: Dinner is ready.\nProgress: 50%.\n", "+1 more.\n",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("got:\n%s\nwant %q in it", got, want)
			}
		}
		if first := s.Parts()[1]; first.Notice == "" || first.Widget != "notification" {
			t.Errorf("got %+v, want the id of the notification", first)
		}
	})
}
