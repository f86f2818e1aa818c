package wall

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"dashboard/internal/state"
	"dashboard/provider/calendar"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"
)

// A reminder is due once between the reminder time and the beginning of the event. The next check is at the time of the next reminder.
func TestRemindersDue(t *testing.T) {
	noon := time.Date(2026, 5, 14, 12, 0, 0, 0, time.UTC)
	event := func(title string, in, remind time.Duration) *calendar.Event {
		return &calendar.Event{Title: title, Start: noon.Add(in), Remind: remind, Calendar: &calendar.Calendar{Name: "c"}}
	}
	all := []*calendar.Agenda{{Events: []*calendar.Event{
		event("over", -time.Minute, time.Hour), event("due", 9*time.Minute, 10*time.Minute), event("silent", 5*time.Minute, 0), event("later", time.Hour, 10*time.Minute),
	}}}
	r := reminders{told: map[string]time.Time{}}
	for _, c := range []struct {
		after time.Duration
		want  string
		next  time.Duration
	}{{0, "due", 50 * time.Minute}, {time.Minute, "", 50 * time.Minute}, {50 * time.Minute, "later", 0}, {2 * time.Hour, "", 0}} {
		due, next := r.due(all, noon.Add(c.after))
		var titles []string
		for _, e := range due {
			titles = append(titles, e.Title)
			r.told[eventKey(e)] = e.Start
		}
		if strings.Join(titles, ",") != c.want || c.next == 0 != next.IsZero() || c.next > 0 && !next.Equal(noon.Add(c.next)) {
			t.Errorf("after %v: got %q, next %v", c.after, titles, next)
		}
	}
	if len(r.told) != 0 {
		t.Errorf("what is over is still remembered: %v", r.told)
	}
}

// A reminder that was shown is not shown again after a restart. A damaged file counts as empty. Each wall has its own file.
func TestRemindersAreKept(t *testing.T) {
	store, err := state.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, 5, 14, 12, 0, 0, 0, time.UTC)
	e := &calendar.Event{Title: "Dentist", Start: noon.Add(9 * time.Minute), Remind: time.Hour, Calendar: &calendar.Calendar{Name: "c"}}
	all := []*calendar.Agenda{{Events: []*calendar.Event{e}}}
	for start, want := range []int{1, 0, 0, 1} {
		r := toldBefore(store, "/a")
		due, _ := r.due(all, noon.Add(time.Duration(start)*time.Minute))
		if len(due) != want {
			t.Errorf("start %d: got %d reminders, want %d", start, len(due), want)
		}
		r.told[eventKey(e)] = e.Start
		if err := errors.Join(r.keep(store, "/a"), (&reminders{}).keep(store, "/b")); err != nil {
			t.Fatal(err)
		}
		if start == 2 {
			store.Save(toldKind, "/a", []byte("null"))
		}
	}
}

// Reminders are checked often until each calendar has been read once, even if reminders were shown before the restart.
func TestRemindersWaitForCalendars(t *testing.T) {
	now := time.Date(2026, 5, 14, 12, 0, 0, 0, time.UTC)
	r := reminders{told: map[string]time.Time{"shown before": now.Add(time.Hour)}}
	for i, c := range []struct {
		read bool
		next time.Duration
		want time.Duration
	}{
		{false, 0, remindFirst}, {false, time.Hour, remindFirst}, {true, 0, remindLook}, {false, 0, remindLook},
		{true, time.Hour, remindLook}, {true, time.Second, time.Second},
	} {
		var next time.Time
		if c.next > 0 {
			next = now.Add(c.next)
		}
		if got := r.wait(c.read, next, now); got != c.want {
			t.Errorf("check %d: got %v, want %v", i, got, c.want)
		}
	}
}

// Reminders are not lost if no wall shows notifications now: a later check shows them. A reminder that a wall refuses is not repeated, so it
// blocks no other reminder. One check shows at most maxRemind reminders.
func TestRemindersAreRepeated(t *testing.T) {
	now := time.Now()
	var events []*calendar.Event
	for i := range maxRemind + 2 {
		events = append(events, &calendar.Event{Title: fmt.Sprint(i), Start: now.Add(time.Hour), Remind: 2 * time.Hour, Calendar: &calendar.Calendar{Name: "c"}})
	}
	all := []*calendar.Agenda{{Events: events}}
	t.Chdir(t.TempDir())
	conf := "graphics: {resolution: [160, 96]}\noutputs: [{type: stream}]\n"
	for _, w := range []struct {
		conf, widgets string
		wants         []int // number of reminders after each check
	}{
		{conf, plainWall("red"), []int{0, 0}},
		{conf + "notifications: card\n", plainWall("red"), []int{maxRemind, maxRemind + 2}},
		{conf, "widgets:\n  - {widget: notifiableimage, name: i, children: [{widget: empty}]}\n", []int{maxRemind, maxRemind + 2}}, // refuses each reminder
	} {
		s, _ := quiet(t, files{"conf.yaml": w.conf, "widgets.yaml": w.widgets}, io.Discard)
		store, err := state.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		s.store = store
		r := toldBefore(store, s.opts.Home)
		for check, want := range w.wants {
			s.showDue(t.Context(), &r, all, now)
			if kept := toldBefore(store, s.opts.Home); len(kept.told) != want {
				t.Errorf("%q, check %d: got %d reminders, want %d", w.conf, check, len(kept.told), want)
			}
		}
	}
}

// The wall of the editor shows no reminders, because it has no screen and nobody would see them.
func TestNoRemindersWithoutScreen(t *testing.T) {
	s := newService(parts{opts: Options{Folder: scene.Folder{Screenless: true}}, stderr: io.Discard, devices: outputs.ThisMachine()})
	s.runReminders(t.Context()) // with a screen, it would run until the end of the test
}

// A reminder is shown on the wall as a notification. After a restart, only the reminder of a new event is shown.
func TestReminderIsShown(t *testing.T) {
	at, kept := site{t, t.TempDir(), freePort(t)}, t.TempDir()
	start := time.Now().UTC().Add(30 * time.Minute).Format("20060102T150405Z")
	calendar := func(titles ...string) files {
		text := "BEGIN:VCALENDAR\r\n"
		for _, title := range titles {
			text += fmt.Sprintf("BEGIN:VEVENT\r\nUID:%[1]s\r\nSUMMARY:%[1]s\r\nLOCATION:Main Street\r\nDTSTART:%[2]s\r\nDURATION:PT1H\r\nEND:VEVENT\r\n", title, start)
		}
		return files{
			"conf.yaml":      wallConf(at.port, "") + "notifications: card\n",
			"providers.yaml": "providers:\n  us: {type: calendar, calendars: [{name: us, path: a.ics, remind: 1h}]}\n",
			"widgets.yaml":   plainWall("red"),
			"a.ics":          text + "END:VCALENDAR\r\n",
		}
	}
	shows := func(p *program, title string) {
		eventually(t, "the reminder of "+title, func() bool {
			_, body := p.get("/notify")
			return strings.Contains(body, title) && strings.Contains(body, "reminder-")
		})
	}
	p := startAt(at, calendar("Dentist"), "--state-dir", kept)
	shows(p, "Dentist")
	p.end()
	p = startAt(at, calendar("Dentist", "Haircut"), "--state-dir", kept)
	shows(p, "Haircut")
	if _, body := p.get("/notify"); strings.Contains(body, "Dentist") {
		t.Errorf("the reminder is shown again after a restart: %s", body)
	}
}
