package homeassistant

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"dashboard/internal/spelling"
	"dashboard/provider"
	"dashboard/provider/derive"
	"dashboard/provider/todo"
)

// Limits for to-do lists.
const (
	MaxLists  = 20               // lists of one provider
	maxItems  = 1000             // items of one list
	listEvery = time.Minute      // interval of readings; needed because an integration that was reloaded sends no more events
	listTime  = 10 * time.Second // maximum time for one reading
)

const completed = "completed" // status of a completed item

// A list is a to-do list of Home Assistant (developers.home-assistant.io/docs/core/entity/todo), together with the changes on this wall.
type list struct {
	home  *Home
	id    string // ID of the entity
	board *todo.Board
	cell  *provider.Cell // cell that receives the items
}

// makeLists creates the lists of a provider. An error begins with the name of the configuration key that causes it.
func (p *Provider) makeLists(of *Params, d Deps) error {
	if len(of.Lists) > MaxLists {
		return fmt.Errorf("lists: more than %d", MaxLists)
	}
	p.lists = map[string]*list{}
	for _, name := range slices.Sorted(maps.Keys(of.Lists)) {
		id := of.Lists[name]
		_, both := of.Templates[name]
		switch {
		case !named(name):
			return fmt.Errorf("lists: %.80q is not a valid name: use letters, digits and _", name)
		case both:
			return fmt.Errorf("lists.%s: a template has this name", name)
		case !valid(id) || !strings.HasPrefix(id, "todo."):
			return fmt.Errorf("lists.%s: %.80q is not a to-do list, such as todo.shopping_list", name, id)
		}
		var queue *todo.Queue
		if of.Write {
			var err error
			if queue, err = d.Queues.Queue(fmt.Sprintf("homeassistant %q %q", p.home.request.URL, id)); err != nil {
				return fmt.Errorf("lists.%s: %w", name, err)
			}
		}
		l := &list{home: p.home, id: id, cell: provider.NewCell(nil)}
		l.board = todo.NewBoard(queue, l)
		p.lists[name] = l
	}
	return nil
}

// named() reports whether a text can be the name of a template or a list.
func named(name string) bool { return name != "" && strings.Trim(name, nameLetters) == "" }

// runLists publishes the lists and sends changes to Home Assistant until ctx ends. The function `wait` returns when the goroutines of all
// lists have ended.
func (p *Provider) runLists(ctx context.Context, c *Connection) (wait func()) {
	var wg sync.WaitGroup
	for _, l := range p.lists {
		wg.Go(func() { l.run(ctx, c) })
	}
	return wg.Wait
}

func (l *list) run(ctx context.Context, c *Connection) {
	defer c.Follow(l.id, provider.NewCell(nil))()
	defer c.Subscribe(map[string]any{"type": "todo/item/subscribe", "entity_id": l.id}, func(any, error) { l.board.Again() })()
	changed, ended := make(chan struct{}, 1), make(chan struct{})
	defer l.cell.Watch(changed)()
	defer func() { <-ended }()
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-changed:
				c.dirty()
			}
		}
	}()
	poll := provider.Poll{Interval: listEvery, Promise: true}
	_ = l.board.Run(ctx, l.cell, poll, func(ctx context.Context, _ bool) provider.Result {
		items, err := l.read(ctx, c)
		if err != nil {
			return provider.Fail(fmt.Errorf("%s: %w", l.id, err), false)
		}
		return provider.Result{Value: items}
	})
}

var (
	errItems   = errors.New("Home Assistant gives no to-do list") //nolint:staticcheck // the error begins with a proper name
	errRemoved = todo.Refused("somebody has removed it from the list")
	errMoved   = todo.Refused("its date has changed since the tick; tick it again if it is done")
)

// read requests the items of the list.
func (l *list) read(ctx context.Context, c *Connection) ([]any, error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	v, err := c.Ask(ctx, map[string]any{"type": "todo/item/list", "entity_id": l.id})
	if err != nil {
		return nil, err
	}
	if known, there := c.available(l.id); known && !there {
		return nil, errGone // Home Assistant sends an empty list for an unavailable entity
	}
	m, _ := v.(map[string]any)
	raw, ok := m["items"].([]any)
	switch {
	case !ok:
		return nil, errItems
	case len(raw) > maxItems || size(raw) > maxEntity:
		return nil, errLarge
	}
	items := make([]any, 0, len(raw))
	for _, v := range raw {
		if item, ok := v.(map[string]any); ok {
			items = append(items, map[string]any{
				"id": item["uid"], "title": item["summary"], "done": item["status"] == completed, "due": item["due"], "description": item["description"],
			})
		}
	}
	return items, nil
}

