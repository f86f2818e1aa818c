package homeassistant

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/budget"
	keeping "dashboard/internal/state"
	fake "dashboard/internal/testing/homeassistanttest"
	"dashboard/provider"
	"dashboard/provider/todo"
)

const shop = "todo.shopping_list"

// A listWall is a wall with one to-do list of a Home Assistant.
type listWall struct {
	h           *house
	dir         string // folder of the queues
	manager     *provider.Manager
	p           *Provider
	part, whole *provider.Cell
}

// listWall starts a wall. Its queues store their files in the folder `dir`.
func (h *house) listWall(dir string, store provider.Store) *listWall {
	h.t.Helper()
	w := &listWall{h: h, dir: dir}
	w.manager = provider.NewManager(budget.New(), func() {}, slog.New(slog.NewTextHandler(h.log, nil)))
	if store != nil {
		w.manager.Keep(store)
	}
	deps := Deps{Client: h.deps.Client, Sessions: w.manager.Sessions(), Queues: todo.NewQueues(dir, slog.New(slog.DiscardHandler))}
	key, p, err := New(&Params{URL: "http://ha.test:8123", Token: fake.Token, Lists: map[string]string{"shop": shop}, Write: true}, deps)
	if err != nil {
		h.t.Fatal(err)
	}
	w.p = p
	set := w.manager.Begin()
	w.whole = set.Add(key, p)
	set.Name("home", key)
	if w.part, _, err = provider.Part(set, "home", "shop", provider.Place{At: "widgets.yaml:1:1"}); err != nil {
		h.t.Fatal(err)
	}
	w.manager.Commit(set)
	return w
}

// killed() simulates a crash. It starts a new wall with a copy of the present files. It also closes the old manager, but only because all
// goroutines must end before the test ends.
func (w *listWall) killed() *listWall {
	w.h.t.Helper()
	dir := w.h.t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(w.dir)); err != nil {
		w.h.t.Fatal(err)
	}
	w.manager.Close()
	return w.h.listWall(dir, nil)
}

// wish requests a change and waits until the wall has processed it.
func (w *listWall) wish(action, item string) {
	w.h.t.Helper()
	w.put(action, item)
	w.h.pass(time.Millisecond)
}

// put requests a change.
func (w *listWall) put(action, item string) {
	w.h.t.Helper()
	if err := todo.Do(w.p.TaskLists("home"), todo.Wish{Item: item, Action: action, By: "Anna", At: time.Now()}); err != nil {
		w.h.t.Fatal(err)
	}
}

