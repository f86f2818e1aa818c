// Package control is what may be done to walls, wherever that is asked for.
//
// [Verbs] are the verbs. Whoever takes a wish from outside (an HTTP handler, a broker's message, a finger, a key, a button of a
// notification) checks who asks, and calls one verb with a [Caller] that says so. It has no logic of its own: what a word means,
// which bounds hold and what is answered is here. [Walls] are the verbs of a running service; what a touch or a button is to do
// is an [Action], and [Action.Do] calls the verb that is meant:
//
//	by := control.Caller{Via: "touch"}
//	err := control.Action{Page: "next"}.Do(ctx, verbs, by, view)
//
// Errors are for the caller: their text says what is wrong and names the right words.
package control

import (
	"context"
	"time"

	"dashboard/control/page"
	"dashboard/control/power"
	"dashboard/control/timer"
)

// A Caller is who asks.
type Caller struct {
	Via   string // http, mqtt, touch, key, gpio or notification
	From  string // an address or a name, where one is known; the log tells it
	Local bool   // it is on this machine, and may ask for what only this machine reaches
}

// Verbs are what may be done to walls. A view of "" is the main one; ErrNoView says that there is none of a name. They may be called
// from any goroutine. Each waits until it is done or refused, [VerbTime] at most, and returns how things are then.
type Verbs interface {
	// Theme shows the theme of a mode: day, night, toggle for the other one, or auto, which follows the sun. A hold of next, or "",
	// lasts until the sun's next turn, forever until something else is asked for.
	Theme(ctx context.Context, by Caller, view, mode, hold string) (ThemeState, error)
	// Page shows the page of a name, or next or previous, for a time, with 0 as page.Pages.Show says; auto has the rules choose.
	Page(ctx context.Context, by Caller, view, what string, hold time.Duration) (page.Status, error)
	// Notify shows a notification: a JSON object as POST /notify takes it, on the view that it names if none is given. The id is its
	// own; "" if it has none.
	Notify(ctx context.Context, by Caller, view string, body []byte) (id string, err error)
	// Dismiss ends the notifications with an id, all if it is "", of a widget, of all if it is "". It returns how many there were.
	Dismiss(ctx context.Context, by Caller, view, widget, id string) (int, error)
	// Choose does what an action of a notification says, counted from 0, and ends the notification unless it stays.
	Choose(ctx context.Context, by Caller, view, id string, n int) error
	// Power switches the screens: on, off, toggle or auto; for so long, 0 being until something else is asked for.
	Power(ctx context.Context, by Caller, view, state string, lasts time.Duration) (power.State, error)
	// Brightness dims the screens, from 0 to 1; below 0 follows the settings again.
	Brightness(ctx context.Context, by Caller, view string, level float64) (power.State, error)
	// Reload reads the configuration again.
	Reload(ctx context.Context, by Caller) (Reloading, error)
	// Identify has the wall say its name, for so long; 0 is [DefaultIdentify].
	Identify(ctx context.Context, by Caller, view string, lasts time.Duration) error
	// Timer starts, stops, resets or toggles the timer of a name; a length above 0 is that of the run which begins.
	Timer(ctx context.Context, by Caller, name, action string, length time.Duration) (timer.Status, error)
	// Call has something done elsewhere: by Home Assistant, by a message to the broker, or by a request.
	Call(ctx context.Context, by Caller, c Call) error
}

// A ThemeState is what decides the theme at one moment. A zero time or an empty mode stands for none.
type ThemeState struct {
	Mode         string // day or night
	FollowingSun bool
	HeldUntil    time.Time // when a hold ends by itself
	NextChange   time.Time // when the sun turns next
	NextMode     string    // what it turns to
	Located      bool      // it is known where the sun is watched from
}

// A Reloading is what came of reading the configuration again.
type Reloading struct {
	OK          bool
	Diagnostics any // a list, as JSON: what is wrong and what is odd, each with its file, line and column
}

// A Call is what is asked of somebody else. One of Service, Topic and URL is set.
type Call struct {
	Provider string         // of Home Assistant, for Service; "" for that of conf.yaml
	Service  string         // such as light.turn_on
	Entity   string         // for Service; "" for none
	Data     map[string]any // for Service; may be nil

	Topic   string // on the broker of conf.yaml
	Payload string // for Topic

	URL  string // is asked by POST; http or https
	Body string // for URL
}
