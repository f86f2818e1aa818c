package widgets

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
)

const (
	nextFamily = "{widget: nextevent, provider: calendar-family"
	roomFamily = nextFamily + ", title: Room Ada, icon: mdi:door, note: 8 seats, free: Free, busy: In use, calendars: [Anna]"
)

func TestNextEventGoldens(t *testing.T) {
	modernSheet(t, "nextevent", []scene{
		{size: image.Pt(420, 160), locale: "en-GB", widget: nextFamily + ", title: Next}", feed: planning(plans)},
		{size: image.Pt(420, 160), locale: "en-GB", widget: nextFamily + ", title: Next, calendars: [Anna]}", feed: planning(plans)},
		{size: image.Pt(420, 160), locale: "de", widget: nextFamily + ", title: Danach}", feed: planning(plans), after: 9 * time.Hour},
		{size: image.Pt(320, 60), picture: image.Pt(320, 240), locale: "en-GB", widget: nextFamily + ", card: false, calendars: [Anna]}", feed: planning(plans)},
		{size: image.Pt(420, 160), widget: nextFamily + ", title: Next}", feed: planning(nil)},
		{size: image.Pt(420, 160), locale: "he", widget: nextFamily + ", title: Next}", feed: planning(plans)},
	})
	modernSheet(t, "nextevent-room", []scene{
		{size: image.Pt(560, 430), locale: "en-GB", widget: roomFamily + "}", feed: planning(plans)},
		{size: image.Pt(560, 430), locale: "en-GB", widget: roomFamily + "}", feed: planning(plans), after: time.Hour},
		{size: image.Pt(420, 230), widget: roomFamily + "}", feed: planning(plans), after: 5 * time.Hour},
		{size: image.Pt(300, 200), picture: image.Pt(800, 480), widget: roomFamily + "}", feed: planning(plans), after: time.Hour},
		{size: image.Pt(320, 240), picture: image.Pt(320, 240), widget: roomFamily + "}", feed: planning(plans)},
		{size: image.Pt(300, 200), widget: roomFamily + "}"},
	})
	inkSheet(t, "nextevent-eink", []scene{
		{size: image.Pt(400, 300), picture: image.Pt(800, 480), widget: roomFamily + "}", feed: planning(plans)},
		{size: image.Pt(400, 160), picture: image.Pt(800, 480), widget: nextFamily + "}", feed: planning(plans)},
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
		{"free", "free: Free, calendars: [Anna]", image.Pt(500, 200), 0, "Free; until 13:10 · 36 mins; 13:10  Dentist, Anna"},
		{"busy", "busy: In use, calendars: [Anna]", image.Pt(500, 200), 37 * time.Minute, "In use; until 14:00 · 49 mins; Dentist, Anna"},
		{"free all day", "free: Free, calendars: [Anna]", image.Pt(500, 200), 4 * time.Hour, "Free"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := "widgets: [{widget: nextevent, provider: calendar-family, card: false, padding: 0, margin: 0, " + tt.params + "}]"
			modernBubble(t, file, scene{size: tt.size, locale: "en-GB"}, look.Calm(true), func(d *data) {
				planning(plans)(d)
				d.step(0)
				d.step(tt.after)
				var got []string
				switch w := only[*frame](d).inner.(type) {
				case *nextEvent:
					got = []string{string(w.title.raw), string(w.when.raw), string(w.spot.raw)}
					if !w.lines {
						got = []string{strings.TrimSpace(string(w.when.raw) + " " + string(w.title.raw))}
					}
				case *roomSign:
					got = []string{string(w.word.raw), string(w.until.raw), string(w.what.raw)}
				}
				if text := strings.TrimRight(strings.Join(got, "; "), "; "); text != tt.want {
					t.Errorf("got %s, want %s", text, tt.want)
				}
			})
		})
	}
}

// TestNextEventAllocatesNothing while nothing comes in.
func TestNextEventAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, params := range []string{"", "free: Free"} {
		modernBubble(t, "widgets: [{widget: nextevent, provider: calendar-family, "+params+"}]", scene{size: image.Pt(500, 400)}, look.Calm(true), func(d *data) {
			planning(plans)(d)
			d.step(0)
			now := warm(d.r)
			if got := testing.AllocsPerRun(20, func() { d.r.Step(now) }); got != 0 {
				t.Errorf("%s, unchanged: got %v allocations", params, got)
			}
			if got := testing.AllocsPerRun(20, func() { d.r.Repaint(); d.r.Step(now) }); got != 0 {
				t.Errorf("%s, painted whole: got %v allocations", params, got)
			}
		})
	}
}
