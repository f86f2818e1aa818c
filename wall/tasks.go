package wall

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/control"
	"dashboard/provider/todo"
	"dashboard/server"
)

// changeTask queues a change of a task.
func (s *Service) changeTask(_ context.Context, a control.Action) (control.Result, error) {
	err := todo.Do(s.taskLists(), todo.Wish{
		Item: a.Args.Text("item"), Action: cmp.Or(a.Args.Text("action"), "add"), List: a.Args.Text("list"), By: a.Args.Text("by"), At: time.Now(),
	})
	switch {
	case errors.Is(err, todo.ErrFull):
		err = control.Later(err)
	case errors.Is(err, todo.ErrNone), errors.Is(err, todo.ErrNoList), errors.Is(err, todo.ErrNoTask):
		err = control.Missing(err)
	}
	return nil, err
}

// taskLists returns the task lists that can be changed, sorted by the names of their providers. The lists of recipes come last, so that a
// new task without the name of a list goes to a list of the wall.
func (s *Service) taskLists() (all []todo.List) {
	shown := s.main().Shown.Load()
	if shown == nil {
		return nil
	}
	var foreign []todo.List
	for _, name := range shown.Gen.Sources.Names() {
		if p, ok := s.builder.Providers.Find(name); ok {
			if h, ok := p.(todo.Holder); ok {
				lists := h.TaskLists(name)
				for i := range lists {
					lists[i].Provider = name
				}
				if ofRecipe(shown.Gen.Uses, name) {
					foreign = append(foreign, lists...)
				} else {
					all = append(all, lists...)
				}
			}
		}
	}
	return append(all, foreign...)
}

// ofRecipe reports whether a provider belongs to a recipe.
func ofRecipe(uses []*recipe.Use, name string) bool {
	return slices.ContainsFunc(uses, func(u *recipe.Use) bool {
		return slices.ContainsFunc(u.Providers, func(p *config.Provider) bool { return p.Name == name })
	})
}

// tasks() returns the lists of tasks for the remote.
func (s *Service) tasks() (all []server.TaskList) {
	for _, l := range s.taskLists() {
		own := server.TaskList{Name: l.Name, Often: l.Queue.Often()}
		for _, t := range l.Tasks() {
			own.Tasks = append(own.Tasks, server.Task{Key: l.Queue.Tag(t.ID), Title: t.Title, Done: t.Done, Waiting: t.Waiting, Problem: t.Problem})
		}
		all = append(all, own)
	}
	return all
}
