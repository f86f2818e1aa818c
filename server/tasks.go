package server

import (
	"cmp"

	"dashboard/control"
)

// A TaskList is a list of tasks that can be changed.
type TaskList struct {
	Name  string
	Tasks []Task
	Often []string // titles that people have added often
}

// A Task is a task of a list.
type Task struct {
	Key            string // key for changes of the task, or "" if it cannot be changed
	Title, Problem string // Problem is the reason why the source has refused the last change
	Done, Waiting  bool   // Waiting is true until the source has accepted the last change
}

// maxStateTasks is the maximum number of tasks of a list in a state.
const maxStateTasks = 200

// tasks() returns the lists of tasks for a remote, open tasks first.
func (s *Server) tasks() []fields {
	lists := []fields{}
	if s.deps.Tasks == nil {
		return lists
	}
	for _, l := range s.deps.Tasks() {
		all := []fields{}
		for _, done := range []bool{false, true} {
			for _, t := range l.Tasks {
				if t.Done == done && len(all) < maxStateTasks {
					all = append(all, fields{
						"task": control.OrNull(t.Key), "title": t.Title, "done": t.Done, "waiting": t.Waiting, "problem": control.OrNull(t.Problem),
					})
				}
			}
		}
		lists = append(lists, fields{
			"name": cmp.Or(l.Name, "Tasks"), "tasks": all, "more": len(l.Tasks) - len(all), "often": append([]string{}, l.Often...),
		})
	}
	return lists
}
