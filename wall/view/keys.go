package view

import (
	"dashboard/control"
	"dashboard/control/verb"
	"dashboard/fb/evdev"
)

// ask requests an action on this view for a caller at its screen. If the action has no verb, the
// widget has handled the touch, and ask does nothing.
func (v *View) ask(by control.Caller, a control.Action) {
	if a.Verb == "" {
		return
	}
	a.By, a.View = by, v.Name
	a.By.Local = true
	v.Ask(a)
}

// Key runs the action of a key. Arrows and the space bar turn pages, digits select a page, Escape dismisses notifications, and the power
// key switches the screen. Every key counts as presence. If a key switches the screen on, the key has no other effect.
func (v *View) Key(code uint16, device string) {
	if v.Power.Touch() {
		return
	}
	var a control.Action
	switch {
	case code == evdev.KeyLeft:
		a = pageAction("previous")
	case code == evdev.KeyRight || code == evdev.KeySpace:
		a = pageAction("next")
	case code >= evdev.Key1 && code <= evdev.Key9:
		names := v.Pages.First()
		if i := int(code - evdev.Key1); i < len(names) {
			a = pageAction(names[i])
		}
	case code == evdev.KeyEsc:
		a.Verb = "dismiss"
	case code == evdev.KeyPower:
		a = control.Action{Verb: "power", Args: verb.Args{"state": "toggle"}}
	}
	v.ask(control.Caller{Via: "key", From: device}, a)
}

func pageAction(name string) control.Action {
	return control.Action{Verb: "page", Args: verb.Args{"page": name}}
}
