package view

import (
	"context"
	"time"

	"dashboard/control"
	"dashboard/control/device"
	"dashboard/theme/sun"
	"dashboard/widgets/notice"
)

// Identify shows a sign on the wall. `lasts` is the time for which the sign is shown. Another call replaces the sign.
func (v *View) Identify(text notice.Sign, lasts time.Duration) {
	now := time.Now()
	until := now.Add(lasts).UnixNano()
	v.named.Store(until)
	v.Sign.Publish(text, now)
	v.Power.Look()
	time.AfterFunc(lasts, func() {
		if v.named.CompareAndSwap(until, 0) {
			v.Sign.Publish(notice.Sign{}, time.Now())
		}
	})
}

// Theme implements control.Themes.
func (v *View) Theme(context.Context) (control.ThemeState, error) {
	shown := v.Shown.Load()
	if shown == nil || shown.Single() { // nil until the view shows its first scene
		return control.ThemeState{}, control.ErrOneTheme
	}
	return themeState(v.Themes.holder.At(v.Themes.Now()), shown.Gen.Located()), nil
}

// SetTheme implements control.Themes. It returns when the wall shows the theme.
func (v *View) SetTheme(ctx context.Context, mode, hold string) (control.ThemeState, error) {
	before, err := v.Theme(ctx)
	if err != nil {
		return before, err
	}
	now := v.Themes.Now()
	var st sun.State
	if mode == "auto" {
		if st, err = v.Themes.holder.Auto(now); err != nil {
			return before, control.ErrNoPlace
		}
	} else {
		st = v.Themes.holder.Set(sun.Mode(mode), sun.Hold(hold), now)
	}
	v.Themes.Look() // check again, because the next change is due at another time now
	return themeState(st, before.Located), v.activate(ctx)
}

func themeState(st sun.State, located bool) control.ThemeState {
	return control.ThemeState{
		Mode: string(st.Mode), FollowingSun: st.FollowingSun, HeldUntil: st.HeldUntil,
		NextChange: st.NextChange, NextMode: string(st.NextMode), Located: located,
	}
}

// OnBroker returns the description of the view for a broker.
func (v *View) OnBroker(now time.Time) device.Wall {
	painted, screen := v.Loop.Stats(), v.Power.State()
	w := device.Wall{
		View: v.Name, Screen: v.Shown.Load().Windows(), On: screen.On, Level: screen.Level, Notify: v.Board.Any(),
		Painted: painted.Painted, Frames: painted.Frames,
	}
	if t, err := v.Theme(context.Background()); err == nil {
		w.Sun = t.Located
		if w.Theme = t.Mode; t.FollowingSun {
			w.Theme = "auto"
		}
	}
	if list := v.Pages.List(now); len(list) > 0 {
		w.Page, w.Pages = list[0].Page, v.Pages.Names()
	}
	return w
}
