package control

import (
	"errors"
	"time"

	"dashboard/control/verb"
)

// Limits for all verbs.
const (
	// VerbTime is the maximum duration of a verb. A small board takes seconds to reload a large wall.
	VerbTime = 30 * time.Second
	// MaxAtOnce is the maximum number of verbs that run at the same time.
	MaxAtOnce = 64
	// MaxName is the maximum length in bytes of a name that a caller sends: the name of a view, page, timer or widget.
	MaxName = verb.MaxText
	// DefaultIdentify is the default time for which a wall shows its name. It is long enough to walk past several walls.
	DefaultIdentify = 10 * time.Second
)

var (
	// ErrNoView is returned for an unknown view.
	ErrNoView = errors.New("there is no view of this name")
	// ErrBusy is returned if too many verbs are running.
	ErrBusy = errors.New("too many requests at once; try again")
	// ErrOneTheme is returned if there is no second theme.
	ErrOneTheme = errors.New("there is only one theme: conf.yaml has no 'appearance' block, or --theme was given")
	// ErrNoPlace is returned if the theme cannot follow the sun, because the wall has no coordinates.
	ErrNoPlace = errors.New("'auto' means follow the sun, which needs a latitude and longitude in conf.yaml's appearance block")
	// ErrThemeFailed is returned if a theme change failed. The log contains the reason.
	ErrThemeFailed = errors.New("the theme cannot be changed now")
	// ErrNoScreen is returned if the wall has no screen that can be switched or dimmed.
	ErrNoScreen = errors.New("there is no screen to switch")
	// ErrTooLong is returned for a name or body that exceeds its limit.
	ErrTooLong = verb.ErrTooLong
	// ErrInside is returned for a verb that only files and notifications may use.
	ErrInside = errors.New("only actions in the files and buttons of notifications may do this")
	// ErrPhones is returned if no further phone can get its own view now.
	ErrPhones = errors.New("two phones already show the wall in their own size; try again in ten minutes")
	// ErrNoSlider is returned if no slider on the shown page controls the entity.
	ErrNoSlider = errors.New("no tap on the shown page controls a number of this entity")
	// ErrNoUpdates is returned if this wall does not run from the card image.
	ErrNoUpdates = errors.New("only the card's system has updates")
	// ErrNoReload is returned if there is no configuration that can be reloaded.
	ErrNoReload = errors.New("there is no configuration to reload")
	// ErrWrong is returned for a configuration with errors. The log and the answer to POST /reload contain the errors.
	ErrWrong = errors.New("the configuration has an error; the dashboard keeps the earlier one")
	// ErrNothing is returned for an action that has no effect.
	ErrNothing = errors.New("this action has no effect")
	// ErrElsewhere is returned if another system, such as Home Assistant, failed. The log contains the reason.
	ErrElsewhere = errors.New("the other system did not do this; the log has the reason")
	// ErrNoCall is returned if conf.yaml does not configure the system that the action needs.
	ErrNoCall = errors.New("conf.yaml has no 'homeassistant' or 'mqtt' for this")
)

// A MissingError is returned if an object that an action names, such as a list of tasks, does not exist.
type MissingError struct{ error }

// Unwrap returns the cause.
func (e MissingError) Unwrap() error { return e.error }

// Missing returns err as a MissingError.
func Missing(err error) error { return MissingError{err} }

// Later returns err as a LaterError.
func Later(err error) error { return LaterError{err} }

// A LaterError is returned if an action failed but may succeed later.
type LaterError struct{ error }

// Unwrap returns the cause.
func (e LaterError) Unwrap() error { return e.error }
