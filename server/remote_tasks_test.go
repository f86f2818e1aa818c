package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"dashboard/control"
)

// heldTasks is a list of tasks in memory. After each change, the changed task waits for its source, which never confirms the change.
type heldTasks struct {
	mu  sync.Mutex
	all []Task
}

func (h *heldTasks) lists() []TaskList {
	h.mu.Lock()
	defer h.mu.Unlock()
	return []TaskList{{Name: "Shop", Tasks: append([]Task{}, h.all...), Often: []string{"Milk", "Bread & butter"}}}
}

// change performs the verb todo.
func (h *heldTasks) change(_ context.Context, a control.Action) (control.Result, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	item := a.Args.Text("item")
	switch {
	case a.Args.Text("list") != "Shop":
		return nil, control.Missing(errors.New("no list of tasks has this name"))
	case a.Args.Text("action") == "add" && item == "full":
		return nil, control.Later(errors.New("200 changes of this list already wait"))
	case a.Args.Text("action") == "add":
		h.all = append(h.all, Task{Key: "t:" + item, Title: item, Waiting: true})
	}
	for i := range h.all {
		if t := &h.all[i]; t.Key == item {
			t.Done, t.Waiting = a.Args.Text("action") == "done", true
		}
	}
	return nil, nil
}

// taskFixture returns a wall with a list of tasks.
func taskFixture(t *testing.T) (f *fixture, h *heldTasks) {
	t.Helper()
	f, h = newFixture(t), &heldTasks{all: []Task{
		{Key: "t:1", Title: "Milk"}, {Key: "t:2", Title: "<b>Eggs</b>", Problem: "somebody has removed it from the list"}, {Key: "t:3", Title: "Salt", Done: true}, {Title: "New", Waiting: true},
	}}
	f.Server.deps.Tasks = h.lists
	f.parts.Own = map[string]control.Effect{"todo": h.change}
	f.control()
	f.show(t, 40)
	return f, h
}

// For callers with the control token, the state contains the lists of tasks, open tasks first. The number of tasks has a limit.
func TestStateTasks(t *testing.T) {
	f, h := taskFixture(t)
	f.Configure(Settings{StreamOn: true, HTTPControl: true, StreamToken: pointer("s"), ControlToken: pointer("c")})
	if got := f.asks("GET", "/state", "s", "").Body.String(); !strings.Contains(got, `"tasks":[]`) {
		t.Errorf("a caller that may only look gets %s", got)
	}
	for i := range maxStateTasks {
		h.all = append(h.all, Task{Key: fmt.Sprint(i), Title: "more"})
	}
	var got struct {
		Tasks []struct {
			Name  string
			More  int
			Often []string
			Tasks []struct {
				Task, Problem *string
				Title         string
				Done, Waiting bool
			}
		}
	}
	if err := json.Unmarshal(f.asks("GET", "/state", "c", "").Body.Bytes(), &got); err != nil || len(got.Tasks) != 1 {
		t.Fatal(err, got)
	}
	l := got.Tasks[0]
	if l.Name != "Shop" || l.More != 4 || len(l.Tasks) != maxStateTasks || l.Tasks[0].Done || l.Tasks[2].Task != nil || !l.Tasks[2].Waiting || len(l.Often) != 2 {
		t.Errorf("got %s, %d tasks, %d more, %+v", l.Name, len(l.Tasks), l.More, l.Tasks[:3])
	}
}

// With only the keyboard, a person can add and complete tasks. The title of an open task is not
// suggested. If a change is refused, the page shows the reason as text.
func TestRemoteTasks(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f, h := taskFixture(t)
	address, _ := f.serve(t)
	axe := axeCore(t)
	for _, width := range []int{360, 1280} {
		ctx := browser(t, width, 800, 1)
		see(t, ctx, chromedp.Navigate("http://"+address+"/"))
		until(t, ctx, `document.querySelector('.tasks')?.innerText.includes('Not changed: somebody has removed it') && !document.querySelector('.tasks b')`)
		until(t, ctx, `![...document.querySelectorAll('.tasks .buttons button')].some((b) => b.innerText === 'Milk')`)
		title := fmt.Sprint("Bread ", width)
		see(t, ctx, chromedp.SendKeys(chromedp.CSS(".tasks input"), title+"\r"))
		row := func(title string) string {
			return `[...document.querySelectorAll('.tasks [role=checkbox]')].find((r) => r.textContent.trim().startsWith('` + title + `'))`
		}
		until(t, ctx, row(title)+`.innerText.includes('waits for its server') && document.querySelector('.tasks input').value === ''`)
		until(t, ctx, `(`+row(title)+`.focus(), true)`)
		see(t, ctx, chromedp.KeyEvent(" "))
		until(t, ctx, row(title)+`.ariaChecked === 'true' && document.querySelector('.toast').innerText.includes('is done')`)
		see(t, ctx, chromedp.Focus(chromedp.CSS(".toast button")), chromedp.KeyEvent(kb.Enter))
		until(t, ctx, row(title)+`.ariaChecked === 'false'`)
		see(t, ctx, chromedp.SendKeys(chromedp.CSS(".tasks input"), "full\r"))
		until(t, ctx, `document.querySelector('.toast').innerText.includes('already wait') && document.querySelector('.tasks input').value === 'full'`)
		see(t, ctx, chromedp.Focus(chromedp.CSS(".tasks summary")), chromedp.KeyEvent(kb.Enter))
		until(t, ctx, `document.querySelector('.tasks details').open && document.documentElement.scrollWidth <= innerWidth`)
		until(t, ctx, `(document.querySelector('.tasks').scrollIntoView(), true)`)
		keep(t, ctx, fmt.Sprint("remote-tasks-", width))
		checkAxe(t, ctx, axe, width)
		checkTargets(t, ctx, width)
	}
	if n := len(h.lists()[0].Tasks); n != 6 {
		t.Errorf("the list has %d tasks, want 6", n)
	}
}
