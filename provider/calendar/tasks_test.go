package calendar

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/radicaletest"
	"dashboard/provider"
	"dashboard/provider/query"
	"dashboard/provider/todo"
)

// A taskWall is a wall that shows the tasks of a CalDAV server.
type taskWall struct {
	t    *testing.T
	p    *Provider
	cell *provider.Cell
}

// newTaskWall starts a wall that runs until the test ends.
func newTaskWall(t *testing.T, url, dir string) *taskWall {
	t.Helper()
	e := Entry{Name: "Shop", CalDAV: url, Kind: "tasks", Auth: &query.Auth{Basic: &query.Basic{Username: "me", Password: "hush"}}}
	params := Params{Calendars: []Entry{e}, UpdateInterval: value.Duration(time.Hour), Write: true}
	params.Timeout = value.Duration(time.Minute)
	env := Env{Client: fetch.New(&fetch.Options{}), Zone: time.UTC, Queues: todo.NewQueues(dir, slog.New(slog.DiscardHandler))}
	p, err := New(params, env)
	if err != nil {
		t.Fatal(err)
	}
	w := &taskWall{t, p, provider.NewCell(nil)}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = p.Run(ctx, w.cell) }()
	t.Cleanup(func() { cancel(); <-ended })
	w.await("the first reading", func(a *Agenda) bool { return true })
	return w
}

// await waits for an agenda for which `ok` returns true.
func (w *taskWall) await(what string, ok func(*Agenda) bool) *Agenda {
	w.t.Helper()
	changed := make(chan struct{}, 1)
	defer w.cell.Watch(changed)()
	late := time.After(3 * time.Minute)
	for {
		if a, _ := w.cell.Load().Value.(*Agenda); a != nil && ok(a) {
			return a
		}
		select {
		case <-changed:
		case <-late:
			a, _ := w.cell.Load().Value.(*Agenda)
			w.t.Fatalf("%s does not come: %+v, %v", what, a.words(), w.cell.Load().Err)
		}
	}
}

// settle waits until the last reading contains all changes. After that, the wall starts no reading on its own, so the test can change the
// server.
func (w *taskWall) settle() {
	w.t.Helper()
	w.await("a reading with all changes", func(a *Agenda) bool {
		return !strings.Contains(a.words(), "…") && !w.p.TaskLists("p")[0].Queue.Marks().Unread
	})
}

