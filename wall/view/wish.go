package view

import (
	"context"
	"encoding/json"

	"dashboard/control"
	"dashboard/fb/evdev"
	"dashboard/widgets/kit"
)

// wish asks for what a touch or a key on the view's screen is to do. If nil, it is nothing.
func (v *View) wish(by control.Caller, do func(context.Context, control.Verbs, control.Caller, string) error) {
	if do != nil {
		v.Ask(Wish{by, v.Name, func(ctx context.Context, verbs control.Verbs) error { return do(ctx, verbs, by, v.Name) }})
	}
}

// actionOf is the action of a touched widget, nil if the widget did everything.
func actionOf(w kit.Wish) func(context.Context, control.Verbs, control.Caller, string) error {
	if w.Timer != "" {
		return func(ctx context.Context, v control.Verbs, by control.Caller, _ string) error {
			action := "toggle"
			if w.Length > 0 {
				action = "start"
			}
			_, err := v.Timer(ctx, by, w.Timer, action, w.Length)
			return err
		}
	}
	if w.Notice != "" {
		return func(ctx context.Context, v control.Verbs, by control.Caller, view string) error {
			return v.Choose(ctx, by, view, w.Notice, w.Choice)
		}
	}
	if w.Action == nil {
		return nil
	}
	return plainAction(w).Do
}

// plainAction is an action of the widgets file as the verbs take it.
func plainAction(w kit.Wish) control.Action {
	a := w.Action
	out := control.Action{Page: a.Page, Theme: a.Theme, Dismiss: a.Dismiss, Timer: a.Timer, Power: a.Power}
	switch {
	case a.Toggle && w.Entity != nil:
		out.Call = &control.Call{Provider: w.Provider, Service: "homeassistant.toggle", Entity: w.Entity.ID}
	case a.Brightness != nil:
		level := float64(*a.Brightness)
		out.Brightness = &level
	case a.Notify != nil:
		out.Notify, _ = json.Marshal(a.Notify.Value()) // plain values can always be written
	case a.Service != "":
		out.Call = &control.Call{Service: a.Service}
		if a.Entity != nil {
			out.Call.Entity = a.Entity.ID
		}
		out.Call.Data, _ = a.Data.Value().(map[string]any)
	}
	return out
}

// Key runs the action of a key: arrows and the space bar turn pages, digits choose one, Escape dismisses notifications,
// the power key switches the screen. Every key is a sign of presence, and one that wakes the screen does nothing else.
func (v *View) Key(code uint16, device string) {
	if v.Power.Touch() {
		return
	}
	var a control.Action
	switch {
	case code == evdev.KeyLeft:
		a.Page = "previous"
	case code == evdev.KeyRight || code == evdev.KeySpace:
		a.Page = "next"
	case code >= evdev.Key1 && code <= evdev.Key9:
		names := v.Pages.First()
		if i := int(code - evdev.Key1); i < len(names) {
			a.Page = names[i]
		}
	case code == evdev.KeyEsc:
		a.Dismiss = "all"
	case code == evdev.KeyPower:
		a.Power = "toggle"
	}
	if a.Page != "" || a.Dismiss != "" || a.Power != "" {
		v.wish(control.Caller{Via: "key", From: device, Local: true}, a.Do)
	}
}
