package power

import "errors"

// ErrAbsent is returned by a Backend without a screen. The next backend is tried without a log line.
var ErrAbsent = errors.New("it is missing")

// A Backend switches one screen.
type Backend interface {
	// Kind returns its name in the settings, such as drm.
	Kind() string
	// Power switches the screen on or off. It does nothing if the screen already has that state. After an error the next backend is
	// tried.
	Power(on bool) error
	// Leave restores the screen and switches it on.
	Leave() error
}

// A Dimmer is a Backend that can dim, from 0 to 1. A negative level restores the original brightness.
type Dimmer interface{ Dim(level float64) error }

// A Warmer is a Backend that also makes the picture warmer, from 0 to 1.
type Warmer interface{ Warm(warmth float64) }

// A Screen is a screen and its backends, the best first.
type Screen struct {
	Name     string
	Backends []Backend
}

// A Report is the result of switching a screen. Empty strings mean none.
type Report struct {
	Screen  string
	Backend string // backend that last switched the screen
	Dimmer  string // backend that sets the brightness
	Problem string // problem of the latest attempt
	Dark    bool   // true if the screen should be on, but the backend that switched it off failed. Problem has the reason
}

// A doer calls a backend of a kind, and may stop waiting for a backend that does not answer.
type doer func(kind string, f func() error) error

// power switches a screen off with the first backend that works. It switches it on with all of them, because any of them may keep
// it dark. darkBy is the backend that last switched it off, or "". If that one fails, the screen may still be dark.
func (s Screen) power(do doer, on bool, darkBy string) Report {
	r := Report{Screen: s.Name}
	for _, b := range s.Backends {
		err := do(b.Kind(), func() error { return b.Power(on) })
		if errors.Is(err, ErrAbsent) {
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
	if !on && r.Problem == "" {
		r.Problem = "nothing can switch it off"
	}
	return r
}

// dim sets the brightness with the first backend that can. To restore the original brightness, it uses all backends, because any
// of them may have changed it.
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

// warm makes the picture warmer with all backends that can.
func (s Screen) warm(do doer, warmth float64) {
	for _, b := range s.Backends {
		if w, ok := b.(Warmer); ok {
			_ = do(b.Kind(), func() error { w.Warm(warmth); return nil }) // Power reports a backend that hangs
		}
	}
}