// words() returns the tasks in a short form. The short form of a task is its title, with a check mark before the title if the task is
// done. After the title, "…" means that a change waits, and "!" means that a change was rejected.
func (a *Agenda) words() string {
	var all []string
	if a == nil {
		return ""
	}
	for _, t := range a.Tasks {
		word := t.Title
		if t.Done {
			word = "✓" + word
		}
		if t.Waiting {
			word += "…"
		}
		if t.Problem != "" {
			word += "!"
		}
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

// wish requests a change of a task.
func (w *taskWall) wish(action, item string) {
	w.t.Helper()
	if err := todo.Do(w.p.TaskLists("p"), todo.Wish{Item: item, Action: action, By: "Anna", At: noon}); err != nil {
		w.t.Fatal(err)
	}
}

// Two walls and a phone change tasks on a real server. In the end, the server has all completed tasks with the titles from the phone, and a
// new task exists once.
func TestTasksOnRadicale(t *testing.T) {
	root := radicaletest.Start(t)
	radicaletest.MakeCalendar(t, root+"/me/shop/", "VTODO")
	for _, task := range []string{"milk", "eggs"} {
		radicaletest.Put(t, root+"/me/shop/"+task+".ics", "VTODO", task, "X-SORT:7")
	}
	radicaletest.Put(t, root+"/me/shop/bins.ics", "VTODO", "bins", "DUE;VALUE=DATE:20260514\r\nRRULE:FREQ=WEEKLY")
	hall, kitchen := newTaskWall(t, root, t.TempDir()), newTaskWall(t, root, t.TempDir())

	hall.await("the list", func(a *Agenda) bool { return a.words() == "bins eggs milk" })
	text, tag := radicaletest.Send(t, http.MethodGet, root+"/me/shop/milk.ics", "", "")
	edited := strings.Replace(text, "SUMMARY:milk", "SUMMARY:oat milk", 1)
	radicaletest.Send(t, http.MethodPut, root+"/me/shop/milk.ics", "text/calendar", edited)
	hall.wish("done", "milk") // the wall does not have the new title yet
	a := hall.await("the tick with the title of the phone", func(a *Agenda) bool { return a.words() == "bins eggs ✓oat milk" })
	if len(a.Ticks) != 1 || a.Ticks[0].By != "Anna" || !a.Ticks[0].At.Equal(noon) {
		t.Errorf("got the ticks %+v, want one by Anna", a.Ticks)
	}
	after, newTag := radicaletest.Send(t, http.MethodGet, root+"/me/shop/milk.ics", "", "")
	for _, want := range []string{"SUMMARY:oat milk", "X-SORT:7", "STATUS:COMPLETED", "COMPLETED:20260514T120000Z"} {
		if !strings.Contains(after, want) || tag == newTag {
			t.Errorf("%s is missing in %q", want, after)
		}
	}

	hall.settle()
	// Both walls complete the task of the same Thursday, and the task moves by one week only.
	kitchen.wish("done", "bins")
	hall.wish("done", "bins")
	next := func(a *Agenda) bool {
		for _, t := range a.Tasks {
			if t.Title == "bins" && !t.Done && !t.Waiting && t.Due.Format(time.DateOnly) == "2026-05-21" {
				return true
			}
		}
		return false
	}
	hall.await("the next week", next)
	kitchen.await("the next week", next)

	hall.wish("add", "Brot")
	hall.wish("add", "brot")
	a = hall.await("the new task", func(a *Agenda) bool {
		return strings.Count(a.words(), "Brot") == 1 && !strings.Contains(a.words(), "…")
	})
	if strings.Contains(a.words(), "brot") {
		t.Errorf("a task was added twice: %s", a.words())
	}
	hall.wish("done", "BROT")
	hall.await("the tick of the new task", func(a *Agenda) bool {
		return strings.Contains(a.words(), "✓Brot") && !strings.Contains(a.words(), "…")
	})
	hall.wish("open", "Brot")
	hall.await("the open task", func(a *Agenda) bool {
		return !strings.Contains(a.words(), "✓Brot") && !strings.Contains(a.words(), "…")
	})

	hall.settle()
	// If a task was deleted on the server, a change of this task fails, and the wall no longer shows the change.
	radicaletest.Send(t, http.MethodDelete, root+"/me/shop/eggs.ics", "", "")
	hall.wish("done", "eggs")
	hall.await("the reason", func(a *Agenda) bool {
		return !strings.Contains(a.words(), "✓eggs") && !strings.Contains(a.words(), "…")
	})
}

// After a restart, a wall still shows that a task is completed, even if the server does not have this change yet. The wall then sends the
// change.
func TestKeptTick(t *testing.T) {
	root, dir := radicaletest.Start(t), t.TempDir()
	radicaletest.MakeCalendar(t, root+"/me/shop/", "VTODO")
	radicaletest.Put(t, root+"/me/shop/milk.ics", "VTODO", "milk", "")
	first := newTaskWall(t, root, t.TempDir())
	list := first.p.TaskLists("p")[0]
	task := list.Tasks()[0]
	key := first.await("the list", func(a *Agenda) bool { return len(a.Tasks) == 1 }).Tasks[0].Key
	q, err := todo.NewQueues(dir, slog.New(slog.DiscardHandler)).Queue("caldav \"" + root + "\" \"me\"")
	if err != nil || q.Tag(task.ID) != key {
		t.Fatalf("the queue of the list is another: %s, %s, %v", q.Tag(task.ID), key, err)
	}
	if err := q.Put(todo.Change{Task: task.ID, Ref: task.Ref, Title: "milk", Done: true, At: noon}); err != nil {
		t.Fatal(err)
	}
	again := newTaskWall(t, root, dir)
	again.await("the kept tick", func(a *Agenda) bool { return a.words() == "✓milk" })
	text, _ := radicaletest.Send(t, http.MethodGet, root+"/me/shop/milk.ics", "", "")
	if !strings.Contains(text, "COMPLETED:20260514T120000Z") {
		t.Errorf("the server has %q", text)
	}
}

// TaskLists returns a list only if the key `write` is set.
func TestNoTasksWithoutWrite(t *testing.T) {
	p := &Params{Calendars: []Entry{{Name: "Shop", CalDAV: "http://127.0.0.1:1/", Kind: "tasks"}}}
	queues := todo.NewQueues("", slog.New(slog.DiscardHandler))
	for _, write := range []bool{false, true} {
		p.Write = write
		c, err := New(*p, Env{Client: fetch.New(&fetch.Options{}), Queues: queues})
		if err != nil || (len(c.TaskLists("p")) == 1) != write {
			t.Errorf("write %v: got %d lists, %v", write, len(c.TaskLists("p")), err)
		}
	}
}
