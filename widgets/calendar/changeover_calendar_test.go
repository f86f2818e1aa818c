package calendar

import (
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestJapaneseAgenda checks that a Japanese agenda writes days and times in the usual way.
func TestJapaneseAgenda(t *testing.T) {
	file := "widgets: [{widget: agenda, provider: calendar-family, card: false, padding: 0, margin: 0, days: 4, calendars: [Anna]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(600, 600), Locale: "ja"}, look.Calm(true), func(d *walltest.Data) {
		walltest.Planning(walltest.Plans)(d)
		d.Step(0)
		if got, want := agendaRows(d), "今日; 13:10|Dentist, Anna|36 分後; 明日; 16:00|Swimming; 24日(火曜日); 終日|Lisbon"; got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
}
