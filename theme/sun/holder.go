package sun

import (
	"cmp"
	"errors"
	"sync"
	"time"
)

// recheck is the time until the next search for a change while the sun does not rise or set. It is half the window, so no change
// is missed.
const recheck = Window / 2

// ErrNoPlace is the error of following the sun without coordinates. Callers show its text.
var ErrNoPlace = errors.New("'auto' means follow the sun, which needs a latitude and longitude in conf.yaml's appearance block")

// A Hold sets how long a manually chosen mode lasts.
type Hold string

// The two holds.
const (
	HoldNext    Hold = "next"    // keeps the mode until the next sunrise or sunset
	HoldForever Hold = "forever" // keeps the mode until a request to follow the sun
)

// A State describes the theme's mode at one moment. A zero time or an empty mode means that there is none.
type State struct {
	Mode         Mode
	FollowingSun bool
	HeldUntil    time.Time // automatic end of the hold
	NextChange   time.Time // time of the sun's next change, even during a hold
	NextMode     Mode      // mode after the change
}

// A Holder follows the sun or holds a manual choice. Its methods may be called from any goroutine. Calls are cheap until the sun's
// next change.
type Holder struct {
	mu        sync.Mutex // guards everything below
	schedule  *Schedule
	otherwise Mode
	held      Mode      // "" = not held
	until     time.Time // end of the hold, zero without a schedule
	unset     bool      // the hold ends at the next change, but without a schedule the time is unknown

	// The mode of the schedule from cachedFrom until cachedTo. These times have no monotonic readings, because those continue when
	// a clock is set back.
	cachedFrom, cachedTo time.Time
	mode                 Mode
	next                 Change // zero = none
}

// NewHolder returns a holder that follows the schedule. Without coordinates it keeps the mode otherwise until the mode is changed.
func NewHolder(s *Schedule, otherwise Mode) *Holder {
	h := &Holder{}
	h.Reconfigure(s, otherwise)
	return h
}

// Reconfigure replaces the schedule and the default mode. The schedule may be nil. A hold continues. Without a schedule it does not
// end. With a new schedule it ends as planned, or at the next change if its end was unknown.
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

// At returns the state at a moment. It ends a hold that has expired.
func (h *Holder) At(now time.Time) State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stateLocked(now)
}

// Set holds a mode from now on. If the sun does not change, a hold until the next change lasts forever.
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

// lookLocked computes the mode from the schedule, if the cached mode is no longer valid or a clock was set back.
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
