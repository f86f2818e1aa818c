package widgets

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/internal/localtime"
	"dashboard/provider/calendar"
	"dashboard/theme/look"
)

const familyAgenda = "{widget: agenda, provider: calendar-family, title: Calendar, icon: mdi:calendar-blank-outline"

func TestAgendaGoldens(t *testing.T) {
	card, portrait := image.Pt(509, 421), image.Pt(420, 620)
	modernSheet(t, "agenda", []scene{
		{size: card, widget: familyAgenda + ", note: next 3 days, days: 3}", feed: planning(plans)},
		{size: portrait, widget: familyAgenda + ", past: true, location: true}", feed: planning(plans)},
		{size: image.Pt(360, 250), widget: familyAgenda + ", headings: false, kinds: [birthday, event], days: 30, calendars: [Bins, Birthdays]}", feed: planning(plans)},
		{size: image.Pt(300, 220), widget: familyAgenda + ", empty: Nothing booked}", feed: planning(nil)},
		{size: image.Pt(300, 220), widget: familyAgenda + "}"},
		{size: image.Pt(420, 260), widget: familyAgenda + ", days: 5}", feed: func(d *data) {
			d.named[family].Promise(time.Minute)
			d.named[family].Publish(agendaOf(t0, plans), t0.Add(-time.Hour))
		}},
	})
	modernSheet(t, "agenda-languages", []scene{
		{size: card, locale: "de", widget: familyAgenda + "}", feed: planning(plans)},
		{size: card, locale: "he", widget: familyAgenda + "}", feed: planning(plans)},
		{size: card, locale: "fr", widget: familyAgenda + "}", feed: planning(plans)},
		{size: card, locale: "en-US", widget: familyAgenda + ", headings: false, location: true}", feed: planning(plans)},
	})
	modernSheet(t, "agenda-sizes", []scene{
		{size: image.Pt(320, 240), picture: image.Pt(320, 240), widget: familyAgenda + "}", feed: planning(plans)},
		{size: image.Pt(400, 480), picture: image.Pt(800, 480), widget: familyAgenda + "}", feed: planning(plans)},
		{size: image.Pt(760, 640), picture: image.Pt(1920, 1080), widget: familyAgenda + "}", feed: planning(plans)},
		{size: image.Pt(120, 90), picture: image.Pt(320, 240), widget: familyAgenda + "}", feed: planning(plans)},
	})
	inkSheet(t, "agenda-eink", []scene{
		{size: image.Pt(400, 480), picture: image.Pt(800, 480), widget: familyAgenda + ", relative: false}", feed: planning(plans)},
		{size: image.Pt(300, 400), picture: image.Pt(300, 400), widget: familyAgenda + "}", feed: planning(plans)},
	})
}

