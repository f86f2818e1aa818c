package main

import (
	"cmp"
	"context"
	"time"

	"dashboard/control/page"
	"dashboard/server"
)

var _ server.Pages = (*service)(nil)

// Pages implements server.Pages.
func (s *service) Pages(view string) (list []page.Status, ok bool) {
	v := s.all()[cmp.Or(view, mainView)]
	if v == nil {
		return nil, false
	}
	return v.pages.List(time.Now()), true
}

// ShowPage implements server.Pages.
func (s *service) ShowPage(_ context.Context, view, what string, hold time.Duration) (page.Status, error) {
	v := s.all()[cmp.Or(view, mainView)]
	if v == nil {
		return page.Status{}, page.ErrNone
	}
	st, err := v.pages.Show(what, hold, time.Now())
	if err == nil {
		v.log.Info("page chosen", "page", st.Page, "asked", what, "until", told(st.Until))
	}
	return st, err
}

// TurnTo implements control.Verbs.
func (v verbs) TurnTo(ctx context.Context, view, what string, hold time.Duration) error {
	_, err := v.ShowPage(ctx, view, what, hold)
	return err
}

// mainPage is what the outermost widget with pages of the main view shows, and what can be asked for; empty if it has none.
func (s *service) mainPage(now time.Time) (shown string, names []string) {
	v := s.main()
	if list := v.pages.List(now); len(list) > 0 {
		return list[0].Page, v.pages.Names()
	}
	return "", nil
}
