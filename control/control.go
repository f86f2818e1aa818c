// Package control implements the operations on walls for all callers.
//
// An [Action] is a request of a caller: a touch, a key, a button, an HTTP request, or a message of the broker. [Walls.Do] checks the
// action against the declarations in package verb, runs it and returns a [Result]:
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

// A Caller describes where a request comes from.
type Caller struct {
	Via   string // kind of origin: http, mqtt, touch, key, gpio, notification or pairing
	From  string // address or name for the log, if known
	Local bool   // whether the caller is on this machine. Such a caller may use addresses that only this machine can reach
}

// An Action is a request of a caller. The zero value requests nothing.
type Action struct {
	By   Caller
	View string // "" for the main view
	Verb string
	Args verb.Args
}

// A Result is the answer to an action. It is a JSON object and belongs to the caller.
type Result map[string]any

// A Doer runs actions. Any goroutine may call Do. Do returns when the action is done or rejected, at the latest after [VerbTime]. If the
// verb needs a view and the view is unknown, Do returns ErrNoView. If Do returns both a result and an error, the result describes the
// error.
type Doer interface {
	Do(ctx context.Context, a Action) (Result, error)
}

// A ThemeState describes the theme of a view at a time. The fields that do not apply have the zero time or an empty text.
type ThemeState struct {
	Mode         string // day or night
	FollowingSun bool
	HeldUntil    time.Time // end of a manual choice
	NextChange   time.Time // time when the sun changes the theme next
	NextMode     string    // mode from NextChange on
	Located      bool      // whether the location of the wall is known
}

// A Reloading is the result of a reload of the configuration.
type Reloading struct {
	OK          bool
	Diagnostics any // errors and warnings for a JSON answer, each with file, line and column
}