// agendaRows are the texts that are shown: headings in capitals, rows as "time|title|behind it|end".
func agendaRows(d *data) string {
	w := only[*frame](d).inner.(*agenda)
	var all []string
	for _, r := range w.slots[:w.used] {
		if r.isHeading() {
			all = append(all, string(r.title.raw))
			continue
		}
		all = append(all, strings.TrimRight(strings.Join([]string{string(r.time.raw), string(r.title.raw), string(r.tail.raw), string(r.end.raw)}, "|"), "|"))
	}
	if s := string(w.more.raw); s != "" {
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

func TestAgendaRows(t *testing.T) {
	for _, tt := range []struct {
		name, params string
		size         image.Point
		after        time.Duration
		want         string
	}{
		{"today", "days: 1", image.Pt(500, 400), 0, "TODAY; all day|Recycling out; 12:00|Lunch|now; 13:10|Dentist, Anna|in 36 min; 18:30|Choir rehearsal"},
		{"a minute later", "days: 1, calendars: [Anna]", image.Pt(500, 400), time.Minute, "TODAY; 13:10|Dentist, Anna|in 35 min"},
		{"an hour later", "days: 1, calendars: [Anna, Ben]", image.Pt(500, 400), time.Hour, "TODAY; 13:10|Dentist, Anna|now; 18:30|Choir rehearsal"},
		{"past", "days: 1, past: true, relative: false, calendars: [Anna]", image.Pt(500, 400), 0, "TODAY; 09:00|Breakfast with Lena; 13:10|Dentist, Anna"},
		{"birthdays", "days: 2, kinds: [birthday]", image.Pt(500, 400), 0, "TOMORROW; all day|Jonas turns 9"},
		{"match", "days: 7, match: '*ing'", image.Pt(500, 400), 0, "TOMORROW; 16:00|Swimming"},
		{"several days", "days: 6, match: lisbon", image.Pt(500, 400), 0, "TUESDAY 24; all day|Lisbon; WEDNESDAY 25; all day|Lisbon; THURSDAY 26; all day|Lisbon"},
		{"no headings", "days: 30, headings: false, match: '*a*', limit: 4, calendars: [Bins, Birthdays]", image.Pt(500, 400), 0, "Tomorrow|Jonas turns 9; Mon 23|Market, then brunch at Mira's with the whole family||09:00; Thu 26|Bank||15:00; 30 Nov|Fair"},
		{"more", "days: 6, match: '*', calendars: [Ben, Bins]", image.Pt(500, 130), 0, "TODAY; all day|Recycling out; 12:00|Lunch|now; +1 more"},
		{"none", "calendars: [Ben], match: x", image.Pt(500, 400), 0, "Nothing planned"},
		{"own word", "empty: free, calendars: [Ben], match: x", image.Pt(500, 400), 0, "free"},
		{"tomorrow", "days: 1", image.Pt(500, 400), 12 * time.Hour, "TODAY; all day|Jonas turns 9; 16:00|Swimming"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := "widgets: [{widget: agenda, provider: calendar-family, card: false, padding: 0, margin: 0, " + tt.params + "}]"
			modernBubble(t, file, scene{size: tt.size, locale: "en-GB"}, look.Calm(true), func(d *data) {
				planning(plans)(d)
				d.step(0)
				d.step(tt.after)
				if got := agendaRows(d); got != tt.want {
					t.Errorf("got %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

// TestAgendaAllocates nothing while nothing comes in, and when only minutes pass.
func TestAgendaAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, params := range []string{"location: true", "headings: false, days: 30"} {
		modernBubble(t, "widgets: [{widget: agenda, provider: calendar-family, "+params+"}]", scene{size: image.Pt(500, 400)}, look.Calm(true), func(d *data) {
			planning(plans)(d)
			d.step(0)
			now := t0
			for range 70 { // every digit has been drawn
				now = now.Add(time.Second)
				d.r.Step(now)
			}
			if got := testing.AllocsPerRun(20, func() { d.r.Step(now) }); got != 0 {
				t.Errorf("unchanged: got %v allocations", got)
			}
			if got := testing.AllocsPerRun(20, func() { d.r.Repaint(); d.r.Step(now) }); got != 0 {
				t.Errorf("painted whole: got %v allocations", got)
			}
			for range 20 { // the words of these minutes are known
				now = now.Add(time.Minute)
				d.r.Step(now)
			}
			if got := testing.AllocsPerRun(10, func() { now = now.Add(-time.Minute); d.r.Step(now) }); got > 1 {
				t.Errorf("a minute: got %v allocations", got)
			}
		})
	}
}

// todo are tasks of a family: overdue, of today with and without a time, of tomorrow, one that is done, and one for some day.
func todo(d *data) {
	chores := &calendar.Calendar{Name: "Chores", Color: "good", Kind: "tasks"}
	a := *agendaOf(t0, plans)
	a.Calendars = append(a.Calendars[:len(a.Calendars):len(a.Calendars)], chores)
	day := localtime.At(t0.Year(), t0.Month(), t0.Day(), 0, t0.Location())
	a.Tasks = []*calendar.Task{
		{Title: "Pay the rent", Due: day.AddDate(0, 0, -3), AllDay: true, Calendar: chores},
		{Title: "Call back", Due: day.Add(-3 * time.Hour), Calendar: chores},
		{Title: "Water the plants", Due: day, AllDay: true, Calendar: chores},
		{Title: "Tea bags", Due: day.Add(11 * time.Hour), Calendar: chores},
		{Title: "Oven off", Due: t0.Add(20 * time.Minute), Calendar: chores},
		{Title: "Parcel", Due: day.AddDate(0, 0, 1), AllDay: true, Calendar: anna},
		{Title: "Some day", Calendar: chores},
		{Title: "Later", Due: day.AddDate(0, 0, 9), AllDay: true, Calendar: chores},
		{Title: "Swept", Due: day, AllDay: true, Done: true, Calendar: chores},
	}
	d.named[family].Publish(&a, t0)
}

// An agenda of tasks shows what is due, what should have been done under today; without kinds there are events alone.
func TestAgendaOfTasks(t *testing.T) {
	for params, want := range map[string]string{
		"kinds: [tasks]": "TODAY; 18 Nov|Pay the rent; 20 Nov|Call back; |Water the plants; 11:00|Tea bags; 12:54|Oven off|in 20 min; TOMORROW; |Parcel",
		"kinds: [tasks], headings: false, days: 1":      "Today|Pay the rent||18 Nov; Today|Call back||20 Nov; Today|Water the plants; Today|Tea bags||11:00; Today|Oven off|in 20 min|12:54",
		"kinds: [tasks, event], days: 1, match: '*out'": "TODAY; all day|Recycling out",
		"kinds: [tasks, event], days: 1, match: '*n*'":  "TODAY; all day|Recycling out; 18 Nov|Pay the rent; |Water the plants; 12:00|Lunch|now; 12:54|Oven off|in 20 min; 13:10|Dentist, Anna|in 36 min",
		"kinds: [tasks], calendars: [Anna]":             "TOMORROW; |Parcel",
		"kinds: [birthday, tasks], match: p*":           "TODAY; 18 Nov|Pay the rent; TOMORROW; |Parcel",
		"days: 1, calendars: [Chores]":                  "Nothing planned",
	} {
		t.Run(params, func(t *testing.T) {
			file := "widgets: [{widget: agenda, provider: calendar-family, card: false, padding: 0, margin: 0, " + params + "}]"
			modernBubble(t, file, scene{size: image.Pt(600, 600), locale: "en-GB"}, look.Calm(true), func(d *data) {
				todo(d)
				d.step(0)
				if got := agendaRows(d); got != want {
					t.Errorf("got %s\nwant %s", got, want)
				}
			})
		})
	}
}

func TestAgendaTasksGolden(t *testing.T) {
	widget := "{widget: agenda, provider: calendar-family, title: To do, icon: mdi:format-list-checks, kinds: [tasks, event], days: 2}"
	modernSheet(t, "agenda-tasks", []scene{
		{size: image.Pt(420, 520), locale: "en-GB", widget: widget, feed: todo},
		{size: image.Pt(320, 240), picture: image.Pt(320, 240), locale: "de", widget: widget, feed: todo},
		{size: image.Pt(420, 420), locale: "he", widget: widget, feed: todo},
	})
}
