package power

import "errors"

// ErrAbsent is what a Backend says that has nothing to switch: the next one is tried, and nothing is told.
var ErrAbsent = errors.New("it is not there")

// A Backend switches one screen.
type Backend interface {
	// Kind is its word in the settings, such as drm.
	Kind() string
	// Power switches the screen on or off; nothing is done to one that is so already. An error has the next backend tried.
	Power(on bool) error
	// Leave gives the screen back, on.
	Leave() error
}

// A Dimmer is a Backend that also dims, from 0 to 1; below 0 is as bright as it was found.
type Dimmer interface{ Dim(level float64) error }

// A Warmer is a Backend that also makes the picture warmer, from 0 to 1.
type Warmer interface{ Warm(warmth float64) }

// A Screen is one that is switched, and what can do that, the best first.
type Screen struct {
	Name     string
	Backends []Backend
}

// A Report is how one screen came to be as it is. Empty words are none.
type Report struct {
	Screen  string
	Backend string // that switched it last
	Dimmer  string // that sets its brightness
	Problem string // of the latest try
	Dark    bool   // it is to be on, and what switched it off did not switch it on: Problem says why
}

// A doer calls a backend of a kind, and may give up on one that does not answer.
type doer func(kind string, f func() error) error

// power switches a screen off by the first backend that does it, and on by all of them: whichever has it dark. darkBy is the one that
// switched it off last, "" for none: if that fails the screen may still be dark.
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

// dim sets the brightness by the first backend that can. As bright as it was found is for all of them: another may have dimmed it before.
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

// warm makes the picture warmer by all backends that can.
func (s Screen) warm(do doer, warmth float64) {
	for _, b := range s.Backends {
		if w, ok := b.(Warmer); ok {
			_ = do(b.Kind(), func() error { w.Warm(warmth); return nil }) // one that hangs is told of by its power
		}
	}
}
