package calendar

import (
	"image"
	"slices"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestRoomList checks the list of events on the sign of a meeting room. The list shows the remaining events of today. If no events remain
// today, the list shows the events of the next day that has events. Organizers are shown if the titles leave room. The list needs room
// for three rows.
func TestRoomList(t *testing.T) {
	long := walltest.Planned{From: 21 * 60, To: 22 * 60, Title: "A meeting with a title that takes the complete width of the sign", Of: walltest.Ben}
	for _, tt := range []struct {
		name  string
		size  image.Point
		after time.Duration
		want  []string
	}{
		{"today", image.Pt(500, 520), 0, []string{"TODAY", "13:10 – 14:00", "Dentist, Anna", "Mira", "18:30 – 20:00", "Choir rehearsal", "Mira", "21:00 – 22:00", long.Title, ""}},
		{"tomorrow", image.Pt(500, 520), 10 * time.Hour, []string{"TOMORROW", "all day", "Jonas", "Mira", "16:00 – 17:00", "Swimming", "Mira"}},
		{"low", image.Pt(500, 380), 0, nil},
		{"without ends", image.Pt(300, 520), 10 * time.Hour, []string{"TOMORROW", "all day", "Jonas", "Mira", "16:00", "Swimming", "Mira"}},
		{"narrow", image.Pt(250, 520), 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := "widgets: [{widget: nextevent, provider: calendar-family, card: false, padding: 0, margin: 0, free: Free}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: tt.size, Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
				a := walltest.AgendaOf(walltest.T0, slices.Insert(slices.Clone(walltest.Plans), 5, long))
				for _, e := range a.Events {
					e.Organizer = "Mira"
				}
				d.ByName[walltest.Family].Publish(a, walltest.T0)
				d.Step(0)
				d.Step(tt.after)
				var got []string
				w := walltest.Only[*kit.Frame](d).Inner.(*roomSign)
				if w.list != nil {
					got = append(got, string(w.list.head.Raw))
					for _, r := range w.list.rows[:w.list.shown] {
						got = append(got, string(r.when.Raw), string(r.title.Raw), string(r.by.Raw))
					}
					if what := string(w.what.Raw); tt.after == 0 && what != "Lunch · Mira" {
						t.Errorf("current event: got %q", what)
					}
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// TestTimelineAboveAList checks that the bar above a list is higher than usual if there is room. In a lower sign, the bar becomes lower
// before the list is hidden.
func TestTimelineAboveAList(t *testing.T) {
	type form struct{ tall, list bool }
	var forms []form
	for high := 600; high >= 380; high -= 2 {
		file := "widgets: [{widget: nextevent, provider: calendar-family, card: false, padding: 0, margin: 0, free: Free}]"
		sign := walltest.Scene{Size: image.Pt(500, high), Picture: image.Pt(1280, 720), Locale: "en-GB"}
		walltest.ModernBubble(t, file, sign, look.Calm(true), func(d *walltest.Data) {
			d.ByName[walltest.Family].Publish(walltest.AgendaOf(walltest.T0, walltest.Plans), walltest.T0)
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*roomSign)
			forms = append(forms, form{w.day.track.Dy() > w.b.Px(roomTrack), w.list != nil})
			if w.day.now.Ink.Overlaps(w.day.track) || w.day.now.Ink.Max.Y > w.day.line.Min.Y {
				t.Errorf("%d px: the time %v touches the bar %v or the line %v", high, w.day.now.Ink, w.day.track, w.day.line)
			}
		})
	}
	if got, want := slices.Compact(forms), []form{{true, true}, {false, true}, {false, false}}; !slices.Equal(got, want) {
		t.Errorf("from the highest to the lowest sign: got %v, want %v", got, want)
	}
}
