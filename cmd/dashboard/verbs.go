package main

import (
	"cmp"
	"context"
	"os"
	"time"

	"dashboard/config"
	"dashboard/control"
	"dashboard/theme/sun"
	"dashboard/widgets/notice"
)

// newVerbs returns what may be done to the walls of a service.
func (s *service) newVerbs() *control.Walls {
	return control.New(control.Parts{Wall: s.wall, Timers: s.builder.timers, Reload: s.readAgain, Call: s.call, Log: s.log})
}

// wall is what the verbs act on in a view, "" being the main one; nil if there is no such view.
func (s *service) wall(name string) *control.Wall {
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil {
		return nil
	}
	return &control.Wall{Themes: v, Notices: v.notes, Pages: v.pages, Power: v.power, Identify: func(lasts time.Duration) { v.identify(s.titleOf(v), lasts) }}
}

// titleOf is what a wall says of itself.
func (s *service) titleOf(v *view) notice.Sign {
	host, _ := os.Hostname()
	title := cmp.Or(host, "dashboard")
	if shown := v.shown.Load(); shown != nil && shown.gen.conf.MQTT != nil && shown.gen.conf.MQTT.Name != "" {
		title = shown.gen.conf.MQTT.Name
	}
	if v.name != config.MainView {
		title += "\n" + v.name
	}
	return notice.Sign{Title: title, Note: s.web.url()}
}

// identify shows a sign for so long. The last one counts.
func (v *view) identify(text notice.Sign, lasts time.Duration) {
	now := time.Now()
	until := now.Add(lasts).UnixNano()
	v.named.Store(until)
	v.sign.Publish(text, now)
	v.power.Look()
	time.AfterFunc(lasts, func() {
		if v.named.CompareAndSwap(until, 0) {
			v.sign.Publish(notice.Sign{}, time.Now())
		}
	})
}

var _ control.Themes = (*view)(nil)

// Theme implements control.Themes.
func (v *view) Theme(context.Context) (control.ThemeState, error) {
	shown := v.shown.Load()
	if shown == nil || shown.single() { // nil: it has just been opened
		return control.ThemeState{}, control.ErrOneTheme
	}
	return themeState(v.themes.holder.At(v.themes.now()), shown.gen.located()), nil
}

// SetTheme implements control.Themes. The theme is on the wall when it returns.
func (v *view) SetTheme(ctx context.Context, mode, hold string) (control.ThemeState, error) {
	before, err := v.Theme(ctx)
	if err != nil {
		return before, err
	}
	now := v.themes.now()
	var st sun.State
	if mode == "auto" {
		if st, err = v.themes.holder.Auto(now); err != nil {
			return before, control.ErrNoPlace
		}
	} else {
		st = v.themes.holder.Set(sun.Mode(mode), sun.Hold(hold), now)
	}
	v.themes.look() // when it changes next is another time now
	return themeState(st, before.Located), v.activate(ctx)
}

func themeState(st sun.State, located bool) control.ThemeState {
	return control.ThemeState{
		Mode: string(st.Mode), FollowingSun: st.FollowingSun, HeldUntil: st.HeldUntil,
		NextChange: st.NextChange, NextMode: string(st.NextMode), Located: located,
	}
}

// readAgain returns when the files have been taken over, or refused.
func (s *service) readAgain(ctx context.Context) (control.Reloading, error) {
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
