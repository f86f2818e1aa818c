package control

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Limits of the verbs.
const (
	// VerbTime limits a verb, because a small board takes seconds to reload a large wall.
	VerbTime = 30 * time.Second
	// MaxAtOnce limits the verbs under way.
	MaxAtOnce = 64
	// MaxName limits the names of views, pages, timers and widgets from callers, in bytes.
	MaxName = 255
	// MaxBody limits the body of a notification, in bytes. 4096 escaped characters take at most 48 kB.
	MaxBody = 64 << 10
	// MaxPower limits the time of a switched screen. Without a time, it lasts until the next request.
	MaxPower = 30 * 24 * time.Hour
	// DefaultIdentify is the time for which a wall shows its name: long enough to walk past several.
	DefaultIdentify = 10 * time.Second
	// MaxIdentify limits that time.
	MaxIdentify = 10 * time.Minute
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
	// ErrMode reports an invalid mode.
	ErrMode = errors.New("'mode' must be one of: day, night, auto")
	// ErrThemeHold reports an invalid hold of a theme.
	ErrThemeHold = errors.New("'hold' must be 'next' (until the sun's next turn) or 'forever'")
	// ErrThemeFailed reports a failure that is in the log.
	ErrThemeFailed = errors.New("the theme cannot be changed now")
	// ErrNoScreen reports that there is no screen to switch or dim.
	ErrNoScreen = errors.New("there is no screen to switch")
	// ErrPower reports an invalid state of screens.
	ErrPower = errors.New("'state' must be one of: " + strings.Join(PowerStates(), ", "))
	// ErrFor reports an invalid time for a switched screen.
	ErrFor = fmt.Errorf("'for' must be seconds above 0, at most %d, only with on, off and toggle", int(MaxPower.Seconds()))
	// ErrBrightness reports an invalid brightness.
	ErrBrightness = errors.New("'brightness' must be a share such as \"40%\" or 0.4, or \"auto\"")
	// ErrIdentify reports an invalid time for the wall's name.
	ErrIdentify = fmt.Errorf("'for' must be seconds above 0, at most %d", int(MaxIdentify.Seconds()))
	// ErrTooLong reports a name or a body above the limit.
	ErrTooLong = fmt.Errorf("a name may have at most %d bytes, a notification %d", MaxName, MaxBody)
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

// PowerStates are the words for how screens may be switched.
func PowerStates() []string { return []string{"on", "off", "toggle", "auto"} }