// words() returns the published items in a short form. The short form is the title, with a check mark before the title if the item is
// done. After the title, "…" means that a change waits, and "!" means that a change was rejected.
func words(c *provider.Cell) string {
	var all []string
	list, _ := c.Load().Value.([]any)
	for _, v := range list {
		m := v.(map[string]any)
		word := fmt.Sprint(m["title"])
		if m["done"] == true {
			word = "✓" + word
		}
		if m["waiting"] == true {
			word += "…"
		}
		if m["problem"] != nil {
			word += "!"
		}
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

func (w *listWall) shows(want string) {
	w.h.t.Helper()
	if got := words(w.part); got != want {
		w.h.t.Errorf("the wall shows %q, want %q (%v)", got, want, w.part.Load().Err)
	}
}

// onServer returns the items of the server in a short form: the title and the due date, with a check mark before the title if the item is
// completed.
func onServer(s *fake.Server) string {
	var all []string
	for _, i := range s.List(shop) {
		word := i.Summary
		if i.Status == completed {
			word = "✓" + word
		}
		if i.Due != "" {
			word += " " + i.Due
		}
		all = append(all, word)
	}
	return strings.Join(all, ", ")
}

// calls() returns how often a service for lists was called.
func calls(s *fake.Server, service string) (n int) {
	for _, m := range s.Asked("call_service") {
		if m["domain"] == "todo" && m["service"] == service {
			n++
		}
	}
	return n
}

func item(uid, summary string) fake.Item {
	return fake.Item{UID: uid, Summary: summary, Status: "needs_action"}
}

func setDone(uid string, done bool) func([]fake.Item) []fake.Item {
	return func(all []fake.Item) []fake.Item {
		for i := range all {
			if all[i].UID == uid {
				all[i].Status = map[bool]string{true: completed, false: "needs_action"}[done]
			}
		}
		return all
	}
}

// The items of a list are an entry of the provider's value. If another client changes the list, the wall shows the change at once.
func TestLists(t *testing.T) {
	s := &fake.Server{}
	milk := item("1", "Milk")
	milk.Due = "2026-05-14"
	s.SetList(shop, milk, item("2", "Eggs"))
	inHouse(t, s, func(h *house) {
		w := h.listWall(t.TempDir(), nil)
		defer w.manager.Close()
		h.pass(2 * time.Second)
		w.shows("Milk Eggs")
		first := w.part.Load().Value.([]any)[0].(map[string]any)
		if first["due"] != "2026-05-14" || first["id"] != "1" || first["task"] == nil {
			t.Errorf("got %v", first)
		}
		s.ChangeList(shop, setDone("2", true))
		h.pass(100 * time.Millisecond)
		w.shows("Milk ✓Eggs")
		h.pass(time.Second)
		if all, _ := w.whole.Load().Value.(map[string]any); len(all["shop"].([]any)) != 2 || state(cellOf(all[shop])) != 1 {
			t.Errorf("the mapping: got %v", all)
		}
		h.pass(time.Hour)
		if sample := w.part.Load(); sample.Stale(time.Now()) || sample.Err != nil {
			t.Errorf("after an hour: got %+v", *sample)
		}
		s.Put(shop, "unavailable", nil)
		h.pass(2 * time.Minute)
		w.shows("Milk ✓Eggs")
		if err := w.part.Load().Err; !errors.Is(err, errGone) {
			t.Errorf("an unavailable list: got %v", err)
		}
	})
}

func cellOf(v any) *provider.Cell {
	c := provider.NewCell(nil)
	c.Publish(v, time.Now())
	return c
}

// If an item is completed during an outage of an hour, the wall shows the completed item at once, and also after a restart. The list gets
// each change once. An added item exists once.
func TestListOutage(t *testing.T) {
	s := &fake.Server{}
	s.SetList(shop, item("1", "Milk"), item("2", "Eggs"), item("3", "Salt"))
	inHouse(t, s, func(h *house) {
		w := h.listWall(t.TempDir(), nil)
		h.pass(2 * time.Second)
		h.away.Store(true)
		s.Drop()
		h.pass(time.Second)
		w.wish("done", "Milk")
		w.wish("done", "Salt")
		w.wish("open", "Salt")
		w.wish("add", "Bread")
		w.shows("✓Milk… Eggs Salt… Bread…")
		h.pass(30 * time.Minute)
		s.ChangeList(shop, func(all []fake.Item) []fake.Item {
			all[0].Summary = "Oat milk"
			return append(setDone("2", true)(all), item("4", "Tea"))
		})
		w = w.killed()
		h.pass(30 * time.Minute)
		h.away.Store(false)
		h.pass(6 * time.Minute) // longer than the longest pauses of the connection and of the queue
		w.shows("✓Oat milk ✓Eggs Salt Tea Bread")
		if got := onServer(s); got != "✓Oat milk, ✓Eggs, Salt, Tea, Bread" {
			t.Errorf("the list is %s", got)
		}
		if calls(s, "update_item") != 1 || calls(s, "add_item") != 1 {
			t.Errorf("%d changes and %d new items, want one each", calls(s, "update_item"), calls(s, "add_item"))
		}
		w.manager.Close()
	})
}

// Two walls and a phone change the same items at the same time, over connections that lose answers.
func TestListTwoWalls(t *testing.T) {
	s := &fake.Server{}
	weekly := fake.Item{UID: "2", Summary: "Bins", Status: "needs_action", Due: "2026-05-14", Weekly: true}
	s.SetList(shop, item("1", "Milk"), weekly, item("3", "Eggs"))
	var lose atomic.Int32
	s.Before = func(c *fake.Client, m map[string]any) bool {
		if m["type"] != "call_service" || lose.Add(-1) < 0 {
			return false
		}
		c.Carry(m)
		c.Cut()
		return true
	}
	inHouse(t, s, func(h *house) {
		hall, kitchen := h.listWall(t.TempDir(), nil), h.listWall(t.TempDir(), nil)
		h.pass(2 * time.Second)
		lose.Store(3)
		for _, w := range []*listWall{hall, kitchen} {
			w.wish("done", "Milk")
			w.wish("done", "Bins")
		}
		hall.wish("add", "Bread")
		kitchen.wish("add", "bread")
		s.ChangeList(shop, setDone("3", true))
		h.pass(10 * time.Minute)
		if got := onServer(s); !strings.EqualFold(got, "✓Milk, Bins 2026-05-21, ✓Eggs, Bread") {
			t.Errorf("the list is %s", got)
		}
		for _, w := range []*listWall{hall, kitchen} {
			if got := strings.ReplaceAll(words(w.part), "!", ""); !strings.EqualFold(got, "✓Milk Bins ✓Eggs Bread") {
				t.Errorf("a wall shows %s", got)
			}
			w.manager.Close()
		}
	})
}

// If an item is removed on the server, a waiting change of this item fails, and the wall shows the reason. If the list is unavailable,
// changes wait, because Home Assistant would ignore them.
func TestListRefusals(t *testing.T) {
	s := &fake.Server{}
	s.SetList(shop, item("1", "Milk"), item("2", "Eggs"))
	var fall atomic.Bool // whether the list becomes unavailable before the next action
	s.Before = func(_ *fake.Client, m map[string]any) bool {
		if m["type"] == "call_service" && fall.Swap(false) {
			s.Put(shop, "unavailable", nil)
		}
		return false
	}
	inHouse(t, s, func(h *house) {
		w := h.listWall(t.TempDir(), nil)
		defer w.manager.Close()
		h.pass(2 * time.Second)
		fall.Store(true)
		w.wish("done", "Milk")
		w.wish("done", "Eggs")
		h.pass(time.Minute)
		w.shows("✓Milk… ✓Eggs…")
		s.ChangeList(shop, func(all []fake.Item) []fake.Item { return all[:1] })
		h.pass(70 * time.Second) // a failure in the first minute causes a pause of at most 64 seconds
		w.shows("✓Milk")
		if got := onServer(s); got != "✓Milk" {
			t.Errorf("the list is %s", got)
		}
		if !strings.Contains(fmt.Sprint(w.p.lists["shop"].board.Queue.Marks().Tasks["2"].Problem), "removed") {
			t.Errorf("the tick of a removed item: got %+v", w.p.lists["shop"].board.Queue.Marks().Tasks)
		}
	})
}

// If a wall starts while Home Assistant is unavailable, the wall shows the stored items, together with the changes that wait.
func TestListRestart(t *testing.T) {
	s := &fake.Server{}
	s.SetList(shop, item("1", "Milk"), item("2", "Eggs"))
	store, err := keeping.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inHouse(t, s, func(h *house) {
		w := h.listWall(t.TempDir(), store)
		h.pass(2 * time.Second)
		h.away.Store(true)
		s.Drop()
		h.pass(time.Second)
		w.wish("done", "Milk")
		w.wish("add", "Bread")
		w.manager.Close()
		w = h.listWall(w.dir, store)
		h.pass(time.Second)
		w.shows("✓Milk… Eggs Bread…")
		h.away.Store(false)
		h.pass(5 * time.Minute)
		w.shows("✓Milk Eggs Bread")
		w.manager.Close()
	})
}

// If the key `write` is not set, a list cannot be changed.
func TestListWithoutWrite(t *testing.T) {
	s := &fake.Server{}
	s.SetList(shop, item("1", "Milk"))
	inHouse(t, s, func(h *house) {
		set := h.manager.Begin()
		key, p, err := New(&Params{URL: "http://ha.test", Token: fake.Token, Lists: map[string]string{"shop": shop, "none": "todo.none"}}, h.deps)
		if err != nil {
			t.Fatal(err)
		}
		set.Name("home", key)
		set.Add(key, p)
		set.Name("home", key)
		var cells []*provider.Cell
		for _, name := range []string{"shop", "none"} {
			c, _, err := provider.Part(set, "home", name, provider.Place{})
			if err != nil {
				t.Fatal(err)
			}
			cells = append(cells, c)
		}
		h.manager.Commit(set)
		h.pass(2 * time.Second)
		if got := fmt.Sprint(cells[0].Load().Value); got != "[map[description:<nil> done:false due:<nil> id:1 title:Milk]]" || len(p.TaskLists("home")) != 0 {
			t.Errorf("got %s, %d lists", got, len(p.TaskLists("home")))
		}
		if err := fmt.Sprint(cells[1].Load().Err); !strings.Contains(err, "todo.none: Home Assistant refuses: Entity not found") {
			t.Errorf("a list that is not there: got %s", err)
		}
		if n := h.log.Count("todo.none: Home Assistant refuses"); n != 1 {
			t.Errorf("the list that is not there is logged %d times, want once:\n%s", n, h.log)
		}
		h.log.Reset()
		h.away.Store(true)
		s.Drop()
		h.pass(5 * time.Minute)
		if n := h.log.Count("level=WARN"); n != 1 {
			t.Errorf("the outage is logged %d times, want once:\n%s", n, h.log)
		}
	})
}

func TestListMistakes(t *testing.T) {
	many := map[string]string{}
	for i := range MaxLists + 1 {
		many[fmt.Sprint("a", i)] = shop
	}
	for want, lists := range map[string]map[string]string{
		"lists: more than 20": many, `lists: "a b" is not a valid name`: {"a b": shop}, "lists.x: a template has this name": {"x": shop},
		`lists.y: "light.hall" is not a to-do list`: {"y": "light.hall"},
	} {
		p := Params{URL: "http://ha.test", Token: "t", Lists: lists, Templates: map[string]string{"x": "{{ 1 }}"}}
		if _, _, err := New(&p, Deps{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	_, p, err := New(&Params{URL: "http://ha.test", Token: "t", Lists: map[string]string{"shop": shop}}, Deps{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.Part("shopp"); err == nil || !strings.Contains(err.Error(), "is shop meant") {
		t.Errorf("a misspelled list: got %v", err)
	}
}
