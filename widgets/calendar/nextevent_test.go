package calendar

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

const (
	roomFamily = walltest.NextFamily + ", title: Room Ada, icon: mdi:door, note: 8 seats, free: Free, busy: In use, calendars: [Anna]"
)

func TestNextEventGoldens(t *testing.T) {
	walltest.ModernSheet(t, "nextevent", []walltest.Scene{
		{Size: image.Pt(420, 160), Locale: "en-GB", Widget: walltest.NextFamily + ", title: Next}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(420, 160), Locale: "en-GB", Widget: walltest.NextFamily + ", title: Next, calendars: [Anna]}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(420, 160), Locale: "de", Widget: walltest.NextFamily + ", title: Danach}", Feed: walltest.Planning(walltest.Plans), After: 9 * time.Hour},
		{Size: image.Pt(320, 60), Picture: image.Pt(320, 240), Locale: "en-GB", Widget: walltest.NextFamily + ", card: false, calendars: [Anna]}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(420, 160), Widget: walltest.NextFamily + ", title: Next}", Feed: walltest.Planning(nil)},
		{Size: image.Pt(420, 160), Locale: "he", Widget: walltest.NextFamily + ", title: Next}", Feed: walltest.Planning(walltest.Plans)},
	})
	walltest.ModernSheet(t, "nextevent-room", []walltest.Scene{
		{Size: image.Pt(560, 430), Locale: "en-GB", Widget: roomFamily + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(560, 430), Locale: "en-GB", Widget: roomFamily + "}", Feed: walltest.Planning(walltest.Plans), After: time.Hour},
		{Size: image.Pt(420, 230), Widget: roomFamily + "}", Feed: walltest.Planning(walltest.Plans), After: 5 * time.Hour},
		{Size: image.Pt(300, 200), Picture: image.Pt(800, 480), Widget: roomFamily + "}", Feed: walltest.Planning(walltest.Plans), After: time.Hour},
		{Size: image.Pt(320, 240), Picture: image.Pt(320, 240), Widget: roomFamily + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(300, 200), Widget: roomFamily + "}"},
		{Size: image.Pt(560, 620), Locale: "en-GB", Widget: roomFamily + "}", Feed: walltest.Planning(walltest.Plans), After: time.Hour},
		{Size: image.Pt(560, 620), Locale: "he", Widget: roomFamily + "}", Feed: walltest.Planning(walltest.Plans), After: 10 * time.Hour},
	})
	inkSheet(t, "nextevent-eink", []walltest.Scene{
		{Size: image.Pt(400, 300), Picture: image.Pt(800, 480), Widget: roomFamily + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(400, 160), Picture: image.Pt(800, 480), Widget: walltest.NextFamily + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(440, 360), Picture: image.Pt(800, 480), Locale: "en-GB", Widget: roomFamily + "}", Feed: walltest.Planning(walltest.Plans)},
	})
}

func TestNextEventWords(t *testing.T) {
	for _, tt := range []struct {
		name, params string
		size         image.Point
		after        time.Duration
		want         string
	}{
		{"under way", "", image.Pt(500, 120), 0, "Lunch; now · until 13:00; Mill Street 4"},
		{"soon", "calendars: [Anna]", image.Pt(500, 120), 0, "Dentist, Anna; 13:10 – 14:00 · in 36 min; Mill Street 4"},
		{"tomorrow", "calendars: [Anna]", image.Pt(500, 120), 8 * time.Hour, "Swimming; Tomorrow 16:00 – 17:00; Mill Street 4"},
		{"in a row", "calendars: [Anna]", image.Pt(500, 40), 0, "13:10 Dentist, Anna"},
		{"none", "empty: quiet, calendars: [Birthdays]", image.Pt(500, 40), 0, "quiet"},
		{"none, below an icon", "calendars: [Birthdays]", image.Pt(500, 200), 0, "; ; ; Nothing planned"},
		{"free", "free: Free, calendars: [Anna]", image.Pt(500, 200), 0, "Free; until 13:10 · 36 min; 13:10  Dentist, Anna"},
		{"busy", "busy: In use, calendars: [Anna]", image.Pt(500, 200), 37 * time.Minute, "In use; until 14:00 · 49 min; Dentist, Anna"},
		{"low", "free: Free, calendars: [Anna]", image.Pt(500, 56), 0, "Free; until 13:10 · 36 min"},
		{"low, but with room for three lines", "free: Free, calendars: [Anna]", image.Pt(500, 104), 0, "Free; until 13:10 · 36 min; 13:10  Dentist, Anna"},
		{"free all day", "free: Free, calendars: [Anna]", image.Pt(500, 200), 4 * time.Hour, "Free"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := "widgets: [{widget: nextevent, provider: calendar-family, card: false, padding: 0, margin: 0, " + tt.params + "}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: tt.size, Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
				walltest.Planning(walltest.Plans)(d)
				d.Step(0)
				d.Step(tt.after)
				var got []string
				switch w := walltest.Only[*kit.Frame](d).Inner.(type) {
				case *nextEvent:
					got = []string{string(w.title.Raw), string(w.when.Raw), string(w.spot.Raw), w.none.Text()}
					if !w.lines {
						got = []string{strings.TrimSpace(string(w.when.Raw) + " " + string(w.title.Raw))}
					}
				case *roomSign:
					got = []string{string(w.word.Raw), string(w.until.Raw) + string(w.left.Raw), string(w.what.Raw)}
				}
				if text := strings.TrimRight(strings.Join(got, "; "), "; "); text != tt.want {
					t.Errorf("got %s, want %s", text, tt.want)
				}
			})
		})
	}
}

// TestNextEventAllocatesNothing checks that frames allocate no memory while no value arrives.
func TestNextEventAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, params := range []string{"", "free: Free"} {
		walltest.ModernBubble(t, "widgets: [{widget: nextevent, provider: calendar-family, "+params+"}]", walltest.Scene{Size: image.Pt(500, 400)}, look.Calm(true), func(d *walltest.Data) {
			walltest.Planning(walltest.Plans)(d)
			d.Step(0)
			now := walltest.Warm(d.R)
			if got := testing.AllocsPerRun(20, func() { d.R.Step(now) }); got != 0 {
				t.Errorf("%s, unchanged: got %v allocations", params, got)
			}
			if got := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); got != 0 {
				t.Errorf("%s, painted whole: got %v allocations", params, got)
			}
		})
	}
}
