package power

import "errors"

// ErrAbsent is returned by a Backend that has no screen. The next backend is then tried, without a line in the log.
var ErrAbsent = errors.New("it is missing")

// ErrNoScreen is returned by a Backend that stores the state for a screen that may appear later.
var ErrNoScreen = errors.New("no screen is connected")

// A Backend is one way to switch a screen.
type Backend interface {
	// Kind returns the backend's name in the settings, such as drm.
	Kind() string
	// Power switches the screen on or off. It does nothing if the screen already has that state. If it returns an error, the next backend
	// is tried.
	Power(on bool) error
	// Leave switches the screen on and restores its original settings.
	Leave() error
}

// A Dimmer is a Backend that can set the brightness, from 0 to 1. A negative level restores the original brightness.
type Dimmer interface{ Dim(level float64) error }

// A Warmer is a Backend that can make the colors of the picture warmer, from 0 to 1.
type Warmer interface{ Warm(warmth float64) }

// A Screen is a screen with its backends. The best backend is first.
type Screen struct {
	Name     string
	Backends []Backend
}

// A Report is the result of switching a screen. An empty string is a missing value.
type Report struct {
	Screen  string
	Backend string // backend that switched the screen
	Dimmer  string // backend that set the brightness
	Problem string // error of the latest attempt
	Absent  bool   // whether there is no screen; Problem then contains this error
	Dark    bool   // whether the screen is probably dark although it should be on, because the backend that switched it off has failed
}

// A doer calls a function of a backend. `kind` is the kind of the backend. If the backend does not answer, the doer may stop waiting and
// return an error.
type doer func(kind string, f func() error) error

// power switches a screen. To switch it off, the first backend that works is enough. To switch it on, power uses all backends, because
// any of them may keep the screen dark. `darkBy` is the backend that switched the screen off last, or "". If that backend fails, the
// screen may still be dark.
func (s Screen) power(do doer, on bool, darkBy string) Report {
	r := Report{Screen: s.Name}
	for _, b := range s.Backends {
		err := do(b.Kind(), func() error { return b.Power(on) })
		if r.Absent = r.Absent || errors.Is(err, ErrNoScreen); errors.Is(err, ErrAbsent) || errors.Is(err, ErrNoScreen) {
			continue
		}
		if err != nil {
			dark := on && b.Kind() == darkBy
			if !on || r.Problem == "" || dark {
				r.Problem, r.Dark = b.Kind()+": "+err.Error(), r.Dark || dark
			}
			continue
		}
		if r.Backend == "" {
			r.Backend = b.Kind()
		}
		if !on {
			r.Problem = ""
			return r
		}
	}
	if r.Absent = r.Absent && r.Backend == "" && r.Problem == ""; r.Absent {
		r.Problem = ErrNoScreen.Error()
	} else if !on && r.Problem == "" {
		r.Problem = "nothing can switch it off"
	}
	return r
}

// dim sets the brightness with the first backend that can do it. A negative level restores the original brightness with all backends,
// because any of them may have changed it.
func (s Screen) dim(do doer, level float64, r *Report) {
	for _, b := range s.Backends {
		d, ok := b.(Dimmer)
		if !ok {
			continue
		}
		switch err := do(b.Kind(), func() error { return d.Dim(level) }); {
		case errors.Is(err, ErrAbsent), err == nil && level < 0:
		case err == nil:
			r.Dimmer = b.Kind()
			return
		default:
			r.Problem = b.Kind() + ": " + err.Error()
		}
	}
}

// warm makes the picture warmer with every backend that can do it.
func (s Screen) warm(do doer, warmth float64) {
	for _, b := range s.Backends {
		if w, ok := b.(Warmer); ok {
			_ = do(b.Kind(), func() error { w.Warm(warmth); return nil }) // if the backend hangs, Power reports it
		}
	}
}
