package control

import (
	"errors"
	"time"

	"dashboard/control/verb"
)

// Limits of the verbs.
const (
	// VerbTime is the maximum duration of a verb. A small board takes seconds to reload a large wall.
	VerbTime = 30 * time.Second
	// MaxAtOnce is the maximum number of verbs that run at the same time.
	MaxAtOnce = 64
	// MaxName limits the names of views, pages, timers and widgets from callers, in bytes.
	MaxName = verb.MaxText
	// DefaultIdentify is the time for which a wall shows its name: long enough to walk past several.
	DefaultIdentify = 10 * time.Second
)

var (
	// ErrNoView reports an unknown view.
	ErrNoView = errors.New("there is no view of this name")
	// ErrBusy reports too many verbs under way.
	ErrBusy = errors.New("too many requests at once; try again")
	// ErrOneTheme reports that there is no other theme.
	ErrOneTheme = errors.New("there is only one theme: conf.yaml has no 'appearance' block, or --theme was given")
	// ErrNoPlace reports that the sun is unknown without coordinates.
	ErrNoPlace = errors.New("'auto' means follow the sun, which needs a latitude and longitude in conf.yaml's appearance block")
	// ErrThemeFailed reports a failure that is in the log.
	ErrThemeFailed = errors.New("the theme cannot be changed now")
	// ErrNoScreen reports that there is no screen to switch or dim.
	ErrNoScreen = errors.New("there is no screen to switch")
	// ErrTooLong reports a name or a body above the limit.
	ErrTooLong = verb.ErrTooLong
	// ErrInside reports a verb that only the files and notifications may use.
	ErrInside = errors.New("only actions in the files and buttons of notifications may do this")
	// ErrPhones reports that no further view for a phone is possible now.
	ErrPhones = errors.New("two phones already show the wall in their own size; try again in ten minutes")
	// ErrNoSlider reports an entity without a slider on the shown page.
	ErrNoSlider = errors.New("no tap on the shown page controls a number of this entity")
	// ErrNoUpdates reports that this wall does not run from a card.
	ErrNoUpdates = errors.New("only the card's system has updates")
	// ErrNoReload reports that there is no configuration to reload.
	ErrNoReload = errors.New("there is no configuration to reload")
	// ErrWrong reports a refused configuration. The errors are in the log and in the answer to POST /reload.
	ErrWrong = errors.New("the configuration is wrong; the dashboard goes on as it was")
	// ErrNothing reports an action without an effect.
	ErrNothing = errors.New("this action has no effect")
	// ErrElsewhere reports that another system failed. The reason is in the log.
	ErrElsewhere = errors.New("the other system did not do this; the log has the reason")
	// ErrNoCall reports that conf.yaml does not name the other system.
	ErrNoCall = errors.New("conf.yaml has no 'homeassistant' or 'mqtt' for this")
)

// A MissingError reports an action on something that does not exist.
type MissingError struct{ error }

// Unwrap returns the cause.
func (e MissingError) Unwrap() error { return e.error }

// Missing returns a MissingError with a cause.
func Missing(err error) error { return MissingError{err} }

// Later returns a LaterError with a cause.
func Later(err error) error { return LaterError{err} }

// A LaterError reports an action that failed for now. It may work when it is repeated.
type LaterError struct{ error }

// Unwrap returns the cause.
func (e LaterError) Unwrap() error { return e.error }
