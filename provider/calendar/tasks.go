package calendar

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"dashboard/internal/stable"
	"dashboard/provider"
	"dashboard/provider/caldav"
	"dashboard/provider/ical"
	"dashboard/provider/todo"
)

var _ todo.Holder = (*Provider)(nil)

// A Tick is a task that was completed on this wall.
type Tick struct {
	Title, By string
	At        time.Time
	Calendar  *Calendar
}

// base is the content of the calendars before the changes on this wall are applied.
type base struct {
	agenda  *Agenda // nil before the first reading
	looked  time.Time
	problem error
}

// A reading is one reading of a calendar whose tasks can be changed. The field `no` has the number that the queue returned when the
// reading began.
type reading struct {
	of *source
	no uint64
}

// taskID returns the ID of a task in its queue. The ID consists of the UID and, for a recurring task, '#' and the instance.
func taskID(uid, instance string) string {
	if instance == "" && !strings.Contains(uid, "#") {
		return uid
	}
	return uid + "#" + instance
}

// splitID returns the UID and the instance of a taskID.
func splitID(id string) (uid, instance string) {
	if i := strings.LastIndexByte(id, '#'); i >= 0 {
		return id[:i], id[i+1:]
	}
	return id, ""
}

// takeChanges sends changes of tasks to their servers until ctx ends, and shows each change at once. The function `wait` waits until all
// goroutines of takeChanges have ended.
func (p *Provider) takeChanges(ctx context.Context, cell *provider.Cell) (wait func()) {
	var wg sync.WaitGroup
	changed := make(chan struct{}, 1)
	for _, c := range p.sources {
		if c.queue != nil {
			end := c.queue.Watch(changed)
			wg.Go(func() {
				defer end()
				c.queue.Run(ctx, c)
			})
		}
	}
	wg.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-changed:
				p.republish(cell)
			}
		}
	})
	return wg.Wait
}

// republish publishes the agenda with the present changes. If a server has accepted changes that no reading contains yet, republish
// requests a new reading.
func (p *Provider) republish(cell *provider.Cell) {
	p.shown.Lock()
	defer p.shown.Unlock()
	if b := p.base; b.agenda != nil {
		cell.PublishPart(p.marked(b.agenda), b.looked, b.problem)
	}
	if slices.ContainsFunc(p.sources, (*source).unread) {
		select {
		case p.asked <- struct{}{}:
		default:
		}
	}
}

// publish publishes the agenda in `b` with the changes on this wall. For each good reading in `read`, it first removes from the
// calendar's queue the changes that the reading contains.
func (p *Provider) publish(cell *provider.Cell, b base, read []reading) {
	p.shown.Lock()
	defer p.shown.Unlock()
	for _, r := range read {
		if r.of.err == nil {
			r.of.queue.Read(r.no)
		}
	}
	p.base = b
	cell.PublishPart(p.marked(b.agenda), b.looked, b.problem)
}

// unread() reports whether the server has accepted changes of this wall that no reading contains yet.
func (c *source) unread() bool { return c.queue.Marks().Unread }

// lookAgain reads the calendars for which unread() returns true.
func (p *Provider) lookAgain(ctx context.Context) []reading {
	if p.agenda == nil {
		return nil
	}
	var some []*source
	for _, c := range p.sources {
		if c.unread() && !c.leftAlone(p.now().Round(0)) {
			some = append(some, c)
		}
	}
	return p.look(ctx, some)
}

// marked() returns a copy of the agenda with the changes on this wall.
func (p *Provider) marked(a *Agenda) *Agenda {
	v := *a
	v.Tasks, v.Ticks = slices.Clone(a.Tasks), nil
	for i, c := range p.sources {
		v.mark(c, a.Calendars[i])
	}
	stable.Sort(v.Ticks, func(x, y Tick) int { return y.At.Compare(x.At) })
	v.sort()
	return &v
}

