// Package control has the operations on walls for all callers.
//
// [Verbs] are the operations. An HTTP handler, a broker's message, a finger, a key or a button checks its caller, and calls one verb with a
// [Caller]. Meaning of words, limits and results are defined here. [Walls] are the verbs of a running service. An [Action] is the effect of
// a touch or a button, and [Action.Do] calls its verb:
//
//	by := control.Caller{Via: "touch"}
//	err := control.Action{Page: "next"}.Do(ctx, verbs, by, view)
//
// Errors are for the caller: their text names the problem and the right words.
package control

import (
	"context"
	"time"

	"dashboard/control/page"
	"dashboard/control/power"
	"dashboard/control/timer"
)

// A Caller is the origin of a request.
type Caller struct {
	Via   string // http, mqtt, touch, key, gpio or notification
	From  string // address or name for the log, if known
	Local bool   // it is on this machine, and may ask for what only this machine reaches
}

// Verbs are the operations on walls. The view "" is the main one. ErrNoView reports an unknown view. Verbs may be called from any
// goroutine. Each waits until it is done or refused, at most [VerbTime], and returns the new state.
type Verbs interface {
	// Theme shows the theme of a mode: day, night, toggle for the other one, or auto, which follows the sun. A hold of next, or "",
	// lasts until the sun's next turn, forever until something else is asked for.
	Theme(ctx context.Context, by Caller, view, mode, hold string) (ThemeState, error)
	// Page shows a page by name, next or previous, for a time; auto returns to the rules. See page.Pages.Show for a time of 0.
	Page(ctx context.Context, by Caller, view, what string, hold time.Duration) (page.Status, error)
	// Notify shows a notification, a JSON object of POST /notify. If view is "", the object's view counts. It returns the
	// notification's id, or "".
	Notify(ctx context.Context, by Caller, view string, body []byte) (id string, err error)
	// Dismiss ends the notifications with an id, or all if it is "", of a widget, or of all widgets if it is "". It returns their
	// number.
	Dismiss(ctx context.Context, by Caller, view, widget, id string) (int, error)
	// Choose does what an action of a notification says, counted from 0, and ends the notification unless it stays.
	Choose(ctx context.Context, by Caller, view, id string, n int) error
	// Power switches the screens on, off, toggle or auto for a time; 0 means until the next request.
	Power(ctx context.Context, by Caller, view, state string, lasts time.Duration) (power.State, error)
	// Brightness dims the screens, from 0 to 1. A negative level returns to the settings.
	Brightness(ctx context.Context, by Caller, view string, level float64) (power.State, error)
	// Reload reads the configuration again.
	Reload(ctx context.Context, by Caller) (Reloading, error)
	// Identify shows the wall's name for a time; 0 means [DefaultIdentify].
	Identify(ctx context.Context, by Caller, view string, lasts time.Duration) error
	// Timer starts, stops, resets or toggles a timer. A length above 0 is the length of a new run.
	Timer(ctx context.Context, by Caller, name, action string, length time.Duration) (timer.Status, error)
	// Call sends a request to Home Assistant, to the broker or to an address.
	Call(ctx context.Context, by Caller, c Call) error
}

// A ThemeState is what decides the theme at one moment. A zero time or an empty mode stands for none.
type ThemeState struct {
	Mode         string // day or night
	FollowingSun bool
	HeldUntil    time.Time // end of a hold
	NextChange   time.Time // when the sun turns next
	NextMode     string    // mode after that
	Located      bool      // it is known where the sun is watched from
}

// A Reloading is what came of reading the configuration again.
type Reloading struct {
	OK          bool
	Diagnostics any // a list, as JSON: errors and warnings, each with file, line and column
}

// A Call is a request to another system. One of Service, Topic and URL is set.
type Call struct {
	Provider string         // Home Assistant provider, for Service; "" for the one in conf.yaml
	Service  string         // such as light.turn_on
	Entity   string         // for Service; may be ""
	Data     map[string]any // for Service; may be nil

	Topic   string // on the broker of conf.yaml
	Payload string // for Topic

	URL  string // for a POST request; http or https
	Body string // for URL
}
