package calendar

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
	"dashboard/widgets/walltest"
)

// TestPrivate checks that titles and places are not shown or spoken while the condition of the key `private` is true or has no value yet.
// Each event is then described as "Busy". When the condition becomes false, the titles return.
func TestPrivate(t *testing.T) {
	for _, kind := range []string{"agenda", "nextevent", "week", "month"} {
		t.Run(kind, func(t *testing.T) {
			file := "widgets: [{widget: " + kind + ", provider: " + walltest.Family + ", private: !data .p}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(900, 600)}, look.Calm(true), func(d *walltest.Data) {
				d.ByName[walltest.Family].Publish(walltest.AgendaOf(walltest.T0, walltest.Plans), walltest.T0)
				words := func(private bool) string {
					d.ByName["p"].Publish(private, walltest.T0)
					d.Step(0)
					var s speech.Speech
					s.Begin(walltest.TestLocale(t, ""), time.UTC, walltest.T0, true)
					kit.SpeakOf(&s, d.Tree)
					return string(s.AppendText(nil))
				}
				titles := func(text string) (found []string) {
					for _, e := range walltest.AgendaOf(walltest.T0, walltest.Plans).Events {
						for _, secret := range []string{bare(e.Title), e.Location} {
							if secret != "" && strings.Contains(text, secret) {
								found = append(found, secret)
							}
						}
					}
					return found
				}
				d.Step(0)
				var s speech.Speech
				s.Begin(walltest.TestLocale(t, ""), time.UTC, walltest.T0, true)
				if kit.SpeakOf(&s, d.Tree); len(titles(string(s.AppendText(nil)))) > 0 {
					t.Errorf("before the condition has a value: got %q", s.AppendText(nil))
				}
				open := words(false)
				if len(titles(open)) == 0 {
					t.Fatalf("no title is spoken in %q", open)
				}
				before := append([]byte(nil), d.R.Frame().Pix...)
				hidden := words(true)
				if found := titles(hidden); len(found) > 0 || !strings.Contains(hidden, "Busy") {
					t.Errorf("hidden: got %q in %q", found, hidden)
				}
				if string(before) == string(d.R.Frame().Pix) {
					t.Error("the picture stays")
				}
				if words(false) != open {
					t.Error("the titles do not return")
				}
			})
		})
	}
}
