package calendar

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/internal/localtime"
	"dashboard/provider/calendar"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

func TestAgendaGoldens(t *testing.T) {
	card, portrait := image.Pt(509, 421), image.Pt(420, 620)
	walltest.ModernSheet(t, "agenda", []walltest.Scene{
		{Size: card, Widget: walltest.FamilyAgenda + ", note: next 3 days, days: 3}", Feed: walltest.Planning(walltest.Plans)},
		{Size: portrait, Widget: walltest.FamilyAgenda + ", past: true, location: true}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(360, 250), Widget: walltest.FamilyAgenda + ", headings: false, kinds: [birthday, event], days: 30, calendars: [Bins, Birthdays]}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(300, 220), Widget: walltest.FamilyAgenda + ", empty: Nothing booked}", Feed: walltest.Planning(nil)},
		{Size: image.Pt(300, 220), Widget: walltest.FamilyAgenda + "}"},
		{Size: image.Pt(420, 260), Widget: walltest.FamilyAgenda + ", days: 5}", Feed: func(d *walltest.Data) {
			d.ByName[walltest.Family].Promise(time.Minute)
			d.ByName[walltest.Family].Publish(walltest.AgendaOf(walltest.T0, walltest.Plans), walltest.T0.Add(-time.Hour))
		}},
	})
	walltest.ModernSheet(t, "agenda-languages", []walltest.Scene{
		{Size: card, Locale: "de", Widget: walltest.FamilyAgenda + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: card, Locale: "he", Widget: walltest.FamilyAgenda + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: card, Locale: "fr", Widget: walltest.FamilyAgenda + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: card, Locale: "en-US", Widget: walltest.FamilyAgenda + ", headings: false, location: true}", Feed: walltest.Planning(walltest.Plans)},
	})
	walltest.ModernSheet(t, "agenda-sizes", []walltest.Scene{
		{Size: image.Pt(320, 240), Picture: image.Pt(320, 240), Widget: walltest.FamilyAgenda + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(400, 480), Picture: image.Pt(800, 480), Widget: walltest.FamilyAgenda + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(760, 640), Picture: image.Pt(1920, 1080), Widget: walltest.FamilyAgenda + "}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(120, 90), Picture: image.Pt(320, 240), Widget: walltest.FamilyAgenda + "}", Feed: walltest.Planning(walltest.Plans)},
	})
	inkSheet(t, "agenda-eink", []walltest.Scene{
		{Size: image.Pt(400, 480), Picture: image.Pt(800, 480), Widget: walltest.FamilyAgenda + ", relative: false}", Feed: walltest.Planning(walltest.Plans)},
		{Size: image.Pt(300, 400), Picture: image.Pt(300, 400), Widget: walltest.FamilyAgenda + "}", Feed: walltest.Planning(walltest.Plans)},
	})
}

