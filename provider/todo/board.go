package todo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/provider"
)

// A Board publishes the tasks of one source, together with the changes that the source does not have yet. Its values are lists of
// mappings with the keys id, title and done.
type Board struct {
	Queue  *Queue
	Source Source

	asked chan struct{}         // capacity 1; receives a value when a new reading is needed
	kept  atomic.Pointer[[]any] // list for Base; nil before the first reading
	mu    sync.Mutex            // guards the fields below, and keeps publications in order
	base  []any                 // tasks of the last reading; nil before the first reading
	at    time.Time
}

// NewBoard returns a board. If q is nil, tasks cannot be changed.
func NewBoard(q *Queue, s Source) *Board {
	return &Board{Queue: q, Source: s, asked: make(chan struct{}, 1)}
}

var errTasks = errors.New("with write: true the value must be a list of mappings with the keys id, title and done")

// A Try reads the source once. `due` has the same meaning as in provider.Poll.Run.
type Try func(ctx context.Context, due bool) provider.Result

// Run reads the source repeatedly, publishes its tasks with the changes, and sends the changes to the source, until ctx ends.
func (b *Board) Run(ctx context.Context, cell *provider.Cell, poll provider.Poll, try Try) error {
	poll.Changed = b.asked
	if b.Queue == nil {
		return poll.Run(ctx, cell, try)
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	changed := make(chan struct{}, 1)
	defer b.Queue.Watch(changed)()
	wg.Go(func() { b.Queue.Run(ctx, b.Source) })
	wg.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-changed:
				b.Show(cell)
			}
		}
	})
	return poll.Run(ctx, cell, func(ctx context.Context, due bool) provider.Result {
		reading := b.Queue.Begin()
		r := try(ctx, due)
		if r.Outcome == provider.Fresh || r.Outcome == provider.Unchanged {
			b.take(cell, reading, &r)
		}
		return r
	})
}

// Asked returns the channel that receives a value when a new reading is needed.
func (b *Board) Asked() chan struct{} { return b.asked }

// Again requests a new reading at once.
func (b *Board) Again() { token(b.asked) }

// take publishes the result of a reading.
func (b *Board) take(cell *provider.Cell, reading uint64, r *provider.Result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Outcome == provider.Fresh {
		list, ok := r.Value.([]any)
		if !ok {
			*r = provider.Fail(errTasks, true)
			return
		}
		b.set(append([]any{}, list...))
	}
	b.Queue.Read(reading)
	b.at = time.Now()
	cell.Publish(b.marked(), b.at)
	r.Handled = true
}

// Show publishes the tasks with the present changes. If the source has accepted changes that no reading contains yet, Show requests a new
// reading.
func (b *Board) Show(cell *provider.Cell) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.base != nil {
		cell.Publish(b.marked(), b.at)
	}
	if b.Queue.Marks().Unread {
		b.Again()
	}
}

// Base returns the tasks of the last reading without the changes. These tasks are stored for the next start.
func (b *Board) Base() any {
	if list := b.kept.Load(); list != nil {
		return slices.Clone(*list)
	}
	return nil
}

// set stores the tasks of a reading. mu must be held.
func (b *Board) set(list []any) {
	b.base = list
	b.kept.Store(&list)
}

// Restore stores the tasks of an earlier run and returns them together with the changes.
func (b *Board) Restore(v any, at time.Time) any {
	b.mu.Lock()
	defer b.mu.Unlock()
	list, _ := v.([]any)
	b.set(list)
	b.at = at
	return b.marked()
}

// marked() returns the tasks with the changes. mu must be held.
func (b *Board) marked() []any {
	m := b.Queue.Marks()
	open := map[string]bool{}
	list := make([]any, len(b.base), len(b.base)+len(m.New))
	for i, v := range b.base {
		task, ok := v.(map[string]any)
		if !ok {
			list[i] = v
			continue
		}
		id := text(task["id"])
		done, _ := task["done"].(bool)
		open[strings.ToLower(text(task["title"]))] = !done
		mark, changed := m.Tasks[id]
		list[i] = b.shown(task, id, mark, changed)
	}
	for _, k := range m.New {
		if k.Waiting || k.Problem != "" || !open[strings.ToLower(k.Title)] {
			list = append(list, b.shown(map[string]any{"title": k.Title, "done": false}, "", k, true))
		}
	}
	return list
}

// shown() returns a task in the form for widgets.
func (b *Board) shown(task map[string]any, id string, k Mark, changed bool) map[string]any {
	own := maps.Clone(task)
	own["task"], own["waiting"], own["problem"] = orNil(b.Queue.Tag(id)), k.Waiting, orNil(k.Problem)
	if changed && k.Problem == "" && id != "" {
		own["done"] = k.Done
	}
	return own
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// text returns a text unchanged, and a number as text. For any other value it returns "".
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int, float64:
		return fmt.Sprint(v)
	}
	return ""
}

// Tasks returns the tasks in their published form.
func (b *Board) Tasks() []Task {
	b.mu.Lock()
	defer b.mu.Unlock()
	return TasksOf(b.marked())
}

// TasksOf returns the tasks in a published value.
func TasksOf(value any) (all []Task) {
	list, _ := value.([]any)
	for _, v := range list {
		if m, ok := v.(map[string]any); ok {
			done, _ := m["done"].(bool)
			waiting, _ := m["waiting"].(bool)
			t := Task{ID: text(m["id"]), Title: text(m["title"]), Done: done, Waiting: waiting, Problem: text(m["problem"])}
			if due := text(m["due"]); len(due) <= maxDue {
				t.Due = due
			}
			all = append(all, t)
		}
	}
	return all
}

// Added reports whether the list now contains a task that has the title of the change and an ID
// that is not in Known. Such a task was added by an earlier attempt without an answer.
func (c *Change) Added(now []Task) bool {
	return slices.ContainsFunc(now, func(t Task) bool { return strings.EqualFold(t.Title, c.Title) && !slices.Contains(c.Known, t.ID) })
}