// Carry implements todo.Source. Before Carry changes an item, it reads the list to check that the change is still needed. An earlier
// attempt without an answer may have succeeded, or another wall may have made the same change.
func (l *list) Carry(ctx context.Context, k todo.Change) error {
	c, release, err := l.home.Connect(ctx)
	if err != nil {
		return todo.Silent(err)
	}
	defer release()
	items, err := l.read(ctx, c)
	if err != nil {
		return carried(err)
	}
	action, data, err := request(&k, todo.TasksOf(items))
	if action == "" || err != nil {
		return err
	}
	if err := l.home.Call(ctx, action, l.id, data); err != nil {
		return carried(err)
	}
	if _, there := c.available(l.id); !there { // Home Assistant ignores changes of an unavailable list but reports success
		return carried(errGone)
	}
	return nil
}

// request() returns the action that makes a change, and the data of the action. `action` is "" if the list already has the change.
func request(k *todo.Change, now []todo.Task) (action string, data map[string]any, err error) {
	if k.New {
		if !k.Begun {
			now = slices.DeleteFunc(now, func(t todo.Task) bool { return t.Done }) // a completed item with the same title is an older item
		}
		if k.Added(now) {
			return "", nil, nil
		}
		return "todo.add_item", map[string]any{"item": k.Title}, nil
	}
	i := slices.IndexFunc(now, func(t todo.Task) bool { return t.ID == k.Task })
	switch {
	case i < 0:
		return "", nil, errRemoved
	case now[i].Done == k.Done:
		return "", nil, nil
	case k.Done && now[i].Due != k.Due: // the item is probably the next occurrence of a recurring task
		return "", nil, errMoved
	}
	status := "needs_action"
	if k.Done {
		status = completed
	}
	return "todo.update_item", map[string]any{"item": k.Task, "status": status}, nil
}

// carried() converts an error of Home Assistant to an error for the queue.
func carried(err error) error {
	var refusal *RefusalError
	switch {
	case !errors.As(err, &refusal):
		return todo.Silent(err)
	case refusal.final():
		return todo.RefusedError{Err: err}
	}
	return err
}

// available() reports whether the state of an entity is known, and whether the entity can be used now.
func (c *Connection) available(id string) (known, there bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.known[id]
	return e != nil, e != nil && c.err == nil && !e.gone()
}

// dirty() makes the connection update the mappings of all entities.
func (c *Connection) dirty() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stale = true
}

// TaskLists implements todo.Holder. Each list has the name from the configuration key `lists`.
func (p *Provider) TaskLists(string) (all []todo.List) {
	for _, name := range slices.Sorted(maps.Keys(p.lists)) {
		if b := p.lists[name].board; b.Queue != nil {
			all = append(all, todo.List{Name: name, Queue: b.Queue, Tasks: b.Tasks})
		}
	}
	return all
}

// part returns a provider of the list's items.
func (l *list) part() provider.Provider {
	return derive.New(derive.Config{
		From: []*provider.Cell{l.cell}, Own: true, Make: func(_ context.Context, values []any) (any, error) { return values[0], nil },
	})
}

// Kept implements provider.Keeper. It stores the lists without the changes on this wall.
func (p *Provider) Kept(value any) ([]byte, error) {
	if m, ok := value.(map[string]any); ok && len(p.lists) > 0 {
		own := maps.Clone(m)
		for name, l := range p.lists {
			if l.board.Queue != nil {
				own[name] = l.board.Base()
			}
		}
		value = own
	}
	return p.keeps.Kept(value)
}

// Restore implements provider.Keeper.
func (p *Provider) Restore(data []byte, at time.Time) (any, error) {
	v, err := p.keeps.Restore(data, at)
	if m, ok := v.(map[string]any); ok {
		for name, l := range p.lists {
			if items, ok := m[name].([]any); ok {
				if l.board.Queue != nil {
					m[name] = l.board.Restore(items, at)
				}
				l.cell.Publish(m[name], at)
			}
		}
	}
	return v, err
}

// noSuch returns the error for the name of an entry that is not an entity, a template or a list.
func (p *Provider) noSuch(name string) error {
	names := slices.Concat(slices.Collect(maps.Keys(p.templates)), slices.Collect(maps.Keys(p.lists)))
	slices.Sort(names)
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Errorf("there is no template or list %.80q; is %s meant?", name, near)
	}
	return CheckID(name)
}
