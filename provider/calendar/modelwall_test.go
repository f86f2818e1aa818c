package calendar

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/caldav"
	"dashboard/provider/todo"
)

// A wish is a change that a person has made on a wall.
type wish struct {
	done bool
}

// A modelWall is one wall.
type modelWall struct {
	m    *davModel
	no   int
	disk *modelDisk
	q    *todo.Queue
	p    *Provider
	c    *source
	cell *provider.Cell
	now  time.Time
}

type modelDisk struct{ data []byte }

func (d *modelDisk) Load() ([]byte, error) {
	if d.data == nil {
		return nil, fs.ErrNotExist
	}
	return d.data, nil
}

func (d *modelDisk) Save(data []byte) error { d.data = data; return nil }

// start starts the program of a wall with the files on its disk.
func (w *modelWall) start() {
	client := fetch.NewWith(w.m)
	w.q = todo.NewQueue("t", w.disk, slog.New(slog.DiscardHandler))
	w.c = &source{Calendar: Calendar{Name: "Shop"}, queue: w.q, writer: caldav.NewWriter(client, fetch.Request{URL: davHome})}
	home := davHome
	w.c.list.Store(&home)
	w.p = &Provider{sources: []*source{w.c}, zone: time.UTC, now: func() time.Time { return noon }, asked: make(chan struct{}, 1)}
	w.cell = provider.NewCell(nil)
	w.read()
}

// read reads the tasks from the server.
func (w *modelWall) read() {
	read := []reading{{w.c, w.q.Begin()}}
	w.c.texts, w.c.refs = nil, nil
	for _, at := range slices.Sorted(maps.Keys(w.m.objects)) {
		w.c.texts, w.c.refs = append(w.c.texts, w.m.objects[at].text), append(w.c.refs, at)
	}
	from, to := window(noon, time.UTC)
	a, _ := w.p.expand(context.Background(), from, to).At(noon)
	w.p.publish(w.cell, base{a, noon, nil}, read)
}

// touch completes or reopens a visible task, or adds a task.
func (w *modelWall) touch() {
	lists := w.p.TaskLists("")
	if w.m.rand.IntN(6) == 0 {
		title := fmt.Sprint("new", w.no, len(w.m.adds))
		w.m.note("wall %d adds %s", w.no, title)
		w.m.adds[title] = true
		w.do(lists, todo.Wish{Item: title, Action: "add", At: noon})
		return
	}
	tasks := lists[0].Tasks()
	t := tasks[w.m.rand.IntN(len(tasks))]
	if t.ID == "" {
		return
	}
	w.m.note("wall %d sets %s done %v", w.no, t.ID, !t.Done)
	w.m.wanted[fmt.Sprint(w.no, t.ID)] = wish{done: !t.Done}
	w.do(lists, todo.Wish{Item: w.q.Tag(t.ID), Action: "toggle", At: noon})
	for _, now := range lists[0].Tasks() {
		if now.ID == t.ID && now.Done == t.Done {
			w.m.fail("the tick does not show at once")
		}
	}
}

func (w *modelWall) do(lists []todo.List, wish todo.Wish) {
	if err := todo.Do(lists, wish); err != nil {
		w.m.fail("%v", err)
	}
}

// Carry implements todo.Source. It checks that an accepted change is not lost, and that the server accepts no change twice.
func (w *modelWall) Carry(ctx context.Context, c todo.Change) error {
	m := w.m
	m.carrying = fmt.Sprint(w.no, c.ID)
	m.note("wall %d carries %s %v", w.no, c.Task, c.Done)
	before := len(m.states[c.Ref]) - 1
	err := w.c.Carry(ctx, c)
	m.note("  %v", err)
	if err == nil && !c.New {
		_, instance := splitID(c.Task)
		if m.applied[m.carrying] == 0 && instance == "" && !slices.Contains(m.states[c.Ref][max(0, before):], c.Done) && !m.gone[c.Ref] {
			m.fail("a change is lost: %+v", c)
		}
	}
	if m.applied[m.carrying] > 1 {
		m.fail("a change is doubled: %+v", c)
	}
	return err
}

// step makes the wall send one change. If `crash` is true, the wall crashes after the attempt, before it stores the outcome.
func (w *modelWall) step(crash bool) {
	var kept []byte
	w.now = w.now.Add(10 * time.Minute)
	w.q.Step(context.Background(), carryFunc(func(ctx context.Context, c todo.Change) error {
		err := w.Carry(ctx, c)
		kept = w.disk.data
		return err
	}), w.now)
	if crash {
		w.m.note("wall %d starts again", w.no)
		if kept != nil {
			w.disk.data = kept
		}
		w.start()
	}
}

type carryFunc func(ctx context.Context, c todo.Change) error

func (f carryFunc) Carry(ctx context.Context, c todo.Change) error { return f(ctx, c) }

func (w *modelWall) shownTasks() string {
	a := w.cell.Load().Value.(*Agenda)
	var all []string
	for _, t := range a.Tasks {
		all = append(all, fmt.Sprint(t.Title, t.Done, t.Due.Format(time.DateOnly)))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}
