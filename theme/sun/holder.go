package sun

import (
	"cmp"
	"errors"
	"sync"
	"time"
)

// recheck is how long a polar sun is trusted not to turn. It is half the window, so no turn comes unannounced.
const recheck = Window / 2

// ErrNoPlace is the error of following the sun without coordinates. Callers show its text.
var ErrNoPlace = errors.New("'auto' means follow the sun, which needs a latitude and longitude in conf.yaml's appearance block")

// A Hold is how long a mode chosen by hand lasts.
type Hold string

// The two holds.
const (
	HoldNext    Hold = "next"    // until the sun's next turn, then the sun is followed again
	HoldForever Hold = "forever" // until the sun is followed by request
)

// A State is what decides the theme at one moment. A zero time or an empty mode stands for none.
type State struct {
	Mode         Mode
	FollowingSun bool
	HeldUntil    time.Time // automatic end of the hold
	NextChange   time.Time // when the sun turns next, also while a hold is on
	NextMode     Mode      // mode after the change
}

// A Holder follows the sun or holds a manual choice. Its methods may be called from any goroutine. Calls are cheap
// until the sun's next turn.
type Holder struct {
	mu        sync.Mutex // guards everything below
	schedule  *Schedule
	otherwise Mode
	held      Mode      // "" = not held
	until     time.Time // end of the hold, zero without a schedule
	unset     bool      // the hold is until the next turn, and there was no schedule for its time

	// The mode of the schedule from cachedFrom until cachedTo, without monotonic readings, because these continue when
	// a clock is set back.
	cachedFrom, cachedTo time.Time
	mode                 Mode
	next                 Change // zero = none
}

// NewHolder returns a holder that follows the schedule. Without coordinates it stays in the mode otherwise until it is
// changed.
func NewHolder(s *Schedule, otherwise Mode) *Holder {
	h := &Holder{}
	h.Reconfigure(s, otherwise)
	return h
}

// Reconfigure replaces the schedule and the default mode. The schedule may be nil. A hold continues. Without a sun it
// never ends. With a new sun it ends as planned, or at the first turn if it had no end.
func (h *Holder) Reconfigure(s *Schedule, otherwise Mode) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.schedule, h.otherwise = nil, otherwise
	if s != nil {
		own := *s
		h.schedule = &own
	}
	h.cachedFrom, h.cachedTo = time.Time{}, time.Time{}
}

// At returns the state at a moment, and ends a hold whose time has come.
func (h *Holder) At(now time.Time) State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stateLocked(now)
}

// Set holds a mode from now on. A hold until the sun's next turn lasts forever if the sun has none.
func (h *Holder) Set(mode Mode, hold Hold, now time.Time) State {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held, h.until, h.unset = mode, time.Time{}, hold == HoldNext
	return h.stateLocked(now)
}

// Auto ends any hold and follows the sun. Without a schedule it changes nothing and returns [ErrNoPlace].
func (h *Holder) Auto(now time.Time) (State, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.schedule == nil {
		return h.stateLocked(now), ErrNoPlace
	}
	h.releaseLocked()
	return h.stateLocked(now), nil
}

// Wake returns the next moment at which the mode may change automatically, or zero. Calling again at that moment misses
// no change.
func (h *Holder) Wake(now time.Time) time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	st := h.stateLocked(now)
	switch {
	case st.FollowingSun:
		return h.cachedTo
	default:
		return st.HeldUntil
	}
}

// releaseLocked ends a hold.
func (h *Holder) releaseLocked() { h.held, h.until, h.unset = "", time.Time{}, false }

func (h *Holder) stateLocked(now time.Time) State {
	if h.schedule == nil {
		return State{Mode: cmp.Or(h.held, h.otherwise)}
	}
	h.lookLocked(now)
	if h.unset {
		h.until, h.unset = h.next.At, false
	}
	if h.held != "" && !h.until.IsZero() && !now.Before(h.until) {
		h.releaseLocked()
	}
	st := State{Mode: h.mode, FollowingSun: true, NextChange: h.next.At, NextMode: h.next.Mode}
	if h.held != "" {
		st.Mode, st.FollowingSun, st.HeldUntil = h.held, false, h.until
	}
	return st
}

// lookLocked consults the schedule unless the cached mode still holds. It also consults it after a clock was set back.
func (h *Holder) lookLocked(now time.Time) {
	now = now.Round(0)
	if !now.Before(h.cachedFrom) && now.Before(h.cachedTo) {
		return
	}
	h.mode = h.schedule.Mode(now)
	next, ok := h.schedule.nextFrom(now, h.mode)
	h.cachedFrom, h.cachedTo, h.next = now, now.Add(recheck), next
	if ok {
		h.cachedTo = next.At
	}
}