// mark adds the changes on this wall to the agenda. `c` is the calendar of the changes, and `of` is its published copy. mark does not add
// a new task that the server already has.
func (a *Agenda) mark(c *source, of *Calendar) {
	m, there := c.queue.Marks(), map[string]bool{}
	add := func(k todo.Mark) {
		t := &Task{Title: k.Title, Calendar: of, Waiting: k.Waiting, Problem: k.Problem}
		if t.ref = c.newRef(k.Task); t.ref != "" && k.Problem == "" {
			t.id, t.Key = k.Task, c.queue.Tag(k.Task)
		}
		if k, ok := m.Tasks[t.id]; ok {
			t = t.with(k)
		}
		a.Tasks = append(a.Tasks, t)
	}
	for i, t := range a.Tasks {
		if t.Key == "" || t.Calendar != of {
			continue
		}
		there[t.id] = true
		if k, ok := m.Tasks[t.id]; ok {
			a.Tasks[i] = t.with(k)
		}
	}
	for _, k := range m.New {
		if !there[taskID(k.Task, "")] {
			add(k)
		}
	}
	for _, t := range slices.Backward(m.Ticks) {
		a.Ticks = append(a.Ticks, Tick{t.Title, t.By, t.At.In(a.Zone), of})
	}
}

// with() returns a copy of the task after a change on this wall.
func (t *Task) with(k todo.Mark) *Task {
	v := *t
	v.Waiting, v.Problem = k.Waiting, k.Problem
	if k.Problem == "" {
		v.Done = k.Done
	}
	return &v
}

// TaskLists implements todo.Holder. Each list has the name of its calendar.
func (p *Provider) TaskLists(string) (all []todo.List) {
	for _, c := range p.sources {
		if c.queue != nil {
			all = append(all, todo.List{Name: c.Name, Queue: c.queue, Tasks: func() []todo.Task { return p.tasksOf(c) }})
		}
	}
	return all
}

// tasksOf returns the published tasks of a calendar as values of the type todo.Task.
func (p *Provider) tasksOf(c *source) (all []todo.Task) {
	p.shown.Lock()
	defer p.shown.Unlock()
	if p.base.agenda == nil {
		return nil
	}
	for _, t := range p.marked(p.base.agenda).Tasks {
		if t.Calendar.Name == c.Name {
			all = append(all, todo.Task{ID: t.id, Title: t.Title, Ref: t.ref, Done: t.Done, Waiting: t.Waiting, Problem: t.Problem})
		}
	}
	return all
}

// located() stores the address of each text, and the address of the list for new tasks.
func (c *source) located() {
	c.refs = c.dav.Refs()
	if at := c.dav.List(); at != "" {
		c.list.Store(&at)
	}
}

// ref returns the address of the text with index i, or "".
func (c *source) ref(i int) string {
	if i < len(c.refs) {
		return c.refs[i]
	}
	return ""
}

// newRef returns the address for a new task, or "" if the list is not known yet.
func (c *source) newRef(id string) string {
	list := c.list.Load()
	if list == nil {
		return ""
	}
	at, err := url.JoinPath(*list, url.PathEscape(id)+".ics")
	if err != nil {
		return ""
	}
	return at
}

var errNoList = errors.New("the server's list of tasks is not known yet")

// Carry implements todo.Source.
func (c *source) Carry(ctx context.Context, k todo.Change) error {
	if k.New {
		at := c.newRef(k.ID)
		if at == "" {
			return errNoList
		}
		return carried(c.writer.Add(ctx, at, ical.NewTask(k.ID, k.Title, k.At)))
	}
	uid, instance := splitID(k.Task)
	tick := ical.Tick{UID: uid, Instance: instance, ID: k.ID, Done: k.Done, At: k.At, Zone: c.zone}
	return carried(c.writer.Change(ctx, k.Ref, tick.Apply))
}

// carried() converts an error of a caldav.Writer to an error for the queue.
func carried(err error) error {
	if errors.Is(err, caldav.ErrGone) || errors.Is(err, caldav.ErrNoTag) || errors.Is(err, ical.ErrNoTask) {
		return todo.RefusedError{Err: err}
	}
	return todo.Sorted(err)
}
