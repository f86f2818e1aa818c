package wall

import (
	"cmp"
	"context"
	"os"
	"time"

	"dashboard/config"
	"dashboard/control"
	"dashboard/control/timer"
	"dashboard/wall/view"
	"dashboard/widgets/notice"
)

// newVerbs returns the verbs for the walls of a service.
func (s *Service) newVerbs(timers *timer.Timers) *control.Walls {
	return control.New(control.Parts{
		Wall: s.wall, Timers: timers, Reload: s.readAgain, Ready: s.ready, Call: s.call, Own: s.effects(), Log: s.log,
	})
}

// effects() returns the functions of the verbs that need a view or the service. Package control has the functions of the other verbs.
func (s *Service) effects() map[string]control.Effect {
	return map[string]control.Effect{
		"touch": s.touch, "adjust": s.adjust, "phone": s.phone, "update": s.askKeeper, "take_over": s.takeOver, "todo": s.changeTask,
	}
}

// touch queues a gesture at a point of the wall. It does not wait for the wall's actions.
func (s *Service) touch(_ context.Context, a control.Action) (control.Result, error) {
	if v := s.view(a.View); v != nil {
		v.TouchedFar(a.Args.Float("x"), a.Args.Float("y"), a.Args.Text("gesture"))
	}
	return nil, nil
}

// view returns the view that an action names. If this view was removed a moment ago, view returns nil.
func (s *Service) view(name string) *view.View { return s.all()[cmp.Or(name, config.MainView)] }

// wall returns the parts of a view that verbs control. If `name` is "", wall returns the parts of the main view. If there is no view with
// this name, wall returns nil.
func (s *Service) wall(name string) *control.Wall {
	v := s.view(name)
	if v == nil {
		return nil
	}
	base := v
	if of := s.view(s.phones.of(name)); of != nil { // a phone's view has separate pages and shares the rest with its original
		base = of
	}
	return &control.Wall{Themes: base, Notices: base.Notes, Pages: v.Pages, Power: base.Power, Identify: func(lasts time.Duration) { v.Identify(s.titleOf(v), lasts) }}
}

// titleOf returns the sign that identifies a wall. The sign shows the wall's name and address.
func (s *Service) titleOf(v *view.View) notice.Sign {
	host, _ := os.Hostname()
	title := cmp.Or(host, "dashboard")
	if shown := v.Shown.Load(); shown != nil && shown.Gen.Conf.MQTT != nil && shown.Gen.Conf.MQTT.Name != "" {
		title = shown.Gen.Conf.MQTT.Name
	}
	if v.Name != config.MainView {
		title += "\n" + v.Name
	}
	return notice.Sign{Title: title, Note: s.web.url()}
}

var _ control.Themes = (*view.View)(nil)

// readAgain reads the files again. It returns when the wall has shown or rejected them.
func (s *Service) readAgain(ctx context.Context) (control.Reloading, error) {
	answer := make(chan reloadAnswer, 1)
	select {
	case s.reloads <- reloadRequest{answer}:
	case <-ctx.Done():
		return control.Reloading{}, ctx.Err()
	}
	select {
	case a := <-answer:
		if a.err != nil {
			return control.Reloading{}, a.err
		}
		return control.Reloading{OK: !a.report.Failed(), Diagnostics: append([]config.Diagnostic{}, a.report.Diagnostics()...)}, nil
	case <-ctx.Done():
		return control.Reloading{}, ctx.Err()
	}
}