// agendaRows returns the shown texts. Headings are in capitals, and rows have the form "time|title|text after the title|end".
func agendaRows(d *walltest.Data) string {
	w := walltest.Only[*kit.Frame](d).Inner.(*agenda)
	var all []string
	for _, r := range w.slots[:w.used] {
		if r.isHeading() {
			all = append(all, string(r.title.Raw))
			continue
		}
		all = append(all, strings.TrimRight(strings.Join([]string{string(r.time.Raw), shownTitle(r), string(r.tail.Raw), string(r.end.Raw)}, "|"), "|"))
	}
	if s := string(w.more.Raw) + w.empty.Text(); s != "" {
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

// shownTitle returns the title of a row, which may have two lines.
func shownTitle(r *agendaRow) string {
	return strings.TrimSpace(string(r.title.Raw) + " " + string(r.second.Raw))
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
		{"no headings", "days: 30, headings: false, match: '*a*', limit: 4, calendars: [Bins, Birthdays]", image.Pt(500, 400), 0, "Tomorrow|Jonas turns 9; Mon 23|Market, then brunch at Mira's with the whole family||09:00; Thu 26|Bank||15:00; 30 Nov|Fair||in 9 days"},
		{"more", "days: 6, match: '*', calendars: [Ben, Bins]", image.Pt(500, 130), 0, "TODAY; all day|Recycling out; 12:00|Lunch|now; +1 more"},
		{"no room below the only row of a day", "days: 6, calendars: [Ben, Bins]", image.Pt(500, 74), 0, "TODAY · +2 more; all day|Recycling out"},
		{"room for the heading of the next day", "days: 6", image.Pt(500, 215), 0,
			"TODAY; all day|Recycling out; 12:00|Lunch|now; 13:10|Dentist, Anna|in 36 min; 18:30|Choir rehearsal; TOMORROW · +2 more"},
		{"no room in a narrow agenda", "days: 6, calendars: [Ben, Bins]", image.Pt(110, 74), 0, "TODAY · +2; |Recycling out"},
		{"none", "calendars: [Ben], match: x", image.Pt(500, 400), 0, "Nothing planned"},
		{"own word", "empty: free, calendars: [Ben], match: x", image.Pt(500, 400), 0, "free"},
		{"tomorrow", "days: 1", image.Pt(500, 400), 12 * time.Hour, "TODAY; all day|Jonas turns 9; 16:00|Swimming"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := "widgets: [{widget: agenda, provider: calendar-family, card: false, padding: 0, margin: 0, " + tt.params + "}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: tt.size, Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
				walltest.Planning(walltest.Plans)(d)
				d.Step(0)
				d.Step(tt.after)
				if got := agendaRows(d); got != tt.want {
					t.Errorf("got %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

// TestAgendaAllocatesNothing checks that frames allocate no memory while no value arrives. A new minute causes at most one allocation if
// the texts of this minute are cached.
func TestAgendaAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, params := range []string{"location: true", "headings: false, days: 30"} {
		walltest.ModernBubble(t, "widgets: [{widget: agenda, provider: calendar-family, "+params+"}]", walltest.Scene{Size: image.Pt(500, 400)}, look.Calm(true), func(d *walltest.Data) {
			walltest.Planning(walltest.Plans)(d)
			d.Step(0)
			now := walltest.T0
			for range 70 { // until every digit has been drawn
				now = now.Add(time.Second)
				d.R.Step(now)
			}
			if got := testing.AllocsPerRun(20, func() { d.R.Step(now) }); got != 0 {
				t.Errorf("unchanged: got %v allocations", got)
			}
			if got := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); got != 0 {
				t.Errorf("painted whole: got %v allocations", got)
			}
			for range 20 { // until the texts of these minutes are cached
				now = now.Add(time.Minute)
				d.R.Step(now)
			}
			if got := testing.AllocsPerRun(10, func() { now = now.Add(-time.Minute); d.R.Step(now) }); got > 1 {
				t.Errorf("a minute: got %v allocations", got)
			}
		})
	}
}

// todo() publishes tasks of a family: overdue tasks, tasks of today with and without a time, and a task of tomorrow. It also publishes
// three tasks that an agenda does not show: a later task, a completed task, and a task without a due date.
func todo(d *walltest.Data) {
	chores := &calendar.Calendar{Name: "Chores", Color: "good", Kind: "tasks"}
	a := *walltest.AgendaOf(walltest.T0, walltest.Plans)
	a.Calendars = append(a.Calendars[:len(a.Calendars):len(a.Calendars)], chores)
	day := localtime.At(walltest.T0.Year(), walltest.T0.Month(), walltest.T0.Day(), 0, walltest.T0.Location())
	a.Tasks = []*calendar.Task{
		{Title: "Pay the rent", Due: day.AddDate(0, 0, -3), AllDay: true, Calendar: chores},
		{Title: "Call back", Due: day.Add(-3 * time.Hour), Calendar: chores},
		{Title: "Water the plants", Due: day, AllDay: true, Calendar: chores},
		{Title: "Tea bags", Due: day.Add(11 * time.Hour), Calendar: chores},
		{Title: "Oven off", Due: walltest.T0.Add(20 * time.Minute), Calendar: chores},
		{Title: "Parcel", Due: day.AddDate(0, 0, 1), AllDay: true, Calendar: walltest.Anna},
		{Title: "Some day", Calendar: chores},
		{Title: "Later", Due: day.AddDate(0, 0, 9), AllDay: true, Calendar: chores},
		{Title: "Swept", Due: day, AllDay: true, Done: true, Calendar: chores},
	}
	d.ByName[walltest.Family].Publish(&a, walltest.T0)
}

// TestAgendaOfTasks checks that an agenda with tasks shows the tasks with a due date, and overdue tasks under today. Without the key
// kinds, it shows only events.
func TestAgendaOfTasks(t *testing.T) {
	for params, want := range map[string]string{
		"kinds: [tasks]": "TODAY; 18 Nov|Pay the rent; 20 Nov|Call back; |Water the plants; 11:00|Tea bags; 12:54|Oven off|in 20 min; TOMORROW; |Parcel",
		"kinds: [tasks], headings: false, days: 1":      "Today|Pay the rent||18 Nov; Today|Call back||20 Nov; Today|Water the plants; Today|Tea bags||11:00; Today|Oven off|in 20 min|12:54",
		"kinds: [tasks, event], days: 1, match: '*out'": "TODAY; all day|Recycling out",
		"kinds: [tasks, event], days: 1, match: '*n*'":  "TODAY; all day|Recycling out; 18 Nov|Pay the rent; |Water the plants; 12:00 – 13:00|Lunch|now; 12:54|Oven off|in 20 min; 13:10 – 14:00|Dentist, Anna|in 36 min",
		"kinds: [tasks], calendars: [Anna]":             "TOMORROW; |Parcel",
		"kinds: [birthday, tasks], match: p*":           "TODAY; 18 Nov|Pay the rent; TOMORROW; |Parcel",
		"days: 1, calendars: [Chores]":                  "Nothing planned",
	} {
		t.Run(params, func(t *testing.T) {
			file := "widgets: [{widget: agenda, provider: calendar-family, card: false, padding: 0, margin: 0, " + params + "}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(600, 600), Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
				todo(d)
				d.Step(0)
				if got := agendaRows(d); got != want {
					t.Errorf("got %s\nwant %s", got, want)
				}
			})
		})
	}
}

func TestAgendaTasksGolden(t *testing.T) {
	widget := "{widget: agenda, provider: calendar-family, title: To do, icon: mdi:format-list-checks, kinds: [tasks, event], days: 2}"
	walltest.ModernSheet(t, "agenda-tasks", []walltest.Scene{
		{Size: image.Pt(420, 520), Locale: "en-GB", Widget: widget, Feed: todo},
		{Size: image.Pt(320, 240), Picture: image.Pt(320, 240), Locale: "de", Widget: widget, Feed: todo},
		{Size: image.Pt(420, 420), Locale: "he", Widget: widget, Feed: todo},
	})
}
