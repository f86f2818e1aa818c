package todo

import "time"

// A Mark is a change that a value of the source does not show.
type Mark struct {
	Task, Title, By string
	At              time.Time
	Done            bool   // wanted state; it counts unless there is a problem
	Waiting         bool   // the source does not have the change yet
	Problem         string // reason why the source refused the change
}

// Marks are the changes of a list at one moment. They are immutable.
type Marks struct {
	Tasks  map[string]Mark // latest change of each task, by its id
	New    []Mark          // added tasks
	Ticks  []Tick          // completed tasks, the oldest first
	Unread bool            // the source has changes that no reading shows
}

// Of returns the mark of a task.
func (m *Marks) Of(task string) (Mark, bool) {
	k, ok := m.Tasks[task]
	return k, ok
}

// none are the marks of a list that takes no changes.
var none = &Marks{}

// Marks returns the present marks, never nil. A nil queue has none.
func (q *Queue) Marks() *Marks {
	if q == nil {
		return none
	}
	return q.marks.Load()
}

// mark computes the marks of the present changes. The caller holds q.mu.
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
