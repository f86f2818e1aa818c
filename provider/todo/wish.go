package todo

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// A List is a list of tasks that can be changed.
type List struct {
	Name     string
	Provider string // name of the list's provider
	Queue    *Queue
	Tasks    func() []Task // returns the published tasks, with the changes of the queue
}

// A Task is a task of a list.
type Task struct {
	ID, Title, Ref string
	Due            string // due date in the format of the source
	Done, Waiting  bool
	Problem        string // reason why the source rejected the last change
}

// A Holder is a provider of lists that can be changed.
type Holder interface {
	// TaskLists returns the lists. `name` is the name of the provider.
	TaskLists(name string) []List
}

// A Wish is a change of a task that a person requests.
type Wish struct {
	Item   string // ID of a task with the tag of its list, or a title
	Action string // add, done, open or toggle
	List   string // name of a list or of its provider; "" means all lists, or the first list if a task is added
	By     string // name of the person
	At     time.Time
}

var (
	// ErrNone is returned if no list can be changed.
	ErrNone = errors.New("no provider takes changes of tasks: write 'write: true' at one of type calendar, homeassistant, todoist or rest")
	// ErrNoList is returned for an unknown list.
	ErrNoList = errors.New("no list of tasks has this name")
	// ErrNoTask is returned for an unknown task.
	ErrNoTask = errors.New("no list has this task")
	// ErrTitle is returned for a title that is empty, is too long, or has control characters.
	ErrTitle = fmt.Errorf("the title of a task has 1 to %d bytes and no control characters", MaxTitle)
)

// Do queues the change that a person requests. It does nothing if the task already has the wanted state, or if an open task with the
// title already exists.
func Do(lists []List, w Wish) error {
	if len(lists) == 0 {
		return ErrNone
	}
	if w.List != "" {
		var some []List
		for _, l := range lists {
			if strings.EqualFold(l.Name, w.List) || strings.EqualFold(l.Provider, w.List) {
				some = append(some, l)
			}
		}
		if lists = some; len(lists) == 0 {
			return ErrNoList
		}
	}
	if w.Action == "add" {
		return add(lists[0], w)
	}
	return change(lists, w)
}

// add queues a new task.
func add(l List, w Wish) error {
	title := strings.TrimSpace(w.Item)
	if title == "" || len(title) > MaxTitle || strings.ContainsFunc(title, unicode.IsControl) {
		return ErrTitle
	}
	c := Change{New: true, Title: title, By: w.By, At: w.At}
	for _, t := range l.Tasks() {
		if strings.EqualFold(t.Title, title) {
			if !t.Done {
				return nil
			}
			c.Known = append(c.Known, t.ID)
		}
	}
	return l.Queue.Put(c)
}

// change() queues a change of an existing task.
func change(lists []List, w Wish) error {
	l, t, ok := find(lists, w)
	if !ok {
		return ErrNoTask
	}
	done := w.Action == "done" || w.Action == "toggle" && !t.Done
	if done == t.Done {
		return nil
	}
	return l.Queue.Put(Change{Task: t.ID, Ref: t.Ref, Title: t.Title, Due: t.Due, Done: done, By: w.By, At: w.At})
}

// find returns the task that a wish names in the field Item. If no task has this ID, it returns a task with this title. If several tasks
// have the title, it prefers a task that the action would change.
func find(lists []List, w Wish) (at List, task Task, ok bool) {
	for _, l := range lists {
		for _, t := range l.Tasks() {
			if t.ID == "" {
				continue // the source has not given the task an ID yet
			}
			if l.Queue.Tag(t.ID) == w.Item {
				return l, t, true
			}
			if strings.EqualFold(t.Title, w.Item) && (!ok || task.Done == (w.Action == "done")) {
				at, task, ok = l, t, true
			}
		}
	}
	return at, task, ok
}
