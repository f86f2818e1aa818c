// Package control implements the operations on walls for all callers.
//
// An [Action] is a request of a caller: a touch, a key, a button, an HTTP request, or a message of the broker. [Walls.Do] checks
// it against its declaration in package verb, runs it and returns a [Result]:
//
//	a := control.Action{By: control.Caller{Via: "touch"}, Verb: "page", Args: verb.Args{"page": "next"}}
//	result, err := walls.Do(ctx, a)
//
// The text of an error is for the caller. It names the problem and the allowed values.
package control

import (
	"context"
	"time"

	"dashboard/control/verb"
)

// A Caller is the origin of a request.
type Caller struct {
	Via   string // origin: http, mqtt, touch, key, gpio or notification
	From  string // address or name for the log, if known
	Local bool   // true if it is on this machine, so that it may request addresses that only this machine can reach
}

// An Action is a request of a caller. The zero value requests nothing.
type Action struct {
	By   Caller
	View string // "" for the main view
	Verb string
	Args verb.Args
}

// A Result is the answer to an action, in the form of a JSON object. It belongs to the caller.
type Result map[string]any

// A Doer runs actions. Do may be called from any goroutine. It returns after the action is done or rejected, within [VerbTime].
// ErrNoView reports an unknown view. If Do returns a result with an error, the result describes the error.
type Doer interface {
	Do(ctx context.Context, a Action) (Result, error)
}

// A ThemeState holds the inputs of the theme at a time. A zero time or an empty mode means none.
type ThemeState struct {
	Mode         string // day or night
	FollowingSun bool
	HeldUntil    time.Time // end of a hold
	NextChange   time.Time // time of the next change by the sun
	NextMode     string    // mode after NextChange
	Located      bool      // true if the location of the sun's observer is known
}

// A Reloading is the result of reading the configuration again.
type Reloading struct {
	OK          bool
	Diagnostics any // list of errors and warnings for JSON, each with file, line and column
}
