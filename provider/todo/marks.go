package todo

import "time"

// A Mark is a change that a value of the source does not contain yet.
type Mark struct {
	Task, Title, By string
	At              time.Time
	Done            bool   // wanted state; ignored if Problem is not ""
	Waiting         bool   // whether the source does not have the change yet
	Problem         string // reason why the source rejected the change
}

// Marks are the changes of a list at one time. They are immutable.
type Marks struct {
	Tasks  map[string]Mark // latest change of each task, by the task's ID
	New    []Mark          // new tasks
	Ticks  []Tick          // completed tasks; the oldest task is first
	Unread bool            // whether the source has accepted changes that no reading contains yet
}

// Of returns the latest change of a task. ok is false if the task has not changed.
func (m *Marks) Of(task string) (Mark, bool) {
	k, ok := m.Tasks[task]
	return k, ok
}

// none holds no marks. A list that cannot be changed has these marks.
var none = &Marks{}

// Marks returns the present marks. The result is never nil. A nil queue has empty marks.
func (q *Queue) Marks() *Marks {
	if q == nil {
		return none
	}
	return q.marks.Load()
}

// mark computes the marks from the present changes. mu must be held.
func (q *Queue) mark() {
	m := &Marks{Tasks: map[string]Mark{}, Ticks: append([]Tick(nil), q.ticks...)}
	for _, p := range q.all {
		k := Mark{Task: p.Task, Title: p.Title, By: p.By, At: p.At, Done: p.Done, Waiting: p.waits(), Problem: p.Problem}
		m.Unread = m.Unread || p.Sent
		if p.New {
			m.New = append(m.New, k)
		} else {
			m.Tasks[p.Task] = k
		}
	}
	q.marks.Store(m)
}
