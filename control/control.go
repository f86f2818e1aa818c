// Package control has the operations on walls for all callers.
//
// An [Action] is what a caller asks for: a touch, a key, a button, an HTTP request, a message of the broker. [Walls.Do] checks it
// against its declaration in package verb, carries it out and returns a [Result]:
//
//	a := control.Action{By: control.Caller{Via: "touch"}, Verb: "page", Args: verb.Args{"page": "next"}}
//	result, err := walls.Do(ctx, a)
//
// Errors are for the caller: their text names the problem and the right words.
package control

import (
	"context"
	"time"

	"dashboard/control/verb"
)

// A Caller is the origin of a request.
type Caller struct {
	Via   string // http, mqtt, touch, key, gpio or notification
	From  string // address or name for the log, if known
	Local bool   // it is on this machine, and may ask for what only this machine reaches
}

// An Action is what a caller asks for. The zero value asks for nothing.
type Action struct {
	By   Caller
	View string // "" is the main one
	Verb string
	Args verb.Args
}

// A Result is the answer to an action: the fields of a JSON object. It belongs to the caller.
type Result map[string]any

// A Doer carries out actions. Do may be called from any goroutine. It waits until the action is done or refused, at most [VerbTime].
// ErrNoView reports an unknown view. A result next to an error describes the error.
type Doer interface {
	Do(ctx context.Context, a Action) (Result, error)
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
