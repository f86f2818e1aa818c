package control

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// The bounds of the verbs.
const (
	// VerbTime bounds how long a verb takes: a large wall takes seconds to be read again on a small board.
	VerbTime = 30 * time.Second
	// MaxAtOnce bounds the verbs under way: whoever sends more is faster than walls are.
	MaxAtOnce = 64
	// MaxName bounds the names of views, pages, timers and widgets that callers give, bytes.
	MaxName = 255
	// MaxBody bounds the body of a notification, bytes: 4096 characters of text, escaped, take 48 kB at most.
	MaxBody = 64 << 10
	// MaxPower bounds for how long a screen may be switched: longer is until something else is asked for.
	MaxPower = 30 * 24 * time.Hour
	// DefaultIdentify is how long a wall says its name: long enough to walk past several.
	DefaultIdentify = 10 * time.Second
	// MaxIdentify bounds it.
	MaxIdentify = 10 * time.Minute
)

var (
	// ErrNoView says that there is no view of a name.
	ErrNoView = errors.New("there is no view of this name")
	// ErrBusy says that as many verbs are under way as may.
	ErrBusy = errors.New("too much is asked for at once; try again")
	// ErrOneTheme says that there is nothing to switch.
	ErrOneTheme = errors.New("there is only one theme: conf.yaml has no 'appearance' block, or --theme was given")
	// ErrNoPlace says that the sun cannot be followed.
	ErrNoPlace = errors.New("'auto' means follow the sun, which needs a latitude and longitude in conf.yaml's appearance block")
	// ErrMode says that a mode is none.
	ErrMode = errors.New("'mode' must be one of: day, night, auto")
	// ErrThemeHold says that a hold of a theme is none.
	ErrThemeHold = errors.New("'hold' must be 'next' (until the sun's next turn) or 'forever'")
	// ErrThemeFailed says that the theme cannot be told or changed now; the log says why.
	ErrThemeFailed = errors.New("the theme cannot be changed now")
	// ErrNoScreen says that nothing can be switched or dimmed.
	ErrNoScreen = errors.New("there is no screen to switch")
	// ErrPower says that a state of screens is none.
	ErrPower = errors.New("'state' must be one of: " + strings.Join(PowerStates(), ", "))
	// ErrFor says that a time for which screens are switched is none.
	ErrFor = fmt.Errorf("'for' must be seconds above 0, at most %d, and is of on, off and toggle", int(MaxPower.Seconds()))
	// ErrBrightness says that a brightness is none.
	ErrBrightness = errors.New("'brightness' must be a share such as \"40%\" or 0.4, or \"auto\"")
	// ErrIdentify says that a time for which a wall says its name is none.
	ErrIdentify = fmt.Errorf("'for' must be seconds above 0, at most %d", int(MaxIdentify.Seconds()))
	// ErrTooLong says that a name or a body is longer than any there is.
	ErrTooLong = fmt.Errorf("a name may have at most %d bytes, a notification %d", MaxName, MaxBody)
	// ErrNoReload says that the configuration cannot be read again.
	ErrNoReload = errors.New("there is nothing to read again")
	// ErrWrong says that the configuration was refused; what is wrong is in the log, and in the answer to POST /reload.
	ErrWrong = errors.New("the configuration is wrong; the dashboard goes on as it was")
	// ErrNothing says that an action does nothing.
	ErrNothing = errors.New("this action names nothing to do")
	// ErrElsewhere says that who was asked did not do it; the log says why.
	ErrElsewhere = errors.New("who was asked for this did not do it")
	// ErrNoCall says that there is nobody to ask.
	ErrNoCall = errors.New("nobody can be asked for this: conf.yaml names no 'homeassistant' or 'mqtt'")
)

// PowerStates are the words for how screens may be switched.
func PowerStates() []string { return []string{"on", "off", "toggle", "auto"} }
